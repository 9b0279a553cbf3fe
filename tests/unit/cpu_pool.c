/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of cpu-threads: every block runs once, whoever is there, and nobody waits for nobody. */
#include "cpu_engine.h"
#include "guard.h"
#include "module.h"
#include "pool.h"
#include "queue.h"
#include "services.h"
#include "system_file.h"
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static cpu_settings settings = {.spin_ns = 20000, .stack_size = 16384};

static cpu_executor *pool_of(uint32_t units)
{
    cpu_placement place = {.units = units, .pin = CPU_PIN_NONE, .root = ""};
    cpu_executor *made = NULL;

    memcpy(place.mask, cpu_process_get()->mask, CPU_MASK_BYTES);
    ck_assert_uint_eq(cpu_executor_threads.create(&cpu_executor_threads, &place, &settings, &made), ACCEL_OK);
    ck_assert_uint_eq(made->compute_units(made), units);
    return made;
}

static accel_status run(cpu_executor *pool, const accel_kernel_descriptor *kernel, uint32_t blocks, uint32_t threads,
                        const void *args, const cpu_settings *own, cpu_scratch *scratch)
{
    accel_launch_params params = cpu_launch_of(blocks, threads, args, 8);
    cpu_launch_site site = {.settings = own};
    cpu_launch launch;

    cpu_launch_prepare(&launch, kernel, params.blocks, params.threads, 0, &params.grid, args, &site);
    return pool->run(pool, &launch, scratch);
}

/* Counts how often each block runs. */
typedef struct marks {
    _Atomic uint32_t *counts;
    uint32_t nap_us;     /* of some blocks */
    uint32_t turns;      /* of an empty loop */
    _Atomic int cpus[4]; /* of masks of threads that took part: see below */
} marks;

static void mark(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    const marks *own = *(marks *const *)args;

    if (first + count > launch->grid_extent[0])
        abort(); /* Check takes a lock, which is no good beside a fork */
    for (size_t block = first; block < first + count; ++block) {
        atomic_fetch_add_explicit(&own->counts[block], 1, memory_order_relaxed);
        if (own->nap_us != 0 && block * 2654435761u % 16 == 3)
            usleep((useconds_t)(block * 2654435761u % own->nap_us));
        for (uint32_t i = 0; i < own->turns; ++i)
            __asm__ volatile("" ::: "memory");
    }
}

static accel_kernel_descriptor mark_kernel;

static void check_marks(marks *own, uint32_t blocks, uint32_t times)
{
    for (uint32_t i = 0; i < blocks; ++i)
        ck_assert_uint_eq(own->counts[i], times);
}

static void launch_marks(cpu_executor *pool, uint32_t blocks, uint32_t times, marks like, cpu_scratch *scratch)
{
    marks *own = &like;

    like.counts = calloc(blocks, sizeof(*like.counts));
    ck_assert_ptr_nonnull(like.counts);
    for (uint32_t i = 0; i < times; ++i)
        ck_assert_uint_eq(run(pool, &mark_kernel, blocks, 1, &own, &settings, scratch), ACCEL_OK);
    check_marks(own, blocks, times);
    free(like.counts);
}

static const uint32_t sizes[] = {2, 3, 8, 64, 65, 130};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

START_TEST(every_block_runs_once_with_any_number_of_workers)
{
    static const uint32_t blocks[] = {1, 2, 3, 7, 63, 64, 65, 129, 1000, 70001};
    cpu_scratch scratch = {0};

    for (size_t i = 0; i < SIZES; ++i) {
        cpu_executor *pool = pool_of(sizes[i]);
        for (size_t j = 0; j < sizeof(blocks) / sizeof(blocks[0]); ++j) {
            launch_marks(pool, blocks[j], 10, (marks){.turns = 0}, &scratch);
            launch_marks(pool, blocks[j], blocks[j] < 2000 ? 10 : 2, (marks){.turns = 1000}, &scratch);
        }
        launch_marks(pool, 300, 3, (marks){.nap_us = 2000}, &scratch);
        pool->destroy(pool);
    }
    cpu_scratch_clear(&scratch);
}
END_TEST

