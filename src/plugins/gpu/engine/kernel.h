/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine does with a kernel but for launching it. */
#ifndef ACCEL_GPU_KERNEL_H
#define ACCEL_GPU_KERNEL_H

#include "plugins/gpu/engine/object.h"

/* Raises what a block may have; `shared_bytes` is within the kernel's limit. With the context current. */
accel_status gpu_kernel_allow_shared(accel_impl_device *, accel_impl_kernel *, uint32_t shared_bytes);

/* With the device's object_lock and the context current. Finds or makes it. */
accel_status gpu_kernel_find(accel_impl_device *, gpu_object *, const char *name, accel_impl_kernel **);
void gpu_kernel_properties(accel_impl_device *, const accel_impl_kernel *, accel_kernel_properties *);
/* Contract of accel_module_vtable. */
accel_status gpu_kernel_suggest(accel_impl_device *, accel_impl_kernel *, size_t shared_bytes, accel_suggestion *);
accel_status gpu_kernel_resident_blocks(accel_impl_device *, accel_impl_kernel *, uint32_t threads, size_t shared_bytes,
                                        uint64_t *blocks);
/* The same with the context current; `shared_bytes` is all that the driver gives a block dynamically. */
gpu_result gpu_kernel_count_resident(const accel_impl_device *, const accel_impl_kernel *, uint32_t threads,
                                     size_t shared_bytes, uint64_t *blocks);

#endif
