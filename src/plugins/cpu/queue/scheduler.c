/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whoever holds `run` executes commands: the worker, or a thread that waits for one of them.
 *
 * The worker polls for a while when it finds no command, because a wake-up costs microseconds on both sides. Then it naps and
 * looks every NAP_NS, so submitters need no system call while the queue is in use. After AWAKE_NS without a command it sleeps
 * until it is woken.
 *
 * The executing thread stores `completed` and then loads `awaited`. A thread that is about to sleep stores `awaited` and then
 * loads `completed`. All four are sequentially consistent, so one of the two sees the other's store. `wakeups` is loaded before
 * `awaited` is stored, and changes after `awaited` was reset: a wake-up in between ends the sleep at once.
 */
#include "plugins/cpu/queue/scheduler.h"
#include "plugins/cpu/machine/thread.h"
#include "plugins/cpu/queue/command.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <string.h>

enum {
    NAP_NS = 40000,     /* with the timer's delay it stays below the 100 us of semantics Q3 */
    AWAKE_NS = 5000000, /* from the last sign of life of the queue */
    BESIDE = 16,        /* naps while another thread executes short commands: each takes 16 us of a CPU that executes */
    PAUSES = 16,        /* between two looks: each look takes a line away from the submitters */
    LIGHT_NS = 1000,    /* several commands that took less, together, */
    GATHER_NS = 2000    /* are followed by so long a time without a look */
};

/* Is there a command that could be executed now, but for `run`? */
static bool is_ready(accel_impl_queue *queue)
{
    return cpu_ring_published(&queue->ring) != cpu_ring_completed(&queue->ring) &&
           atomic_load_explicit(&queue->parked, memory_order_seq_cst) == 0 && !cpu_lock_is_held(&queue->run);
}

/* --- waking --- */

static void keep_off(accel_impl_queue *queue, int cpu)
{
    int thread = atomic_load_explicit(&queue->thread, memory_order_relaxed);
    if (queue->avoids != cpu && cpu_thread_keep_off(thread, queue->device->mask, cpu))
        queue->avoids = cpu;
}

/* The caller goes on computing, and so does the worker: elsewhere. One that naps on another CPU is left alone. */
static bool rouse_resting(accel_impl_queue *queue, uint32_t state)
{
    int cpu = sched_getcpu();
    if (state == CPU_WORKER_NAPS && cpu != atomic_load_explicit(&queue->nap_cpu, memory_order_relaxed))
        return false;
    keep_off(queue, cpu);
    queue->waker_cpu = cpu;
    atomic_store_explicit(&queue->worker, CPU_WORKER_AWAKE, memory_order_release);
    return true;
}

/* Under ring.lock: a worker that sleeps, or naps where the caller runs, is awake from now on. True: the caller wakes it, without
 * the lock. */
static inline bool rouse(accel_impl_queue *queue)
{
    uint32_t state = atomic_load_explicit(&queue->worker, memory_order_relaxed);
    return __builtin_expect(state >= CPU_WORKER_NAPS, 0) && rouse_resting(queue, state);
}

static void wake(accel_impl_queue *queue)
{
    cpu_futex_wake(&queue->worker, 1);
}

/* Makes every sleeping waiter look again, and frees memory that waited for what is complete. */
static void wake_waiters(accel_impl_queue *queue)
{
    if (atomic_load_explicit(&queue->ring.awaited, memory_order_seq_cst) == UINT64_MAX)
        return;
    atomic_store_explicit(&queue->ring.awaited, UINT64_MAX, memory_order_seq_cst);
    atomic_fetch_add_explicit(&queue->wakeups, 1, memory_order_seq_cst);
    cpu_futex_wake(&queue->wakeups, INT_MAX);
    cpu_retire_collect(&queue->retired);
}

/* After a command. */
static void complete(accel_impl_queue *queue, uint64_t ticket)
{
    atomic_store_explicit(&queue->ring.completed, ticket, memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&queue->ring.awaited, memory_order_seq_cst) <= ticket, 0))
        wake_waiters(queue);
}

/* --- executing --- */

/* Executes what can be executed up to the ticket; false: another thread does. The caller is so deep in waits for queues. */
static bool help(accel_impl_queue *queue, uint64_t ticket, uint32_t depth);