START_TEST(durations_that_change_from_launch_to_launch_are_all_run)
{
    cpu_executor *pool = pool_of(4);
    cpu_scratch scratch = {0};
    uint32_t random = 1;
    marks own = {.counts = calloc(64, sizeof(*own.counts))}, *args = &own;

    for (uint32_t i = 0; i < 2000; ++i) {
        random = random * 1664525u + 1013904223u;
        own.turns = random >> 28 == 0 ? 20000 : 1;
        ck_assert_uint_eq(run(pool, &mark_kernel, 64, 1, &args, &settings, &scratch), ACCEL_OK);
    }
    check_marks(&own, 64, 2000);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    pool->destroy(pool);
}
END_TEST

START_TEST(small_launches_are_believed_until_they_were_not)
{
    cpu_cost cost = {.ticks = UINT64_MAX, .trust = CPU_COST_TRUST};

    for (int i = 0; i < CPU_COST_TRUST; ++i) {
        ck_assert(!cpu_cost_is_small(&cost));
        cpu_cost_note(&cost, CPU_COST_SMALL);
    }
    ck_assert(cpu_cost_is_small(&cost));
    cpu_cost_note(&cost, CPU_COST_SMALL + 1);
    ck_assert(!cpu_cost_is_small(&cost));
    ck_assert_uint_eq(cost.trust, 2 * CPU_COST_TRUST);
    for (int i = 0; i < 100000; ++i) {
        cpu_cost_note(&cost, cpu_cost_is_small(&cost) ? CPU_COST_SMALL + 1 : 0);
        ck_assert_uint_le(cost.trust, CPU_COST_TRUST_MAX);
    }
    ck_assert_uint_eq(cost.trust, CPU_COST_TRUST_MAX);
}
END_TEST

/* Several launchers, each with queues of its own. */
typedef struct launcher {
    cpu_executor *pool;
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
        launch_marks(own->pool, blocks, 1 + choice, (marks){.nap_us = choice == 0 ? 300 : 0, .turns = choice % 2 * 500},
                     &scratch);
        if (choice == 7)
            usleep(random >> 16 & 255);
    }
    cpu_scratch_clear(&scratch);
    return NULL;
}

static void launch_at_once(uint32_t units, int launchers)
{
    launcher all[24];
    cpu_executor *pool = pool_of(units);

    for (int i = 0; i < launchers; ++i) {
        all[i] = (launcher){.pool = pool, .seed = (uint32_t)i * 77 + units};
        ck_assert_int_eq(pthread_create(&all[i].thread, NULL, launch_often, &all[i]), 0);
    }
    for (int i = 0; i < launchers; ++i)
        pthread_join(all[i].thread, NULL);
    pool->destroy(pool);
}

START_TEST(launches_at_once_share_the_pool)
{
    launch_at_once(2, 5);
    launch_at_once(64, 6);
    launch_at_once(3, CPU_POOL_SLOTS + 4); /* more than there are slots */
}
END_TEST

static void mark_masks(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    marks *own = *(marks *const *)args;
    cpu_set_t set;

    mark(launch, args, first, count);
    for (size_t block = first; block < first + count; ++block)
        usleep(1000);
    if (own->cpus[0] != gettid()) {
        ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
        for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            ck_assert(!CPU_ISSET(cpu, &set) || cpu_mask_has(cpu_process_get()->mask, cpu));
        own->cpus[2] = CPU_COUNT(&set) != 1 || !CPU_ISSET((size_t)own->cpus[1], &set);
        own->cpus[3] = 1;
    }
}

START_TEST(workers_have_the_cpus_of_the_process_and_not_those_of_the_launcher)
{
    cpu_set_t before, one;
    cpu_scratch scratch = {0};
    accel_kernel_descriptor kernel = cpu_block_kernel(mark_masks, 8, 8);
    marks own = {.counts = calloc(64, sizeof(*own.counts))}, *args = &own;

    cpu_process_get();
    ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
    own.cpus[0] = gettid();
    own.cpus[1] = sched_getcpu();
    CPU_ZERO(&one);
    CPU_SET((size_t)own.cpus[1], &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0); /* as libgomp does with OMP_PROC_BIND */
    cpu_executor *pool = pool_of(4);
    for (int i = 0; i < 100 && own.cpus[3] == 0; ++i)
        ck_assert_uint_eq(run(pool, &kernel, 64, 1, &args, &settings, &scratch), ACCEL_OK);
    ck_assert_int_eq(own.cpus[3], 1); /* somebody helped */
    if (CPU_COUNT(&before) > 1)
        ck_assert_int_eq(own.cpus[2], 1);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    pool->destroy(pool);
}
END_TEST

