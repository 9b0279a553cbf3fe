/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduction - adds up an array on a device in six ways, and times them side by side.
 *
 *   reduction [--elements N] [--table-row] [DEVICE]
 *
 *   N           10000000 unless given
 *   --table-row  one line for examples/demo.sh, fields separated by tabs
 *   DEVICE       "cpu-serial", "cuda:1", ...; without it, the first device
 *
 * Five ways are kernels of our own (reduction.k.c) that n_step.c launches until one sum is left. The sixth is a line. The
 * elements are small integers, so every order of additions gives the same sum, which is compared with that of plain C.
 */
#include <accel/accel.h>
#include <accel/pattern.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "n_step.h"
#include "reduction.h"

#define ROUNDS 5 /* of all ways in turn; the table has the median */

enum { WAY_REDUCE = 5, WAY_PLAIN_C, WAY_COUNT };

typedef struct way {
    const char *kernel, *text;
    size_t elements; /* per thread; 0: no n-step driver */
    n_step driver;
    unsigned launches;
    double seconds[ROUNDS];
    bool wrong;
} way;

typedef struct contest {
    way ways[WAY_COUNT];
    size_t n;
    const double *host; /* the elements */
    double expected;
    accel_queue *queue;
    accel_kernel *total; /* the reduction */
    accel_buffer *x, *result;
} contest;

static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "reduction: %s: %s\n", accel_status_name(status), accel_error_message());
    exit(2);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double plain_sum(size_t n, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; ++i)
        sum += x[i];
    return sum;
}

/* Submits one sum, waits for it, and checks it. */
static void run(contest *c, way *w, double *seconds)
{
    const total_args args = {accel_buffer_ptr(c->x)};
    double sum = -1;
    check(accel_fill(c->queue, c->result, &sum, sizeof sum, NULL));
    check(accel_queue_wait(c->queue));

    const double start = seconds_now();
    if (w == &c->ways[WAY_PLAIN_C])
        sum = plain_sum(c->n, c->host);
    else if (w == &c->ways[WAY_REDUCE])
        check(accel_reduce(c->queue, c->total, 1, &c->n, &args, sizeof args, c->result));
    else
        check(n_step_sum(&w->driver, c->n, args.x, accel_buffer_ptr(c->result), &w->launches));
    check(accel_queue_wait(c->queue));
    *seconds = seconds_now() - start;

    if (w != &c->ways[WAY_PLAIN_C]) {
        check(accel_read(c->queue, &sum, c->result));
        check(accel_queue_wait(c->queue));
    }
    if (sum < c->expected || sum > c->expected) {
        fprintf(stderr, "reduction: %s: the sum is %.17g, not %.17g\n", w->text, sum, c->expected);
        w->wrong = true;
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
    printf("sum of %zu doubles on %s (%s)\n\n%-44s %8s %12s %8s\n", c->n, about->name, about->description, "",
           "launches", "time", "GB/s");
    for (int i = 0; i < WAY_COUNT; ++i) {
        const way *w = &c->ways[i];
        const double seconds = w->seconds[ROUNDS / 2];
        char launches[16] = "";
        if (w->launches > 0)
            snprintf(launches, sizeof launches, "%u", w->launches);
        printf("%-44s %8s %9.3f ms %8.2f%s\n", w->text, launches, 1e3 * seconds,
               seconds > 0 ? 8e-9 * (double)c->n / seconds : 0, w->wrong ? "  WRONG" : "");
    }
}

static bool parse(int argc, char **argv, size_t *n, bool *table_row, const char **device)
{
    for (int i = 1; i < argc; ++i) {
        char *end = NULL;
        if (strcmp(argv[i], "--table-row") == 0) {
            *table_row = true;
        } else if (strcmp(argv[i], "--elements") == 0 && i + 1 < argc) {
            const unsigned long long value = strtoull(argv[++i], &end, 10);
            if (argv[i][0] < '0' || argv[i][0] > '9' || *end != '\0' || value == 0 || value > SIZE_MAX / 16) {
                fprintf(stderr, "reduction: --elements: \"%s\" is not a number of elements, from 1 on\n", argv[i]);
                return false;
            }
            *n = (size_t)value;
        } else if (argv[i][0] != '-' && *device == NULL) {
            *device = argv[i];
        } else {
            fprintf(stderr, "usage: reduction [--elements N] [--table-row] [DEVICE]\n");
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    contest c = {.n = 10000000,
                 .ways = {{.kernel = "neighbours", .text = "1 neighbours pair up", .elements = 1},
                          {.kernel = "first_threads", .text = "2 by the first threads", .elements = 1},
                          {.kernel = "halves", .text = "3 halves instead of neighbours", .elements = 1},
                          {.kernel = "several_elements", .text = "4 several elements per thread", .elements = 16},
                          {.kernel = "fixed_block", .text = "5 a block of fixed extent", .elements = 16},
                          {.text = "ACCEL_REDUCE, one line"},
                          {.text = "plain C, one thread"}}};
    bool table_row = false;
    const char *name = NULL; /* the first device of all */
    if (!parse(argc, argv, &c.n, &table_row, &name))
        return 2;

    accel_instance *instance;
    accel_device *device; /* borrowed from the instance */
    check(accel_instance_create(NULL, &instance));
    check(accel_instance_find_device(instance, name, &device));

    double *x = malloc(c.n * sizeof *x);
    if (x == NULL) {
        fprintf(stderr, "reduction: no memory for %zu doubles\n", c.n);
        return 2;
    }
    for (size_t i = 0; i < c.n; ++i)
        x[i] = (double)(i * 7 % 11);
    c.host = x;
    c.expected = plain_sum(c.n, x);

    const accel_buffer_desc elements = accel_buffer_1d(sizeof(double), c.n), one = accel_buffer_1d(sizeof(double), 1);
    accel_module *module;
    check(accel_queue_create(device, NULL, &c.queue));
    check(accel_module_load(device, "reduction", &module));
    check(accel_module_kernel(module, "total", &c.total));
    check(accel_buffer_create(device, &elements, &c.x));
    check(accel_buffer_create(device, &one, &c.result));
    check(accel_write(c.queue, c.x, x));
    for (int i = 0; i < WAY_REDUCE; ++i) {
        accel_kernel *kernel;
        check(accel_module_kernel(module, c.ways[i].kernel, &kernel));
        check(n_step_create(c.queue, kernel, c.ways[i].elements, c.n, &c.ways[i].driver));
    }

    const bool good = run_all(&c);
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    check(accel_device_info(device, &about));
    if (table_row) {
        printf("reduction\t%s\t%s\t%s\t%.6f\n", about.backend, about.description, good ? "yes" : "NO",
               c.ways[WAY_REDUCE].seconds[ROUNDS / 2]);
    } else {
        print_table(&c, &about);
        printf("\n%s\n", good ? "verified: all sums are that of plain C" : "NOT VERIFIED");
    }

    for (int i = 0; i < WAY_REDUCE; ++i)
        n_step_release(&c.ways[i].driver);
    accel_buffer_release(c.result);
    accel_buffer_release(c.x);
    accel_module_release(module);
    accel_queue_release(c.queue);
    free(x);
    accel_instance_release(instance);
    return good ? 0 : 1;
}
