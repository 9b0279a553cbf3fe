/* SPDX-License-Identifier: Apache-2.0 */
/* A scan in chunks on CPUs, step by step: accel/kernel/cpu/chunks.h. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>

#include "run.h"

#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 3,
    CHUNK = 3,
    TILES = 200,
    N = TILES * (int)ACCEL_SCAN_TILE_ELEMS - 77,
    CHUNKS = (TILES + CHUNK - 1) / CHUNK
};

typedef struct numbers {
    const uint64_t *x;
} numbers;

ACCEL_SCAN(sums, numbers, args, i, uint64_t, ACCEL_SUM)
{
    return args.x[i];
}

static uint64_t *x, *out, *runs, totals[TILES], tiles[TILES], groups[TILES], carries[TILES];
static struct {
    accel_scan_progress progress;
    uint64_t left[THREADS][ACCEL_SCAN_KEPT_CHUNKS];
    uint8_t states[CHUNKS];
} progress;
static int yields;

static void yield(void)
{
    yields++;
}

static accel_all_sums all_of(uint32_t which)
{
    return (accel_all_sums){.args = {x},
                            .places = {.n = N,
                                       .end = THREADS,
                                       .chunk = CHUNK,
                                       .step = which,
                                       .runs = runs,
                                       .totals = totals,
                                       .tiles = tiles,
                                       .groups = groups,
                                       .carries = carries,
                                       .out = out,
                                       .progress = &progress.progress}};
}

static void step(uint32_t which, size_t index)
{
    const accel_all_sums all = all_of(which);
    const accel_launch_context launch = {.struct_size = sizeof(launch), .elem_extent = {1, 1, 1}, .yield = yield};

    accel_run_sums(&launch, &all, index, 1);
}

static void set_up(void)
{
    x = malloc(N * sizeof(*x));
    out = calloc(N, sizeof(*out));
    runs = malloc((size_t)THREADS * ACCEL_SCAN_KEPT_CHUNKS * CHUNK * ACCEL_SCAN_RUNS * sizeof(*runs));
    ck_assert(x != NULL && out != NULL && runs != NULL);
    for (size_t i = 0; i < N; ++i)
        x[i] = i * i + 1;
    memset(&progress, 0xff, sizeof(progress));
    yields = 0;
    step(ACCEL_SCAN_STEP_BEGIN, 0);
}

static void finish(void)
{
    uint64_t sum = 0;

    step(ACCEL_SCAN_STEP_KNOWN, 0);
    for (size_t thread = 0; thread < THREADS + 1; ++thread)
        step(ACCEL_SCAN_STEP_REST, thread);
    for (size_t i = 0; i < N; ++i) {
        ck_assert_msg(out[i] == sum, "result %zu is %llu, not %llu", i, (unsigned long long)out[i],
                      (unsigned long long)sum);
        sum += x[i];
    }
    free(x);
    free(out);
    free(runs);
}

static size_t left(void)
{
    size_t count = 0;

    for (size_t thread = 0; thread < THREADS; ++thread)
        for (size_t k = 0; k < ACCEL_SCAN_KEPT_CHUNKS; ++k)
            count += progress.left[thread][k] != 0;
    return count;
}

START_TEST(p7_the_first_thread_scans_all_chunks_if_the_others_come_later)
{
    set_up();
    for (size_t thread = 0; thread < THREADS; ++thread)
        step(ACCEL_SCAN_STEP_CHUNKS, thread);
    ck_assert_uint_eq(progress.progress.known, CHUNKS);
    ck_assert_uint_eq(left(), 0);
    ck_assert_int_eq(yields, 0);
    finish();
}
END_TEST

/* Somebody has a chunk, and makes its totals only after the others have ended. */
START_TEST(p7_threads_leave_chunks_behind_one_that_is_not_done)
{
    const size_t taken = (size_t)_i;
    uint64_t *own = malloc(CHUNK * ACCEL_SCAN_RUNS * sizeof(*own));

    set_up();
    ck_assert(own != NULL);
    progress.states[taken] = ACCEL_CHUNK_TAKEN_;
    for (size_t thread = 0; thread < THREADS - 1; ++thread)
        step(ACCEL_SCAN_STEP_CHUNKS, thread);
    ck_assert_uint_eq(progress.progress.known, taken);
    ck_assert_int_eq(left() != 0, taken != CHUNKS - 1);
    ck_assert_int_eq(yields != 0, taken != CHUNKS - 1);

    const accel_all_sums all = all_of(ACCEL_SCAN_STEP_CHUNKS);
    accel_chunk_of_sums(&all, CHUNKS, NULL, taken, own);
    step(ACCEL_SCAN_STEP_CHUNKS, THREADS - 1);
    step(ACCEL_SCAN_STEP_KNOWN, 0);
    accel_chunk_of_sums(&all, taken, own, CHUNKS, NULL);
    free(own);
    finish();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("chunks");
    TCase *c = tcase_create("p7_threads_leave_chunks_behind_one_that_is_not_done");

    add(suite, p7_the_first_thread_scans_all_chunks_if_the_others_come_later);
    tcase_add_loop_test(c, p7_threads_leave_chunks_behind_one_that_is_not_done, 0, CHUNKS);
    suite_add_tcase(suite, c);
    return suite;
}
