/* SPDX-License-Identifier: Apache-2.0 */
/* AQL queues: a thread each, which processes packets strictly in order. Formats: HSA's specification, 2.9. */
#include "standin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PACKET_BYTES = 64 };
enum { VENDOR_SPECIFIC, INVALID, KERNEL_DISPATCH, BARRIER_AND, AGENT_DISPATCH, BARRIER_OR };

/* amd_signal_t, the beginning. */
typedef struct signal {
    int64_t kind;
    _Atomic int64_t value;
    uint64_t mailbox; /* not 0: a waiter sleeps until its event is set */
    uint32_t event, reserved;
    uint64_t begin, end;
} signal;

typedef struct queue {
    char *ring;
    uint64_t room; /* packets */
    _Atomic uint64_t *read, *written;
    uint64_t doorbell; /* nobody looks: the thread polls */
    _Atomic bool stopped;
    pthread_t thread;
} queue;

static signal *signal_at(const char *packet, size_t offset)
{
    uint64_t handle;
    memcpy(&handle, packet + offset, sizeof handle);
    return (signal *)(uintptr_t)handle;
}

static void complete(signal *completed, uint64_t begin)
{
    if (completed == NULL)
        return;
    completed->begin = begin;
    completed->end = standin_ticks();
    atomic_fetch_sub(&completed->value, 1);
    if (completed->mailbox != 0) {
        *(volatile uint64_t *)(uintptr_t)completed->mailbox = completed->event;
        standin_set_event(completed->event);
    }
}

/* "And" and "or" alike: the runtime gives "or" one signal at most. */
static void wait_for_signals(queue *q, const char *packet)
{
    for (size_t i = 0; i < 5; ++i) {
        signal *awaited = signal_at(packet, 8 + 8 * i);
        while (awaited != NULL && atomic_load(&awaited->value) != 0 && !q->stopped)
            usleep(20);
    }
}

static void process(queue *q, const char *packet, uint16_t type)
{
    standin_dispatch dispatch;

    switch (type) {
    case KERNEL_DISPATCH:
        memcpy(&dispatch, packet, sizeof dispatch);
        standin_run(&dispatch);
        break;
    case BARRIER_AND:
    case BARRIER_OR:
        wait_for_signals(q, packet);
        break;
    default: /* cache commands behind the runtime's own copies */
        break;
    }
}

static void *serve(void *user)
{
    queue *q = user;

    for (uint64_t at = 0; !q->stopped;) {
        char *packet = q->ring + at % q->room * PACKET_BYTES;
        uint16_t type = __atomic_load_n((uint16_t *)(void *)packet, __ATOMIC_ACQUIRE) & 255;
        if (at >= *q->written || type == INVALID) {
            usleep(20);
            continue;
        }
        uint64_t begin = standin_ticks();
        process(q, packet, type);
        signal *completed = signal_at(packet, 56);
        __atomic_store_n((uint16_t *)(void *)packet, INVALID, __ATOMIC_RELEASE);
        *q->read = ++at;
        complete(completed, begin);
    }
    return NULL;
}

HSAKMT_STATUS hsaKmtCreateQueue(HSAuint32 node, HSA_QUEUE_TYPE type, HSAuint32 percentage, HSA_QUEUE_PRIORITY priority,
                                void *ring, HSAuint64 size, HsaEvent *event, HsaQueueResource *out)
{
    (void)node;
    (void)percentage;
    (void)priority;
    (void)event;
    if (type != HSA_QUEUE_COMPUTE_AQL)
        return HSAKMT_STATUS_NOT_SUPPORTED;
    queue *q = calloc(1, sizeof *q);
    if (q == NULL)
        return HSAKMT_STATUS_NO_MEMORY;
    q->ring = ring;
    q->room = size / PACKET_BYTES;
    q->read = (_Atomic uint64_t *)out->Queue_read_ptr_aql;
    q->written = (_Atomic uint64_t *)out->Queue_write_ptr_aql;
    if (pthread_create(&q->thread, NULL, serve, q) != 0) {
        free(q);
        return HSAKMT_STATUS_NO_MEMORY;
    }
    out->QueueId = (HSA_QUEUEID)(uintptr_t)q;
    out->Queue_DoorBell_aql = &q->doorbell;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtDestroyQueue(HSA_QUEUEID id)
{
    queue *q = (queue *)(uintptr_t)id;

    q->stopped = true;
    pthread_join(q->thread, NULL);
    free(q);
    return HSAKMT_STATUS_SUCCESS;
}
