/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/process.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/machine/futex.h"
#include "plugins/cpu/machine/system_file.h"
#include "plugins/cpu/machine/thread.h"
#include "plugins/cpu/machine/topology.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

uint32_t cpu_process_locks[CPU_LOCKS];

static struct {
    pthread_mutex_t lock; /* guards the rest; a fork waits for it */
    uint32_t known;       /* 1 + the generation of forks in which the mask was read; 0: not yet */
    uint32_t backends;    /* that were opened in that generation, and are open */
    _Alignas(8) uint8_t mask[CPU_MASK_BYTES];
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Adds the CPUs of a thread, 0: the calling one. */
static void add_thread(pid_t thread)
{
    uint8_t mask[CPU_MASK_BYTES] = {0};
    long bytes = syscall(SYS_sched_getaffinity, thread, sizeof(mask), mask);
    for (long i = 0; i < bytes; ++i)
        process.mask[i] |= mask[i];
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

static void read_mask(const cpu_topology *imitated)
{
    if (imitated != NULL) {
        memcpy(process.mask, imitated->allowed, CPU_MASK_BYTES);
        return;
    }
    bool first = process.known == 0;
    if (!first && !openmp_may_pin())
        memset(process.mask, 0, CPU_MASK_BYTES);
    add_thread(0);
    DIR *threads = opendir("/proc/self/task");
    if (threads != NULL) {
        const struct dirent *entry;
        while ((entry = readdir(threads)) != NULL) {
            pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
            if (thread > 0 && (first || !is_own(thread)))
                add_thread(thread);
        }
        closedir(threads);
    }
}

/* The lock is held. The mask is this process's afterwards, and read again if `again` and no backend is open. */
static void know(bool again, const cpu_topology *imitated)
{
    const uint32_t now = *cpu_host()->fork_generation + 1;
    bool known = process.known == now;
    if (!known)
        process.backends = 0;
    if (!known || (again && process.backends == 0))
        read_mask(imitated);
    process.known = now;
}

/* The topology, if it stands for another machine, whose CPUs are then the process's. To be called without the lock: a fork
 * takes that of the topology first. */
static const cpu_topology *imitated_topology(void)
{
    const cpu_topology *topology = cpu_topology_may_be_imitated() ? cpu_topology_get() : NULL;
    return topology != NULL && topology->imitated ? topology : NULL;
}

static void before_fork(void)
{
    pthread_mutex_lock(&process.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&process.lock);
}

static void after_fork_in_child(void)
{
    memset(cpu_process_locks, 0, sizeof(cpu_process_locks));
    pthread_mutex_unlock(&process.lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

uint32_t *cpu_process_lock_left(uint64_t patience_ns)
{
    uint64_t end = 0;
    for (size_t i = 0; i < CPU_LOCKS; ++i)
        while (__atomic_load_n(&cpu_process_locks[i], __ATOMIC_RELAXED) != 0) {
            const uint64_t now = cpu_clock_ns();
            if (end == 0)
                end = now + patience_ns;
            if (now >= end)
                return &cpu_process_locks[i];
            cpu_relax();
        }
    return NULL;
}

void cpu_process_open(uint8_t mask[CPU_MASK_BYTES], uint32_t *generation)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const cpu_topology *imitated = imitated_topology();
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&process.lock);
    know(true, imitated);
    process.backends++;
    memcpy(mask, process.mask, CPU_MASK_BYTES);
    *generation = *cpu_host()->fork_generation;
    pthread_mutex_unlock(&process.lock);
}

void cpu_process_close(uint32_t generation)
{
    pthread_mutex_lock(&process.lock);
    if (process.known == generation + 1)
        process.backends--;
    pthread_mutex_unlock(&process.lock);
}

void cpu_process_cpus(uint8_t mask[CPU_MASK_BYTES])
{
    const cpu_topology *imitated = imitated_topology();
    pthread_mutex_lock(&process.lock);
    know(false, imitated);
    memcpy(mask, process.mask, CPU_MASK_BYTES);
    pthread_mutex_unlock(&process.lock);
}