/* Tells the queue that its timeline has moved on. Runs on the signalling thread, perhaps in another queue. */
static void unpark(accel_timeline_waiter *waiter, accel_status status)
{
    (void)status; /* the command asks again */
    accel_impl_queue *queue = waiter->user;
    atomic_store_explicit(&queue->parked, 0, memory_order_seq_cst);
    cpu_lock_look(&queue->ring.lock);
    bool awake = rouse(queue);
    cpu_lock_release(&queue->ring.lock);
    if (awake)
        wake(queue);
    wake_waiters(queue);
    cpu_queue_release(queue);
}

/* The event is of another queue of this device. If no thread executes that queue, this one does, up to the event (semantics
 * Q4): to tell another thread takes longer than most commands. Else a short poll is still cheaper than being told. The depth
 * of waits within waits is bounded, and so is the stack. */
static bool reach(const accel_impl_queue *queue, const cpu_command_wait *command, accel_status *status)
{
    enum { DEEPEST = 4, TURNS = 32 };
    if (command->other == NULL || queue->depth == DEEPEST || queue->site.settings->spin_ns == 0)
        return false;
    for (int turn = 0; turn < TURNS; ++turn) {
        if (!help(command->other, command->ticket, queue->depth + 1))
            cpu_relax();
        if (cpu_host()->timeline_reached(command->timeline, command->value, status))
            return true;
    }
    return false;
}

static void release_wait(const cpu_command_wait *command)
{
    if (command->other != NULL)
        cpu_queue_release(command->other);
    else
        cpu_host()->timeline_release(command->timeline);
}

/* False: the queue is parked, and the command is to be executed again when it no longer is. */
static bool wait(accel_impl_queue *queue, const cpu_command_wait *command)
{
    const accel_host_services *host = cpu_host();
    accel_status status = ACCEL_OK;
    bool skip = plugin_failure_status(&queue->failure) != ACCEL_OK;
    if (!skip && !host->timeline_reached(command->timeline, command->value, &status) &&
        !reach(queue, command, &status)) {
        atomic_store_explicit(&queue->parked, 1, memory_order_relaxed);
        cpu_queue_retain(queue);
        queue->waiter = (accel_timeline_waiter){.notify = unpark, .user = queue};
        if (host->timeline_on_signal(command->timeline, command->value, &queue->waiter))
            return false;
        cpu_queue_release(queue);
        atomic_store_explicit(&queue->parked, 0, memory_order_relaxed);
        host->timeline_reached(command->timeline, command->value, &status);
    }
    cpu_queue_inherit(queue, status);
    release_wait(command);
    return true;
}

/* Under `run`: executes the commands that there are now, up to the ticket, or until the queue is parked. Returns how many. */
static uint64_t execute(accel_impl_queue *queue, uint64_t ticket)
{
    uint64_t begun = atomic_load_explicit(&queue->ring.completed, memory_order_relaxed);
    uint64_t done = begun;
    /* One look at what there is: each takes a line away from the submitters, and at equal speed every command would
     * cost one. */
    uint64_t last = cpu_ring_published(&queue->ring);
    if (last > ticket)
        last = ticket;
    while (done < last && atomic_load_explicit(&queue->parked, memory_order_acquire) == 0) {
        cpu_record *record = cpu_ring_peek(&queue->ring);
        if (record->kind != CPU_COMMAND_WAIT)
            cpu_command_execute(queue, record);
        else if (!wait(queue, (const cpu_command_wait *)(const void *)record))
            break;
        cpu_ring_pop(&queue->ring, record);
        complete(queue, ++done);
    }
    return done - begun;
}

/* A thread that is not the worker has released `run`: the worker gets what is left (semantics Q3, Q4), and ends a queue whose
 * handle is gone. */
static void hand_over(accel_impl_queue *queue)
{
    cpu_lock_look(&queue->ring.lock);
    bool left = is_ready(queue);
    bool ends = atomic_load_explicit(&queue->closing, memory_order_relaxed);
    bool awake = (left || ends) && rouse(queue);
    cpu_lock_release(&queue->ring.lock);
    if (awake)
        wake(queue);
    if (left)
        wake_waiters(queue); /* one of them may be quicker */
}

/* Sleeps until the ticket is reached, or there may be something to execute. */
static void sleep_for(accel_impl_queue *queue, uint64_t ticket)
{
    uint32_t wakeups = atomic_load_explicit(&queue->wakeups, memory_order_seq_cst);
    cpu_ring_await(&queue->ring, ticket);
    if (cpu_ring_completed(&queue->ring) < ticket && !is_ready(queue))
        cpu_futex_wait(&queue->wakeups, wakeups, 0);
}

