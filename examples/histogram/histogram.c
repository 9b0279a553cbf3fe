/* SPDX-License-Identifier: Apache-2.0 */
/*
 * histogram - counts bytes on a device in three ways, and times them side by side.
 *
 *   histogram [--elements N] [--table-row] [DEVICE]
 *
 *   N            10000000 unless given
 *   --table-row  one line for examples/demo.sh, fields separated by tabs
 *   DEVICE       "cpu-serial", "cuda:1", ...; without it, the first device
 *
 * The kernels are in histogram.k.c. All counts are compared with those of plain C.
 */
#include <accel/accel.h>
#include <accel/pattern.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "histogram.h"

#define ROUNDS 5 /* of all ways in turn; the table has the median */

enum { WAY_ATOMICS, WAY_BLOCKS, WAY_SCATTER, WAY_PLAIN_C, WAY_COUNT };

typedef struct way {
    const char *kernel, *text;
    accel_kernel *run;
    double seconds[ROUNDS];
    bool wrong;
} way;

typedef struct contest {
    way ways[WAY_COUNT];
    size_t n;
    const uint8_t *host; /* the elements */
    uint32_t expected[BINS];
    accel_queue *queue;
    accel_buffer *x, *bins;
    accel_scatter *scatter;
    accel_scatter_properties about_scatter;
} contest;

static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "histogram: %s: %s\n", accel_status_name(status), accel_error_message());
    exit(2);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void count_in_plain_c(size_t n, const uint8_t *x, uint32_t bins[BINS])
{
    memset(bins, 0, BINS * sizeof bins[0]);
    for (size_t i = 0; i < n; ++i)
        ++bins[x[i]];
}

/* Submits all that a way needs to add its counts to the buffer of bins. The queue keeps the order. */
static void submit(contest *c, const way *w)
{
    const bins_args own = {c->n, accel_buffer_ptr(c->x), accel_buffer_ptr(c->bins)};
    const scatter_args shared = {c->n, accel_buffer_ptr(c->x), c->about_scatter.view};

    if (w != &c->ways[WAY_SCATTER]) {
        check(accel_launch_over(c->queue, w->run, 1, &c->n, &own, sizeof own));
        return;
    }
    check(accel_launch_over(c->queue, w->run, 1, &c->n, &shared, sizeof shared));
    check(accel_scatter_contribute(c->queue, c->scatter, c->bins));
}

