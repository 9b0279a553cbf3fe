/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 128, SMALL_COPY = 4096 };
#define NEVER UINT64_MAX

typedef struct thread {
    enum { RUNS, WAITS, OVER } state;
    uint64_t time;
    uint64_t until;    /* a wait that nobody ends ends then */
    const void *what;  /* it waits for: a lock, a condition, a futex, a thread */
    uint64_t sequence; /* of waits */
    bool told;         /* somebody ended the wait */
    bool is_hardware;
    pthread_t handle;
    sem_t turn; /* the thread runs next */
    void *(*main)(void *);
    void *argument;
} thread;

/* Of the thread whose turn it is. */
static thread threads[THREADS];
static unsigned thread_count;
static uint64_t sequence, memory_free_at;

static _Thread_local thread *self; /* NULL: not of this clock's, before the program begins or in a child of it */

/* libc's own. */
static struct {
    int (*lock)(pthread_mutex_t *), (*trylock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);
    int (*wait)(pthread_cond_t *, pthread_mutex_t *);
    int (*timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    int (*signal)(pthread_cond_t *), (*broadcast)(pthread_cond_t *);
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*join)(pthread_t, void **);
    int (*gettime)(clockid_t, struct timespec *);
    int (*nap)(const struct timespec *, struct timespec *);
    int (*yield)(void);
    long (*call)(long, ...);
    void *(*copy)(void *, const void *, size_t);
} libc;

static void find(void *function, const char *name)
{
    *(void **)function = dlsym(RTLD_NEXT, name);
}

static void find_all(void)
{
    if (libc.copy != NULL)
        return;
    find(&libc.lock, "pthread_mutex_lock");
    find(&libc.trylock, "pthread_mutex_trylock");
    find(&libc.unlock, "pthread_mutex_unlock");
    find(&libc.wait, "pthread_cond_wait");
    find(&libc.timedwait, "pthread_cond_timedwait");
    find(&libc.signal, "pthread_cond_signal");
    find(&libc.broadcast, "pthread_cond_broadcast");
    find(&libc.create, "pthread_create");
    find(&libc.join, "pthread_join");
    find(&libc.gettime, "clock_gettime");
    find(&libc.nap, "nanosleep");
    find(&libc.yield, "sched_yield");
    find(&libc.call, "syscall");
    find(&libc.copy, "memcpy");
}

static thread *add_thread(uint64_t time)
{
    if (thread_count == THREADS) {
        fprintf(stderr, "clock: more than %d threads\n", THREADS);
        abort();
    }
    thread *added = &threads[thread_count++];
    added->time = time;
    sem_init(&added->turn, 0, 0);
    return added;
}

static void leave_child(void)
{
    self = NULL;
}

__attribute__((constructor)) static void begin(void)
{
    find_all();
    self = add_thread(1000000000);
    self->handle = pthread_self();
    pthread_atfork(NULL, NULL, leave_child);
}

/* ------------------------------------------------------------------------------------------------- turns -- */

static uint64_t due(const thread *t)
{
    return t->state == RUNS ? t->time : t->state == WAITS ? t->until : NEVER;
}

/* The thread whose turn is next, the calling one if it is as early. */
static thread *next_thread(void)
{
    thread *first = self;

    for (unsigned i = 0; i < thread_count; ++i) {
        if (due(&threads[i]) < due(first))
            first = &threads[i];
    }
    if (due(first) == NEVER) {
        fprintf(stderr, "clock: every thread waits\n");
        abort();
    }
    if (first->state == WAITS) {
        first->state = RUNS;
        first->time = first->until > first->time ? first->until : first->time;
        first->told = false;
    }
    return first;
}

static void take_turns(void)
{
    thread *next = next_thread();

    if (next == self)
        return;
    sem_post(&next->turn);
    while (sem_wait(&self->turn) != 0)
        ;
}

/* Returns whether somebody ended it. */
static bool wait_for(const void *what, uint64_t until)
{
    self->state = WAITS;
    self->what = what;
    self->until = until;
    self->sequence = ++sequence;
    take_turns();
    return self->told;
}

/* Ends so many waits, the oldest first. Returns how many. */
static int wake(const void *what, int most, uint64_t delay)
{
    int woken = 0;

    for (; woken < most; ++woken) {
        thread *oldest = NULL;
        for (unsigned i = 0; i < thread_count; ++i) {
            thread *t = &threads[i];
            if (t->state == WAITS && t->what == what && (oldest == NULL || t->sequence < oldest->sequence))
                oldest = t;
        }
        if (oldest == NULL)
            break;
        uint64_t time = self->time + (oldest->is_hardware ? 0 : delay);
        oldest->state = RUNS;
        oldest->time = time > oldest->time ? time : oldest->time;
        oldest->told = true;
    }
    return woken;
}

uint64_t gpusim_clock_now(void)
{
    return self->time;
}

void gpusim_clock_work_until(uint64_t time)
{
    if (self == NULL || time <= self->time)
        return;
    self->time = time;
    take_turns();
}

void gpusim_clock_play_hardware(bool yes)
{
    if (self != NULL)
        self->is_hardware = yes;
}

/* -------------------------------------------------------------------------------------- locks and waits -- */

CLOCK_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    find_all();
    if (self == NULL)
        return libc.lock(mutex);
    int result;
    while ((result = libc.trylock(mutex)) == EBUSY)
        wait_for(mutex, NEVER);
    return result;
}

