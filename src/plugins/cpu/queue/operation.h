/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of queues: at once in a blocking queue, as commands in others. Contracts: accel_queue_vtable. */
#ifndef ACCEL_CPU_OPERATION_H
#define ACCEL_CPU_OPERATION_H

#include <accel/plugin.h>

accel_status cpu_operation_launch(accel_impl_queue *, accel_impl_kernel *, const accel_work *, const void *args);
accel_status cpu_operation_launch_watched(accel_impl_queue *, accel_impl_kernel *, const accel_work *, const void *args,
                                          const accel_operation_watch *, const void *data);
accel_status cpu_operation_copy(accel_impl_queue *, const accel_copy_params *);
accel_status cpu_operation_fill(accel_impl_queue *, const accel_fill_params *);
accel_status cpu_operation_call(accel_impl_queue *, accel_host_fn, void *user);
accel_status cpu_operation_record(accel_impl_queue *, accel_impl_event *);
accel_status cpu_operation_wait_event(accel_impl_queue *, accel_impl_event *);
accel_status cpu_operation_wait_timeline(accel_impl_queue *, accel_timeline *, uint64_t value);
accel_status cpu_operation_allocate(accel_impl_queue *, const accel_memory_request *, accel_impl_memory **, void **ptr,
                                    void **host_ptr);
void cpu_operation_free(accel_impl_queue *, accel_impl_memory *);

#endif
