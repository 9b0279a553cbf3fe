/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/omp/omp_pinning.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Atomic int cpu_omp_pinned;
static uint8_t pinned_to[CPU_MASK_BYTES]; /* written before cpu_omp_pinned, once */

cpu_omp_pinning cpu_omp_pinning_begin(void)
{
    cpu_omp_pinning before = {.mask = {0}};
    before.bytes = syscall(SYS_sched_getaffinity, 0, sizeof(before.mask), before.mask);
    return before;
}

void cpu_omp_pinning_take_back(const cpu_omp_pinning *before)
{
    uint8_t after[CPU_MASK_BYTES] = {0};
    if (before->bytes <= 0 || syscall(SYS_sched_getaffinity, 0, sizeof(after), after) != before->bytes ||
        memcmp(before->mask, after, sizeof(after)) == 0 ||
        syscall(SYS_sched_setaffinity, 0, before->bytes, before->mask) != 0)
        return;
    memcpy(pinned_to, after, sizeof(after));
    atomic_store_explicit(&cpu_omp_pinned, gettid(), memory_order_release);
}

void cpu_omp_pin_thread(void)
{
    int self = gettid();
    if (atomic_compare_exchange_strong(&cpu_omp_pinned, &self, 0))
        syscall(SYS_sched_setaffinity, 0, sizeof(pinned_to), pinned_to);
}
