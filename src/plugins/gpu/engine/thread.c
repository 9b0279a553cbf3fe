/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/thread.h"
#include "plugins/gpu/engine/engine.h"
#include "plugins/gpu/engine/role.h"

#include <signal.h>
#include <string.h>
#include <time.h>

enum { FIRST_NAP_NS = 20000 };

struct gpu_thread {
    pthread_mutex_t lock; /* guards the rest but longest_nap_ns; held for a few instructions */
    pthread_cond_t changed;
    gpu_job *first, *last; /* posted */
    bool nudged, started;
    long longest_nap_ns;
};

#define WORKER(nap)                                                                                                    \
    {                                                                                                                  \
        .lock = PTHREAD_MUTEX_INITIALIZER, .longest_nap_ns = (nap)                                                     \
    }
gpu_thread gpu_submit_thread = WORKER(1000000);
gpu_thread gpu_watch_thread = WORKER(200000);
gpu_thread gpu_retire_thread = WORKER(1000000);

static void nap(gpu_thread *worker, long ns)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += ns;
    if (end.tv_nsec >= 1000000000) {
        end.tv_nsec -= 1000000000;
        ++end.tv_sec;
    }
    pthread_cond_timedwait(&worker->changed, &worker->lock, &end);
}

/* Runs the jobs once each; returns those that are not done. */
static gpu_job *run(gpu_job *job)
{
    gpu_job *left = NULL, **end = &left;
    while (job != NULL) {
        gpu_job *next = job->next;
        if (!job->run(job)) {
            job->next = NULL;
            *end = job;
            end = &job->next;
        }
        job = next;
    }
    return left;
}

static void *work(void *user)
{
    gpu_thread *worker = user;
    gpu_job *waiting = NULL; /* to be run again */
    long pause = FIRST_NAP_NS;

    gpu_thread_kind_set(GPU_THREAD_ENGINE);
    pthread_mutex_lock(&worker->lock);
    for (;;) {
        if (worker->first == NULL && waiting == NULL) {
            pthread_cond_wait(&worker->changed, &worker->lock);
            pause = FIRST_NAP_NS;
            continue;
        }
        if (worker->first == NULL && !worker->nudged) {
            nap(worker, pause);
            pause = pause * 2 < worker->longest_nap_ns ? pause * 2 : worker->longest_nap_ns;
        } else {
            pause = FIRST_NAP_NS;
        }
        gpu_job *jobs = waiting;
        gpu_job **end = &jobs;
        while (*end != NULL)
            end = &(*end)->next;
        *end = worker->first;
        worker->first = worker->last = NULL;
        worker->nudged = false;
        pthread_mutex_unlock(&worker->lock);
        waiting = run(jobs);
        pthread_mutex_lock(&worker->lock);
    }
    return NULL;
}

static int start(gpu_thread *worker)
{
    pthread_condattr_t clock;
    pthread_attr_t detached;
    pthread_t thread;
    sigset_t all, before;
    int error = 0;

    pthread_mutex_lock(&worker->lock);
    if (!worker->started) {
        pthread_condattr_init(&clock);
        pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
        pthread_cond_init(&worker->changed, &clock);
        pthread_condattr_destroy(&clock);
        pthread_attr_init(&detached);
        pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
        sigfillset(&all); /* signals are the program's */
        pthread_sigmask(SIG_SETMASK, &all, &before);
        error = pthread_create(&thread, &detached, work, worker);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&detached);
        worker->started = error == 0;
    }
    pthread_mutex_unlock(&worker->lock);
    return error;
}

accel_status gpu_threads_start(void)
{
    int error = gpu_thread_kind_make();
    if (error == 0)
        error = start(&gpu_submit_thread);
    if (error == 0)
        error = start(&gpu_watch_thread);
    if (error == 0)
        error = start(&gpu_retire_thread);
    if (error == 0)
        return ACCEL_OK;
    return gpu_host()->error(ACCEL_OUT_OF_MEMORY,
                             "the GPU engine cannot start a thread (%s); raise the limit of threads", strerror(error));
}

void gpu_thread_post(gpu_thread *worker, gpu_job *job)
{
    job->next = NULL;
    pthread_mutex_lock(&worker->lock);
    if (worker->last != NULL)
        worker->last->next = job;
    else
        worker->first = job;
    worker->last = job;
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

void gpu_thread_nudge(gpu_thread *worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->nudged = true;
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

typedef struct flush {
    gpu_job job;
    pthread_mutex_t lock; /* guards done */
    pthread_cond_t changed;
    bool done;
} flush;

static bool end_flush(gpu_job *job)
{
    flush *f = (flush *)(void *)job;

    pthread_mutex_lock(&f->lock);
    f->done = true;
    pthread_cond_signal(&f->changed);
    pthread_mutex_unlock(&f->lock);
    return true;
}

void gpu_thread_flush(gpu_thread *worker)
{
    flush f = {.job.run = end_flush};

    pthread_mutex_init(&f.lock, NULL);
    pthread_cond_init(&f.changed, NULL);
    gpu_thread_post(worker, &f.job);
    pthread_mutex_lock(&f.lock);
    while (!f.done)
        pthread_cond_wait(&f.changed, &f.lock);
    pthread_mutex_unlock(&f.lock);
    pthread_cond_destroy(&f.changed);
    pthread_mutex_destroy(&f.lock);
}
