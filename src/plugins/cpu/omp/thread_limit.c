/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/omp/thread_limit.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/engine/lock.h"
#include "plugins/cpu/omp/runtime.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

CPU_OF_THREAD uint32_t cpu_omp_prepared_threads = 1, cpu_omp_possible_threads = UINT32_MAX;

/* LLVM's runtime gives each thread some bytes more than the one before. The C library keeps stacks of ended threads, which count
 * against limits, and uses them again for threads that ask for no more. */
enum { SPARE = 64 << 10 };

typedef struct probe {
    pthread_t thread;
    _Atomic uint32_t number; /* the system's; 0: not known yet; the futex of its creator */
    _Atomic uint32_t *end;
} probe;

static void *wait_for_end(void *user)
{
    probe *own = user;
    void *volatile memory =
        malloc(64); /* as runtimes' threads do: the C library takes memory for each thread that does */
    free(memory);
    atomic_store(&own->number, (uint32_t)gettid());
    cpu_futex_wake(&own->number, 1);
    while (atomic_load(own->end) == 0)
        cpu_futex_wait(own->end, 0, 0);
    return NULL;
}

/* OMP_STACKSIZE or GOMP_STACKSIZE, which runtimes give their threads. 0: the system's. */
static size_t stack_size(void)
{
    const char *text = getenv("OMP_STACKSIZE");
    if (text == NULL)
        text = getenv("GOMP_STACKSIZE");
    if (text == NULL)
        return 0;
    char *unit;
    unsigned long size = strtoul(text, &unit, 10);
    while (*unit == ' ')
        unit++;
    static const char units[] = "bkmg";
    const char *found = *unit != '\0' ? strchr(units, tolower((unsigned char)*unit)) : &units[1];
    unsigned shift = found != NULL ? 10 * (unsigned)(found - units) : 0;
    return size < SIZE_MAX >> shift ? (size_t)size << shift : 0;
}

/* A thread that was joined counts against limits until the system has forgotten its number. */
static void await_gone(probe *own)
{
    pthread_join(own->thread, NULL);
    while (syscall(SYS_tgkill, getpid(), (int)own->number, 0) == 0)
        sched_yield();
}

/* Creates so many threads at once and ends them. Returns how many there were. */
static uint32_t try_threads(uint32_t count, int *error)
{
    _Atomic uint32_t end = 0;
    uint32_t created = 0;
    pthread_attr_t attributes;
    probe *probes = calloc(count, sizeof(*probes));
    *error = ENOMEM;
    if (probes == NULL)
        return 0;
    *error = pthread_attr_init(&attributes);
    if (*error != 0)
        goto out;
    size_t size = stack_size();
    if (size != 0)
        pthread_attr_setstacksize(&attributes, size + SPARE);
    sigset_t all, before; /* signals of the program are for the program's threads */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (created < count) {
        probes[created].end = &end;
        *error = pthread_create(&probes[created].thread, &attributes, wait_for_end, &probes[created]);
        if (*error != 0)
            break;
        while (atomic_load(&probes[created].number) == 0)
            cpu_futex_wait(&probes[created].number, 0, 0);
        created++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    atomic_store(&end, 1);
    cpu_futex_wake(&end, (int)created);
    for (uint32_t i = 0; i < created; ++i)
        await_gone(&probes[i]);
out:
    free(probes);
    return created;
}

static void do_nothing(void *data)
{
    (void)data;
}

static void start_team(uint32_t threads)
{
    if (threads > 1)
        cpu_omp_process_runtime.parallel(do_nothing, NULL, threads, 0);
    cpu_omp_prepared_threads = threads;
}

static bool has_memory_limit(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* Adds one thread after the other to the team, each with one to spare. A thread that begins may take much address space for a
 * moment, for its memory allocator. So the next one is created when it runs. */
static int grow_team(uint32_t threads)
{
    int error = 0;
    while (cpu_omp_prepared_threads < threads && try_threads(2, &error) == 2)
        start_team(cpu_omp_prepared_threads + 1);
    return error;
}

static cpu_lock preparing; /* two threads at once would take the room from each other */

void cpu_omp_thread_limit_after_fork(void)
{
    preparing = (cpu_lock){0}; /* its holder may live in the parent */
}

uint32_t cpu_omp_prepare_threads(uint32_t threads)
{
    if (threads > cpu_omp_possible_threads)
        return cpu_omp_possible_threads;
    int error;
    cpu_lock_acquire(&preparing);
    if (!has_memory_limit() && try_threads(threads, &error) == threads) /* one to spare */
        start_team(threads);
    else
        error = grow_team(threads);
    uint32_t allowed = cpu_omp_prepared_threads;
    if (allowed < threads) {
        cpu_omp_possible_threads = allowed;
        cpu_host()->log(ACCEL_LOG_WARNING, "cpu-omp: only %u of %u threads of a team can be started: %s", allowed,
                        threads, strerror(error));
    }
    cpu_lock_release(&preparing);
    return allowed;
}
