/* SPDX-License-Identifier: Apache-2.0 */
/* One signal from a thread to another that polls, and back: the floor of everything that involves two threads. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "way.h"

typedef struct line {
    _Alignas(128) _Atomic size_t value;
} line;

typedef struct signal_state {
    line there, back; /* seq_cst; 0: nothing yet */
    size_t rounds;
    pthread_t partner;
    cpu_set_t allowed; /* this thread's mask, but for a run */
    bool good;
} signal_state;

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

static void await(line *l, size_t value)
{
    while (atomic_load_explicit(&l->value, memory_order_acquire) != value)
        relax();
}

/* Writes 1 when it has started; round r is r + 2. */
static void *answer(void *user)
{
    signal_state *s = user;
    const size_t rounds = s->rounds;
    atomic_store_explicit(&s->back.value, 1, memory_order_release);
    for (size_t r = 0; r < rounds; ++r) {
        await(&s->there, r + 2);
        atomic_store_explicit(&s->back.value, r + 2, memory_order_release);
    }
    return NULL;
}

static void *open_signal(const uint64_t parameters[NATIVE_PARAMETERS])
{
    (void)parameters;
    signal_state *s = aligned_alloc(_Alignof(signal_state), sizeof *s);
    if (s != NULL)
        *s = (signal_state){.good = true};
    return s;
}

/* Runs on another CPU than this thread, if the process has one. Both stay on their CPUs. */
static bool start_partner(signal_state *s)
{
    pthread_attr_t attributes;
    if (sched_getaffinity(0, sizeof s->allowed, &s->allowed) != 0 || pthread_attr_init(&attributes) != 0)
        return false;
    const int here = sched_getcpu();
    if (here >= 0 && here < CPU_SETSIZE && CPU_COUNT(&s->allowed) > 1) {
        cpu_set_t others = s->allowed, mine;
        CPU_CLR((size_t)here, &others);
        CPU_ZERO(&mine);
        CPU_SET((size_t)here, &mine);
        sched_setaffinity(0, sizeof mine, &mine);
        pthread_attr_setaffinity_np(&attributes, sizeof others, &others);
    }
    const bool good = pthread_create(&s->partner, &attributes, answer, s) == 0;
    pthread_attr_destroy(&attributes);
    return good;
}

static void begin(void *state, size_t repetitions)
{
    signal_state *s = state;
    s->rounds = repetitions;
    atomic_store(&s->there.value, 0);
    atomic_store(&s->back.value, 0);
    s->good = s->good && start_partner(s);
    if (s->good)
        await(&s->back, 1);
}

static void run(void *state, size_t repetitions)
{
    signal_state *s = state;
    if (!s->good)
        return;
    for (size_t r = 0; r < repetitions; ++r) {
        atomic_store_explicit(&s->there.value, r + 2, memory_order_release);
        await(&s->back, r + 2);
    }
    pthread_join(s->partner, NULL);
    sched_setaffinity(0, sizeof s->allowed, &s->allowed);
}

static bool check(void *state)
{
    return ((signal_state *)state)->good;
}

const native_way native_signal = {
    .name = "signal", .open = open_signal, .begin = begin, .run = run, .check = check, .close = free};
