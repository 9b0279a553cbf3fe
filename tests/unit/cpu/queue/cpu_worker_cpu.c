/* SPDX-License-Identifier: Apache-2.0 */
/* On which CPU a queue's worker begins: its submitter goes on computing. */
#include "cpu_commands.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/queue/scheduler.h"

#include <sched.h>
#include <string.h>

/* What a worker saw of itself. */
typedef struct sight {
    _Atomic bool done;
    int cpu;
    uint8_t mask[CPU_MASK_BYTES];
} sight;

static void look_around(void *user, accel_status status)
{
    sight *seen = user;
    (void)status;
    seen->cpu = sched_getcpu();
    ck_assert_int_eq(sched_getaffinity(0, CPU_MASK_BYTES, (cpu_set_t *)(void *)seen->mask), 0);
    atomic_store(&seen->done, true);
}

static void run_on(const uint8_t mask[CPU_MASK_BYTES])
{
    ck_assert_int_eq(sched_setaffinity(0, CPU_MASK_BYTES, (const cpu_set_t *)(const void *)mask), 0);
}

/* Submits on this CPU and computes until the worker has looked around. */
static void submit_on(accel_impl_queue *queue, int cpu, sight *seen)
{
    uint8_t here[CPU_MASK_BYTES] = {0};

    memset(seen, 0, sizeof(*seen));
    cpu_mask_add(here, (size_t)cpu);
    run_on(here);
    ok(q->call(queue, look_around, seen));
    while (!atomic_load(&seen->done))
        ;
    run_on(queue->device->mask);
}

static void await_state(accel_impl_queue *queue, uint32_t state)
{
    sight seen;
    for (int turn = 0; atomic_load(&queue->worker) != state; ++turn) {
        if (turn % 64 == 63) /* the state may have come and gone */
            submit_on(queue, sched_getcpu(), &seen);
        sleep_ms(state == CPU_WORKER_NAPS ? 0 : 1);
    }
}

/* With one CPU there is none to begin on but that one. */
static bool elsewhere(const accel_impl_queue *queue, const sight *seen, int submitter)
{
    return cpu_mask_count(queue->device->mask) == 1 || seen->cpu != submitter;
}

/* So who wakes it there again need not send it away first. */
static bool has_gone_from(const accel_impl_queue *queue, int waker)
{
    uint8_t mask[CPU_MASK_BYTES];
    ck_assert_int_eq(sched_getaffinity(atomic_load(&queue->thread), CPU_MASK_BYTES, (cpu_set_t *)(void *)mask), 0);
    return cpu_mask_count(queue->device->mask) == 1 || !cpu_mask_has(mask, (size_t)waker);
}

START_TEST(Q3_a_worker_that_slept_begins_on_another_cpu_than_its_submitters)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    sight seen;
    int waker = -1;

    submit_on(queue, sched_getcpu(), &seen);
    for (int round = 0; round < 10; ++round) {
        int cpu = seen.cpu; /* where the worker ran last */
        await_state(queue, CPU_WORKER_ASLEEP);
        ck_assert_msg(waker < 0 || has_gone_from(queue, waker), "it sleeps where CPU %d wakes it", waker);
        waker = cpu;
        submit_on(queue, cpu, &seen);
        ck_assert_msg(elsewhere(queue, &seen, cpu), "it began on CPU %d beside its submitter", cpu);
        ck_assert_msg(memcmp(seen.mask, queue->device->mask, CPU_MASK_BYTES) == 0, "it does not run on all CPUs again");
    }
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

/* A worker may end its nap by itself just before the submit; it may then stay where it is, but that is rare. */
START_TEST(Q3_a_worker_that_naps_begins_on_another_cpu_than_its_submitters)
{
    enum { ROUNDS = 20, MOST = 15 };
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    sight seen;
    int moved = 0;

    submit_on(queue, sched_getcpu(), &seen);
    for (int round = 0; round < ROUNDS; ++round) {
        await_state(queue, CPU_WORKER_NAPS);
        int cpu = atomic_load(&queue->nap_cpu);
        submit_on(queue, cpu, &seen);
        moved += elsewhere(queue, &seen, cpu);
    }
    ck_assert_int_ge(moved, MOST);
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_worker_cpu");

    add(suite, Q3_a_worker_that_slept_begins_on_another_cpu_than_its_submitters);
    add(suite, Q3_a_worker_that_naps_begins_on_another_cpu_than_its_submitters);
    return suite;
}
