/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/omp/omp_exit.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/machine/futex.h"

#include <stdlib.h>

enum { WAIT_NS = 1000000000, LOOK_NS = 100000 };

/* seq_cst: whoever enters counts itself and then looks at `exiting`, exit does it the other way round; so one of them sees
 * the other. */
static _Atomic uint32_t inside;
static _Atomic bool exiting;
static _Atomic uint32_t generation; /* of forks */

uint32_t cpu_omp_inside(void)
{
    return atomic_load(&inside);
}

static void begin_exit(void)
{
    uint64_t end = cpu_clock_ns() + WAIT_NS;
    uint32_t count;
    atomic_store(&exiting, true);
    while ((count = cpu_omp_inside()) != 0 && cpu_clock_ns() < end)
        cpu_futex_wait(&inside, count, LOOK_NS); /* nobody wakes it: leaving is to cost little */
}

bool cpu_omp_watch_exit(void)
{
    atomic_store(&generation, *cpu_host()->fork_generation);
    return atexit(begin_exit) == 0;
}

bool cpu_omp_enter(void)
{
    atomic_fetch_add(&inside, 1);
    if (__builtin_expect(!atomic_load(&exiting), 1))
        return true;
    cpu_omp_leave();
    return false;
}

void cpu_omp_leave(void)
{
    atomic_fetch_sub_explicit(&inside, 1, memory_order_release);
}

void cpu_omp_after_fork(void)
{
    uint32_t now = *cpu_host()->fork_generation, seen = atomic_load(&generation);
    if (seen != now && atomic_compare_exchange_strong(&generation, &seen, now))
        atomic_store(&inside, 0);
}
