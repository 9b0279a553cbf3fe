/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/thread.h"
#include "plugins/gpu/engine/device.h"
#include "plugins/support/signals.h"

#include <string.h>
#include <time.h>

enum { FIRST_NAP_NS = 20000 };

/* By key rather than as a thread-local: storage of that kind in a library that is opened late costs room that a program
 * may not have, and the tools that look for leaks stumble over it. */
static pthread_mutex_t kind_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t kind_key;
static _Atomic bool has_kinds; /* changes under the lock, after the key was written */

static int make_kinds(void)
{
    int error = 0;

    pthread_mutex_lock(&kind_lock);
    if (!has_kinds)
        error = pthread_key_create(&kind_key, NULL);
    has_kinds = error == 0;
    pthread_mutex_unlock(&kind_lock);
    return error;
}

void gpu_thread_kind_set(uintptr_t kind)
{
    pthread_setspecific(kind_key, (void *)kind);
}

uintptr_t gpu_thread_kind(void)
{
    return atomic_load_explicit(&has_kinds, memory_order_acquire) ? (uintptr_t)pthread_getspecific(kind_key)
                                                                  : GPU_THREAD_PROGRAM;
}

struct gpu_thread {
    pthread_mutex_t lock; /* guards the rest but longest_nap_ns; held for a few instructions */
    pthread_cond_t changed;
    gpu_job *first, *last; /* posted */
    bool nudged, started;
    long longest_nap_ns;
};

#define THREAD(nap)                                                                                                    \
    {                                                                                                                  \
        .lock = PTHREAD_MUTEX_INITIALIZER, .longest_nap_ns = (nap)                                                     \
    }
gpu_thread gpu_submit_thread = THREAD(1000000);
gpu_thread gpu_watch_thread = THREAD(200000);
gpu_thread gpu_retire_thread = THREAD(1000000);

static void nap(gpu_thread *thread, long ns)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += ns;
    if (end.tv_nsec >= 1000000000) {
        end.tv_nsec -= 1000000000;
        ++end.tv_sec;
    }
    pthread_cond_timedwait(&thread->changed, &thread->lock, &end);
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
    gpu_thread *thread = user;
    gpu_job *waiting = NULL; /* to be run again */
    long pause = FIRST_NAP_NS;

    gpu_thread_kind_set(GPU_THREAD_ENGINE);
    pthread_mutex_lock(&thread->lock);
    for (;;) {
        if (thread->first == NULL && waiting == NULL) {
            pthread_cond_wait(&thread->changed, &thread->lock);
            pause = FIRST_NAP_NS;
            continue;
        }
        if (thread->first == NULL && !thread->nudged) {
            nap(thread, pause);
            pause = pause * 2 < thread->longest_nap_ns ? pause * 2 : thread->longest_nap_ns;
        } else {
            pause = FIRST_NAP_NS;
        }
        gpu_job *jobs = waiting;
        gpu_job **end = &jobs;
        while (*end != NULL)
            end = &(*end)->next;
        *end = thread->first;
        thread->first = thread->last = NULL;
        thread->nudged = false;
        pthread_mutex_unlock(&thread->lock);
        waiting = run(jobs);
        pthread_mutex_lock(&thread->lock);
    }
    return NULL;
}

int gpu_thread_create(void *(*main)(void *user), void *user, pthread_t *created)
{
    pthread_attr_t attributes;
    pthread_t detached;
    sigset_t before;

    pthread_attr_init(&attributes);
    if (created == NULL)
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    plugin_signals_block(&before);
    int error = pthread_create(created != NULL ? created : &detached, &attributes, main, user);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

static int start(gpu_thread *thread)
{
    pthread_condattr_t clock;
    int error = 0;

    pthread_mutex_lock(&thread->lock);
    if (!thread->started) {
        pthread_condattr_init(&clock);
        pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
        pthread_cond_init(&thread->changed, &clock);
        pthread_condattr_destroy(&clock);
        error = gpu_thread_create(work, thread, NULL);
        thread->started = error == 0;
    }
    pthread_mutex_unlock(&thread->lock);
    return error;
}

accel_status gpu_threads_start(void)
{
    int error = make_kinds();
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

void gpu_thread_post(gpu_thread *thread, gpu_job *job)
{
    job->next = NULL;
    pthread_mutex_lock(&thread->lock);
    if (thread->last != NULL)
        thread->last->next = job;
    else
        thread->first = job;
    thread->last = job;
    pthread_cond_signal(&thread->changed);
    pthread_mutex_unlock(&thread->lock);
}

void gpu_thread_nudge(gpu_thread *thread)
{
    pthread_mutex_lock(&thread->lock);
    thread->nudged = true;
    pthread_cond_signal(&thread->changed);
    pthread_mutex_unlock(&thread->lock);
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

void gpu_thread_flush(gpu_thread *thread)
{
    flush f = {.job.run = end_flush};

    pthread_mutex_init(&f.lock, NULL);
    pthread_cond_init(&f.changed, NULL);
    gpu_thread_post(thread, &f.job);
    pthread_mutex_lock(&f.lock);
    while (!f.done)
        pthread_cond_wait(&f.changed, &f.lock);
    pthread_mutex_unlock(&f.lock);
    pthread_cond_destroy(&f.changed);
    pthread_mutex_destroy(&f.lock);
}
