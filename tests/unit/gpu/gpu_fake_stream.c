/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_fake_driver.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct stream {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    gpu_fake_task *first, *last;
    bool busy, ending;
    uintptr_t device;
} stream;

static void *work(void *user)
{
    stream *s = user;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (s->first == NULL && !s->ending)
            pthread_cond_wait(&s->changed, &s->lock);
        gpu_fake_task *t = s->first;
        if (t == NULL)
            break;
        s->first = t->next;
        s->busy = true;
        pthread_mutex_unlock(&s->lock);
        if (!gpu_fake_faulted[t->device - 1] || t->event != NULL)
            t->run(t);
        free(t);
        pthread_mutex_lock(&s->lock);
        s->busy = false;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
    return NULL;
}

gpu_result gpu_fake_give(gpu_stream handle, gpu_fake_task given)
{
    stream *s = (stream *)(void *)handle;
    if (gpu_fake_state() != 0)
        return gpu_fake_state();
    ck_assert_uint_eq(gpu_fake_current, s->device);
    gpu_fake_task *t = malloc(sizeof(*t));
    *t = given;
    t->next = NULL;
    t->device = s->device;
    pthread_mutex_lock(&s->lock);
    if (s->first == NULL)
        s->first = t;
    else
        s->last->next = t;
    s->last = t;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return 0;
}

static gpu_result stream_create(gpu_stream *made, unsigned flags, int priority)
{
    (void)flags;
    (void)priority;
    if (gpu_fake_state() != 0)
        return gpu_fake_state();
    stream *s = calloc(1, sizeof(*s));
    pthread_t thread;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->device = gpu_fake_current;
    ck_assert_int_eq(pthread_create(&thread, NULL, work, s), 0);
    pthread_detach(thread);
    ++gpu_fake_alive;
    *made = (gpu_stream)(void *)s;
    return 0;
}

static gpu_result stream_destroy(gpu_stream handle)
{
    stream *s = (stream *)(void *)handle;
    pthread_mutex_lock(&s->lock);
    s->ending = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    --gpu_fake_alive;
    return gpu_fake_state();
}

static gpu_result stream_query(gpu_stream handle)
{
    stream *s = (stream *)(void *)handle;
    pthread_mutex_lock(&s->lock);
    bool idle = s->first == NULL && !s->busy;
    pthread_mutex_unlock(&s->lock);
    return gpu_fake_state() != 0 ? gpu_fake_state() : idle ? 0 : FAKE_NOT_READY;
}

static gpu_result stream_synchronize(gpu_stream handle)
{
    stream *s = (stream *)(void *)handle;
    pthread_mutex_lock(&s->lock);
    while ((s->first != NULL || s->busy) && gpu_fake_state() == 0)
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return gpu_fake_state();
}

static void run_wait(gpu_fake_task *t)
{
    while (t->event->reached < t->number && !gpu_fake_faulted[t->device - 1])
        usleep(100);
}

static gpu_result stream_wait(gpu_stream handle, gpu_driver_event given, unsigned flags)
{
    gpu_fake_mark *m = (gpu_fake_mark *)(void *)given;
    (void)flags;
    return gpu_fake_give(handle, (gpu_fake_task){.run = run_wait, .event = m, .number = m->recorded});
}

static void run_call(gpu_fake_task *t)
{
    t->function(t->user);
}

static gpu_result stream_call(gpu_stream handle, gpu_host_function function, void *user)
{
    return gpu_fake_give(handle, (gpu_fake_task){.run = run_call, .function = function, .user = user});
}

/* ------------------------------------------------------------------------------------------- marks -- */

static gpu_result event_create(gpu_driver_event *made, unsigned flags)
{
    (void)flags;
    gpu_fake_mark *m = calloc(1, sizeof(*m));
    m->device = gpu_fake_current;
    ++gpu_fake_alive;
    *made = (gpu_driver_event)(void *)m;
    return 0;
}

static gpu_result event_destroy(gpu_driver_event handle)
{
    free(handle);
    --gpu_fake_alive;
    return 0;
}

static void run_record(gpu_fake_task *t)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    t->event->when = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    t->event->reached = t->number;
}

static gpu_result event_record(gpu_driver_event handle, gpu_stream s)
{
    gpu_fake_mark *m = (gpu_fake_mark *)(void *)handle;
    ck_assert_uint_eq(m->device, gpu_fake_current);
    return gpu_fake_give(s, (gpu_fake_task){.run = run_record, .event = m, .number = ++m->recorded});
}

static gpu_result event_query(gpu_driver_event handle)
{
    gpu_fake_mark *m = (gpu_fake_mark *)(void *)handle;
    if (gpu_fake_faulted[m->device - 1])
        return FAKE_FAULT;
    return m->reached == m->recorded ? 0 : FAKE_NOT_READY;
}

static gpu_result event_synchronize(gpu_driver_event handle)
{
    while (event_query(handle) == FAKE_NOT_READY)
        usleep(100);
    return event_query(handle);
}

static gpu_result event_elapsed(float *milliseconds, gpu_driver_event start, gpu_driver_event end)
{
    *milliseconds =
        (float)((double)(((gpu_fake_mark *)(void *)end)->when - ((gpu_fake_mark *)(void *)start)->when) * 1e-6);
    return 0;
}

void gpu_fake_fill_streams(gpu_driver *driver)
{
    driver->stream_create = stream_create;
    driver->stream_destroy = stream_destroy;
    driver->stream_query = stream_query;
    driver->stream_synchronize = stream_synchronize;
    driver->stream_wait = stream_wait;
    driver->stream_call = stream_call;
    driver->event_create = event_create;
    driver->event_destroy = event_destroy;
    driver->event_record = event_record;
    driver->event_query = event_query;
    driver->event_synchronize = event_synchronize;
    driver->event_elapsed = event_elapsed;
}
