/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/omp/binding.h"
#include "plugins/cpu/engine/export.h"
#include "plugins/cpu/machine/futex.h"
#include "plugins/cpu/machine/thread.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Atomic uint32_t cpu_omp_bindings;

/* Where a thread stands: the number of the binding that it follows, and the CPUs that it had before the first. */
static CPU_OF_THREAD struct {
    uint64_t number;
    uint8_t before[CPU_MASK_BYTES];
} stand;

void cpu_omp_binding_make(cpu_omp_binding *binding, const uint8_t mask[CPU_MASK_BYTES])
{
    static _Atomic uint64_t last;
    memcpy(binding->mask, mask, CPU_MASK_BYTES);
    binding->number = atomic_fetch_add(&last, 1) + 1;
    atomic_store(&cpu_omp_bindings, 1);
}

/* If the system refuses, because the CPUs have been taken from the process since, the thread stays where it is. */
void cpu_omp_bind_thread(const cpu_omp_binding *binding)
{
    if (stand.number == binding->number)
        return;
    if (stand.number == 0) {
        memset(stand.before, 0, sizeof(stand.before));
        syscall(SYS_sched_getaffinity, 0, sizeof(stand.before), stand.before);
    }
    syscall(SYS_sched_setaffinity, 0, CPU_MASK_BYTES, binding->number != 0 ? binding->mask : stand.before);
    stand.number = binding->number;
}

/* --- beside the thread that leads --- */

void cpu_omp_step_aside(int cpu, uint32_t threads)
{
    enum { PAUSE_NS = 10000000 };
    static CPU_OF_THREAD uint64_t next;
    uint8_t mask[CPU_MASK_BYTES] = {0};
    const uint64_t now = cpu_clock_ns();
    if (now < next)
        return;
    next = now + PAUSE_NS;
    if (syscall(SYS_sched_getaffinity, 0, sizeof(mask), mask) > 0 && cpu_mask_count(mask) >= threads &&
        cpu_thread_keep_off(cpu_thread_number(), mask, cpu))
        cpu_thread_allow(mask);
}

/* --- the thread that loads the runtime --- */

_Atomic int cpu_omp_pinned;
static uint8_t pinned_to[CPU_MASK_BYTES]; /* written before cpu_omp_pinned, once */

cpu_omp_pinning cpu_omp_pinning_begin(void)
{
    cpu_omp_pinning before = {.mask = {0}};
    before.bytes = syscall(SYS_sched_getaffinity, 0, sizeof(before.mask), before.mask);
    return before;
}

void cpu_omp_pinning_undo(const cpu_omp_pinning *before)
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
