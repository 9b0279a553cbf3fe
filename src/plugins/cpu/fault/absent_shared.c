/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fault/absent_shared.h"
#include "plugins/cpu/engine/host.h"

#include <sys/mman.h>

/* More than any GPU has for a block. */
enum { SIZE = 1 << 20 };

static bool touched(void *owner, uintptr_t address, ucontext_t *registers)
{
    (void)address;
    (void)registers;
    cpu_absent_shared *self = owner;
    const accel_descriptor *none = NULL, *kernel = self->prepared->launch.kernel;
    if (kernel == NULL || mprotect(self->memory, SIZE, PROT_READ | PROT_WRITE) != 0)
        return false;
    /* Whoever gives `run` back looks at `waiters` anyway, and there finds that somebody wants to be looked at. */
    if (atomic_compare_exchange_strong(&self->used_by, &none, kernel))
        atomic_fetch_add(&self->run->waiters, 1);
    return true;
}

void cpu_absent_shared_begin(cpu_absent_shared *self, cpu_lock *run, const cpu_prepared *prepared)
{
    self->run = run;
    self->prepared = prepared;
    void *memory = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return;
    self->memory = memory;
    self->zone = cpu_zone_add(memory, SIZE, touched, self);
}

void cpu_absent_shared_end(cpu_absent_shared *self)
{
    cpu_zone_remove(self->zone);
    if (self->memory != NULL)
        munmap(self->memory, SIZE);
}

accel_status cpu_absent_shared_report(cpu_absent_shared *self)
{
    const accel_descriptor *kernel = atomic_load(&self->used_by);
    if (kernel == NULL)
        return ACCEL_OK;
    madvise(self->memory, SIZE, MADV_DONTNEED);
    mprotect(self->memory, SIZE, PROT_NONE);
    atomic_store(&self->used_by, NULL);
    atomic_fetch_sub(&self->run->waiters, 1);
    return cpu_host()->error(ACCEL_KERNEL_FAULT,
                             "kernel \"%s\": it uses dynamic shared memory, and the launch asks for 0 bytes of it; set "
                             "shared_bytes of its accel_work",
                             kernel->name);
}
