/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_executors.h"
#include "fork_at_rest.h"
#include "core/base/guard.h"
#include "plugins/cpu/fault/catcher.h"
#include "plugins/cpu/fault/handler.h"
#include "plugins/cpu/machine/mask.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static cpu_executor *(*make)(uint32_t units);

static const uint32_t sizes[] = {2, 3, 8, 64, 65, 130};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]), MANY = 20 };

START_TEST(every_block_runs_once_with_any_number_of_workers)
{
    static const uint32_t blocks[] = {1, 2, 3, 7, 63, 64, 65, 129, 1000, 70001};
    cpu_scratch scratch = {0};

    for (size_t i = 0; i < SIZES; ++i) {
        cpu_executor *executor = make(sizes[i]);
        for (size_t j = 0; j < sizeof(blocks) / sizeof(blocks[0]); ++j) {
            marks_launch(executor, blocks[j], 10, (marks){.turns = 0}, &scratch);
            marks_launch(executor, blocks[j], blocks[j] < 2000 ? 10 : 2, (marks){.turns = 1000}, &scratch);
        }
        marks_launch(executor, 300, 3, (marks){.nap_us = 2000}, &scratch);
        executor->destroy(executor);
    }
    cpu_scratch_clear(&scratch);
}
END_TEST

START_TEST(durations_that_change_from_launch_to_launch_are_all_run)
{
    cpu_executor *executor = make(4);
    cpu_scratch scratch = {0};
    uint32_t random = 1;
    marks own = {.counts = calloc(64, sizeof(*own.counts))}, *args = &own;

    for (uint32_t i = 0; i < 2000; ++i) {
        random = random * 1664525u + 1013904223u;
        own.turns = random >> 28 == 0 ? 20000 : 1;
        ck_assert_uint_eq(marks_run(executor, &marks_kernel, 64, 1, &args, &marks_settings, &scratch), ACCEL_OK);
    }
    marks_check(&own, 64, 2000);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    executor->destroy(executor);
}
END_TEST

/* Counts blocks without running them. */
static void count_blocks(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    (void)launch;
    (void)first;
    atomic_fetch_add(*(_Atomic uint64_t *const *)args, count);
}

START_TEST(a_grid_has_as_many_blocks_as_a_number_of_64_bits_can_tell)
{
    accel_descriptor kernel = cpu_block_kernel(count_blocks, 8, 8);
    const size_t grids[][2] = {{UINT32_MAX, UINT32_MAX}, {1ull << 32, UINT32_MAX}, {UINT32_MAX, (1ull << 32) + 1}};
    cpu_launch_site site = {.settings = &marks_settings};

    for (size_t i = 0; i < SIZES; ++i) {
        cpu_executor *executor = make(sizes[i]);
        for (size_t j = 0; j < sizeof(grids) / sizeof(grids[0]); ++j) {
            cpu_scratch scratch = {0};
            for (int k = 0; k < 20; ++k) {
                const accel_work given = accel_work_2d(grids[j], (size_t[]){1, 1}, (size_t[]){1, 1});
                const cpu_work work = cpu_work_of(&given);
                _Atomic uint64_t blocks = 0, *args = &blocks;
                cpu_launch launch;
                accel_grid grid;
                cpu_launch_prepare(&launch, &grid, &kernel, &work, &args, &site);
                ck_assert_uint_eq(executor->run(executor, &launch, &scratch), ACCEL_OK);
                ck_assert_uint_eq(blocks, grids[j][0] * grids[j][1]);
            }
            cpu_scratch_clear(&scratch);
        }
        executor->destroy(executor);
    }
}
END_TEST

/* Several launchers, each with queues of its own. */
typedef struct launcher {
    cpu_executor *executor;
    pthread_t thread;
    uint32_t seed;
} launcher;