static void fibers(const accel_thread_context *thread, const void *args)
{
    const marks *own = *(marks *const *)args;
    const accel_launch_context *launch = thread->launch;

    ck_assert_uint_eq(launch->sync(thread, ACCEL_SYNC_COUNT, 1), launch->block_extent[0]);
    atomic_fetch_add_explicit(&own->counts[thread->block_index[0]], 1, memory_order_relaxed);
    launch->sync(thread, ACCEL_SYNC_PLAIN, 0);
    ck_assert_uint_eq(own->counts[thread->block_index[0]] % launch->block_extent[0], 0);
}

START_TEST(every_worker_has_fibers_of_its_own)
{
    cpu_executor *pool = pool_of(16);
    cpu_scratch scratch = {0};
    accel_kernel_descriptor kernel = cpu_thread_kernel(fibers, 8, 8);
    marks own = {.counts = calloc(200, sizeof(*own.counts))}, *args = &own;

    for (int i = 0; i < 20; ++i)
        ck_assert_uint_eq(run(pool, &kernel, 200, 32, &args, &settings, &scratch), ACCEL_OK);
    check_marks(&own, 200, 20 * 32);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    pool->destroy(pool);
}
END_TEST

START_TEST(a_failure_reaches_the_launcher_with_its_text)
{
    cpu_executor *pool = pool_of(8);
    cpu_scratch scratch = {0};
    cpu_settings impossible = {.stack_size = (size_t)1 << 44};
    accel_kernel_descriptor kernel = cpu_thread_kernel(fibers, 8, 8);
    marks own = {.counts = calloc(200, sizeof(*own.counts))}, *args = &own;

    for (int i = 0; i < 20; ++i) {
        ck_assert_uint_eq(run(pool, &kernel, 200, 32, &args, &impossible, &scratch), ACCEL_OUT_OF_MEMORY);
        ck_assert_ptr_nonnull(strstr(cpu_host()->error_message(), "stacks"));
    }
    check_marks(&own, 200, 0);
    ck_assert_uint_eq(run(pool, &kernel, 200, 32, &args, &settings, &scratch), ACCEL_OK);
    check_marks(&own, 200, 32);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    pool->destroy(pool);
}
END_TEST

START_TEST(pools_come_and_go_at_any_moment)
{
    static const uint32_t pauses_us[] = {0, 5, 50, 500};
    cpu_scratch scratch = {0};

    for (uint32_t i = 0; i < 60; ++i) {
        cpu_executor *pool = pool_of(i % 6 == 0 ? 64 : 3);
        if (i % 5 != 0)
            launch_marks(pool, 64, 3, (marks){.turns = 5000}, &scratch);
        usleep(pauses_us[i % 4]);
        pool->destroy(pool);
    }
    cpu_scratch_clear(&scratch);
}
END_TEST