CLOCK_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    find_all();
    int result = libc.unlock(mutex);
    if (self != NULL)
        wake(mutex, THREADS, 0);
    return result;
}

CLOCK_EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    find_all();
    if (self == NULL)
        return libc.wait(condition, mutex);
    pthread_mutex_unlock(mutex);
    wait_for(condition, NEVER);
    return pthread_mutex_lock(mutex);
}

static uint64_t nanoseconds(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

CLOCK_EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end)
{
    find_all();
    if (self == NULL)
        return libc.timedwait(condition, mutex, end);
    pthread_mutex_unlock(mutex);
    bool told = wait_for(condition, nanoseconds(end));
    pthread_mutex_lock(mutex);
    return told ? 0 : ETIMEDOUT;
}

static int tell(const void *what, int most)
{
    int woken = wake(what, most, CLOCK_WAKE_NS);

    if (woken > 0 && !self->is_hardware)
        gpusim_clock_work_until(self->time + CLOCK_SIGNAL_NS);
    return woken;
}

CLOCK_EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
    find_all();
    if (self == NULL)
        return libc.signal(condition);
    tell(condition, 1);
    return 0;
}

CLOCK_EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
    find_all();
    if (self == NULL)
        return libc.broadcast(condition);
    tell(condition, THREADS);
    return 0;
}

static long futex(const int *word, int operation, int value)
{
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAKE)
        return tell(word, value);
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) {
        errno = EAGAIN;
        return -1;
    }
    wait_for(word, NEVER);
    return 0;
}

CLOCK_EXPORT long syscall(long number, ...)
{
    long given[6];
    va_list arguments;

    va_start(arguments, number);
    for (int i = 0; i < 6; ++i)
        given[i] = va_arg(arguments, long);
    va_end(arguments);
    find_all();
    if (self != NULL && number == SYS_futex)
        return futex((const int *)given[0], (int)given[1], (int)given[2]); /* NOLINT(performance-no-int-to-ptr) */
    return libc.call(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

/* ---------------------------------------------------------------------------------------------- threads -- */

static void *run(void *argument)
{
    thread *own = argument;

    while (sem_wait(&own->turn) != 0)
        ;
    self = own;
    void *result = own->main(own->argument);
    own->state = OVER;
    wake(own, THREADS, CLOCK_WAKE_NS);
    thread *next = next_thread();
    self = NULL;
    sem_post(&next->turn);
    return result;
}

CLOCK_EXPORT int pthread_create(pthread_t *created, const pthread_attr_t *attributes, void *(*function)(void *),
                                void *argument)
{
    find_all();
    if (self == NULL)
        return libc.create(created, attributes, function, argument);
    thread *added = add_thread(self->time + CLOCK_CREATE_NS + CLOCK_WAKE_NS);
    added->main = function;
    added->argument = argument;
    int error = libc.create(&added->handle, attributes, run, added);
    if (error != 0) {
        added->state = OVER;
        return error;
    }
    *created = added->handle;
    gpusim_clock_work_until(self->time + CLOCK_CREATE_NS);
    return 0;
}

CLOCK_EXPORT int pthread_join(pthread_t joined, void **result)
{
    find_all();
    for (unsigned i = 0; i < thread_count && self != NULL; ++i) {
        if (threads[i].main == NULL || !pthread_equal(threads[i].handle, joined))
            continue;
        while (threads[i].state != OVER)
            wait_for(&threads[i], NEVER);
    }
    return libc.join(joined, result);
}

/* ------------------------------------------------------------------------------------------------- time -- */

CLOCK_EXPORT int clock_gettime(clockid_t clock, struct timespec *now)
{
    find_all();
    if (self == NULL || (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME))
        return libc.gettime(clock, now);
    if (!self->is_hardware)
        gpusim_clock_work_until(self->time + CLOCK_TIME_NS);
    *now = (struct timespec){.tv_sec = (time_t)(self->time / 1000000000u), .tv_nsec = (long)(self->time % 1000000000u)};
    return 0;
}

CLOCK_EXPORT int nanosleep(const struct timespec *length, struct timespec *left)
{
    find_all();
    if (self == NULL)
        return libc.nap(length, left);
    wait_for(length, self->time + nanoseconds(length) + CLOCK_WAKE_NS);
    return 0;
}

CLOCK_EXPORT int sched_yield(void)
{
    find_all();
    if (self == NULL)
        return libc.yield();
    gpusim_clock_work_until(self->time + CLOCK_SIGNAL_NS);
    return 0;
}

/* Threads that copy at once share the memory's bandwidth, in turns. */
CLOCK_EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    if (libc.copy == NULL) {
        volatile unsigned char *byte = to;
        for (size_t i = 0; i < size; ++i)
            byte[i] = ((const unsigned char *)from)[i];
        return to;
    }
    libc.copy(to, from, size);
    if (self == NULL || self->is_hardware || size < SMALL_COPY)
        return to;
    memory_free_at = (memory_free_at > self->time ? memory_free_at : self->time) + size / CLOCK_MEMORY_BANDWIDTH;
    uint64_t alone = self->time + size / CLOCK_COPY_BANDWIDTH;
    gpusim_clock_work_until(alone > memory_free_at ? alone : memory_free_at);
    return to;
}
