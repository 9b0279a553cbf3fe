/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions, scans, broadcasts and sorts over the threads of a block: the bits that the order of
 * accel/kernel/collective.h gives, for whole and partial groups of 32, in both forms of kernel. */
#include "../kernels/collective.h"
#include "block_order.h"
#include "trial.h"

#include <math.h>

static void add_floats(void *a, const void *b)
{
    *(float *)a += *(const float *)b;
}
static void add_doubles(void *a, const void *b)
{
    *(double *)a += *(const double *)b;
}
static void add_narrow(void *a, const void *b)
{
    *(uint16_t *)a = (uint16_t)(*(uint16_t *)a + *(const uint16_t *)b);
}
static void greater_narrow(void *a, const void *b)
{
    if (*(const uint16_t *)b > *(uint16_t *)a)
        *(uint16_t *)a = *(const uint16_t *)b;
}
static void compose_lines(void *a, const void *b)
{
    collective_line *first = a;
    const collective_line *second = b;
    first->c = first->c * second->m + second->c;
    first->m *= second->m;
}

enum { THREADS = 1024 };

/* What the kernel gives for a block of m threads. */
typedef struct expected {
    float product[THREADS], inclusive[THREADS], exclusive[THREADS];
    double wide[THREADS];
    collective_line own[THREADS], line[THREADS];
    uint16_t narrow[THREADS], most[THREADS];
} expected;

static void check_block(const trial *t, const float *x, const float *y, const collective_thread *each,
                        const collective_block *block)
{
    static expected e;
    const size_t m = trial_block_threads(t);
    collective_span span = {INFINITY, -INFINITY, 0};
    uint32_t every = 1;
    float sum;
    for (size_t i = 0; i < m; ++i) {
        e.product[i] = e.inclusive[i] = x[i] * y[i];
        e.exclusive[i] = x[i];
        e.wide[i] = (double)x[i] * (double)y[i] * (double)y[i];
        e.own[i] = e.line[i] = (collective_line){(uint32_t)(x[i] * 16384) * 2 + 1, (uint32_t)i};
        e.narrow[i] = e.most[i] = (uint16_t)(x[i] * 1000);
        span = (collective_span){fminf(span.least, x[i]), fmaxf(span.most, x[i]), (uint32_t)m};
        every = every && x[i] > 0.26f;
    }
    block_order_reduce(e.product, m, sizeof(float), add_floats, &sum);
    block_order_scan(e.inclusive, m, sizeof(float), add_floats);
    block_order_scan(e.exclusive, m, sizeof(float), add_floats);
    block_order_scan(e.wide, m, sizeof(double), add_doubles);
    block_order_scan(e.line, m, sizeof(collective_line), compose_lines);
    block_order_scan(e.narrow, m, sizeof(uint16_t), add_narrow);
    block_order_scan(e.most, m, sizeof(uint16_t), greater_narrow);
    for (size_t i = 0; i < m; ++i) {
        const collective_line before = i == 0 ? (collective_line){1, 0} : e.line[i - 1];
        trial_doubles_equal(t, i, (double)each[i].inclusive, (double)e.inclusive[i]);
        trial_doubles_equal(t, i, (double)each[i].exclusive, i == 0 ? 0 : (double)e.exclusive[i - 1]);
        trial_doubles_equal(t, i, each[i].exclusive_double, i == 0 ? 0 : e.wide[i - 1]);
        trial_words_equal(t, i, each[i].line.m, e.line[i].m);
        trial_words_equal(t, i, each[i].line.c, e.line[i].c);
        trial_words_equal(t, i, each[i].line_before.m, before.m);
        trial_words_equal(t, i, each[i].line_before.c, before.c);
        trial_words_equal(t, i, each[i].narrow, e.narrow[i]);
        trial_words_equal(t, i, each[i].narrow_before, i == 0 ? 0 : e.most[i - 1]);
    }
    trial_doubles_equal(t, 0, (double)block->product_sum, (double)sum);
    trial_doubles_equal(t, 1, (double)block->last, (double)e.inclusive[m - 1]);
    trial_doubles_equal(t, 2, block->sum, e.wide[m - 1]);
    trial_doubles_equal(t, 3, (double)block->span.least, (double)span.least);
    trial_doubles_equal(t, 4, (double)block->span.most, (double)span.most);
    trial_words_equal(t, 5, block->span.count, span.count);
    trial_words_equal(t, 6, block->every, every);
    trial_words_equal(t, 7, block->broadcast.m, e.own[m / 3].m);
    trial_words_equal(t, 8, block->broadcast.c, e.own[m / 3].c);
    trial_words_equal(t, 9, block->all_lines.m, e.line[m - 1].m);
    trial_words_equal(t, 10, block->all_lines.c, e.line[m - 1].c);
    trial_words_equal(t, 11, block->most, e.most[m - 1]);
}