static void *launch_often(void *user)
{
    launcher *own = user;
    cpu_scratch scratch = {0};
    uint32_t random = own->seed;

    for (int i = 0; i < 60; ++i) {
        random = random * 1664525u + 1013904223u;
        uint32_t blocks = 1 + (random >> 8) % 300, choice = random >> 29;
        marks_launch(own->executor, blocks, 1 + choice,
                     (marks){.nap_us = choice == 0 ? 300 : 0, .turns = choice % 2 * 500}, &scratch);
        if (choice == 7)
            usleep(random >> 16 & 255);
    }
    cpu_scratch_clear(&scratch);
    return NULL;
}

static void launch_at_once(uint32_t units, int launchers)
{
    launcher all[24];
    cpu_executor *executor = make(units);

    for (int i = 0; i < launchers; ++i) {
        all[i] = (launcher){.executor = executor, .seed = (uint32_t)i * 77 + units};
        ck_assert_int_eq(pthread_create(&all[i].thread, NULL, launch_often, &all[i]), 0);
    }
    for (int i = 0; i < launchers; ++i)
        pthread_join(all[i].thread, NULL);
    executor->destroy(executor);
}

START_TEST(launches_at_once_share_the_threads)
{
    launch_at_once(2, 5);
    launch_at_once(64, 6);
    launch_at_once(3, MANY); /* more than a pool has slots */
}
END_TEST

START_TEST(every_thread_has_fibers_of_its_own)
{
    cpu_executor *executor = make(16);
    cpu_scratch scratch = {0};
    accel_descriptor kernel = cpu_thread_kernel(marks_fibers, 8, 8);
    marks own = {.counts = calloc(200, sizeof(*own.counts))}, *args = &own;
    uint32_t total = 0;

    for (uint32_t threads = 1; threads <= ACCEL_MAX_BLOCK_THREADS; threads *= 2) {
        for (int i = 0; i < 4; ++i)
            ck_assert_uint_eq(marks_run(executor, &kernel, 200, threads, &args, &marks_settings, &scratch), ACCEL_OK);
        total += 4 * threads;
        marks_check(&own, 200, total);
        for (int i = 0; i < 200; ++i)
            own.counts[i] = total = 0;
    }
    free(own.counts);
    cpu_scratch_clear(&scratch);
    executor->destroy(executor);
}
END_TEST

START_TEST(a_failure_reaches_the_launcher_with_its_text)
{
    cpu_executor *executor = make(8);
    cpu_scratch scratch = {0};
    cpu_settings impossible = {.stack_size = (size_t)1 << 44};
    accel_descriptor kernel = cpu_thread_kernel(marks_fibers, 8, 8);
    marks own = {.counts = calloc(200, sizeof(*own.counts))}, *args = &own;

    for (int i = 0; i < 20; ++i) {
        ck_assert_uint_eq(marks_run(executor, &kernel, 200, 32, &args, &impossible, &scratch), ACCEL_OUT_OF_MEMORY);
        ck_assert_ptr_nonnull(strstr(cpu_host()->error_message(), "stacks"));
    }
    marks_check(&own, 200, 0);
    ck_assert_uint_eq(marks_run(executor, &kernel, 200, 32, &args, &marks_settings, &scratch), ACCEL_OK);
    marks_check(&own, 200, 32);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    executor->destroy(executor);
}
END_TEST

/* Blocks wait until two threads have come, or for long, and then fault: at once, if there are two. */
static void fault_with_others(marks *own, size_t block)
{
    (void)block;
    for (int i = 0; i < 200 && marks_threads(own) < 2; ++i)
        usleep(100);
    *(volatile unsigned char *)own->user = 1;
}