/* One histogram, timed and checked. */
static void run(contest *c, way *w, double *seconds)
{
    const uint32_t zero = 0;
    uint32_t found[BINS];
    check(accel_fill(c->queue, c->bins, &zero, sizeof zero, NULL));
    check(accel_queue_wait(c->queue));

    const double start = seconds_now();
    if (w == &c->ways[WAY_PLAIN_C]) {
        count_in_plain_c(c->n, c->host, found);
    } else {
        submit(c, w);
        check(accel_queue_wait(c->queue));
    }
    *seconds = seconds_now() - start;

    if (w != &c->ways[WAY_PLAIN_C]) {
        check(accel_read(c->queue, found, c->bins));
        check(accel_queue_wait(c->queue));
    }
    for (size_t b = 0; b < BINS; ++b) {
        if (found[b] == c->expected[b])
            continue;
        fprintf(stderr, "histogram: %s: bin %zu is %u, not %u\n", w->text, b, found[b], c->expected[b]);
        w->wrong = true;
        return;
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All ways in turn; the first round, which finds cold memory, does not count. */
static bool run_all(contest *c)
{
    bool good = true;
    for (int round = -1; round < ROUNDS; ++round)
        for (int i = 0; i < WAY_COUNT; ++i)
            run(c, &c->ways[i], &c->ways[i].seconds[round < 0 ? 0 : round]);
    for (int i = 0; i < WAY_COUNT; ++i) {
        qsort(c->ways[i].seconds, ROUNDS, sizeof(double), compare);
        good = good && !c->ways[i].wrong;
    }
    return good;
}

static void print_table(const contest *c, const accel_device_properties *about)
{
    printf("histogram of %zu bytes on %s (%s)\n\n%-28s %12s %16s\n", c->n, about->name, about->description, "", "time",
           "10^9 per second");
    for (int i = 0; i < WAY_COUNT; ++i) {
        const double seconds = c->ways[i].seconds[ROUNDS / 2];
        printf("%-28s %9.3f ms %16.3f%s\n", c->ways[i].text, 1e3 * seconds,
               seconds > 0 ? 1e-9 * (double)c->n / seconds : 0, c->ways[i].wrong ? "  WRONG" : "");
    }
    printf("\ncopies of the scatter: %u\n", c->about_scatter.copies);
}

static bool parse(int argc, char **argv, size_t *n, bool *table_row, const char **device)
{
    for (int i = 1; i < argc; ++i) {
        char *end = NULL;
        if (strcmp(argv[i], "--table-row") == 0) {
            *table_row = true;
        } else if (strcmp(argv[i], "--elements") == 0 && i + 1 < argc) {
            const unsigned long long value = strtoull(argv[++i], &end, 10);
            if (argv[i][0] < '0' || argv[i][0] > '9' || *end != '\0' || value == 0 || value > UINT32_MAX) {
                fprintf(stderr, "histogram: --elements: \"%s\" is not a number from 1 to 4294967295\n", argv[i]);
                return false;
            }
            *n = (size_t)value;
        } else if (argv[i][0] != '-' && *device == NULL) {
            *device = argv[i];
        } else {
            fprintf(stderr, "usage: histogram [--elements N] [--table-row] [DEVICE]\n");
            return false;
        }
    }
    return true;
}

/* Bytes as if by chance, around 128 more often than others: the sum of two dice of 128 faces. */
static uint8_t *bytes_new(size_t n)
{
    uint8_t *x = malloc(n);
    uint32_t seed = 1;
    for (size_t i = 0; x != NULL && i < n; ++i) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (uint8_t)((seed >> 25) + (seed >> 18 & 127));
    }
    return x;
}

int main(int argc, char **argv)
{
    contest c = {.n = 10000000,
                 .about_scatter = ACCEL_SCATTER_PROPERTIES_INIT,
                 .ways = {{.kernel = "global_atomics", .text = "1 global atomics"},
                          {.kernel = "block_counters", .text = "2 counters of each block"},
                          {.kernel = "scatter", .text = "3 scatter"},
                          {.text = "plain C, one thread"}}};
    bool table_row = false;
    const char *name = NULL; /* the first device of all */
    if (!parse(argc, argv, &c.n, &table_row, &name))
        return 2;

    accel_instance *instance;
    accel_device *device; /* borrowed from the instance */
    check(accel_instance_create(NULL, &instance));
    check(accel_instance_find_device(instance, name, &device));

    uint8_t *x = bytes_new(c.n);
    if (x == NULL) {
        fprintf(stderr, "histogram: no memory for %zu bytes\n", c.n);
        return 2;
    }
    c.host = x;
    count_in_plain_c(c.n, x, c.expected);

    const accel_buffer_desc bytes = accel_buffer_1d(1, c.n), bins = accel_buffer_1d(sizeof(uint32_t), BINS);
    accel_module *module;
    accel_kernel *counts; /* of the scatter */
    check(accel_queue_create(device, NULL, &c.queue));
    check(accel_module_load(device, "histogram", &module));
    check(accel_module_kernel(module, "counts", &counts));
    for (int i = 0; i < WAY_PLAIN_C; ++i)
        check(accel_module_kernel(module, c.ways[i].kernel, &c.ways[i].run));
    check(accel_buffer_create(device, &bytes, &c.x));
    check(accel_buffer_create(device, &bins, &c.bins));
    check(accel_scatter_create(c.queue, counts, BINS, NULL, &c.scatter));
    check(accel_scatter_info(c.scatter, &c.about_scatter));
    check(accel_write(c.queue, c.x, x));

    const bool good = run_all(&c);
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    check(accel_device_info(device, &about));
    if (table_row) {
        printf("histogram\t%s\t%s\t%s\t%.6f\n", about.backend, about.description, good ? "yes" : "NO",
               c.ways[WAY_SCATTER].seconds[ROUNDS / 2]);
    } else {
        print_table(&c, &about);
        printf("\n%s\n", good ? "verified: all counts are those of plain C" : "NOT VERIFIED");
    }

    accel_scatter_release(c.scatter);
    accel_buffer_release(c.bins);
    accel_buffer_release(c.x);
    accel_module_release(module);
    accel_queue_release(c.queue);
    free(x);
    accel_instance_release(instance);
    return good ? 0 : 1;
}
