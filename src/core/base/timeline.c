/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/timeline.h"

#include "core/base/allocate.h"
#include "core/base/reference.h"
#include "core/base/spin.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Values first to last carry status. */
typedef struct failure {
    uint64_t first, last;
    accel_status status;
} failure;

#define OWN_FAILURES 4u /* that need no memory of their own */

/*
 * The signaller writes `reached` and then looks whether anybody waits; whoever waits says so and then looks at `reached`. All
 * four accesses are sequentially consistent, so at least one of the two sees the other: nobody is forgotten. Without
 * waiters a signal is one such store and two loads.
 */
struct accel_timeline {
    accel_reference reference;
    _Atomic uint64_t reached;  /* stored by the signaller, after the failure that belongs to it */
    _Atomic uint32_t sleepers; /* threads in wait that sleep or are about to */
    _Atomic uint32_t listed;   /* waiters in the list, or about to be */
    _Atomic uint32_t wakeups;  /* what sleepers sleep on: changes whenever they are to look again */
    _Atomic uint32_t
        failure_count; /* written under the lock before `reached`; a reader who acquired `reached` sees its failures */
    _Atomic uint32_t lock;               /* guards the list and the failures; held for a few instructions */
    accel_timeline_waiter *first, *last; /* by value, ascending */
    failure *failures;                   /* ascending */
    uint32_t failure_capacity;
    failure own_failures[OWN_FAILURES];
};

accel_status accel_timeline_create(accel_timeline **out)
{
    accel_timeline *timeline = accel_allocate(sizeof(*timeline));

    if (timeline == NULL)
        return ACCEL_OUT_OF_MEMORY;
    accel_reference_init(&timeline->reference);
    timeline->failures = timeline->own_failures;
    timeline->failure_capacity = OWN_FAILURES;
    *out = timeline;
    return ACCEL_OK;
}

void accel_timeline_retain(accel_timeline *timeline)
{
    accel_reference_retain(&timeline->reference);
}

void accel_timeline_release(accel_timeline *timeline)
{
    if (timeline == NULL || !accel_reference_release(&timeline->reference))
        return;
    if (timeline->failures != timeline->own_failures)
        accel_deallocate(timeline->failures);
    accel_deallocate(timeline);
}

/* Makes room for one more; under the lock. */
static bool grow_failures(accel_timeline *timeline)
{
    uint32_t count = atomic_load_explicit(&timeline->failure_count, memory_order_relaxed);

    if (count < timeline->failure_capacity)
        return true;

    failure *grown = accel_allocate_array((size_t)count * 2, sizeof(*grown));

    if (grown == NULL)
        return false;
    memcpy(grown, timeline->failures, count * sizeof(*grown));
    if (timeline->failures != timeline->own_failures)
        accel_deallocate(timeline->failures);
    timeline->failures = grown;
    timeline->failure_capacity = count * 2;
    return true;
}

static void add_failure(accel_timeline *timeline, uint64_t first, uint64_t last, accel_status status)
{
    accel_spin_lock(&timeline->lock);

    uint32_t count = atomic_load_explicit(&timeline->failure_count, memory_order_relaxed);
    failure *newest = count > 0 ? &timeline->failures[count - 1] : NULL;

    if (newest != NULL && newest->last + 1 == first && newest->status == status) {
        newest->last = last;
    } else if (grow_failures(timeline)) {
        timeline->failures[count] = (failure){first, last, status};
        atomic_store_explicit(&timeline->failure_count, count + 1, memory_order_relaxed);
    } else {
        timeline->failures[count - 1].last = last;
    }
    accel_spin_unlock(&timeline->lock);
}

