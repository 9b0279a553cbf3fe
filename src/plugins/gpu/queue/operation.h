/* SPDX-License-Identifier: Apache-2.0 */
/* What a queue can do: contracts of accel_queue_vtable, each in the file of its noun. */
#ifndef ACCEL_GPU_OPERATION_H
#define ACCEL_GPU_OPERATION_H

#include <accel/plugin.h>

accel_status gpu_launch(accel_impl_queue *, accel_impl_kernel *, const accel_work *, const void *args);
accel_status gpu_copy(accel_impl_queue *, const accel_copy_params *);
accel_status gpu_fill(accel_impl_queue *, const accel_fill_params *);
accel_status gpu_call_host(accel_impl_queue *, accel_host_fn, void *user);
accel_status gpu_record_event(accel_impl_queue *, accel_impl_event *);
accel_status gpu_wait_event(accel_impl_queue *, accel_impl_event *);
accel_status gpu_wait_timeline(accel_impl_queue *, accel_timeline *, uint64_t value);
accel_status gpu_allocate_async(accel_impl_queue *, const accel_memory_request *, accel_impl_memory **, void **ptr,
                                void **host_ptr);
void gpu_free_async(accel_impl_queue *, accel_impl_memory *);

/* lifecycle.c; the first two are contracts of accel_device_vtable. */
accel_status gpu_queue_create(accel_impl_device *, uint32_t flags, int32_t priority, accel_impl_queue **);
accel_status gpu_queue_wrap(accel_impl_device *, void *native, accel_impl_queue **);

extern const accel_queue_vtable gpu_queue_vtable;

#endif
