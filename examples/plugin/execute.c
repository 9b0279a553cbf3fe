/* SPDX-License-Identifier: Apache-2.0 */
/* The thread of a queue, and what its operations do. */
#include "skeleton.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void fold(const size_t values[], uint32_t dims, size_t folded[3])
{
    for (uint32_t i = 0; i < 3; i++)
        folded[i] = i < dims ? values[dims - 1 - i] : 1;
    for (uint32_t d = 0; d + 3 < dims; d++)
        folded[2] *= values[d];
}

static void run_kernel(const operation *op)
{
    static uint32_t locks[64];
    static _Thread_local _Alignas(64) unsigned char shared[65536];
    const accel_work *work = &op->work;
    accel_grid grid = {.struct_size = sizeof grid, .dims = work->dims, .locks = locks, .lock_mask = 63};
    accel_launch_context launch = {
        .struct_size = sizeof launch, .grid = &grid, .shared = shared, .shared_bytes = work->shared_bytes};
    for (uint32_t i = 0; i < ACCEL_MAX_DIMS; i++) {
        grid.blocks[i] = i < work->dims ? (uint32_t)work->blocks[work->dims - 1 - i] : 1;
        grid.threads[i] = i < work->dims ? (uint32_t)work->threads[work->dims - 1 - i] : 1;
        grid.elems[i] = i < work->dims ? work->elems[work->dims - 1 - i] : 1;
    }
    fold(work->blocks, work->dims, launch.grid_extent);
    fold(work->threads, work->dims, launch.block_extent);
    fold(work->elems, work->dims, launch.elem_extent);
    op->kernel->run_blocks(&launch, op->bytes, 0,
                           launch.grid_extent[0] * launch.grid_extent[1] * launch.grid_extent[2]);
}

static void run_copy(const accel_copy_params *copy, uint32_t d, char *dst, const char *src)
{
    if (d + 1 == copy->dims) {
        memcpy(dst, src, copy->extent[d]);
        return;
    }
    for (size_t i = 0; i < copy->extent[d]; i++)
        run_copy(copy, d + 1, dst + i * copy->dst_pitch[d], src + i * copy->src_pitch[d]);
}

static void run_fill(const accel_fill_params *fill, const void *pattern, uint32_t d, char *dst)
{
    if (d + 1 == fill->dims)
        for (size_t i = 0; i < fill->extent[d]; i += fill->pattern_size)
            memcpy(dst + i, pattern, fill->pattern_size);
    else
        for (size_t i = 0; i < fill->extent[d]; i++)
            run_fill(fill, pattern, d + 1, dst + i * fill->pitch[d]);
}

/* Returns the operation's own failure. After a failure only host functions and records happen. */
static accel_status run(operation *op, accel_status before)
{
    struct timespec now;
    if (op->kind == CALL) {
        op->function(op->user, before);
    } else if (op->kind == RECORD) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        op->record->nanoseconds = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    } else if (before == ACCEL_OK && op->kind == LAUNCH) {
        run_kernel(op);
    } else if (before == ACCEL_OK && op->kind == COPY) {
        run_copy(&op->copy, 0, op->copy.dst, op->copy.src);
    } else if (before == ACCEL_OK && op->kind == FILL) {
        run_fill(&op->fill, op->bytes, 0, op->fill.dst);
    } else if (before == ACCEL_OK) { /* a backend that is meant to last asks by timeline_on_signal instead */
        const accel_status status = skeleton_host->timeline_wait(op->timeline, op->value);
        if (status != ACCEL_OK) /* another device was lost, not this one */
            return skeleton_host->error(status == ACCEL_DEVICE_LOST ? ACCEL_UNAVAILABLE : status,
                                        "skeleton: what the queue waited for failed");
    }
    return ACCEL_OK;
}

void skeleton_operation_free(operation *op)
{
    for (int i = 0; i < 2; i++)
        skeleton_host->hold_release(op->holds[i]);
    skeleton_record_release(op->record);
    if (op->timeline != NULL)
        skeleton_host->timeline_release(op->timeline);
    free(op);
}

/* Runs operations until the queue is closed and empty. */
void *skeleton_queue_thread(void *user)
{
    accel_impl_queue *queue = user;
    pthread_mutex_lock(&queue->lock);
    for (uint64_t number = 1;; number++) {
        while (queue->head == NULL && !queue->closing)
            pthread_cond_wait(&queue->changed, &queue->lock);
        operation *op = queue->head;
        if (op == NULL)
            break;
        queue->head = op->next;
        if (queue->head == NULL)
            queue->tail = &queue->head;
        const accel_status before = queue->status;
        pthread_mutex_unlock(&queue->lock);
        const accel_status status = run(op, before);
        pthread_mutex_lock(&queue->lock);
        if (before == ACCEL_OK && status != ACCEL_OK) {
            queue->status = status;
            snprintf(queue->text, sizeof queue->text, "%s", skeleton_host->error_message());
        }
        const accel_status carried = before == ACCEL_OK ? status : before;
        pthread_mutex_unlock(&queue->lock);
        skeleton_operation_free(op);
        skeleton_pending(-1);
        skeleton_host->timeline_signal(queue->timeline, number, carried);
        pthread_mutex_lock(&queue->lock);
    }
    pthread_mutex_unlock(&queue->lock);
    skeleton_host->timeline_release(queue->timeline);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
    return NULL;
}
