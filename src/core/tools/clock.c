/* SPDX-License-Identifier: Apache-2.0 */
#include "core/tools/clock.h"

#include <time.h>

static uint64_t system_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if !defined(__x86_64__)

uint64_t accel_tools_clock(void)
{
    return system_clock();
}

bool accel_tools_clock_is_own(void)
{
    return false;
}

#else

#include "core/base/guard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

/*
 * A line: at `count` ticks the time was `time`, from there on a tick takes `rate` / 2^32 ns. It holds for SPAN ticks. The
 * first thread that comes then asks the system, and continues the line where it stands, with a rate that brings it to the
 * system's time at the end of the next span: so the time has no steps. Only after a pause, which nobody has asked about, it
 * begins anew. A line is never replaced within its span: another thread may read it further on than where the next one begins.
 */
enum { SPAN = 1 << 20, PAUSE = 4 * SPAN };

/* Read without the lock: it is whole if `version` was even and is still the same. */
static struct {
    _Atomic uint32_t version;
    _Atomic uint64_t count, time, rate; /* rate 0: none yet */
} line;

/* What the system said, when. */
typedef struct reading {
    uint64_t count, time;
} reading;

static _Atomic uint64_t end; /* the last time of all lines so far; what the system says may lie before it */

/* Under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum { UNKNOWN, ABSENT, USABLE } counter;
/* The rate is measured from the older one, whose age is between HALF and twice that, once they have it. */
static reading older, younger;
enum { HALF = 500000000, ENOUGH = 2000000 };     /* ns; ENOUGH for a first rate */
static _Atomic uint32_t generation = UINT32_MAX; /* of forks, in which the lock is used; UINT32_MAX: not yet */

static bool is_usable(void)
{
    char name[16] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");

    if (file == NULL)
        return false;
    if (fgets(name, sizeof(name), file) == NULL)
        name[0] = '\0';
    fclose(file);
    return strcmp(name, "tsc\n") == 0;
}

/* Again if the thread was interrupted between. */
static reading read_both(void)
{
    reading best = {0, 0};
    uint64_t least = UINT64_MAX;

    for (int turn = 0; turn < 4 && least > 1000; ++turn) {
        const uint64_t before = __rdtsc(), time = system_clock(), behind = __rdtsc();
        if (behind - before < least) {
            least = behind - before;
            best = (reading){before + least / 2, time};
        }
    }
    return best;
}

__extension__ typedef unsigned __int128 wide;

static uint64_t scaled(uint64_t ticks, uint64_t rate)
{
    return (uint64_t)((wide)ticks * rate >> 32);
}

/* ns for ticks, as a rate. */
static uint64_t rate_of(uint64_t time, uint64_t ticks)
{
    return (uint64_t)(((wide)time << 32) / ticks);
}

static uint64_t not_before_end(uint64_t time)
{
    const uint64_t last = atomic_load_explicit(&end, memory_order_relaxed);

    return time > last ? time : last;
}

static void write_line(reading from, uint64_t rate)
{
    const uint32_t version = atomic_load_explicit(&line.version, memory_order_relaxed);

    if (rate != 0)
        atomic_store_explicit(&end, from.time + scaled(SPAN, rate), memory_order_relaxed);
    atomic_store_explicit(&line.version, version + 1, memory_order_relaxed);
    /* Each with release, so that none is seen before the odd version. */
    atomic_store_explicit(&line.count, from.count, memory_order_release);
    atomic_store_explicit(&line.time, from.time, memory_order_release);
    atomic_store_explicit(&line.rate, rate, memory_order_release);
    atomic_store_explicit(&line.version, version + 2, memory_order_release);
}

/* Under the lock: the line goes on from `now` on. Returns the time that it has there. */
static uint64_t continue_line(reading now)
{
    const uint64_t count = atomic_load_explicit(&line.count, memory_order_relaxed),
                   time = atomic_load_explicit(&line.time, memory_order_relaxed),
                   old = atomic_load_explicit(&line.rate, memory_order_relaxed);
    uint64_t rate;

    if (old != 0 && now.count - count <= SPAN) /* another thread was here first */
        return time + scaled(now.count - count, old);
    if (now.time - younger.time > HALF) {
        older = younger;
        younger = now;
    }
    if (now.time - older.time < ENOUGH || now.count <= older.count)
        return not_before_end(now.time);
    rate = rate_of(now.time - older.time, now.count - older.count);
    if (old != 0 && (rate > old + old / 64 || rate < old - old / 64)) { /* the machine has slept, or is another one */
        older = younger = now;
        write_line((reading){0, 0}, 0); /* no tick is within its span */
        return not_before_end(now.time);
    }
    if (old != 0 && now.count - count < PAUSE) {
        const uint64_t reached = time + scaled(now.count - count, old);
        const int64_t missing = (int64_t)(now.time - reached); /* to be made up for within the next span */
        const int64_t most = (int64_t)(rate / 1000);
        int64_t more = missing * ((int64_t)1 << 32) / SPAN;
        more = more > most ? most : more < -most ? -most : more;
        now.time = reached;
        rate = (uint64_t)((int64_t)rate + more);
    } else
        now.time = not_before_end(now.time);
    write_line(now, rate);
    return now.time;
}

static __attribute__((noinline)) uint64_t ask(void)
{
    uint32_t first = UINT32_MAX;
    uint64_t time;

    /* In a fork a thread of the parent may hold the lock. */
    if (!atomic_compare_exchange_strong(&generation, &first, accel_guard_fork_generation) &&
        first != accel_guard_fork_generation)
        return not_before_end(system_clock());
    pthread_mutex_lock(&lock);
    if (counter == UNKNOWN) {
        counter = is_usable() ? USABLE : ABSENT;
        older = younger = read_both();
    }
    time = counter == USABLE ? continue_line(read_both()) : system_clock();
    pthread_mutex_unlock(&lock);
    return time;
}

uint64_t accel_tools_clock(void)
{
    /* Each with acquire, so that the version is read again behind them. */
    const uint32_t version = atomic_load_explicit(&line.version, memory_order_acquire);
    const uint64_t count = atomic_load_explicit(&line.count, memory_order_acquire),
                   time = atomic_load_explicit(&line.time, memory_order_acquire),
                   rate = atomic_load_explicit(&line.rate, memory_order_acquire);
    const uint64_t ticks = __rdtsc() - count;
    const bool whole = (version & 1) == 0 && atomic_load_explicit(&line.version, memory_order_relaxed) == version;

    if (__builtin_expect(ticks > SPAN || !whole, 0))
        return ask();
    return time + (ticks * rate >> 32); /* no overflow: a rate above 2^44 would be ticks of 4 us */
}

bool accel_tools_clock_is_own(void)
{
    return atomic_load_explicit(&line.rate, memory_order_relaxed) != 0;
}

#endif
