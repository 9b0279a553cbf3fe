/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which worker gets what, when it polls, and where it may run. Most tests let a pool's workers fall asleep first: from there on
 * everything happens in one order only. Whoever waits here gives up after half a minute, and the test fails.
 */
#include "cpu_marks.h"
#include "plugins/cpu/threads/worker.h"
#include "plugins/cpu/queue/queue.h"
#include "plugins/cpu/queue/scheduler.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/machine/thread.h"
#include "plugins/cpu/threads/threads.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 200000, STEP_US = 100 }; /* with what the timer adds */

#define AWAIT(condition)                                                                                               \
    do {                                                                                                               \
        for (int turn = 0; turn < TURNS && !(condition); ++turn)                                                       \
            usleep(STEP_US);                                                                                           \
        ck_assert_msg(condition, "after half a minute %s does not hold", #condition);                                  \
    } while (0)

static bool all_sleep(cpu_pool *pool)
{
    for (uint32_t i = 0; i + 1 < pool->threads; ++i)
        if (atomic_load(&pool->workers[i].state) != CPU_POOL_ASLEEP)
            return false;
    return true;
}

/* All of its workers may be awake, however few CPUs there are. */
static cpu_pool *pool_of(uint32_t units)
{
    cpu_pool *pool = (cpu_pool *)marks_executor(&cpu_executor_threads, units); /* its first member */

    pool->awake = units;
    return pool;
}

static cpu_pool *sleeping_pool(uint32_t units)
{
    cpu_pool *pool = pool_of(units);

    cpu_pool_start(pool);
    ck_assert_uint_eq(atomic_load(&pool->counts.running), units - 1);
    AWAIT(all_sleep(pool));
    return pool;
}

/* A launch that nothing is known of, and which therefore wakes whoever sleeps; then all sleep again. */
static void launch(cpu_pool *pool, uint32_t blocks, void (*also)(marks *, size_t), void *user)
{
    marks own = {.counts = calloc(blocks, sizeof(*own.counts)), .also = also, .user = user}, *args = &own;
    cpu_scratch scratch = {0};

    ck_assert_uint_eq(marks_run(&pool->executor, &marks_kernel, blocks, 1, &args, &marks_settings, &scratch), ACCEL_OK);
    marks_check(&own, blocks, 1);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    AWAIT(all_sleep(pool));
}

/* --- shares --- */

static void check_claim(cpu_pool *pool, uint32_t worker, uint32_t share)
{
    uint64_t range = 0;

    ck_assert(cpu_pool_worker_claim(&pool->workers[worker - 1], 0, &range));
    ck_assert_uint_eq(cpu_range_slot(range), 0);
    ck_assert_uint_eq(cpu_range_next(range), 10 * share);
    ck_assert_uint_eq(cpu_range_end(range), 10 * share + 10);
}

START_TEST(a_worker_prefers_the_share_of_its_number_and_then_those_that_follow)
{
    cpu_pool *pool = pool_of(6);
    uint64_t range;

    cpu_pool_part(pool);
    pool->slots[0].before[0] = 1; /* the launcher's */
    pool->slots[0].chunks = 60;
    pool->slots[0].shares = 6;
    for (uint32_t first = 1; first < 6; ++first) { /* whoever comes first */
        atomic_store(&pool->groups[0].unclaimed[0], 0x1f);
        for (uint32_t i = 0; i < 5; ++i)
            check_claim(pool, (first + 2 * i) % 5 + 1, (first + 2 * i) % 5 + 1);
        ck_assert(!cpu_pool_worker_claim(&pool->workers[0], 0, &range));
    }
    atomic_store(&pool->groups[0].unclaimed[0], 0x16); /* 2, 3, 5 */
    check_claim(pool, 4, 5);
    check_claim(pool, 4, 2);
    check_claim(pool, 4, 3);
    ck_assert(!cpu_pool_worker_claim(&pool->workers[3], 0, &range));
    cpu_pool_close(pool);
}
END_TEST

/* One block for each thread, in which it waits for all others: so nobody is late. */
typedef struct meeting {
    _Atomic uint32_t came;
    _Atomic int threads[4];
} meeting;

static void meet(marks *own, size_t block)
{
    meeting *all = own->user;

    all->threads[block] = gettid();
    atomic_fetch_add(&all->came, 1);
    AWAIT(all->came == 4);
}

START_TEST(while_nobody_is_late_each_share_goes_to_the_thread_that_had_it_before)
{
    cpu_pool *pool = sleeping_pool(4);

    for (int i = 0; i < 20; ++i) {
        meeting all = {0};
        launch(pool, 4, meet, &all);
        ck_assert_int_eq(all.threads[0], gettid());
        for (int j = 1; j < 4; ++j)
            ck_assert_int_eq(all.threads[j], atomic_load(&pool->workers[j - 1].thread));
    }
    cpu_pool_close(pool);
}
END_TEST

/* Two shares of 32 blocks. A thread comes late to what is behind its block `late`, unless it takes back what was stolen: it
 * waits there until the last block of its share is done. */
enum { SHARE = 32 };

typedef struct delay {
    size_t late;
    _Atomic int threads[2 * SHARE];
} delay;

static void be_late(marks *own, size_t block)
{
    delay *all = own->user;

    all->threads[block] = gettid();
    if (block == 0)
        AWAIT(all->threads[SHARE] != 0); /* the worker has the other share */
    if (block == all->late)
        AWAIT(all->threads[block + SHARE - 1] != 0);
}

static void check_theft(cpu_pool *pool, size_t late)
{
    delay all = {.late = late};

    launch(pool, 2 * SHARE, be_late, &all);
    ck_assert_int_eq(all.threads[0], gettid());
    ck_assert_int_ne(all.threads[SHARE], gettid());
    ck_assert_int_ne(all.threads[late + SHARE - 1], all.threads[late]);
}

START_TEST(a_worker_takes_over_what_a_late_launcher_has_left)
{
    cpu_pool *pool = sleeping_pool(2);

    for (int i = 0; i < 5; ++i)
        check_theft(pool, 0);
    cpu_pool_close(pool);
}
END_TEST

START_TEST(a_launcher_takes_over_what_a_late_worker_has_left)
{
    cpu_pool *pool = sleeping_pool(2);

    for (int i = 0; i < 5; ++i)
        check_theft(pool, SHARE);
    cpu_pool_close(pool);
}
END_TEST

/* --- polling --- */

/* Of a worker that sleeps: it is the worker's own, else. */
static void check_poll(const cpu_idle *idle, uint64_t begin)
{
    ck_assert_uint_gt(idle->begin, begin);
    ck_assert_uint_ge(idle->looked, idle->begin + marks_settings.spin_ns);
}

START_TEST(workers_poll_when_there_was_work_and_when_they_were_woken)
{
    cpu_pool *pool = sleeping_pool(2);
    const cpu_idle *idle = &pool->workers[0].idle;

    check_poll(idle, 0);
    for (int round = 0; round < 3; ++round) {
        uint64_t before = idle->begin;
        cpu_pool_wake(pool, 0, 1, -1); /* for nothing */
        AWAIT(all_sleep(pool));
        check_poll(idle, before);
        before = idle->begin;
        check_theft(pool, 0);
        check_poll(idle, before);
    }
    cpu_pool_close(pool);
}
END_TEST

START_TEST(workers_that_may_not_poll_do_not)
{
    uint64_t before = marks_settings.spin_ns;

    marks_settings.spin_ns = 0;
    cpu_pool *pool = sleeping_pool(2);
    const cpu_idle *idle = &pool->workers[0].idle;
    marks_settings.spin_ns = before;
    ck_assert(!pool->counts.may_wait);
    for (int round = 0; round < 3; ++round) {
        ck_assert_uint_eq(idle->spin_end, idle->begin);
        ck_assert_uint_eq(idle->poll_end, idle->begin);
        check_theft(pool, 0);
    }
    cpu_pool_wake(pool, 0, 1, -1);
    AWAIT(all_sleep(pool));
    ck_assert_uint_eq(idle->poll_end, idle->begin);
    cpu_pool_close(pool);
}
END_TEST

static uint32_t awake(cpu_pool *pool)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i + 1 < pool->threads; ++i)
        count += atomic_load(&pool->workers[i].state) != CPU_POOL_ASLEEP;
    return count;
}

