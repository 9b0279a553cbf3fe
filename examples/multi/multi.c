/* SPDX-License-Identifier: Apache-2.0 */
/*
 * multi - computes one picture of the Mandelbrot set on all devices of all backends at once.
 *
 *   multi [--width N] [--height N] [--steps N] [--table-row]
 *
 *   --width, --height  points; 1024 and 768 unless given
 *   --steps            at most so many at a point; 500 unless given
 *   --table-row        one line for examples/demo.sh, fields separated by tabs
 *
 * ACCEL_BACKEND and ACCEL_DEVICES choose the devices: ACCEL_BACKEND=cuda,cpu-threads. Without them, those of all usable
 * backends take part. Each gets rows by its measured speed (shares.c). All counts are compared with those of plain C.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "worker.h"

typedef struct crew {
    worker *workers;
    size_t count;
    bell bell;
    picture shown;
    uint32_t *steps; /* rows in their order, see picture.stride */
} crew;

static void check_memory(bool good)
{
    if (good)
        return;
    fprintf(stderr, "multi: no memory\n");
    exit(2);
}

static void *memory_new(size_t count, size_t size)
{
    void *const memory = calloc(count, size);
    check_memory(memory != NULL);
    return memory;
}

static bool parse_number(const char *option, const char *text, size_t least, size_t most, size_t *number)
{
    char *end = NULL;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "multi: %s: \"%s\" is not a number from %zu to %zu\n", option, text, least, most);
        return false;
    }
    *number = value;
    return true;
}

static bool parse(int argc, char **argv, picture *shown, bool *table_row)
{
    size_t limit = 500;
    bool good = true;
    for (int i = 1; i < argc && good; ++i) {
        if (strcmp(argv[i], "--table-row") == 0) {
            *table_row = true;
        } else if (strcmp(argv[i], "--width") == 0 && i + 1 < argc) {
            good = parse_number("--width", argv[++i], 1, 65536, &shown->width);
        } else if (strcmp(argv[i], "--height") == 0 && i + 1 < argc) {
            good = parse_number("--height", argv[++i], 1, 65536, &shown->height);
        } else if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc) {
            good = parse_number("--steps", argv[++i], 1, 1000000, &limit);
        } else {
            fprintf(stderr, "usage: multi [--width N] [--height N] [--steps N] [--table-row]\n");
            good = false;
        }
    }
    shown->limit = (uint32_t)limit;
    return good;
}

