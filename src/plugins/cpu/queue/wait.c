/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for commands of a non-blocking queue. Whoever executes stores `completed` and then looks at `awaited`;
 * whoever is about to sleep stores `awaited` and then looks at `completed`. All four are sequentially consistent, so
 * one of the two sees the other's. `wakeups` is read before `awaited` is stored, and changes after `awaited` was taken
 * back: a wake-up in between makes the sleep end at once.
 */
#include "plugins/cpu/queue/queue.h"

#include <limits.h>

void cpu_queue_wake_waiters(accel_impl_queue *queue)
{
    if (atomic_load_explicit(&queue->ring.awaited, memory_order_seq_cst) == UINT64_MAX)
        return;
    atomic_store_explicit(&queue->ring.awaited, UINT64_MAX, memory_order_seq_cst);
    atomic_fetch_add_explicit(&queue->wakeups, 1, memory_order_seq_cst);
    cpu_futex_wake(&queue->wakeups, INT_MAX);
    cpu_retire_collect(&queue->retired);
}

void cpu_queue_completed(accel_impl_queue *queue, uint64_t ticket)
{
    atomic_store_explicit(&queue->ring.completed, ticket, memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&queue->ring.awaited, memory_order_seq_cst) <= ticket, 0))
        cpu_queue_wake_waiters(queue);
}

/* After the release of `run` by a thread that is not the worker: what is left is the worker's (semantics Q3, Q4), and so
 * is the end of a queue whose handle is gone. */
static void hand_over(accel_impl_queue *queue)
{
    cpu_lock_look(&queue->ring.lock);
    bool left = cpu_queue_is_ready(queue);
    bool ends = atomic_load_explicit(&queue->closing, memory_order_relaxed);
    bool rouse = (left || ends) && cpu_worker_rouse(queue);
    cpu_lock_release(&queue->ring.lock);
    if (rouse)
        cpu_worker_wake(queue);
    if (left)
        cpu_queue_wake_waiters(queue); /* one of them may be quicker */
}

/* Sleeps until the ticket is reached, or there may be something to execute. */
static void sleep_for(accel_impl_queue *queue, uint64_t ticket)
{
    uint32_t wakeups = atomic_load_explicit(&queue->wakeups, memory_order_seq_cst);
    cpu_ring_await(&queue->ring, ticket);
    if (cpu_ring_completed(&queue->ring) < ticket && !cpu_queue_is_ready(queue))
        cpu_futex_wait(&queue->wakeups, wakeups, 0);
}

bool cpu_queue_help(accel_impl_queue *queue, uint64_t ticket, uint32_t depth)
{
    if (!cpu_queue_is_ready(queue) || !cpu_lock_try(&queue->run))
        return false;
    queue->depth = depth;
    cpu_queue_execute(queue, ticket);
    queue->depth = 0;
    cpu_lock_release(&queue->run);
    hand_over(queue);
    return true;
}

void cpu_queue_wait_ticket(accel_impl_queue *queue, uint64_t ticket)
{
    enum { TURNS = 32 }; /* between two looks at the clock */
    cpu_spin spin;
    bool spins = false; /* made when it is first needed: most waits are short */
    for (unsigned turn = 1; cpu_ring_completed(&queue->ring) < ticket; ++turn) {
        if (cpu_queue_help(queue, ticket, 0)) {
            turn = 0;
            spins = false;
        } else if (turn % TURNS != 0) {
            cpu_relax();
        } else {
            if (!spins)
                spin = cpu_spin_of(queue->site.settings->spin_ns);
            spins = true;
            if (!cpu_spin_continues(&spin, cpu_clock_ns()))
                sleep_for(queue, ticket);
        }
    }
}