START_TEST(M8_devices_are_parted_and_run_kernels)
{
    static const uint32_t ways[] = {ACCEL_PARTITION_NUMA, ACCEL_PARTITION_CACHE, ACCEL_PARTITION_CORES,
                                    ACCEL_PARTITION_EQUAL};
    cpu_engine whole = cpu_engine_open(&cpu_executor_threads);
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    uint32_t first = 0, wrong = CPU_MASK_BITS - 1;

    while (!cpu_mask_has(whole.device->mask, first))
        first++;
    for (size_t i = 0; i < 4; ++i) {
        accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
        accel_impl_device *parts[64];
        size_t count = 0;
        uint32_t cpus = 0;
        desc.by = ways[i];
        desc.cores = &first;
        desc.core_count = desc.share_count = 1;
        ck_assert_uint_eq(cpu_device_partition(whole.device, &desc, parts, 64, &count), ACCEL_OK);
        ck_assert_uint_ge(count, 1);
        for (size_t j = 0; j < count && j < 64; ++j) {
            accel_impl_queue *queue = NULL;
            marks own = {.counts = calloc(40, sizeof(*own.counts))}, *args = &own;
            accel_impl_kernel kernel = {.descriptor = &mark_kernel, .device = parts[j]};
            accel_launch_params params = cpu_launch_of(40, 1, &args, 8);
            ck_assert_uint_eq(cpu_device_vtable.info(parts[j], &properties), ACCEL_OK);
            cpus += cpu_mask_count(parts[j]->mask);
            ck_assert_uint_eq(cpu_queue_create(parts[j], ACCEL_QUEUE_BLOCKING, 0, &queue), ACCEL_OK);
            ck_assert_uint_eq(cpu_queue_vtable.launch(queue, &kernel, &params), ACCEL_OK);
            check_marks(&own, 40, 1);
            free(own.counts);
            cpu_queue_vtable.destroy(queue);
            cpu_device_release(parts[j]);
        }
        ck_assert_uint_eq(cpus, ways[i] == ACCEL_PARTITION_CORES ? 1 : cpu_mask_count(whole.device->mask));
        desc.cores = &wrong;
        desc.share_count = CPU_MASK_BITS;
        accel_status status = ways[i] == ACCEL_PARTITION_CORES   ? ACCEL_INVALID
                              : ways[i] == ACCEL_PARTITION_EQUAL ? ACCEL_LIMIT
                                                                 : ACCEL_OK;
        ck_assert_uint_eq(cpu_device_partition(whole.device, &desc, NULL, 0, &count), status);
    }
    cpu_engine_close(&whole);
}
END_TEST

#if !defined(__SANITIZE_THREAD__) /* which does not support threads made after a fork */
static bool runs(cpu_executor *pool, uint32_t times)
{
    marks own = {.counts = calloc(100, sizeof(*own.counts)), .nap_us = 500, .turns = 5000}, *args = &own;
    cpu_scratch scratch = {0};
    bool good = true;

    for (uint32_t i = 0; i < times; ++i)
        good = run(pool, &mark_kernel, 100, 1, &args, &settings, &scratch) == ACCEL_OK && good;
    for (uint32_t i = 0; i < 100; ++i)
        good = own.counts[i] == times && good;
    free(own.counts);
    cpu_scratch_clear(&scratch);
    return good;
}

static void *run_meanwhile(void *pool)
{
    return runs(pool, 300) ? NULL : pool;
}

START_TEST(O7_the_pool_starts_again_in_the_child_of_a_fork)
{
    cpu_executor *pool = pool_of(4);
    pthread_t other; /* the forks come in the middle of its launches */
    void *failed;
    bool good = true;

    accel_guard_watch_fork();
    good = runs(pool, 3);
    ck_assert_int_eq(pthread_create(&other, NULL, run_meanwhile, pool), 0);
    for (int i = 0; i < 20 && good; ++i) {
        pid_t child = fork();
        int status = -1;
        if (child == 0) {
            alarm(20);
            pool->after_fork(pool);
            pool->after_fork(pool);
            _exit(runs(pool, 3) && atomic_load(&((cpu_pool *)(void *)pool)->helpers) == 3 ? 0 : 1);
        }
        good = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    pthread_join(other, &failed);
    ck_assert(good);
    ck_assert_ptr_null(failed);
    pool->destroy(pool);
}
END_TEST
#endif

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_pool");

    atomic_store(&cpu_host_services, &accel_services);
    mark_kernel = cpu_block_kernel(mark, 8, 8);
    add(suite, every_block_runs_once_with_any_number_of_workers);
    add(suite, durations_that_change_from_launch_to_launch_are_all_run);
    add(suite, small_launches_are_believed_until_they_were_not);
    add(suite, launches_at_once_share_the_pool);
    add(suite, workers_have_the_cpus_of_the_process_and_not_those_of_the_launcher);
    add(suite, every_worker_has_fibers_of_its_own);
    add(suite, a_failure_reaches_the_launcher_with_its_text);
    add(suite, pools_come_and_go_at_any_moment);
    add(suite, M8_devices_are_parted_and_run_kernels);
#if !defined(__SANITIZE_THREAD__)
    add(suite, O7_the_pool_starts_again_in_the_child_of_a_fork);
#endif
    return suite;
}
