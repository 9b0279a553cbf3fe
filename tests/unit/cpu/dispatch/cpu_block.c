/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks on the calling thread: barriers of thread kernels, shared memory, indices. */
#include "plugins/cpu/dispatch/launch.h"
#include "cpu_engine.h"
#include "plugins/cpu/engine/process.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    cpu_settings settings;
    cpu_scratch scratch;
    cpu_launch_site site;
} run;

static cpu_engine engine;

static run begin(bool check)
{
    engine = cpu_engine_open(&cpu_executor_serial);
    return (run){.settings = {.stack_size = 16384, .check = check}};
}

static accel_status blocks(run *own, const accel_descriptor *kernel, uint32_t x, uint32_t y, uint32_t z, uint32_t grid,
                           size_t shared, const void *args)
{
    const size_t counts[3] = {1, 1, grid}, threads[3] = {z, y, x}, elems[3] = {1, 1, 1};
    const cpu_work work = {3, counts, threads, elems, shared};
    cpu_launch launch;
    accel_grid parameter;

    own->site.settings = &own->settings;
    cpu_launch_prepare(&launch, &parameter, kernel, &work, args, &own->site);
    return cpu_blocks_run(&launch, &own->scratch, 0, launch.blocks);
}

static void end(run *own)
{
    cpu_scratch_clear(&own->scratch);
    cpu_engine_close(&engine);
}

static uint32_t sync_block(const accel_thread_context *thread, uint32_t mode, uint32_t predicate)
{
    return thread->launch->sync(thread, mode, predicate);
}

static uint32_t linear(const accel_thread_context *thread)
{
    const size_t *extent = thread->launch->block_extent, *index = thread->thread_index;

    return (uint32_t)((index[2] * extent[1] + index[1]) * extent[0] + index[0]);
}

typedef struct seen {
    uint32_t phase[3][1024]; /* what each thread saw of the others */
    uint32_t arrived[3];
    uint32_t count, early;
    uint32_t blocks;
    uint32_t votes[1024], all[1024], any[1024];
} seen;

static void three_phases(const accel_thread_context *thread, const void *args)
{
    seen *all = *(seen *const *)args;
    uint32_t t = linear(thread);

    for (int phase = 0; phase < 3; ++phase) {
        all->arrived[phase]++;
        sync_block(thread, ACCEL_SYNC_PLAIN, 0);
        all->phase[phase][t] = all->arrived[phase];
        sync_block(thread, ACCEL_SYNC_PLAIN, 0);
    }
    all->count++;
}

START_TEST(T1_no_thread_passes_a_barrier_before_all_have_come)
{
    static const uint32_t sizes[] = {1, 2, 3, 31, 256, 1024};
    run own = begin(false);
    accel_descriptor kernel = cpu_thread_kernel(three_phases, sizeof(void *), sizeof(void *));
    seen *all = calloc(1, sizeof(*all));

    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); ++s) {
        memset(all, 0, sizeof(*all));
        ck_assert_uint_eq(blocks(&own, &kernel, sizes[s], 1, 1, 1, 0, &all), ACCEL_OK);
        ck_assert_uint_eq(all->count, sizes[s]);
        for (int phase = 0; phase < 3; ++phase)
            for (uint32_t t = 0; t < sizes[s]; ++t)
                ck_assert_uint_eq(all->phase[phase][t], sizes[s]);
    }
    free(all);
    end(&own);
}
END_TEST

static void some_return(const accel_thread_context *thread, const void *args)
{
    seen *all = *(seen *const *)args;
    uint32_t t = linear(thread);

    if (t % 3 == 1) {
        all->early++;
        return;
    }
    all->votes[t] = sync_block(thread, ACCEL_SYNC_COUNT, t % 2);
    all->all[t] = sync_block(thread, ACCEL_SYNC_AND, t != 6);
    if (t % 3 == 2)
        return; /* in the middle, while others wait */
    all->any[t] = sync_block(thread, ACCEL_SYNC_OR, t == 9);
    all->count++;
}

START_TEST(T1_threads_that_returned_are_not_waited_for_and_do_not_vote)
{
    run own = begin(false);
    accel_descriptor kernel = cpu_thread_kernel(some_return, sizeof(void *), sizeof(void *));
    seen *all = calloc(1, sizeof(*all));

    for (uint32_t n = 2; n <= 100; ++n) {
        uint32_t odd = 0, last = 0;
        memset(all, 0, sizeof(*all));
        ck_assert_uint_eq(blocks(&own, &kernel, n, 1, 1, 1, 0, &all), ACCEL_OK);
        for (uint32_t t = 0; t < n; ++t) {
            odd += t % 3 != 1 && t % 2 == 1;
            last += t % 3 == 0;
        }
        ck_assert_uint_eq(all->count, last);
        for (uint32_t t = 0; t < n; ++t) {
            ck_assert_uint_eq(all->votes[t], t % 3 != 1 ? odd : 0);
            ck_assert_uint_eq(all->all[t], t % 3 != 1 ? n <= 6 : 0);
            ck_assert_uint_eq(all->any[t], t % 3 == 0 ? n > 9 : 0);
        }
    }
    free(all);
    end(&own);
}
END_TEST