static void note_awake(marks *own, size_t block)
{
    cpu_pool *pool = own->user;

    (void)block;
    usleep(100); /* those who were woken have woken others */
    ck_assert_uint_le(awake(pool), pool->awake);
}

/* They would only take turns, and each poll in vain. */
START_TEST(no_more_workers_are_woken_than_there_are_cpus_for)
{
    cpu_pool *pool = sleeping_pool(12);

    for (pool->awake = 1; pool->awake <= 3; ++pool->awake) {
        launch(pool, 200, note_awake, pool);
        cpu_pool_wake(pool, 0, 12, -1);
        ck_assert_uint_le(awake(pool), pool->awake);
        AWAIT(all_sleep(pool));
    }
    cpu_pool_close(pool);
}
END_TEST

START_TEST(workers_wait_long_only_where_each_has_a_cpu)
{
    uint8_t mask[CPU_MASK_BYTES];

    cpu_process_cpus(mask);
    uint32_t cpus = cpu_mask_count(mask);
    for (uint32_t units = cpus; units <= cpus + 1; ++units) {
        cpu_pool *pool = (cpu_pool *)marks_executor(&cpu_executor_threads, units);
        ck_assert_uint_eq(pool->awake, units == cpus ? units : cpus > 2 ? cpus - 1 : 1);
        ck_assert_uint_eq(pool->counts.may_wait, units == cpus);
        cpu_pool_close(pool);
    }
}
END_TEST

