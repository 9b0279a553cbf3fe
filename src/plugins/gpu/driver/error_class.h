/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Result codes that mean the same in both drivers, and what. PREFIX is CUDA or HIP: the rows are of the family's own
 * enumerators, CUDA_RESULT_NOT_READY or HIP_RESULT_NOT_READY.
 */
#ifndef ACCEL_GPU_ERROR_CLASS_H
#define ACCEL_GPU_ERROR_CLASS_H

#include "plugins/gpu/driver/driver.h"

/* X(PREFIX, code, class, status); a row is GPU_ERROR_CLASS. Codes of one driver alone stand in its own table. */
#define GPU_COMMON_ERROR_CLASSES(X, PREFIX)                                                                            \
    X(PREFIX, NOT_READY, NOT_READY, ACCEL_NOT_READY)                                                                   \
    X(PREFIX, PEER_ACCESS_ALREADY_ENABLED, ALREADY, ACCEL_OK)                                                          \
    X(PREFIX, OUT_OF_MEMORY, REFUSED, ACCEL_OUT_OF_MEMORY)                                                             \
    X(PREFIX, LAUNCH_OUT_OF_RESOURCES, REFUSED, ACCEL_LIMIT)                                                           \
    X(PREFIX, COOPERATIVE_LAUNCH_TOO_LARGE, REFUSED, ACCEL_LIMIT)                                                      \
    X(PREFIX, INVALID_IMAGE, REFUSED, ACCEL_INCOMPATIBLE)                                                              \
    X(PREFIX, NO_BINARY_FOR_GPU, REFUSED, ACCEL_INCOMPATIBLE)                                                          \
    X(PREFIX, INVALID_SOURCE, REFUSED, ACCEL_INCOMPATIBLE)                                                             \
    X(PREFIX, SHARED_OBJECT_SYMBOL_NOT_FOUND, REFUSED, ACCEL_NOT_FOUND)                                                \
    X(PREFIX, NOT_FOUND, REFUSED, ACCEL_NOT_FOUND)                                                                     \
    X(PREFIX, PEER_ACCESS_UNSUPPORTED, REFUSED, ACCEL_UNSUPPORTED)                                                     \
    X(PREFIX, NOT_SUPPORTED, REFUSED, ACCEL_UNSUPPORTED)                                                               \
    X(PREFIX, ILLEGAL_ADDRESS, FAULT, ACCEL_KERNEL_FAULT)                                                              \
    X(PREFIX, LAUNCH_TIMEOUT, FAULT, ACCEL_KERNEL_FAULT)                                                               \
    X(PREFIX, ASSERT, FAULT, ACCEL_KERNEL_FAULT)                                                                       \
    X(PREFIX, LAUNCH_FAILED, FAULT, ACCEL_KERNEL_FAULT)                                                                \
    X(PREFIX, ECC_UNCORRECTABLE, LOST, ACCEL_DEVICE_LOST)                                                              \
    X(PREFIX, CONTEXT_IS_DESTROYED, LOST, ACCEL_DEVICE_LOST)                                                           \
    X(PREFIX, DEINITIALIZED, SHUT_DOWN, ACCEL_DEVICE_LOST)

/* {CUDA_RESULT_NOT_READY, GPU_CLASS_NOT_READY, ACCEL_NOT_READY}, */
#define GPU_ERROR_CLASS(PREFIX, code, class, status) {PREFIX##_RESULT_##code, GPU_CLASS_##class, status},

/* Names of results, where the driver gives none: rows of the family's list, CUDA_RESULTS(GPU_RESULT_NAME). */
typedef struct gpu_result_name {
    gpu_result result;
    const char *name;
} gpu_result_name;
#define GPU_RESULT_NAME(ours, theirs, value) {value, #theirs},
static inline const char *gpu_name_result(gpu_result result, const gpu_result_name names[], size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (names[i].result == result)
            return names[i].name;
    }
    return "an unknown error";
}
#define GPU_NO_RESULT_TEXT "the driver has no words for it"

/* Attributes of devices that both have: [GPU_ATTRIBUTE_WARP_SIZE] = CUDA_ATTRIBUTE_WARP_SIZE, */
#define GPU_ATTRIBUTE_NUMBER(PREFIX, attribute) [GPU_ATTRIBUTE_##attribute] = (int)PREFIX##_ATTRIBUTE_##attribute,
#define GPU_COMMON_ATTRIBUTES(X, PREFIX)                                                                               \
    X(PREFIX, MAX_BLOCK_THREADS)                                                                                       \
    X(PREFIX, MAX_UNIT_THREADS)                                                                                        \
    X(PREFIX, MAX_THREADS_X)                                                                                           \
    X(PREFIX, MAX_THREADS_Y)                                                                                           \
    X(PREFIX, MAX_THREADS_Z)                                                                                           \
    X(PREFIX, MAX_BLOCKS_X)                                                                                            \
    X(PREFIX, MAX_BLOCKS_Y)                                                                                            \
    X(PREFIX, MAX_BLOCKS_Z)                                                                                            \
    X(PREFIX, MAX_SHARED)                                                                                              \
    X(PREFIX, COMPUTE_UNITS)                                                                                           \
    X(PREFIX, WARP_SIZE)                                                                                               \
    X(PREFIX, CLOCK_KHZ)                                                                                               \
    X(PREFIX, MEMORY_CLOCK_KHZ)                                                                                        \
    X(PREFIX, MEMORY_BUS_BITS)                                                                                         \
    X(PREFIX, L2_BYTES)                                                                                                \
    X(PREFIX, PCI_DOMAIN)                                                                                              \
    X(PREFIX, PCI_BUS)                                                                                                 \
    X(PREFIX, PCI_DEVICE)                                                                                              \
    X(PREFIX, MAX_PITCH)                                                                                               \
    X(PREFIX, MAPPED)                                                                                                  \
    X(PREFIX, MANAGED)                                                                                                 \
    X(PREFIX, CONCURRENT_MANAGED)                                                                                      \
    X(PREFIX, MEMORY_POOLS)                                                                                            \
    X(PREFIX, COOPERATIVE)

/* The numbers that the engine passes through unchanged are those of the library. */
#define GPU_AGREE(PREFIX, number)                                                                                      \
    _Static_assert((int)GPU_##number == (int)PREFIX##_##number, #number " differs from the driver's number")
#define GPU_AGREE_ALL(PREFIX)                                                                                          \
    GPU_AGREE(PREFIX, STREAM_NON_BLOCKING);                                                                            \
    GPU_AGREE(PREFIX, HOST_PORTABLE);                                                                                  \
    GPU_AGREE(PREFIX, HOST_MAPPED);                                                                                    \
    GPU_AGREE(PREFIX, FUNCTION_MAX_THREADS);                                                                           \
    GPU_AGREE(PREFIX, FUNCTION_SHARED_BYTES);                                                                          \
    GPU_AGREE(PREFIX, FUNCTION_LOCAL_BYTES);                                                                           \
    GPU_AGREE(PREFIX, FUNCTION_REGISTERS);                                                                             \
    GPU_AGREE(PREFIX, FUNCTION_MAX_DYNAMIC_SHARED);                                                                    \
    _Static_assert((int)GPU_EVENT_BLOCKING_SYNC == (int)PREFIX##_EVENT_BLOCKING_SYNC, "events differ");                \
    _Static_assert((int)GPU_EVENT_NO_TIMING == (int)PREFIX##_EVENT_DISABLE_TIMING, "events differ");                   \
    _Static_assert((int)GPU_MANAGED_GLOBAL == (int)PREFIX##_ATTACH_GLOBAL, "managed memory differs")

#endif