static void alone(const accel_thread_context *thread, const void *args)
{
    seen *all = *(seen *const *)args;

    ck_assert_uint_eq(sync_block(thread, ACCEL_SYNC_PLAIN, 1), 0);
    ck_assert_uint_eq(sync_block(thread, ACCEL_SYNC_COUNT, 7), 1);
    ck_assert_uint_eq(sync_block(thread, ACCEL_SYNC_AND, 0), 0);
    ck_assert_uint_eq(sync_block(thread, ACCEL_SYNC_OR, 2), 1);
    ck_assert_uint_eq(thread->block_index[0], all->count++);
}

START_TEST(a_block_of_one_thread_needs_no_fiber)
{
    run own = begin(false);
    accel_descriptor kernel = cpu_thread_kernel(alone, sizeof(void *), sizeof(void *));
    seen *all = calloc(1, sizeof(*all));

    ck_assert_uint_eq(blocks(&own, &kernel, 1, 1, 1, 10, 0, &all), ACCEL_OK);
    ck_assert_uint_eq(all->count, 10);
    ck_assert_ptr_null(own.scratch.fibers);
    free(all);
    end(&own);
}
END_TEST

static uintptr_t ready_at; /* the frame of the latest call of ready */

static void ready(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    ck_assert_uint_eq(launch->block_extent[0], 4);
    ck_assert_uint_eq((*(seen *const *)args)->count, 0);
    ck_assert_uint_eq(first, 0);
    ck_assert_uint_eq(count, 0);
    ready_at = (uintptr_t)__builtin_frame_address(0);
}

static void after_ready(const accel_thread_context *thread, const void *args)
{
    ck_assert_uint_ne(ready_at, 0);
    sync_block(thread, ACCEL_SYNC_PLAIN, 0);
    (*(seen *const *)args)->count++;
}

/* A first access to thread-local memory takes more stack than a fiber may have. */
START_TEST(a_thread_kernel_makes_its_thread_ready_on_the_stack_of_that_thread)
{
    run own = begin(false);
    accel_descriptor kernel = cpu_thread_kernel(after_ready, sizeof(void *), sizeof(void *));
    seen *all = calloc(1, sizeof(*all));
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    kernel.run_blocks = ready;
    ck_assert_uint_eq(blocks(&own, &kernel, 4, 1, 1, 3, 0, &all), ACCEL_OK);
    ck_assert_uint_eq(all->count, 12);
    ck_assert_uint_lt(ready_at, here);
    ck_assert_uint_lt(here - ready_at, 16384);
    free(all);
    end(&own);
}
END_TEST

/* The last thread changes what it finds, round by round. */
static void change_rounding(const accel_thread_context *thread, const void *args)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    seen *all = *(seen *const *)args;
    uint32_t own = linear(thread);

    all->votes[own] = (uint32_t)fegetround();
    for (int round = 0; round < 4; ++round) {
        sync_block(thread, ACCEL_SYNC_PLAIN, 0);
        if (own == 31)
            fesetround(modes[round]);
        sync_block(thread, ACCEL_SYNC_PLAIN, 0);
        all->all[own] += fegetround() == modes[round];
    }
    sync_block(thread, ACCEL_SYNC_PLAIN, 0);
    if (own == 0)
        fesetround(FE_DOWNWARD); /* what the caller finds */
}

START_TEST(T2_fibers_share_the_floating_point_environment_of_their_thread)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO};
    run own = begin(false);
    accel_descriptor kernel = cpu_thread_kernel(change_rounding, sizeof(void *), sizeof(void *));
    seen *all = calloc(1, sizeof(*all));

    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); ++i) {
        memset(all, 0, sizeof(*all));
        fesetround(modes[i]);
        accel_status status = blocks(&own, &kernel, 32, 1, 1, 1, 0, &all);
        int left = fegetround();
        fesetround(FE_TONEAREST);
        ck_assert_uint_eq(status, ACCEL_OK);
        ck_assert_int_eq(left, FE_DOWNWARD);
        for (uint32_t t = 0; t < 32; ++t) {
            ck_assert_int_eq((int)all->votes[t], modes[i]);
            ck_assert_uint_eq(all->all[t], 4);
        }
    }
    free(all);
    end(&own);
}
END_TEST