static bool have_common_divisor(size_t a, size_t b)
{
    while (b != 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a != 1;
}

/* The whole set in the middle. Rows in an order in which each share, however small, has some from everywhere: rows of the
 * middle take longer. */
static void show_all(picture *shown)
{
    const double across = 3.0 / (double)shown->width, down = 2.5 / (double)shown->height;
    shown->step = across > down ? across : down;
    shown->left = -0.75 - shown->step * (double)shown->width / 2;
    shown->top = shown->step * (double)shown->height / 2;
    shown->stride = (size_t)(0.618 * (double)shown->height) + 1;
    while (have_common_divisor(shown->stride, shown->height))
        ++shown->stride;
}

/* Nothing of it has failed. */
static bool works(const worker *w)
{
    return w->failure == NULL;
}

static double rate_of_all(const crew *c, const worker *only)
{
    double sum = 0;
    for (size_t i = 0; i < c->count; ++i)
        if (works(&c->workers[i]) && (only == NULL || only == &c->workers[i]))
            sum += c->workers[i].rate;
    return sum;
}

/* As many parts as the worker takes. */
static void keep_busy(crew *c, worker *w, const worker *only, shares *s)
{
    part *p;
    while ((p = worker_free_part(w)) != NULL && shares_left(s) > 0) {
        const range rows = shares_take(s, shares_size(s, w->rate, rate_of_all(c, only), w->last));
        if (!worker_submit(w, p, rows, &c->shown, c->steps))
            worker_fail(w, s);
    }
}

/* The whole picture by all workers, or by one. The result is the time, negative if none is left that could go on. */
static double compute(crew *c, worker *only)
{
    shares s;
    worker *w = NULL;
    const double start = seconds_now();
    check_memory(shares_open(&s, c->shown.height, c->count * PARTS));
    for (;;) {
        /* Also those that found nothing left before: another one's rows may have come back. */
        for (size_t i = 0; i < c->count; ++i)
            if (only == NULL || only == &c->workers[i])
                keep_busy(c, &c->workers[i], only, &s);
        part *const p = worker_wait_any(c->workers, c->count, &w);
        if (p == NULL)
            break;
        if (p->status == ACCEL_OK)
            worker_count(w, p);
        else
            worker_fail(w, &s);
    }
    const bool good = shares_left(&s) == 0;
    shares_close(&s);
    return good ? seconds_now() - start : -1;
}

/* All counts, row by row. */
static bool verify(const crew *c)
{
    uint32_t *const expected = memory_new(c->shown.width, sizeof *expected);
    bool good = true;
    for (size_t k = 0; k < c->shown.height && good; ++k) {
        const size_t row = k * c->shown.stride % c->shown.height;
        const uint32_t *const found = c->steps + k * c->shown.width;
        reference_row(&c->shown, row, expected);
        for (size_t j = 0; j < c->shown.width && good; ++j) {
            good = found[j] == expected[j];
            if (!good)
                fprintf(stderr, "multi: row %zu, column %zu: %u steps, not %u\n", row, j, found[j], expected[j]);
        }
    }
    free(expected);
    return good;
}

/* Rows per second, from first to last. */
static double speed_of(const worker *w)
{
    return w->busy > 0 ? (double)w->rows / w->busy : 0;
}

static void print_crew(const crew *c)
{
    printf("%zu x %zu points, at most %u steps at each\n\n", c->shown.width, c->shown.height, c->shown.limit);
    printf("%-16s %8s %8s %8s   %s\n", "device", "rows", "share", "parts", "10^6 points per second");
    for (size_t i = 0; i < c->count; ++i) {
        const worker *const w = &c->workers[i];
        printf("%-16s %8zu %6.1f %% %8zu   ", w->about.name, w->rows, 100 * (double)w->rows / (double)c->shown.height,
               w->parts_done);
        if (works(w))
            printf("%22.3f\n", 1e-6 * speed_of(w) * (double)c->shown.width);
        else
            printf("%22s\n", "failed");
    }
    printf("\n");
}

/* The result is the number of devices that still work. */
static size_t print_failures(const crew *c, bool others_went_on, FILE *file)
{
    size_t working = c->count;
    for (size_t i = 0; i < c->count; ++i) {
        const worker *const w = &c->workers[i];
        if (works(w))
            continue;
        fprintf(file, "%s failed%s: %s\n\n", w->about.name, others_went_on ? ", and the others got its rows" : "",
                w->failure);
        --working;
    }
    return working;
}

/* The fastest device computes the picture once more, alone. */
static void compare(crew *c, double together)
{
    worker *best = NULL;
    for (size_t i = 0; i < c->count; ++i) {
        worker *const w = &c->workers[i];
        if (works(w) && (best == NULL || speed_of(w) > speed_of(best)))
            best = w;
    }
    printf("%-24s %9.3f ms\n", "all together", 1e3 * together);
    worker_reset(best);
    const double alone = compute(c, best);
    char text[sizeof best->about.name + sizeof " alone"];
    snprintf(text, sizeof text, "%s alone", best->about.name);
    if (alone < 0)
        printf("%-24s failed: %s\n\n", text, best->failure);
    else
        printf("%-24s %9.3f ms: %.2f times as long\n\n", text, 1e3 * alone, alone / together);
}

static void crew_open(crew *c, accel_instance *instance)
{
    pthread_mutex_init(&c->bell.lock, NULL);
    pthread_cond_init(&c->bell.rung, NULL);
    c->count = accel_instance_device_count(instance);
    c->workers = memory_new(c->count, sizeof *c->workers);
    c->steps = memory_new(c->shown.width * c->shown.height, sizeof *c->steps);
    for (size_t i = 0; i < c->count; ++i)
        worker_open(&c->workers[i], accel_instance_device(instance, i), &c->bell, &c->shown,
                    shares_most(c->shown.height));
}

static void crew_close(crew *c)
{
    for (size_t i = 0; i < c->count; ++i)
        worker_close(&c->workers[i]);
    free(c->workers);
    free(c->steps);
    pthread_cond_destroy(&c->bell.rung);
    pthread_mutex_destroy(&c->bell.lock);
}

int main(int argc, char **argv)
{
    crew c = {.shown = {.width = 1024, .height = 768}};
    bool table_row = false;
    accel_instance *instance;
    if (!parse(argc, argv, &c.shown, &table_row))
        return 2;
    if (accel_instance_create(NULL, &instance) != ACCEL_OK) {
        fprintf(stderr, "multi: %s\n", accel_error_message());
        return 2;
    }
    show_all(&c.shown);
    crew_open(&c, instance);

    const double together = compute(&c, NULL);
    bool good = together >= 0;
    if (good)
        good = verify(&c);
    if (table_row) {
        const size_t working = print_failures(&c, together >= 0, stderr);
        printf("multi\tall\t%zu device%s at once\t%s\t%.6f\n", working, working == 1 ? "" : "s", good ? "yes" : "NO",
               together);
    } else {
        print_crew(&c);
        if (print_failures(&c, together >= 0, stdout) == 0)
            printf("no device is left\n\n");
        else
            compare(&c, together);
        printf("%s\n", good ? "verified: all counts are those of plain C" : "NOT VERIFIED");
    }
    crew_close(&c);
    accel_instance_release(instance);
    return good ? 0 : 1;
}
