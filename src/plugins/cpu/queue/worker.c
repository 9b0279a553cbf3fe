/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread that executes the commands of one non-blocking queue. When it finds none it polls for a while, because a
 * wake-up costs microseconds on both sides; then it naps, looking every NAP_NS, so that submitters need no system call
 * while the queue is in use; and when there was nothing for AWAKE_NS it sleeps until it is woken.
 */
#include "plugins/cpu/queue/queue.h"
#include "plugins/cpu/machine/thread.h"

#include <string.h>

enum {
    NAP_NS = 40000,     /* with the timer's delay it stays below the 100 us of semantics Q3 */
    AWAKE_NS = 5000000, /* from the last sign of life of the queue */
    PAUSES = 16         /* between two looks: each look takes a line away from the submitters */
};

bool cpu_worker_rouse(accel_impl_queue *queue)
{
    if (__builtin_expect(atomic_load_explicit(&queue->worker, memory_order_relaxed) != CPU_WORKER_ASLEEP, 1))
        return false;
    atomic_store_explicit(&queue->worker, CPU_WORKER_AWAKE, memory_order_relaxed);
    return true;
}

void cpu_worker_wake(accel_impl_queue *queue)
{
    cpu_futex_wake(&queue->worker, 1);
}

/* Until there is something to do. It does not look at once, so that commands gather. */
static void poll(accel_impl_queue *queue)
{
    bool ready = false;
    cpu_spin_restart(&queue->spin);
    while (!ready && cpu_spin_continues(&queue->spin, cpu_clock_ns())) {
        for (int i = 0; i < PAUSES; ++i)
            cpu_relax();
        ready = cpu_queue_is_ready(queue);
    }
}

/* Naps while the queue shows signs of life. */
static void nap(accel_impl_queue *queue)
{
    uint64_t seen = cpu_ring_published(&queue->ring);
    uint64_t end = cpu_clock_ns() + AWAKE_NS;
    while (!cpu_queue_is_ready(queue) && !atomic_load_explicit(&queue->closing, memory_order_relaxed)) {
        cpu_futex_wait(&queue->worker, CPU_WORKER_AWAKE, NAP_NS);
        uint64_t published = cpu_ring_published(&queue->ring);
        uint64_t now = cpu_clock_ns();
        if (published != seen) {
            seen = published;
            end = now + AWAKE_NS;
        } else if (now >= end) {
            return;
        }
    }
}

/* Sleeps until woken, or returns false if the queue has ended. A thread that leaves `run` takes ring.lock afterwards
 * and looks for a sleeping worker: so the worker may sleep while another executes. */
static bool sleep_or_end(accel_impl_queue *queue)
{
    cpu_lock_look(&queue->ring.lock);
    bool done = cpu_ring_published(&queue->ring) == cpu_ring_completed(&queue->ring);
    bool ended = done && atomic_load_explicit(&queue->closing, memory_order_relaxed);
    bool sleeps = !ended && !cpu_queue_is_ready(queue);
    if (ended)
        atomic_store_explicit(&queue->worker, CPU_WORKER_ENDED, memory_order_relaxed);
    else if (sleeps)
        atomic_store_explicit(&queue->worker, CPU_WORKER_ASLEEP, memory_order_relaxed);
    cpu_lock_release(&queue->ring.lock);
    while (sleeps && atomic_load_explicit(&queue->worker, memory_order_acquire) == CPU_WORKER_ASLEEP)
        cpu_futex_wait(&queue->worker, CPU_WORKER_ASLEEP, 0);
    return !ended;
}

static void *worker_main(void *user)
{
    accel_impl_queue *queue = user;
    cpu_thread_begin(CPU_THREAD_NAME "queue");
    queue->spin = cpu_spin_of(queue->device->backend->settings.spin_ns);
    do {
        bool worked = false;
        if (cpu_lock_try(&queue->run)) {
            worked = cpu_queue_execute(queue, UINT64_MAX);
            cpu_lock_release(&queue->run);
        }
        if (!atomic_load_explicit(&queue->closing, memory_order_relaxed)) {
            if (worked)
                poll(queue);
            nap(queue);
        }
    } while (cpu_queue_is_ready(queue) || sleep_or_end(queue));
    cpu_queue_release(queue);
    return NULL;
}

accel_status cpu_worker_start(accel_impl_queue *queue)
{
    cpu_queue_retain(queue);
    atomic_store_explicit(&queue->worker, CPU_WORKER_AWAKE, memory_order_relaxed);
    int error = cpu_thread_start(worker_main, queue, queue->device->mask);
    if (error == 0)
        return ACCEL_OK;
    atomic_store_explicit(&queue->worker, CPU_WORKER_NONE, memory_order_relaxed);
    cpu_queue_release(queue);
    return cpu_host()->error(ACCEL_LIMIT,
                             "queue of %s: its worker thread could not be started: %s; there are too many threads "
                             "(ulimit -u, the container's limit), or there is no memory for its stack of %d bytes",
                             queue->executor->name, strerror(error), CPU_THREAD_STACK);
}