/* Does a worker that sleeps poll again though nobody wakes it? For so long that its nap and its poll are over. */
static bool rises(const cpu_pool_worker *worker)
{
    bool polls = false;

    for (uint64_t end = cpu_clock_ns() + 2 * CPU_POLICY_GAP_NS; !polls && cpu_clock_ns() < end;)
        polls = atomic_load(&worker->state) == CPU_POOL_POLLING;
    return polls;
}

/* As if launches had followed each other at such intervals. The test may miss a poll, but not all of them. */
START_TEST(a_worker_that_naps_wakes_up_by_itself)
{
    enum { ROUNDS = 1000 };
    cpu_pool *pool = sleeping_pool(2);
    bool rose = false;

    pool->counts.may_wait = true;
    atomic_store(&pool->counts.gap, CPU_POLICY_GAP_NS - 1);
    for (int round = 0; round < ROUNDS && !rose; ++round) {
        cpu_pool_wake(pool, 0, 1, -1);
        AWAIT(all_sleep(pool));
        rose = rises(&pool->workers[0]);
    }
    ck_assert(rose);
    AWAIT(all_sleep(pool));
    check_theft(pool, 0);
    cpu_pool_close(pool);
}
END_TEST

static bool sleeps(accel_impl_queue *queue)
{
    cpu_lock_look(&queue->ring.lock);
    bool asleep = atomic_load(&queue->worker) == CPU_WORKER_ASLEEP;
    cpu_lock_release(&queue->ring.lock);
    return asleep;
}

static void note_call(void *user, accel_status status)
{
    (void)status;
    atomic_fetch_add((_Atomic uint32_t *)user, 1);
}

/* Did the worker of a queue poll after it had executed a command? */
static bool worker_polls(uint64_t spin_ns)
{
    cpu_engine engine = cpu_engine_open(&cpu_executor_serial);
    _Atomic uint32_t calls = 0;

    engine.plugin.backend->settings.spin_ns = spin_ns;
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    ck_assert_uint_eq(cpu_queue_vtable.call(queue, note_call, (void *)&calls), ACCEL_OK);
    AWAIT(sleeps(queue));
    ck_assert_uint_eq(atomic_load(&calls), 1);
    bool polled = queue->spin.begin != 0;
    ck_assert_uint_eq(queue->spin.limit, spin_ns);
    cpu_queue_vtable.destroy(queue);
    cpu_engine_close(&engine);
    return polled;
}

START_TEST(workers_of_queues_poll_unless_they_may_not)
{
    ck_assert(worker_polls(20000));
    ck_assert(worker_polls(1));
    ck_assert(!worker_polls(0));
}
END_TEST

/* Worker threads of queues, by their name. */
static unsigned count_workers(void)
{
    unsigned count = 0;
    DIR *threads = opendir("/proc/self/task");

    ck_assert_ptr_nonnull(threads);
    for (const struct dirent *entry; (entry = readdir(threads)) != NULL;) {
        char path[300], name[32] = "";
        snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "r") : NULL; /* it may have ended since */
        if (file == NULL)
            continue;
        count += fgets(name, sizeof(name), file) != NULL && strcmp(name, CPU_THREAD_NAME "queue\n") == 0;
        fclose(file);
    }
    closedir(threads);
    return count;
}

/* The worker is asleep when the handle goes, or it is awake, or it works. */
START_TEST(the_worker_of_a_queue_ends_with_its_handle)
{
    enum { ASLEEP, AWAKE, BUSY };
    cpu_engine engine = cpu_engine_open(&cpu_executor_serial);

    for (int state = ASLEEP; state <= BUSY; ++state) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
        _Atomic uint32_t calls = 0;
        ck_assert_uint_eq(cpu_queue_vtable.call(queue, note_call, (void *)&calls), ACCEL_OK);
        if (state == ASLEEP)
            AWAIT(sleeps(queue) && count_workers() == 1);
        else if (state == AWAKE)
            AWAIT(atomic_load(&calls) == 1);
        cpu_queue_vtable.destroy(queue);
        AWAIT(atomic_load(&calls) == 1 && count_workers() == 0);
    }
    cpu_engine_close(&engine);
}
END_TEST

