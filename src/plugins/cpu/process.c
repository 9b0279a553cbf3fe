/* SPDX-License-Identifier: Apache-2.0 */
#include "process.h"
#include "engine.h"

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Adds the CPUs of a thread, 0: the calling one. */
static void add_thread(cpu_process *process, pid_t thread)
{
    uint8_t mask[CPU_MASK_BYTES] = {0};
    long bytes = syscall(SYS_sched_getaffinity, thread, sizeof(mask), mask);
    for (long i = 0; i < bytes; ++i)
        process->mask[i] |= mask[i];
}

static void fill(cpu_process *process)
{
    add_thread(process, 0);
    DIR *threads = opendir("/proc/self/task");
    if (threads != NULL) {
        const struct dirent *entry;
        while ((entry = readdir(threads)) != NULL) {
            pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
            if (thread > 0)
                add_thread(process, thread);
        }
        closedir(threads);
    }
    uint32_t count = 0;
    for (size_t i = 0; i < CPU_MASK_BYTES; ++i)
        count += (uint32_t)__builtin_popcount(process->mask[i]);
    process->cpu_count = count != 0 ? count : 1;
    atomic_store_explicit(&process->generation, *cpu_host()->fork_generation, memory_order_relaxed);
}

cpu_process *cpu_process_get(void)
{
    cpu_process *process = cpu_host()->process_slot(CPU_PROCESS_SLOT, sizeof(cpu_process));
    if (process == NULL)
        return NULL;
    uint32_t state = 0;
    if (atomic_compare_exchange_strong(&process->state, &state, 1)) {
        fill(process);
        atomic_store_explicit(&process->state, 2, memory_order_release);
    }
    while (atomic_load_explicit(&process->state, memory_order_acquire) != 2)
        sched_yield();
    return process;
}

void cpu_process_after_fork(cpu_process *process)
{
    const uint32_t resetting = UINT32_MAX;
    uint32_t now = *cpu_host()->fork_generation, seen;
    while ((seen = atomic_load_explicit(&process->generation, memory_order_acquire)) != now) {
        if (seen == resetting) {
            sched_yield(); /* whoever did not wait could take a lock that is then freed */
        } else if (atomic_compare_exchange_strong(&process->generation, &seen, resetting)) {
            memset(process->locks, 0, sizeof(process->locks));
            atomic_store_explicit(&process->generation, now, memory_order_release);
        }
    }
}
