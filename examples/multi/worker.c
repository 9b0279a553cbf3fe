/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The calling thread's last error. The first failure stays. */
static void set_failure(worker *w, accel_status status)
{
    const char *const name = accel_status_name(status), *const text = accel_error_message();
    const size_t size = strlen(name) + strlen(text) + sizeof ": ";
    if (w->failure != NULL)
        return;
    w->failure = malloc(size);
    if (w->failure == NULL) {
        fprintf(stderr, "multi: %s: %s\nmulti: no memory\n", name, text);
        exit(2);
    }
    snprintf(w->failure, size, "%s: %s", name, text);
}

void worker_open(worker *w, accel_device *device, bell *b, const picture *shown, size_t most)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), most * shown->width);
    *w = (worker){.about = ACCEL_DEVICE_PROPERTIES_INIT};
    accel_status status = accel_device_info(device, &w->about);
    if (status == ACCEL_OK)
        status = accel_queue_create(device, NULL, &w->queue);
    if (status == ACCEL_OK)
        status = accel_module_load(device, "multi", &w->module);
    if (status == ACCEL_OK)
        status = accel_module_kernel(w->module, "mandelbrot", &w->kernel);
    for (int i = 0; i < PARTS; ++i) {
        w->parts[i].bell = b;
        if (status == ACCEL_OK)
            status = accel_buffer_create(device, &desc, &w->parts[i].steps);
    }
    if (status != ACCEL_OK)
        set_failure(w, status);
}

void worker_close(worker *w)
{
    for (int i = 0; i < PARTS; ++i)
        accel_buffer_release(w->parts[i].steps);
    accel_module_release(w->module);
    accel_queue_release(w->queue);
    free(w->failure);
}

void worker_reset(worker *w)
{
    w->rate = w->recent_rows = w->recent_seconds = w->busy = w->ended = 0;
    w->rows = w->parts_done = w->last = 0;
}

static uint32_t state_of(part *p)
{
    pthread_mutex_lock(&p->bell->lock);
    const uint32_t state = p->state;
    pthread_mutex_unlock(&p->bell->lock);
    return state;
}

static void set_state(part *p, uint32_t state)
{
    pthread_mutex_lock(&p->bell->lock);
    p->state = state;
    pthread_mutex_unlock(&p->bell->lock);
}

part *worker_free_part(worker *w)
{
    for (int i = 0; i < PARTS && w->failure == NULL; ++i)
        if (state_of(&w->parts[i]) == PART_FREE)
            return &w->parts[i];
    return NULL;
}

/* A host function: the part's copy is over, or it was skipped. */
static void ring(void *user, accel_status status)
{
    part *const p = user;
    pthread_mutex_lock(&p->bell->lock);
    p->state = PART_OVER;
    p->status = status;
    p->ended = seconds_now();
    pthread_cond_signal(&p->bell->rung);
    pthread_mutex_unlock(&p->bell->lock);
}

static accel_status launch(worker *w, const part *p, const picture *shown)
{
    const mandelbrot_args args = {*shown, p->rows.first, p->rows.count, accel_buffer_ptr(p->steps)};
    const size_t extent[2] = {p->rows.count, shown->width};
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = ACCEL_WORK_INIT;
    wish.elem_ns = shown->limit / 2 + 1; /* points are few and heavy, and differ */
    const accel_status status = accel_work_divide(w->kernel, 2, extent, &wish, &work);
    return status != ACCEL_OK ? status : accel_launch(w->queue, w->kernel, &work, &args, sizeof args);
}

static accel_status read_back(worker *w, part *p, const picture *shown, uint32_t *steps)
{
    const size_t extent = p->rows.count * shown->width;
    accel_buffer *computed;
    accel_status status = accel_buffer_view(p->steps, NULL, &extent, &computed);
    if (status != ACCEL_OK)
        return status;
    status = accel_read(w->queue, steps + p->rows.first * shown->width, computed);
    accel_buffer_release(computed); /* the copy keeps what it needs */
    return status;
}

bool worker_submit(worker *w, part *p, range rows, const picture *shown, uint32_t *steps)
{
    p->rows = rows;
    p->submitted = seconds_now();
    set_state(p, PART_PENDING);
    w->last = rows.count;
    accel_status status = launch(w, p, shown);
    if (status == ACCEL_OK)
        status = read_back(w, p, shown, steps);
    if (status == ACCEL_OK)
        status = accel_queue_call(w->queue, ring, p);
    if (status == ACCEL_OK)
        return true;
    set_failure(w, status);
    ring(p, status); /* nobody else will */
    return false;
}

/* The part that ended first. NULL: none is over; *pending then says if one will be. The bell is locked. */
static part *first_over(worker workers[], size_t count, worker **whose, bool *pending)
{
    part *first = NULL;
    *pending = false;
    for (size_t i = 0; i < count * PARTS; ++i) {
        part *const p = &workers[i / PARTS].parts[i % PARTS];
        *pending = *pending || p->state == PART_PENDING;
        if (p->state == PART_OVER && (first == NULL || p->ended < first->ended)) {
            first = p;
            *whose = &workers[i / PARTS];
        }
    }
    return first;
}

part *worker_wait_any(worker workers[], size_t count, worker **whose)
{
    bell *const b = workers->parts->bell;
    bool pending;
    part *first;
    pthread_mutex_lock(&b->lock);
    while ((first = first_over(workers, count, whose, &pending)) == NULL && pending)
        pthread_cond_wait(&b->rung, &b->lock);
    pthread_mutex_unlock(&b->lock);
    return first;
}

void worker_count(worker *w, part *p)
{
    const double began = p->submitted > w->ended ? p->submitted : w->ended, seconds = p->ended - began;
    w->busy += seconds;
    /* Long parts tell more about the speed than short ones, and late ones more than early ones. */
    w->recent_rows = w->recent_rows / 2 + (double)p->rows.count;
    w->recent_seconds = w->recent_seconds / 2 + seconds;
    w->rate = w->recent_seconds > 0 ? w->recent_rows / w->recent_seconds : 0;
    w->ended = p->ended;
    w->rows += p->rows.count;
    ++w->parts_done;
    set_state(p, PART_FREE);
}

void worker_fail(worker *w, shares *s)
{
    worker *whose;
    part *p;
    const accel_status status = accel_queue_wait(w->queue);
    if (status != ACCEL_OK)
        set_failure(w, status);
    while ((p = worker_wait_any(w, 1, &whose)) != NULL) {
        if (p->status == ACCEL_OK) {
            worker_count(w, p); /* it was over before the failure */
            continue;
        }
        shares_return(s, p->rows);
        set_state(p, PART_FREE);
    }
}
