/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libcuda.so.1 that the cuda plugin calls, as a list; see declarations.h. */
#ifndef ACCEL_GPU_CUDA_FUNCTIONS_H
#define ACCEL_GPU_CUDA_FUNCTIONS_H

#include "plugins/gpu/driver/cuda/declarations.h"

/*
 * Functions: X(member, name, exported, version, need, result, parameters)
 *   member      of the table below
 *   name        what cuGetProcAddress is asked for
 *   exported    the symbol of libcuda.so.1 with this signature
 *   version     of CUDA that introduced this signature, as cuGetProcAddress counts: 1000 * major + 10 * minor
 *   need        REQUIRED: without it the driver is broken; OPTIONAL: the member may be NULL
 */

/* Looked up with dlsym, because they come before cuGetProcAddress. CUDA 11.3 brought the first form of it, 12.0 the
 * second, which also tells the symbol's status. */
#define CUDA_ENTRY_FUNCTIONS(X)                                                                                        \
    X(get_proc_address_first, cuGetProcAddress, cuGetProcAddress, 11030, OPTIONAL, cuda_result,                        \
      (const char *symbol, void **function, int version, cuda_flags64 flags))                                          \
    X(get_proc_address, cuGetProcAddress, cuGetProcAddress_v2, 12000, OPTIONAL, cuda_result,                           \
      (const char *symbol, void **function, int version, cuda_flags64 flags, cuda_query_result *status))               \
    X(driver_version, cuDriverGetVersion, cuDriverGetVersion, 2020, REQUIRED, cuda_result, (int *version))             \
    X(init, cuInit, cuInit, 2000, REQUIRED, cuda_result, (unsigned int flags))