/* What a reached value carries; under the lock. */
static accel_status find_failure(const accel_timeline *timeline, uint64_t value)
{
    uint32_t count = atomic_load_explicit(&timeline->failure_count, memory_order_relaxed);
    uint32_t low = 0,
             high = count; /* the first one that ends at the value or behind it is among these, or is `count` */

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (timeline->failures[middle].last < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && timeline->failures[low].first <= value ? timeline->failures[low].status : ACCEL_OK;
}

static accel_status status_of(accel_timeline *timeline, uint64_t value)
{
    if (atomic_load_explicit(&timeline->failure_count, memory_order_relaxed) == 0)
        return ACCEL_OK;
    accel_spin_lock(&timeline->lock);
    accel_status status = find_failure(timeline, value);
    accel_spin_unlock(&timeline->lock);
    return status;
}

/* Takes what is due out of the list and tells it. notify may free its waiter, or call us again. */
static void tell(accel_timeline *timeline, uint64_t value)
{
    accel_timeline_waiter *due, *end = NULL;
    uint32_t count = 0;

    accel_spin_lock(&timeline->lock);
    due = timeline->first;
    for (accel_timeline_waiter *waiter = due; waiter != NULL && waiter->value <= value; waiter = waiter->next) {
        end = waiter;
        ++count;
    }
    if (end != NULL) {
        timeline->first = end->next;
        if (timeline->first == NULL)
            timeline->last = NULL;
        end->next = NULL;
    } else {
        due = NULL;
    }
    accel_spin_unlock(&timeline->lock);
    if (count > 0)
        atomic_fetch_sub_explicit(&timeline->listed, count, memory_order_relaxed);
    while (due != NULL) {
        accel_timeline_waiter *next = due->next;
        due->notify(due, status_of(timeline, due->value));
        due = next;
    }
}

void accel_timeline_signal(accel_timeline *timeline, uint64_t value, accel_status status)
{
    if (status != ACCEL_OK)
        add_failure(timeline, atomic_load_explicit(&timeline->reached, memory_order_relaxed) + 1, value, status);
    atomic_store_explicit(&timeline->reached, value, memory_order_seq_cst);
    if (atomic_load_explicit(&timeline->listed, memory_order_seq_cst) != 0)
        tell(timeline, value);
    if (atomic_load_explicit(&timeline->sleepers, memory_order_seq_cst) != 0) {
        atomic_fetch_add_explicit(&timeline->wakeups, 1, memory_order_release);
        syscall(SYS_futex, &timeline->wakeups, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    }
}

bool accel_timeline_reached(accel_timeline *timeline, uint64_t value, accel_status *status)
{
    if (atomic_load_explicit(&timeline->reached, memory_order_acquire) < value)
        return false;
    if (status != NULL)
        *status = status_of(timeline, value);
    return true;
}

/* About 20 microseconds, which is what a sleep and a wake-up cost. */
static bool spin(accel_timeline *timeline, uint64_t value)
{
    struct timespec start, now;

    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        for (int i = 0; i < 64; ++i) {
            if (atomic_load_explicit(&timeline->reached, memory_order_acquire) >= value)
                return true;
            accel_spin_pause();
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000L + (now.tv_nsec - start.tv_nsec) < 20000);
    return false;
}

accel_status accel_timeline_wait(accel_timeline *timeline, uint64_t value)
{
    if (atomic_load_explicit(&timeline->reached, memory_order_acquire) < value && !spin(timeline, value)) {
        atomic_fetch_add_explicit(&timeline->sleepers, 1, memory_order_seq_cst);
        for (;;) {
            /* Read before `reached`: a signal that comes between changes it, and the sleep does not begin. */
            uint32_t wakeups = atomic_load_explicit(&timeline->wakeups, memory_order_acquire);
            if (atomic_load_explicit(&timeline->reached, memory_order_seq_cst) >= value)
                break;
            syscall(SYS_futex, &timeline->wakeups, FUTEX_WAIT_PRIVATE, wakeups, NULL, NULL, 0);
        }
        atomic_fetch_sub_explicit(&timeline->sleepers, 1, memory_order_relaxed);
    }
    return status_of(timeline, value);
}

/* Keeps the list in order; most come with the greatest value so far. Under the lock. */
static void insert(accel_timeline *timeline, accel_timeline_waiter *waiter)
{
    if (timeline->first == NULL || timeline->first->value > waiter->value) {
        waiter->next = timeline->first;
        timeline->first = waiter;
    } else {
        accel_timeline_waiter *before = timeline->last->value <= waiter->value ? timeline->last : timeline->first;
        while (before->next != NULL && before->next->value <= waiter->value)
            before = before->next;
        waiter->next = before->next;
        before->next = waiter;
    }
    if (waiter->next == NULL)
        timeline->last = waiter;
}

bool accel_timeline_on_signal(accel_timeline *timeline, uint64_t value, accel_timeline_waiter *waiter)
{
    if (atomic_load_explicit(&timeline->reached, memory_order_acquire) >= value)
        return false;
    waiter->value = value;
    accel_spin_lock(&timeline->lock);
    atomic_fetch_add_explicit(&timeline->listed, 1, memory_order_seq_cst);
    if (atomic_load_explicit(&timeline->reached, memory_order_seq_cst) >= value) {
        atomic_fetch_sub_explicit(&timeline->listed, 1, memory_order_relaxed);
        accel_spin_unlock(&timeline->lock);
        return false;
    }
    insert(timeline, waiter);
    accel_spin_unlock(&timeline->lock);
    return true;
}
