/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/process.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/engine/fork.h"
#include "plugins/cpu/machine/system_file.h"
#include "plugins/cpu/machine/thread.h"

#include <dirent.h>
#include <stdio.h>
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

/* Or of a team that a thread of the engine leads: a thread begins with the name of its creator. */
static bool is_own(pid_t thread)
{
    char path[CPU_PATH], name[32];
    snprintf(path, sizeof(path), "/proc/self/task/%ld/comm", (long)thread);
    cpu_file_line(path, name, sizeof(name));
    return strncmp(name, CPU_THREAD_NAME, strlen(CPU_THREAD_NAME)) == 0;
}

static bool openmp_may_pin(void)
{
    static const char *const variables[] = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); ++i) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != '\0' && strcmp(value, "false") != 0)
            return true;
    }
    return false;
}

static void read_mask(cpu_process *process)
{
    bool first = process->known == 0;
    if (!first && !openmp_may_pin())
        memset(process->mask, 0, CPU_MASK_BYTES);
    add_thread(process, 0);
    DIR *threads = opendir("/proc/self/task");
    if (threads != NULL) {
        const struct dirent *entry;
        while ((entry = readdir(threads)) != NULL) {
            pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
            if (thread > 0 && (first || !is_own(thread)))
                add_thread(process, thread);
        }
        closedir(threads);
    }
}

/* Nobody waits for one who held it in another process, at the fork. */
static void enter(cpu_process *process)
{
    const uint32_t own = *cpu_host()->fork_generation + 1;
    uint32_t seen = 0;
    while (!atomic_compare_exchange_strong_explicit(&process->busy, &seen, own, memory_order_acquire,
                                                    memory_order_relaxed)) {
        if (seen == own) {
            sched_yield();
            seen = 0;
        }
    }
}

static void leave(cpu_process *process)
{
    atomic_store_explicit(&process->busy, 0, memory_order_release);
}

/* Entered. The mask is this process's afterwards, and read anew if `anew` and no backend is open. */
static void know(cpu_process *process, bool anew)
{
    const uint32_t now = *cpu_host()->fork_generation + 1;
    bool known = process->known == now;
    if (!known)
        process->backends = 0;
    if (!known || (anew && process->backends == 0))
        read_mask(process);
    process->known = now;
}

cpu_process *cpu_process_get(void)
{
    return cpu_host()->process_slot(CPU_PROCESS_SLOT, sizeof(cpu_process));
}

void cpu_process_open(cpu_process *process, uint8_t mask[CPU_MASK_BYTES], uint32_t *generation)
{
    enter(process);
    know(process, true);
    process->backends++;
    memcpy(mask, process->mask, CPU_MASK_BYTES);
    *generation = *cpu_host()->fork_generation;
    leave(process);
}

void cpu_process_close(cpu_process *process, uint32_t generation)
{
    enter(process);
    if (process->known == generation + 1)
        process->backends--;
    leave(process);
}

void cpu_process_cpus(cpu_process *process, uint8_t mask[CPU_MASK_BYTES])
{
    enter(process);
    know(process, false);
    memcpy(mask, process->mask, CPU_MASK_BYTES);
    leave(process);
}

void cpu_process_after_fork(cpu_process *process)
{
    if (cpu_fork_begin(&process->generation)) {
        memset(process->locks, 0, sizeof(process->locks));
        cpu_fork_end(&process->generation);
    }
}