START_TEST(K20_faults_of_several_threads_fail_one_launch)
{
    cpu_executor *executor = make(4);
    cpu_settings settings = marks_settings;
    cpu_scratch scratch = {0};
    settings.report_faults = true;
    cpu_catcher *catcher = cpu_catcher_make(executor, &settings);
    ck_assert_ptr_nonnull(catcher);

    for (int i = 0; i < 20; ++i) {
        marks own = {.counts = calloc(64, sizeof(*own.counts)), .nap_us = 300}, *args = &own;
        /* Launches that are worth other threads, and then some that fault. */
        ck_assert_uint_eq(marks_run(&catcher->executor, &marks_kernel, 64, 1, &args, &marks_settings, &scratch),
                          ACCEL_OK);
        marks_check(&own, 64, 1);
        for (int k = 0; k < MARK_THREADS; ++k)
            atomic_store(&own.ran[k], 0);
        own.also = fault_with_others;
        own.user = (void *)24;
        ck_assert_uint_eq(marks_run(&catcher->executor, &marks_kernel, 64, 1, &args, &marks_settings, &scratch),
                          ACCEL_KERNEL_FAULT);
        ck_assert_ptr_nonnull(strstr(cpu_host()->error_message(), "SIGSEGV at 0x18 (there is no memory), in block ("));
        free(own.counts);
    }
    cpu_scratch_clear(&scratch);
    cpu_catcher_end(catcher);
    executor->destroy(executor);
}
END_TEST

START_TEST(executors_come_and_go_at_any_moment)
{
    static const uint32_t pauses_us[] = {0, 5, 50, 500};
    cpu_scratch scratch = {0};

    for (uint32_t i = 0; i < 60; ++i) {
        cpu_executor *executor = make(i % 6 == 0 ? 64 : 3);
        if (i % 5 != 0)
            marks_launch(executor, 64, 3, (marks){.turns = 5000}, &scratch);
        usleep(pauses_us[i % 4]);
        executor->destroy(executor);
    }
    cpu_scratch_clear(&scratch);
}
END_TEST

/* Blocks wait until as many threads as there are CPUs have come, or for long: then they are there at once. */
static void wait_for_others(marks *own, size_t block)
{
    uint32_t expected = *(const uint32_t *)own->user;

    (void)block;
    for (int i = 0; i < 20000 && marks_threads(own) < expected; ++i)
        usleep(100);
}

static void *count_up(void *user)
{
    _Atomic uint64_t *word = user;

    while (atomic_load(word) < UINT64_MAX / 2) /* until the top bit is set */
        atomic_fetch_add(word, 1);
    return NULL;
}

static uint32_t count_cpus(void)
{
    uint8_t mask[CPU_MASK_BYTES];

    cpu_process_cpus(mask);
    return cpu_mask_count(mask);
}

START_TEST(a_kernel_on_every_core_and_host_code_on_one_both_make_progress)
{
    uint32_t cpus = count_cpus();
    cpus = cpus < MARK_THREADS ? cpus : MARK_THREADS;
    cpu_executor *executor = make(cpus);
    _Atomic uint64_t word = 0;
    pthread_t host;

    ck_assert_int_eq(pthread_create(&host, NULL, count_up, (void *)&word), 0);
    for (int i = 0; i < 5; ++i) {
        marks own = {.counts = calloc(cpus + 1, sizeof(*own.counts)), .also = wait_for_others, .user = &cpus};
        marks *args = &own;
        cpu_scratch scratch = {0}; /* that knows of no launch before */
        uint64_t before = atomic_load(&word);
        ck_assert_uint_eq(marks_run(executor, &marks_kernel, cpus + 1, 1, &args, &marks_settings, &scratch), ACCEL_OK);
        marks_check(&own, cpus + 1, 1);
        ck_assert_uint_eq(marks_threads(&own), cpus);
        while (atomic_load(&word) == before)
            usleep(100);
        free(own.counts);
        cpu_scratch_clear(&scratch);
    }
    atomic_fetch_or(&word, (uint64_t)1 << 63);
    pthread_join(host, NULL);
    executor->destroy(executor);
}
END_TEST

#if !defined(__SANITIZE_THREAD__) /* which does not support threads made after a fork */
static bool runs(cpu_executor *executor, uint32_t times, uint32_t *threads)
{
    marks own = {.counts = calloc(100, sizeof(*own.counts)), .nap_us = 500, .turns = 5000}, *args = &own;
    cpu_scratch scratch = {0};
    bool good = true;

    for (uint32_t i = 0; i < times; ++i)
        good = marks_run(executor, &marks_kernel, 100, 1, &args, &marks_settings, &scratch) == ACCEL_OK && good;
    for (uint32_t i = 0; i < 100; ++i)
        good = own.counts[i] == times && good;
    *threads = marks_threads(&own);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    return good;
}

