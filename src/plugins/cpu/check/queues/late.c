/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/queues/late.h"
#include "plugins/cpu/machine/futex.h"

#include <stdatomic.h>
#include <time.h>

/* MOST: the host may learn of the end of an operation in other ways. STEP: between two looks. No condition variable, because
 * a fork may come at any time. */
static const uint64_t most_ns = 200000000, step_ns = 200000;

static _Atomic bool late;
static _Atomic uint64_t submitted, opened; /* operations, counted */

void check_late_set(bool wanted)
{
    late = wanted;
}

uint64_t check_late_submit(void)
{
    return late ? atomic_fetch_add(&submitted, 1) + 1 : 0;
}

void check_late_pass(uint64_t submit, uint64_t submitted_ns)
{
    while (atomic_load(&opened) < submit && cpu_clock_ns() - submitted_ns < most_ns)
        nanosleep(&(struct timespec){.tv_nsec = (long)step_ns}, NULL);
}

void check_late_open(void)
{
    atomic_store(&opened, atomic_load(&submitted));
}