typedef struct helper {
    accel_impl_queue *queue;
    _Atomic int thread, executes; /* the helper, and who executes */
    _Atomic bool open;
} helper;

static void stand_at_gate(void *user, accel_status status)
{
    helper *own = user;

    (void)status;
    atomic_store(&own->executes, gettid());
    while (!atomic_load(&own->open))
        usleep(STEP_US);
}

static void *submit_and_help(void *user)
{
    helper *own = user;

    atomic_store(&own->thread, gettid());
    ck_assert_uint_eq(cpu_queue_vtable.call(own->queue, stand_at_gate, own), ACCEL_OK);
    cpu_queue_wait_ticket(own->queue, cpu_ring_published(&own->queue->ring));
    cpu_queue_release(own->queue);
    return NULL;
}

/* Returns whether the thread executes: the worker may be quicker. */
static bool begin_to_help(helper *own, pthread_t *thread)
{
    cpu_queue_retain(own->queue); /* the thread's */
    ck_assert_int_eq(pthread_create(thread, NULL, submit_and_help, own), 0);
    AWAIT(atomic_load(&own->executes) != 0);
    return atomic_load(&own->executes) == atomic_load(&own->thread);
}

/* Three times, each of which needs a thread that executes. */
static void three_times(bool (*attempt)(cpu_engine *))
{
    cpu_engine engine = cpu_engine_open(&cpu_executor_serial);
    unsigned helped = 0;

    for (int i = 0; i < 1000 && helped < 3; ++i)
        helped += attempt(&engine);
    ck_assert_uint_eq(helped, 3);
    cpu_engine_close(&engine);
}

/* The handle goes while a thread that waits executes, and the worker sleeps. */
static bool end_beside_a_helper(cpu_engine *engine)
{
    helper own = {.queue = cpu_engine_queue(engine, 0)};
    pthread_t thread;
    bool helps = begin_to_help(&own, &thread);

    cpu_queue_vtable.destroy(own.queue);
    if (helps)
        AWAIT(atomic_load(&own.queue->worker) == CPU_WORKER_ASLEEP);
    atomic_store(&own.open, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    AWAIT(count_workers() == 0);
    return helps;
}

START_TEST(who_has_executed_for_a_queue_tells_its_worker_of_the_end)
{
    three_times(end_beside_a_helper);
}
END_TEST

static void do_nothing(void *user, accel_status status)
{
    (void)user, (void)status;
}

static bool sleeps_within(const accel_impl_queue *queue, int us)
{
    for (; us > 0 && atomic_load(&queue->worker) != CPU_WORKER_ASLEEP; us -= STEP_US)
        usleep(STEP_US);
    return us > 0;
}

/* Commands come every two milliseconds, which are signs of life, while a thread that waits executes the first one. */
static bool rest_beside_a_helper(cpu_engine *engine)
{
    helper own = {.queue = cpu_engine_queue(engine, 0)};
    pthread_t thread;
    bool slept = false, helps = begin_to_help(&own, &thread);

    for (int i = 0; helps && i < 500 && !slept; ++i) {
        ck_assert_uint_eq(cpu_queue_vtable.call(own.queue, do_nothing, NULL), ACCEL_OK);
        slept = sleeps_within(own.queue, 2000);
    }
    ck_assert(!helps || slept);
    atomic_store(&own.open, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    cpu_queue_wait_ticket(own.queue, cpu_ring_published(&own.queue->ring)); /* what came meanwhile is executed, too */
    cpu_queue_vtable.destroy(own.queue);
    AWAIT(count_workers() == 0);
    return helps;
}

START_TEST(a_worker_sleeps_beside_a_thread_that_executes)
{
    three_times(rest_beside_a_helper);
}
END_TEST

/* How often a thread has gone to rest. */
static unsigned long rests_of(int thread)
{
    char path[64], line[128];
    unsigned long rests = 0;

    (void)snprintf(path, sizeof(path), "/proc/self/task/%d/status", thread);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file) != NULL)
        (void)sscanf(line, "voluntary_ctxt_switches: %lu", &rests);
    (void)fclose(file);
    return rests;
}