/* Sooner or later with other threads: on a busy machine they may come too late for some launches. */
static bool runs_helped(cpu_executor *executor)
{
    enum { PATIENCE = 200 };
    uint32_t threads = 1;
    bool good = true;

    for (int i = 0; i < PATIENCE && threads < 2 && good; ++i)
        good = runs(executor, 3, &threads);
    return good && threads > 1;
}

typedef struct meanwhile {
    cpu_executor *executor;
    _Atomic bool begun, stop;
} meanwhile;

/* Launches, without an allocation between the first and the last: see fork_at_rest.h. */
static void *run_meanwhile(void *user)
{
    meanwhile *self = user;
    marks own = {.counts = calloc(100, sizeof(*own.counts)), .nap_us = 500, .turns = 5000}, *args = &own;
    cpu_scratch scratch = {0};
    bool good = true;

    while (!atomic_load(&self->stop)) {
        good = marks_run(self->executor, &marks_kernel, 100, 1, &args, &marks_settings, &scratch) == ACCEL_OK && good;
        atomic_store(&self->begun, true);
    }
    good = good && own.counts[0] != 0;
    for (uint32_t i = 0; i < 100; ++i)
        good = own.counts[i] == own.counts[0] && good;
    free(own.counts);
    cpu_scratch_clear(&scratch);
    return good ? NULL : self;
}

START_TEST(O7_threads_start_again_in_the_child_of_a_fork)
{
    cpu_executor *executor = make(4);
    pthread_t other; /* the forks come in the middle of its launches */
    void *failed;
    uint32_t threads;

    accel_guard_watch_fork();
    bool good = runs(executor, 3, &threads);
    meanwhile launches = {.executor = executor};
    fork_await_rest();
    ck_assert_int_eq(pthread_create(&other, NULL, run_meanwhile, &launches), 0);
    while (!atomic_load(&launches.begun))
        usleep(100);
    for (int i = 0; i < 20 && good; ++i) {
        pid_t child = fork();
        int status = -1;
        if (child == 0) {
            alarm(20);
            executor->after_fork(executor, NULL, &marks_settings);
            good = runs_helped(executor);
            pid_t grandchild = i % 5 == 0 ? fork_at_rest() : 0;
            if (grandchild == 0 && i % 5 == 0) {
                alarm(20);
                executor->after_fork(executor, NULL, &marks_settings);
                _exit(runs_helped(executor) ? 0 : 2);
            }
            if (grandchild > 0)
                good =
                    waitpid(grandchild, &status, 0) == grandchild && status == 0 && runs(executor, 2, &threads) && good;
            _exit(good ? 0 : 1);
        }
        good = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    atomic_store(&launches.stop, true);
    pthread_join(other, &failed);
    ck_assert(good);
    ck_assert_ptr_null(failed);
    executor->destroy(executor);
}
END_TEST
#endif

/* A sanitizer handles the signals itself. */
static bool may_report_faults(void)
{
    cpu_handler_lock();
    int signal = cpu_handler_of_program();
    cpu_handler_unlock();
    return signal == 0;
}

void cpu_executors_add(Suite *suite, cpu_executor *(*maker)(uint32_t units))
{
    make = maker;
    marks_init();
    add(suite, every_block_runs_once_with_any_number_of_workers);
    add(suite, a_grid_has_as_many_blocks_as_a_number_of_64_bits_can_tell);
    add(suite, durations_that_change_from_launch_to_launch_are_all_run);
    add(suite, launches_at_once_share_the_threads);
    add(suite, every_thread_has_fibers_of_its_own);
    add(suite, a_failure_reaches_the_launcher_with_its_text);
    add_if(may_report_faults(), suite, K20_faults_of_several_threads_fail_one_launch);
    add(suite, executors_come_and_go_at_any_moment);
    add(suite, a_kernel_on_every_core_and_host_code_on_one_both_make_progress);
#if !defined(__SANITIZE_THREAD__)
    add(suite, O7_threads_start_again_in_the_child_of_a_fork);
#endif
}
