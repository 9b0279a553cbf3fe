/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/retire.h"
#include "plugins/cpu/engine/host.h"

#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    cpu_retire_list *first, *last;
    uint64_t number;   /* of the last queue that was made */
    uint32_t blocking; /* blocking queues that memory waits for */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- under the lock --- */

/* Has the queue something to do? Then *ticket is its last. A queue that was busy at a fork does nothing in the child. */
static bool is_busy(const cpu_retire_list *list, uint64_t *ticket)
{
    *ticket = 0;
    if (atomic_load_explicit(list->generation, memory_order_relaxed) != *cpu_host()->fork_generation)
        return false;
    if (list->run != NULL)
        return cpu_lock_is_held(list->run);
    *ticket = cpu_ring_published(list->ring);
    return cpu_ring_completed(list->ring) < *ticket;
}

static void append(cpu_retire_list *list, accel_impl_memory *memory, uint64_t ticket)
{
    cpu_memory_wait *wait = &memory->wait[memory->waits++];
    *wait = (cpu_memory_wait){.memory = memory, .ticket = ticket};
    if (list->first != NULL) {
        list->last->next = wait;
        list->last = wait;
        return;
    }
    list->last = wait;
    atomic_store(&list->first, wait);
    if (list->run != NULL) {
        all.blocking++;
        atomic_fetch_add(&list->run->waiters, 1);
    }
}

static void finish(accel_impl_memory *memory, accel_impl_memory **done);

/* The queue has completed what its first memory waits for. */
static void take_first(cpu_retire_list *list, accel_impl_memory **done)
{
    accel_impl_memory *memory = list->first->memory;
    atomic_store(&list->first, list->first->next);
    if (list->first == NULL && list->run != NULL) {
        all.blocking--;
        atomic_fetch_sub(&list->run->waiters, 1);
    }
    if (--memory->waits == 0)
        finish(memory, done);
}

/* If no operation runs, none that anybody waits for does. Else whoever runs one looks at `waiters` when it leaves; it may
 * have looked already, and be about to leave, which takes it a moment. */
static void collect_blocking(cpu_retire_list *list, accel_impl_memory **done)
{
    enum { TURNS = 32 };
    bool idle = false;
    for (int turn = 0; turn < TURNS && list->first != NULL && !(idle = cpu_lock_try(list->run)); ++turn)
        cpu_relax();
    if (!idle)
        return;
    while (list->first != NULL)
        take_first(list, done);
    cpu_lock_release(list->run);
}

/* Adds what no longer waits to *done, and sees to it that the queue comes back for the rest. */
static void collect(cpu_retire_list *list, accel_impl_memory **done)
{
    if (list->run != NULL) {
        collect_blocking(list, done);
        return;
    }
    while (list->first != NULL) {
        uint64_t ticket = list->first->ticket;
        if (cpu_ring_completed(list->ring) < ticket) {
            cpu_ring_await(list->ring, ticket);
            if (cpu_ring_completed(list->ring) < ticket)
                return;
        }
        take_first(list, done);
    }
}

/* Memory that stands in no list: it waits for the queues after its number that are busy, for as many at once as it has room,
 * and for the others later. If there is none, it is done. */
static void finish(accel_impl_memory *memory, accel_impl_memory **done)
{
    cpu_retire_list *busy[CPU_MEMORY_WAITS];
    uint64_t ticket, number = memory->number;
    uint32_t count = 0;
    memory->number = UINT64_MAX;
    for (cpu_retire_list *list = number != UINT64_MAX ? all.first : NULL; list != NULL; list = list->next) {
        if (list->number <= number || !is_busy(list, &ticket))
            continue;
        if (count == CPU_MEMORY_WAITS) {
            memory->number = list->number - 1;
            break;
        }
        busy[count++] = list;
        append(list, memory, ticket);
    }
    if (count == 0) {
        memory->next = *done;
        *done = memory;
    }
    for (uint32_t i = 0; i < count; ++i)
        collect(busy[i], done);
}

/* --- with the lock free --- */

static void leave(accel_impl_memory *done)
{
    pthread_mutex_unlock(&all.lock);
    while (done != NULL) {
        accel_impl_memory *next = done->next;
        cpu_memory_free(done);
        done = next;
    }
}

/* A blocking queue that was about to be left when memory began to wait for it may have missed that. */
static void collect_missed(accel_impl_memory **done)
{
    for (cpu_retire_list *list = all.first; list != NULL; list = list->next)
        if (list->run != NULL)
            collect(list, done);
}

void cpu_retire(accel_impl_memory *memory)
{
    accel_impl_memory *done = NULL;
    memory->waits = 0;
    memory->number = 0;
    pthread_mutex_lock(&all.lock);
    if (__builtin_expect(all.blocking != 0, 0))
        collect_missed(&done);
    finish(memory, &done);
    leave(done);
}

void cpu_retire_after(cpu_retire_list *list, accel_impl_memory *memory)
{
    accel_impl_memory *done = NULL;
    uint64_t ticket;
    memory->waits = 0;
    memory->number = UINT64_MAX;
    pthread_mutex_lock(&all.lock);
    if (is_busy(list, &ticket)) {
        append(list, memory, ticket);
        collect(list, &done);
    } else {
        finish(memory, &done);
    }
    leave(done);
}

void cpu_retire_collect(cpu_retire_list *list)
{
    accel_impl_memory *done = NULL;
    if (list->first == NULL)
        return;
    pthread_mutex_lock(&all.lock);
    collect(list, &done);
    leave(done);
}

/* --- queues --- */

static void before_fork(void)
{
    pthread_mutex_lock(&all.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&all.lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

void cpu_retire_add(cpu_retire_list *list)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&all.lock);
    list->number = ++all.number;
    list->previous = all.last;
    *(all.last != NULL ? &all.last->next : &all.first) = list;
    all.last = list;
    leave(NULL);
}

void cpu_retire_remove(cpu_retire_list *list)
{
    accel_impl_memory *done = NULL;
    pthread_mutex_lock(&all.lock);
    *(list->previous != NULL ? &list->previous->next : &all.first) = list->next;
    *(list->next != NULL ? &list->next->previous : &all.last) = list->previous;
    while (list->first != NULL)
        take_first(list, &done);
    leave(done);
}

void cpu_retire_after_fork(cpu_retire_list *list)
{
    if (list->run != NULL)
        list->run->waiters = list->first != NULL;
    cpu_retire_collect(list);
}
