/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bare wake: a thread sleeps in a futex, and its waker computes until it has begun. It is allowed only CPUs other than the
 * waker's, on which it might wait for a time slice. So it is the bound of launches that find their worker asleep.
 * Parameters: nanoseconds for which both are idle before each start; by how many more they differ.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../clock.h"
#include "way.h"

enum { SLEEP, START, END }; /* what the thread is told */
enum { STEPS = 17, SECOND = 1000 * 1000 * 1000 };

typedef struct wake_state {
    _Alignas(128) _Atomic uint32_t told;  /* seq_cst, as all here */
    _Alignas(128) _Atomic uint64_t begun; /* starts that the thread has seen */
    _Alignas(128) uint64_t starts;
    uint64_t idle_ns, more_ns;
    pthread_t thread;
} wake_state;

/* The thread that opens and runs ways stays on one CPU while there are any of these. */
static struct {
    unsigned users;
    cpu_set_t allowed, others; /* before; without that CPU */
} waker;

static void *begin_each(void *user)
{
    wake_state *s = user;
    for (uint32_t told; (told = atomic_load(&s->told)) != END;) {
        if (told == SLEEP) {
            syscall(SYS_futex, &s->told, FUTEX_WAIT_PRIVATE, SLEEP, NULL, NULL, 0);
            continue;
        }
        atomic_store(&s->told, SLEEP); /* it is told nothing else before the waker sees that it has begun */
        atomic_fetch_add(&s->begun, 1);
    }
    return NULL;
}

static void tell(wake_state *s, uint32_t what)
{
    atomic_store(&s->told, what);
    syscall(SYS_futex, &s->told, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void keep_waker(void)
{
    const int here = sched_getcpu();
    if (waker.users++ != 0 || sched_getaffinity(0, sizeof waker.allowed, &waker.allowed) != 0)
        return;
    waker.others = waker.allowed;
    if (here < 0 || here >= CPU_SETSIZE || CPU_COUNT(&waker.allowed) < 2)
        return;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    CPU_SET((size_t)here, &mine);
    CPU_CLR((size_t)here, &waker.others);
    sched_setaffinity(0, sizeof mine, &mine);
}

static void free_waker(void)
{
    if (--waker.users == 0)
        sched_setaffinity(0, sizeof waker.allowed, &waker.allowed);
}

static void *open_wake(const uint64_t parameters[NATIVE_PARAMETERS])
{
    pthread_attr_t attributes;
    wake_state *s = aligned_alloc(_Alignof(wake_state), sizeof *s);
    if (s == NULL || pthread_attr_init(&attributes) != 0) {
        free(s);
        return NULL;
    }
    *s = (wake_state){.idle_ns = parameters[0], .more_ns = parameters[1]};
    keep_waker();
    const bool good = pthread_attr_setaffinity_np(&attributes, sizeof waker.others, &waker.others) == 0 &&
                      pthread_create(&s->thread, &attributes, begin_each, s) == 0;
    pthread_attr_destroy(&attributes);
    if (good)
        return s;
    free_waker();
    free(s);
    return NULL;
}

static void start(wake_state *s)
{
    s->starts++;
    tell(s, START);
    while (atomic_load(&s->begun) != s->starts)
        (void)clock_now(); /* as the submitter of a launch does */
}

/* The idle time counts from a start, as that of a queue from a launch. */
static void begin(void *state, size_t repetitions)
{
    wake_state *s = state;
    const uint64_t idle = s->idle_ns + s->more_ns * (s->starts % STEPS) / STEPS;
    const struct timespec time = {(time_t)(idle / SECOND), (long)(idle % SECOND)};
    (void)repetitions;
    start(s);
    nanosleep(&time, NULL);
}

/* One repetition, as there is no idle time before others. */
static void run(void *state, size_t repetitions)
{
    for (size_t r = 0; r < repetitions; ++r)
        start(state);
}

static bool check(void *state)
{
    wake_state *s = state;
    return atomic_load(&s->begun) == s->starts;
}

static void close_wake(void *state)
{
    wake_state *s = state;
    tell(s, END);
    pthread_join(s->thread, NULL);
    free_waker();
    free(s);
}

const native_way native_wake = {
    .name = "bare-wake", .open = open_wake, .begin = begin, .run = run, .check = check, .close = close_wake};