#define CUDA_FUNCTIONS(X)                                                                                              \
    X(error_name, cuGetErrorName, cuGetErrorName, 6000, REQUIRED, cuda_result, (cuda_result error, const char **text)) \
    X(error_string, cuGetErrorString, cuGetErrorString, 6000, REQUIRED, cuda_result,                                   \
      (cuda_result error, const char **text))                                                                          \
    X(device_count, cuDeviceGetCount, cuDeviceGetCount, 2000, REQUIRED, cuda_result, (int *count))                     \
    X(device_get, cuDeviceGet, cuDeviceGet, 2000, REQUIRED, cuda_result, (cuda_device * device, int ordinal))          \
    X(device_name, cuDeviceGetName, cuDeviceGetName, 2000, REQUIRED, cuda_result,                                      \
      (char *name, int size, cuda_device device))                                                                      \
    X(device_uuid, cuDeviceGetUuid, cuDeviceGetUuid_v2, 11040, REQUIRED, cuda_result,                                  \
      (cuda_uuid * uuid, cuda_device device))                                                                          \
    X(device_total_memory, cuDeviceTotalMem, cuDeviceTotalMem_v2, 3020, REQUIRED, cuda_result,                         \
      (size_t * bytes, cuda_device device))                                                                            \
    X(device_attribute, cuDeviceGetAttribute, cuDeviceGetAttribute, 2000, REQUIRED, cuda_result,                       \
      (int *value, cuda_device_attribute attribute, cuda_device device))                                               \
    X(device_can_access_peer, cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, 4000, REQUIRED, cuda_result,               \
      (int *yes, cuda_device device, cuda_device peer))                                                                \
    X(primary_retain, cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000, REQUIRED, cuda_result,                 \
      (cuda_context * context, cuda_device device))                                                                    \
    X(primary_release, cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 11000, REQUIRED, cuda_result,          \
      (cuda_device device))                                                                                            \
    X(primary_state, cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, 7000, REQUIRED, cuda_result,              \
      (cuda_device device, unsigned int *flags, int *active))                                                          \
    X(context_get, cuCtxGetCurrent, cuCtxGetCurrent, 4000, REQUIRED, cuda_result, (cuda_context * context))            \
    X(context_set, cuCtxSetCurrent, cuCtxSetCurrent, 4000, REQUIRED, cuda_result, (cuda_context context))              \
    X(context_push, cuCtxPushCurrent, cuCtxPushCurrent_v2, 4000, REQUIRED, cuda_result, (cuda_context context))        \
    X(context_pop, cuCtxPopCurrent, cuCtxPopCurrent_v2, 4000, REQUIRED, cuda_result, (cuda_context * context))         \
    X(context_enable_peer, cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, 4000, REQUIRED, cuda_result,                  \
      (cuda_context peer, unsigned int flags))                                                                         \
    X(stream_create, cuStreamCreateWithPriority, cuStreamCreateWithPriority, 5050, REQUIRED, cuda_result,              \
      (cuda_stream * stream, unsigned int flags, int priority))                                                        \
    X(stream_destroy, cuStreamDestroy, cuStreamDestroy_v2, 4000, REQUIRED, cuda_result, (cuda_stream stream))          \
    X(stream_synchronize, cuStreamSynchronize, cuStreamSynchronize, 2000, REQUIRED, cuda_result, (cuda_stream stream)) \
    X(stream_query, cuStreamQuery, cuStreamQuery, 2000, REQUIRED, cuda_result, (cuda_stream stream))                   \
    X(stream_wait_event, cuStreamWaitEvent, cuStreamWaitEvent, 3020, REQUIRED, cuda_result,                            \
      (cuda_stream stream, cuda_event event, unsigned int flags))                                                      \
    X(stream_call, cuLaunchHostFunc, cuLaunchHostFunc, 10000, REQUIRED, cuda_result,                                   \
      (cuda_stream stream, cuda_host_function function, void *user))                                                   \
    X(event_create, cuEventCreate, cuEventCreate, 2000, REQUIRED, cuda_result,                                         \
      (cuda_event * event, unsigned int flags))                                                                        \
    X(event_destroy, cuEventDestroy, cuEventDestroy_v2, 4000, REQUIRED, cuda_result, (cuda_event event))               \
    X(event_record, cuEventRecord, cuEventRecord, 2000, REQUIRED, cuda_result, (cuda_event event, cuda_stream stream)) \
    X(event_query, cuEventQuery, cuEventQuery, 2000, REQUIRED, cuda_result, (cuda_event event))                        \
    X(event_synchronize, cuEventSynchronize, cuEventSynchronize, 2000, REQUIRED, cuda_result, (cuda_event event))      \
    X(event_elapsed, cuEventElapsedTime, cuEventElapsedTime, 2000, REQUIRED, cuda_result,                              \
      (float *milliseconds, cuda_event start, cuda_event end))                                                         \
    X(memory_info, cuMemGetInfo, cuMemGetInfo_v2, 3020, REQUIRED, cuda_result,                                         \
      (size_t * free_bytes, size_t * total_bytes))                                                                     \
    X(memory_allocate, cuMemAlloc, cuMemAlloc_v2, 3020, REQUIRED, cuda_result,                                         \
      (cuda_device_pointer * pointer, size_t size))                                                                    \
    X(memory_free, cuMemFree, cuMemFree_v2, 3020, REQUIRED, cuda_result, (cuda_device_pointer pointer))                \
    X(memory_allocate_async, cuMemAllocAsync, cuMemAllocAsync, 11020, OPTIONAL, cuda_result,                           \
      (cuda_device_pointer * pointer, size_t size, cuda_stream stream))                                                \
    X(memory_free_async, cuMemFreeAsync, cuMemFreeAsync, 11020, OPTIONAL, cuda_result,                                 \
      (cuda_device_pointer pointer, cuda_stream stream))                                                               \
    X(memory_allocate_managed, cuMemAllocManaged, cuMemAllocManaged, 6000, REQUIRED, cuda_result,                      \
      (cuda_device_pointer * pointer, size_t size, unsigned int flags))                                                \
    X(host_allocate, cuMemHostAlloc, cuMemHostAlloc, 2020, REQUIRED, cuda_result,                                      \
      (void **pointer, size_t size, unsigned int flags))                                                               \
    X(host_free, cuMemFreeHost, cuMemFreeHost, 2000, REQUIRED, cuda_result, (void *pointer))                           \
    X(host_device_pointer, cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, 3020, REQUIRED, cuda_result,       \
      (cuda_device_pointer * pointer, void *host, unsigned int flags))                                                 \
    X(copy, cuMemcpyAsync, cuMemcpyAsync, 4000, REQUIRED, cuda_result,                                                 \
      (cuda_device_pointer dst, cuda_device_pointer src, size_t size, cuda_stream stream))                             \
    X(copy_3d, cuMemcpy3DAsync, cuMemcpy3DAsync_v2, 3020, REQUIRED, cuda_result,                                       \
      (const cuda_copy_3d *copy, cuda_stream stream))                                                                  \
    X(copy_peer, cuMemcpyPeerAsync, cuMemcpyPeerAsync, 4000, REQUIRED, cuda_result,                                    \
      (cuda_device_pointer dst, cuda_context dst_context, cuda_device_pointer src, cuda_context src_context,           \
       size_t size, cuda_stream stream))                                                                               \
    X(copy_3d_peer, cuMemcpy3DPeerAsync, cuMemcpy3DPeerAsync, 4000, REQUIRED, cuda_result,                             \
      (const cuda_copy_3d_peer *copy, cuda_stream stream))                                                             \
    X(fill_8, cuMemsetD8Async, cuMemsetD8Async, 3020, REQUIRED, cuda_result,                                           \
      (cuda_device_pointer dst, unsigned char value, size_t count, cuda_stream stream))                                \
    X(fill_16, cuMemsetD16Async, cuMemsetD16Async, 3020, REQUIRED, cuda_result,                                        \
      (cuda_device_pointer dst, unsigned short value, size_t count, cuda_stream stream))                               \
    X(fill_32, cuMemsetD32Async, cuMemsetD32Async, 3020, REQUIRED, cuda_result,                                        \
      (cuda_device_pointer dst, unsigned int value, size_t count, cuda_stream stream))                                 \
    X(fill_2d_8, cuMemsetD2D8Async, cuMemsetD2D8Async, 3020, REQUIRED, cuda_result,                                    \
      (cuda_device_pointer dst, size_t pitch, unsigned char value, size_t width, size_t height, cuda_stream stream))   \
    X(fill_2d_16, cuMemsetD2D16Async, cuMemsetD2D16Async, 3020, REQUIRED, cuda_result,                                 \
      (cuda_device_pointer dst, size_t pitch, unsigned short value, size_t width, size_t height, cuda_stream stream))  \
    X(fill_2d_32, cuMemsetD2D32Async, cuMemsetD2D32Async, 3020, REQUIRED, cuda_result,                                 \
      (cuda_device_pointer dst, size_t pitch, unsigned int value, size_t width, size_t height, cuda_stream stream))    \
    X(module_load, cuModuleLoadDataEx, cuModuleLoadDataEx, 2010, REQUIRED, cuda_result,                                \
      (cuda_module * module, const void *image, unsigned int count, cuda_jit_option *options, void **values))          \
    X(module_unload, cuModuleUnload, cuModuleUnload, 2000, REQUIRED, cuda_result, (cuda_module module))                \
    X(module_function, cuModuleGetFunction, cuModuleGetFunction, 2000, REQUIRED, cuda_result,                          \
      (cuda_function * function, cuda_module module, const char *name))                                                \
    X(module_global, cuModuleGetGlobal, cuModuleGetGlobal_v2, 3020, REQUIRED, cuda_result,                             \
      (cuda_device_pointer * pointer, size_t * size, cuda_module module, const char *name))                            \
    X(function_attribute, cuFuncGetAttribute, cuFuncGetAttribute, 2020, REQUIRED, cuda_result,                         \
      (int *value, cuda_function_attribute attribute, cuda_function function))                                         \
    X(function_set_attribute, cuFuncSetAttribute, cuFuncSetAttribute, 9000, REQUIRED, cuda_result,                     \
      (cuda_function function, cuda_function_attribute attribute, int value))                                          \
    X(function_load, cuFuncLoad, cuFuncLoad, 12040, OPTIONAL, cuda_result, (cuda_function function))                   \
    X(occupancy_blocks, cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,      \
      6050, REQUIRED, cuda_result, (int *blocks, cuda_function function, int threads, size_t shared_bytes))            \
    X(occupancy_threads, cuOccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSize, 6050, REQUIRED,           \
      cuda_result,                                                                                                     \
      (int *grid, int *threads, cuda_function function, cuda_shared_of_block_size shared_of, size_t shared_bytes,      \
       int limit))                                                                                                     \
    X(launch, cuLaunchKernel, cuLaunchKernel, 4000, REQUIRED, cuda_result,                                             \
      (cuda_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,    \
       unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, cuda_stream stream, void **parameters,   \
       void **extra))                                                                                                  \
    X(launch_cooperative, cuLaunchCooperativeKernel, cuLaunchCooperativeKernel, 9000, REQUIRED, cuda_result,           \
      (cuda_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,    \
       unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, cuda_stream stream, void **parameters))

/* The functions of one libcuda.so.1. */
#define CUDA_MEMBER(member, name, exported, version, need, result, parameters) result(*member) parameters;
typedef struct cuda_functions {
    CUDA_ENTRY_FUNCTIONS(CUDA_MEMBER)
    CUDA_FUNCTIONS(CUDA_MEMBER)
} cuda_functions;
#undef CUDA_MEMBER

#endif
