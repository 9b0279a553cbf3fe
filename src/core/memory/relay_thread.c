/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that carries out relays of queues whose host functions may not. It is the process's: what a relay needs, the
 * relay holds. */
#include "core/base/error.h"
#include "core/base/guard.h"
#include "core/memory/relay.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

/* Guarded by accel_guard_lock, which a fork waits for: the child finds them whole, and the parent's jobs in them. */
static bool started;
static uint32_t generation; /* of forks, in which it was started */
static accel_relay_job *first, *last;

static sem_t posted; /* made before the first thread, for good; a count too many wakes the thread for nothing */

static accel_relay_job *take(void)
{
    accel_guard_lock();
    accel_relay_job *job = first;
    if (job != NULL)
        first = job->next;
    accel_guard_unlock();
    return job;
}

static void *work(void *user)
{
    (void)user;
    for (;;) {
        accel_relay_job *job = take();
        if (job != NULL)
            job->run(job);
        else
            while (sem_wait(&posted) != 0)
                continue;
    }
    return NULL;
}

/* With the signals of the program blocked, but those of faults in the memory that it copies. */
static int start(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF};
    pthread_attr_t detached;
    pthread_t thread;
    sigset_t others, before;

    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sigfillset(&others);
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); ++i)
        sigdelset(&others, faults[i]);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    int error = pthread_create(&thread, &detached, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&detached);
    return error;
}

accel_status accel_relay_thread_start(const char *function)
{
    static bool prepared;
    int error = 0;

    accel_guard_lock();
    if (!prepared)
        sem_init(&posted, 0, 0);
    prepared = true;
    if (!started || generation != accel_guard_fork_generation) {
        first = NULL;
        error = start();
        started = error == 0;
        generation = accel_guard_fork_generation;
    }
    accel_guard_unlock();
    if (error == 0)
        return ACCEL_OK;
    return accel_error_set(ACCEL_LIMIT,
                           "%s: the thread that copies between backends could not be started: %s; there are too many "
                           "threads (ulimit -u, the container's limit)",
                           function, strerror(error));
}

void accel_relay_thread_post(accel_relay_job *job)
{
    job->next = NULL;
    accel_guard_lock();
    if (first != NULL)
        last->next = job;
    else
        first = job;
    last = job;
    accel_guard_unlock();
    sem_post(&posted);
}
