/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads for host functions of the program. Drivers may run the host functions of all streams on one thread (ROCm does;
 * CUDA reserves the right). A function that waits there would hold up those of every other queue, and the engine's own
 * steps of copies.
 */
#include "plugins/gpu/engine/thread.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows; held for a few instructions */
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static gpu_job *jobs; /* as many threads have been told to wake */
static unsigned idle; /* threads that sleep and have not been told */

/* NULL: another thread waits already, and this one ends. */
static gpu_job *next_job(void)
{
    gpu_job *job = NULL;

    pthread_mutex_lock(&lock);
    if (idle == 0) {
        ++idle;
        while (jobs == NULL)
            pthread_cond_wait(&posted, &lock);
        job = jobs;
        jobs = job->next;
    }
    pthread_mutex_unlock(&lock);
    return job;
}

static void *work(void *user)
{
    gpu_thread_kind_set(GPU_THREAD_ENGINE);
    for (gpu_job *job = user; job != NULL; job = next_job())
        job->run(job);
    return NULL;
}

bool gpu_runner_post(gpu_job *job)
{
    pthread_mutex_lock(&lock);
    bool woken = idle > 0;
    if (woken) {
        --idle;
        job->next = jobs;
        jobs = job;
        pthread_cond_signal(&posted);
    }
    pthread_mutex_unlock(&lock);
    return woken || gpu_thread_create(work, job, NULL) == 0;
}