/* Descending, and equal keys in the order of their indices. */
static void check_sorted(const trial *t, const uint32_t *key, const collective_pair *sorted)
{
    for (size_t i = 0; i < t->n; ++i) {
        trial_assert(t, sorted[i].index < t->n && sorted[i].key == key[sorted[i].index],
                     "element %zu is none of the tile", i);
        trial_assert(t,
                     i == 0 || sorted[i - 1].key > sorted[i].key ||
                         (sorted[i - 1].key == sorted[i].key && sorted[i - 1].index < sorted[i].index),
                     "element %zu is out of order", i);
    }
}

static void check(trial *t)
{
    const size_t threads = trial_threads(t), blocks = trial_blocks(t), m = trial_block_threads(t), keys = blocks * t->n;
    float *x = host_memory(threads * sizeof *x), *y = host_memory(threads * sizeof *y);
    uint32_t *key = host_memory(keys * sizeof *key), random = 12345;
    collective_thread *each = host_memory(threads * sizeof *each);
    collective_block *block = host_memory(blocks * sizeof *block);
    collective_pair *sorted = host_memory(keys * sizeof *sorted);
    for (size_t i = 0; i < threads; ++i) {
        random = random * 1664525u + 1013904223u;
        x[i] = 0.25f + (float)(random >> 8) * 0x1.8p-24f;
        y[i] = ldexpf(1 + (float)(random % 4096) * 0x1p-12f, (int)(random >> 27) - 16);
    }
    for (size_t i = 0; i < keys; ++i) {
        random = random * 1664525u + 1013904223u;
        key[i] = i % 2 == 0 ? random >> 16 : random >> 29;
    }
    const collective_args args = {.n = t->n,
                                  .x = trial_memory(t, x, threads * sizeof *x),
                                  .y = trial_memory(t, y, threads * sizeof *y),
                                  .key = trial_memory(t, key, keys * sizeof *key),
                                  .each = trial_memory(t, NULL, threads * sizeof *each),
                                  .block = trial_memory(t, NULL, blocks * sizeof *block),
                                  .sorted = trial_memory(t, NULL, keys * sizeof *sorted)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.each, each, threads * sizeof *each);
    trial_read(t, args.block, block, blocks * sizeof *block);
    trial_read(t, args.sorted, sorted, keys * sizeof *sorted);
    for (size_t b = 0; b < blocks; ++b) {
        check_block(t, x + b * m, y + b * m, each + b * m, block + b);
        check_sorted(t, key + b * t->n, sorted + b * t->n);
    }
    free(x);
    free(y);
    free(key);
    free(each);
    free(block);
    free(sorted);
}

#define LINE(b, t)                                                                                                     \
    {                                                                                                                  \
        .dims = 1, .blocks = {b}, .threads = {t}, .elems = { 1 }                                                       \
    }
static const trial_shape some_shapes[] = {LINE(1, 1),
                                          LINE(3, 2),
                                          LINE(2, 31),
                                          LINE(2, 32),
                                          LINE(1, 33),
                                          LINE(2, 64),
                                          LINE(1, 65),
                                          LINE(1, 100),
                                          LINE(2, 256),
                                          LINE(1, 993),
                                          LINE(1, 1024),
                                          {.dims = 2, .blocks = {2, 1}, .threads = {3, 11}, .elems = {1, 1}},
                                          {.dims = 3, .blocks = {1, 1, 2}, .threads = {3, 5, 7}, .elems = {1, 1, 1}}};
static const trial_shapes shapes = {sizeof some_shapes / sizeof some_shapes[0], some_shapes};
#define SIZES TRIAL_SIZES(1, 37, COLLECTIVE_TILE)

START_TEST(b6_collectives_by_regions_have_one_order)
{
    try_kernel("collective_block_form", SIZES, shapes, check);
}
END_TEST

START_TEST(b6_collectives_by_barriers_have_the_same_order)
{
    try_kernel("collective_thread_form", SIZES, shapes, check);
}
END_TEST

void collective_tests(Suite *suite)
{
    add(suite, b6_collectives_by_regions_have_one_order);
    add(suite, b6_collectives_by_barriers_have_the_same_order);
}