/* Each nap takes the CPU of a thread that executes. */
static bool nap_beside_one_command(cpu_engine *engine)
{
    enum { MOST = 8 }; /* before and beside it; sleeping at last; and some while it starts */
    helper own = {.queue = cpu_engine_queue(engine, 0)};
    pthread_t thread;
    bool helps = begin_to_help(&own, &thread);

    if (helps) {
        AWAIT(atomic_load(&own.queue->worker) == CPU_WORKER_ASLEEP);
        ck_assert_uint_le(rests_of(atomic_load(&own.queue->thread)), MOST);
    }
    atomic_store(&own.open, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    cpu_queue_vtable.destroy(own.queue);
    AWAIT(count_workers() == 0);
    return helps;
}

START_TEST(a_worker_naps_little_beside_one_long_command)
{
    three_times(nap_beside_one_command);
}
END_TEST

/* --- where they run --- */

/* May the worker run on all CPUs of its mask but this one? -1: on all of them. */
static bool avoids_only(cpu_pool *pool, int cpu)
{
    uint8_t mask[CPU_MASK_BYTES] = {0};

    ck_assert_int_gt(syscall(SYS_sched_getaffinity, atomic_load(&pool->workers[0].thread), sizeof(mask), mask), 0);
    for (int i = 0; i < CPU_MASK_BYTES * 8; ++i)
        if (cpu_mask_has(mask, (size_t)i) != (cpu_mask_has(pool->masks[0], (size_t)i) && i != cpu))
            return false;
    return true;
}

static void wake_for(cpu_pool *pool, int cpu)
{
    cpu_pool_wake(pool, 0, 1, cpu);
    AWAIT(all_sleep(pool));
}

START_TEST(a_woken_worker_keeps_away_from_the_cpu_of_the_launch)
{
    cpu_pool *pool = sleeping_pool(2);
    bool several = cpu_mask_count(pool->masks[0]) > 1;
    int outside = 0, first = -1;

    wake_for(pool, -1);
    ck_assert(avoids_only(pool, -1));
    for (int cpu = 0, tried = 0; cpu < CPU_MASK_BYTES * 8 && tried < 4; ++cpu) {
        if (!cpu_mask_has(pool->masks[0], (size_t)cpu))
            continue;
        first = first < 0 ? cpu : first;
        wake_for(pool, cpu);
        ck_assert(avoids_only(pool, several ? cpu : -1)); /* from its only one it cannot */
        tried++;
    }
    wake_for(pool, first);
    wake_for(pool, -1);
    ck_assert(avoids_only(pool, several ? first : -1));
    while (cpu_mask_has(pool->masks[0], (size_t)outside))
        outside++;
    wake_for(pool, outside);
    ck_assert(avoids_only(pool, several ? first : -1));
    cpu_pool_close(pool);
}
END_TEST

START_TEST(a_launch_that_wakes_a_worker_tells_it_where_it_runs)
{
    cpu_pool *pool = sleeping_pool(2);
    bool several = cpu_mask_count(pool->masks[0]) > 1;

    for (int cpu = 0, tried = 0; cpu < CPU_SETSIZE && tried < 4; ++cpu) {
        cpu_set_t one;
        if (!cpu_mask_has(pool->masks[0], (size_t)cpu))
            continue;
        CPU_ZERO(&one);
        CPU_SET((size_t)cpu, &one);
        ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
        launch(pool, 2 * SHARE, NULL, NULL);
        ck_assert(avoids_only(pool, several ? cpu : -1));
        tried++;
    }
    cpu_pool_close(pool);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_worker");

    marks_init();
    add(suite, a_worker_prefers_the_share_of_its_number_and_then_those_that_follow);
    add(suite, while_nobody_is_late_each_share_goes_to_the_thread_that_had_it_before);
    add(suite, a_worker_takes_over_what_a_late_launcher_has_left);
    add(suite, a_launcher_takes_over_what_a_late_worker_has_left);
    add(suite, workers_poll_when_there_was_work_and_when_they_were_woken);
    add(suite, workers_that_may_not_poll_do_not);
    add(suite, no_more_workers_are_woken_than_there_are_cpus_for);
    add(suite, workers_wait_long_only_where_each_has_a_cpu);
    add(suite, a_worker_that_naps_wakes_up_by_itself);
    add(suite, workers_of_queues_poll_unless_they_may_not);
    add(suite, the_worker_of_a_queue_ends_with_its_handle);
    add(suite, who_has_executed_for_a_queue_tells_its_worker_of_the_end);
    add(suite, a_worker_sleeps_beside_a_thread_that_executes);
    add(suite, a_worker_naps_little_beside_one_long_command);
    add(suite, a_woken_worker_keeps_away_from_the_cpu_of_the_launch);
    add(suite, a_launch_that_wakes_a_worker_tells_it_where_it_runs);
    return suite;
}
