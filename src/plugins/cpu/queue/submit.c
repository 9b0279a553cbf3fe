/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/queue/queue.h"

accel_status cpu_submit_begin(accel_impl_queue *queue, uint32_t kind, size_t size, cpu_record **made)
{
    cpu_lock_spin(&queue->ring.lock);
    accel_status status = ACCEL_OK;
    if (__builtin_expect(atomic_load_explicit(&queue->worker, memory_order_relaxed) == CPU_WORKER_NONE, 0))
        status = cpu_worker_start(queue);
    if (__builtin_expect(status == ACCEL_OK, 1)) {
        cpu_record *record = cpu_ring_reserve(&queue->ring, size);
        if (__builtin_expect(record != NULL, 1)) {
            record->kind = kind;
            *made = record;
            return ACCEL_OK;
        }
        status = cpu_host()->error(ACCEL_OUT_OF_MEMORY, "queue of %s: no memory for %d bytes of commands",
                                   queue->executor->name, CPU_RING_CHUNK);
    }
    cpu_lock_release(&queue->ring.lock);
    return status;
}

uint64_t cpu_submit_end(accel_impl_queue *queue, cpu_record *record)
{
    uint64_t ticket = cpu_ring_publish(&queue->ring, record);
    bool rouse = cpu_worker_rouse(queue);
    cpu_lock_release(&queue->ring.lock);
    if (__builtin_expect(rouse, 0))
        cpu_worker_wake(queue);
    return ticket;
}