static void indices(const accel_thread_context *thread, const void *args)
{
    seen *all = *(seen *const *)args;

    ck_assert_uint_lt(thread->thread_index[0], 5);
    ck_assert_uint_lt(thread->thread_index[1], 3);
    ck_assert_uint_lt(thread->thread_index[2], 2);
    all->votes[linear(thread)]++;
    ck_assert_uint_eq(sync_block(thread, ACCEL_SYNC_COUNT, 1), 30);
    if (linear(thread) == 0)
        ck_assert_uint_eq(thread->block_index[0], all->blocks++);
    sync_block(thread, ACCEL_SYNC_PLAIN, 0);
}

START_TEST(K1_every_thread_runs_once_per_block_x_fastest)
{
    run own = begin(false);
    accel_descriptor kernel = cpu_thread_kernel(indices, sizeof(void *), sizeof(void *));
    seen *all = calloc(1, sizeof(*all));

    ck_assert_uint_eq(blocks(&own, &kernel, 5, 3, 2, 20, 0, &all), ACCEL_OK);
    ck_assert_uint_eq(all->blocks, 20);
    for (int t = 0; t < 30; ++t)
        ck_assert_uint_eq(all->votes[t], 20);
    free(all);
    end(&own);
}
END_TEST

static void shared(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    (void)args;
    (void)first;
    ck_assert_uint_eq((uintptr_t)launch->shared % 64, 0);
    for (; count != 0; --count)
        memset(launch->shared, 0x77, launch->shared_bytes);
    *(size_t *)launch->shared = launch->shared_bytes;
}

START_TEST(K7_shared_memory_is_aligned_and_as_large_as_static_and_dynamic_together)
{
    run own = begin(false);
    accel_descriptor kernel = cpu_block_kernel(shared, 1, 1);

    for (size_t bytes = 8; bytes < 100000; bytes = bytes * 3 + 1) {
        kernel.shared_bytes = 64;
        ck_assert_uint_eq(blocks(&own, &kernel, 4, 1, 1, 2, bytes, ""), ACCEL_OK);
        ck_assert_uint_eq(*(size_t *)own.scratch.shared, bytes + 64);
    }
    end(&own);
}
END_TEST

static __attribute__((noinline)) unsigned char deep(volatile unsigned char *above, uint64_t levels)
{
    volatile unsigned char here[512];

    here[0] = (unsigned char)(above[0] + 1);
    return levels == 0 ? here[0] : (unsigned char)(deep(here, levels - 1) + here[0]);
}

static void recurse(const accel_thread_context *thread, const void *args)
{
    volatile unsigned char first = 0;

    sync_block(thread, ACCEL_SYNC_PLAIN, 0);
    deep(&first, *(const uint64_t *)args);
    sync_block(thread, ACCEL_SYNC_PLAIN, 0);
}

/* Of 16 KiB: a frame of deep takes 0.5 to 0.8 KiB, also with a sanitizer's red zones. */
enum { FITS = 10, OVERFLOWS = 40 };

START_TEST(T3_check_mode_finds_an_overflow_and_names_the_kernel)
{
    run own = begin(true);
    accel_descriptor kernel = cpu_thread_kernel(recurse, 8, 8);
    uint64_t levels = FITS;

    ck_assert_uint_eq(blocks(&own, &kernel, 16, 1, 1, 2, 0, &levels), ACCEL_OK);
    levels = OVERFLOWS;
    ck_assert_uint_eq(blocks(&own, &kernel, 16, 1, 1, 2, 0, &levels), ACCEL_KERNEL_FAULT);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "kernel \"test\""));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "ACCEL_CPU_STACK_SIZE"));
    levels = FITS;
    ck_assert_uint_eq(blocks(&own, &kernel, 16, 1, 1, 2, 0, &levels), ACCEL_OK);
    end(&own);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_block");

    add(suite, T1_no_thread_passes_a_barrier_before_all_have_come);
    add(suite, T1_threads_that_returned_are_not_waited_for_and_do_not_vote);
    add(suite, T2_fibers_share_the_floating_point_environment_of_their_thread);
    add(suite, a_block_of_one_thread_needs_no_fiber);
    add(suite, a_thread_kernel_makes_its_thread_ready_on_the_stack_of_that_thread);
    add(suite, K1_every_thread_runs_once_per_block_x_fastest);
    add(suite, K7_shared_memory_is_aligned_and_as_large_as_static_and_dynamic_together);
    /* valgrind reports the overflow, as it should. */
    const char *preload = getenv("LD_PRELOAD");
    if (preload == NULL || strstr(preload, "vgpreload") == NULL)
        add(suite, T3_check_mode_finds_an_overflow_and_names_the_kernel);
    return suite;
}