static bool help(accel_impl_queue *queue, uint64_t ticket, uint32_t depth)
{
    if (!is_ready(queue) || !cpu_lock_try(&queue->run))
        return false;
    queue->depth = depth;
    execute(queue, ticket);
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
        if (help(queue, ticket, 0)) {
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

/* --- the worker --- */

/* Polls until there is a command. It does not look at once, so that commands gather: for longer where several came together
 * and took little time, as each look delays the submitter by more than such a command takes. Who waits for a command
 * executes it, and does not wait for the worker. */
static void poll(accel_impl_queue *queue, uint64_t executed)
{
    uint64_t now = cpu_clock_ns();
    const uint64_t gathers = executed > 1 && now - queue->looked < LIGHT_NS ? now + GATHER_NS : now;
    bool ready = false;
    cpu_spin_restart(&queue->spin);
    while (!ready && cpu_spin_continues(&queue->spin, now)) {
        for (int i = 0; i < PAUSES; ++i)
            cpu_relax();
        queue->looked = now = cpu_clock_ns();
        ready = now >= gathers && is_ready(queue);
    }
}

/* The worker is awake. It runs on any CPU of its device again. */
static void rise(accel_impl_queue *queue)
{
    bool avoids = queue->avoids >= 0;
    queue->avoids = -1;
    if (avoids)
        cpu_thread_allow(queue->device->mask);
}

static void set_worker(accel_impl_queue *queue, uint32_t state)
{
    cpu_lock_look(&queue->ring.lock);
    atomic_store_explicit(&queue->worker, state, memory_order_relaxed);
    cpu_lock_release(&queue->ring.lock);
}

static bool may_rest(accel_impl_queue *queue)
{
    return !is_ready(queue) && !atomic_load_explicit(&queue->closing, memory_order_relaxed);
}

/* Naps while the queue shows signs of life, unless it is woken. Beside a thread that executes one command for a whole nap, or
 * many, it sleeps instead: that thread wakes it if anything is left. */
static void nap(accel_impl_queue *queue)
{
    uint64_t seen = cpu_ring_published(&queue->ring), done = cpu_ring_completed(&queue->ring);
    if (!may_rest(queue))
        return;
    uint64_t now = cpu_clock_ns(), end = now + AWAKE_NS;
    bool held = cpu_lock_is_held(&queue->run);
    int beside = 0;
    set_worker(queue, CPU_WORKER_NAPS);
    do {
        atomic_store_explicit(&queue->nap_cpu, sched_getcpu(), memory_order_relaxed);
        cpu_futex_wait(&queue->worker, CPU_WORKER_NAPS, NAP_NS);
        uint64_t published = cpu_ring_published(&queue->ring);
        now = cpu_clock_ns();
        if (published != seen)
            end = now + AWAKE_NS;
        seen = published;
        bool was_held = held;
        uint64_t completed = cpu_ring_completed(&queue->ring);
        held = cpu_lock_is_held(&queue->run);
        beside = !held ? 0 : was_held && completed == done ? BESIDE : beside + 1;
        done = completed;
    } while (now < end && beside < BESIDE && may_rest(queue));
    set_worker(queue, CPU_WORKER_AWAKE);
    rise(queue);
}

/* Sleeps until woken, or returns false if the queue has ended. A thread that releases `run` then takes ring.lock and looks for a
 * sleeping worker, so the worker may sleep while another thread executes. Who woke it last will wake it again, as a rule: so it
 * goes out of the way now, which would take the waker 20 us. */
static bool sleep_or_end(accel_impl_queue *queue)
{
    if (may_rest(queue))
        keep_off(queue, queue->waker_cpu);
    cpu_lock_look(&queue->ring.lock);
    bool done = cpu_ring_published(&queue->ring) == cpu_ring_completed(&queue->ring);
    bool ended = done && atomic_load_explicit(&queue->closing, memory_order_relaxed);
    bool sleeps = !ended && !is_ready(queue);
    if (ended)
        atomic_store_explicit(&queue->worker, CPU_WORKER_ENDED, memory_order_relaxed);
    else if (sleeps)
        atomic_store_explicit(&queue->worker, CPU_WORKER_ASLEEP, memory_order_relaxed);
    cpu_lock_release(&queue->ring.lock);
    while (sleeps && atomic_load_explicit(&queue->worker, memory_order_acquire) == CPU_WORKER_ASLEEP)
        cpu_futex_wait(&queue->worker, CPU_WORKER_ASLEEP, 0);
    rise(queue);
    return !ended;
}

static void *worker_main(void *user)
{
    accel_impl_queue *queue = user;
    cpu_thread_begin(CPU_THREAD_NAME "queue");
    atomic_store_explicit(&queue->thread, cpu_thread_number(), memory_order_relaxed);
    queue->spin = cpu_spin_of(queue->device->backend->settings.spin_ns);
    do {
        uint64_t executed = 0;
        if (cpu_lock_try(&queue->run)) {
            executed = execute(queue, UINT64_MAX);
            cpu_lock_release(&queue->run);
        }
        if (!atomic_load_explicit(&queue->closing, memory_order_relaxed)) {
            if (executed != 0)
                poll(queue, executed);
            nap(queue);
        }
    } while (is_ready(queue) || sleep_or_end(queue));
    cpu_queue_release(queue);
    return NULL;
}

/* Under ring.lock. */
static accel_status start_worker(accel_impl_queue *queue)
{
    cpu_queue_retain(queue);
    atomic_store_explicit(&queue->worker, CPU_WORKER_AWAKE, memory_order_relaxed);
    queue->avoids = -1;
    queue->waker_cpu = sched_getcpu();
    int error = cpu_thread_start(worker_main, queue, queue->device->mask);
    if (error == 0)
        return ACCEL_OK;
    atomic_store_explicit(&queue->worker, CPU_WORKER_NONE, memory_order_relaxed);
    cpu_queue_release(queue);
    return cpu_host()->error(error == ENOMEM ? ACCEL_OUT_OF_MEMORY : ACCEL_LIMIT,
                             "queue of %s: its worker thread could not be started: %s; there are too many threads "
                             "(ulimit -u, the container's limit), or there is no memory for its stack of %d bytes",
                             queue->executor->name, strerror(error), CPU_THREAD_STACK);
}

/* --- submitting --- */

static accel_status no_room(const accel_impl_queue *queue)
{
    return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "queue of %s: no memory for %d bytes of commands",
                             queue->executor->name, CPU_RING_CHUNK);
}

accel_status cpu_submit_begin(accel_impl_queue *queue, uint32_t kind, size_t size, cpu_record **made)
{
    cpu_lock_spin(&queue->ring.lock);
    accel_status status = ACCEL_OK;
    if (__builtin_expect(atomic_load_explicit(&queue->worker, memory_order_relaxed) == CPU_WORKER_NONE, 0))
        status = start_worker(queue);
    if (__builtin_expect(status == ACCEL_OK, 1)) {
        cpu_record *record = cpu_ring_reserve(&queue->ring, size);
        if (__builtin_expect(record != NULL, 1)) {
            record->kind = (uint16_t)kind;
            *made = record;
            return ACCEL_OK;
        }
        status = no_room(queue);
    }
    cpu_lock_release(&queue->ring.lock);
    return status;
}

uint64_t cpu_submit_end(accel_impl_queue *queue, cpu_record *record)
{
    uint64_t ticket = cpu_ring_publish(&queue->ring, record);
    bool awake = rouse(queue);
    cpu_lock_release(&queue->ring.lock);
    if (__builtin_expect(awake, 0))
        wake(queue);
    return ticket;
}

accel_status cpu_queue_begin_steps(accel_impl_queue *queue)
{
    accel_status status = ACCEL_OK;
    if (queue->blocking)
        return ACCEL_OK;
    cpu_lock_spin(&queue->ring.lock);
    if (atomic_load_explicit(&queue->worker, memory_order_relaxed) == CPU_WORKER_NONE)
        status = start_worker(queue);
    if (status == ACCEL_OK && !cpu_ring_hold(&queue->ring))
        status = no_room(queue);
    cpu_lock_release(&queue->ring.lock);
    return status;
}

void cpu_queue_end_steps(accel_impl_queue *queue)
{
    if (queue->blocking)
        return;
    cpu_lock_spin(&queue->ring.lock);
    cpu_ring_let_go(&queue->ring);
    cpu_lock_release(&queue->ring.lock);
}

void cpu_queue_close(accel_impl_queue *queue)
{
    cpu_lock_look(&queue->ring.lock);
    atomic_store_explicit(&queue->closing, true, memory_order_relaxed);
    bool awake = rouse(queue);
    cpu_lock_release(&queue->ring.lock);
    if (awake)
        wake(queue);
}
