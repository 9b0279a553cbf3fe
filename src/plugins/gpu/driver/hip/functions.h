/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libamdhip64 that the hip plugin calls, as a list; see declarations.h. */
#ifndef ACCEL_GPU_HIP_FUNCTIONS_H
#define ACCEL_GPU_HIP_FUNCTIONS_H

#include "plugins/gpu/driver/hip/declarations.h"

/*
 * Functions: X(member, name, exported, version, need, result, parameters)
 *   member      of the table below
 *   name        as the vendor's header calls it
 *   exported    the symbol of libamdhip64 with this signature
 *   version     of HIP whose library first exports it: 100 * major + 10 * minor (420: 4.2 or older)
 *   need        REQUIRED: without it the driver is broken; OPTIONAL: the member may be NULL
 * The columns are those of cuda/functions.h; here every symbol is looked up with dlsym.
 */
#define HIP_FUNCTIONS(X)                                                                                               \
    X(init, hipInit, hipInit, 420, REQUIRED, hip_result, (unsigned int flags))                                         \
    X(driver_version, hipDriverGetVersion, hipDriverGetVersion, 420, REQUIRED, hip_result, (int *version))             \
    X(runtime_version, hipRuntimeGetVersion, hipRuntimeGetVersion, 420, REQUIRED, hip_result, (int *version))          \
    X(error_name, hipGetErrorName, hipGetErrorName, 420, REQUIRED, const char *, (hip_result error))                   \
    X(error_string, hipGetErrorString, hipGetErrorString, 420, REQUIRED, const char *, (hip_result error))             \
    X(device_count, hipGetDeviceCount, hipGetDeviceCount, 420, REQUIRED, hip_result, (int *count))                     \
    X(device_name, hipDeviceGetName, hipDeviceGetName, 420, REQUIRED, hip_result,                                      \
      (char *name, int size, hip_device device))                                                                       \
    X(device_uuid, hipDeviceGetUuid, hipDeviceGetUuid, 520, OPTIONAL, hip_result,                                      \
      (hip_uuid * uuid, hip_device device))                                                                            \
    X(device_total_memory, hipDeviceTotalMem, hipDeviceTotalMem, 420, REQUIRED, hip_result,                            \
      (size_t * bytes, hip_device device))                                                                             \
    X(device_attribute, hipDeviceGetAttribute, hipDeviceGetAttribute, 420, REQUIRED, hip_result,                       \
      (int *value, hip_device_attribute attribute, int device))                                                        \
    X(device_properties_r0600, hipGetDevicePropertiesR0600, hipGetDevicePropertiesR0600, 600, OPTIONAL, hip_result,    \
      (hip_properties_r0600 * properties, int device))                                                                 \
    X(device_properties_r0000, hipGetDeviceProperties, hipGetDeviceProperties, 420, OPTIONAL, hip_result,              \
      (hip_properties_r0000 * properties, int device))                                                                 \
    X(device_get, hipGetDevice, hipGetDevice, 420, REQUIRED, hip_result, (int *device))                                \
    X(device_set, hipSetDevice, hipSetDevice, 420, REQUIRED, hip_result, (int device))                                 \
    X(device_can_access_peer, hipDeviceCanAccessPeer, hipDeviceCanAccessPeer, 420, REQUIRED, hip_result,               \
      (int *yes, int device, int peer))                                                                                \
    X(device_enable_peer, hipDeviceEnablePeerAccess, hipDeviceEnablePeerAccess, 420, REQUIRED, hip_result,             \
      (int peer, unsigned int flags))                                                                                  \
    X(stream_create, hipStreamCreateWithPriority, hipStreamCreateWithPriority, 420, REQUIRED, hip_result,              \
      (hip_stream * stream, unsigned int flags, int priority))                                                         \
    X(stream_destroy, hipStreamDestroy, hipStreamDestroy, 420, REQUIRED, hip_result, (hip_stream stream))              \
    X(stream_synchronize, hipStreamSynchronize, hipStreamSynchronize, 420, REQUIRED, hip_result, (hip_stream stream))  \
    X(stream_query, hipStreamQuery, hipStreamQuery, 420, REQUIRED, hip_result, (hip_stream stream))                    \
    X(stream_wait_event, hipStreamWaitEvent, hipStreamWaitEvent, 420, REQUIRED, hip_result,                            \
      (hip_stream stream, hip_event event, unsigned int flags))                                                        \
    X(stream_call, hipLaunchHostFunc, hipLaunchHostFunc, 540, OPTIONAL, hip_result,                                    \
      (hip_stream stream, hip_host_function function, void *user))                                                     \
    X(stream_add_callback, hipStreamAddCallback, hipStreamAddCallback, 420, REQUIRED, hip_result,                      \
      (hip_stream stream, hip_stream_callback callback, void *user, unsigned int flags))                               \
    X(event_create, hipEventCreateWithFlags, hipEventCreateWithFlags, 420, REQUIRED, hip_result,                       \
      (hip_event * event, unsigned int flags))                                                                         \
    X(event_destroy, hipEventDestroy, hipEventDestroy, 420, REQUIRED, hip_result, (hip_event event))                   \
    X(event_record, hipEventRecord, hipEventRecord, 420, REQUIRED, hip_result, (hip_event event, hip_stream stream))   \
    X(event_query, hipEventQuery, hipEventQuery, 420, REQUIRED, hip_result, (hip_event event))                         \
    X(event_synchronize, hipEventSynchronize, hipEventSynchronize, 420, REQUIRED, hip_result, (hip_event event))       \
    X(event_elapsed, hipEventElapsedTime, hipEventElapsedTime, 420, REQUIRED, hip_result,                              \
      (float *milliseconds, hip_event start, hip_event end))                                                           \
    X(memory_info, hipMemGetInfo, hipMemGetInfo, 420, REQUIRED, hip_result,                                            \
      (size_t * free_bytes, size_t * total_bytes))                                                                     \
    X(memory_allocate, hipMalloc, hipMalloc, 420, REQUIRED, hip_result, (void **pointer, size_t size))                 \
    X(memory_free, hipFree, hipFree, 420, REQUIRED, hip_result, (void *pointer))                                       \
    X(memory_allocate_async, hipMallocAsync, hipMallocAsync, 520, OPTIONAL, hip_result,                                \
      (void **pointer, size_t size, hip_stream stream))                                                                \
    X(memory_free_async, hipFreeAsync, hipFreeAsync, 520, OPTIONAL, hip_result, (void *pointer, hip_stream stream))    \
    X(memory_allocate_managed, hipMallocManaged, hipMallocManaged, 420, REQUIRED, hip_result,                          \
      (void **pointer, size_t size, unsigned int flags))                                                               \
    X(host_allocate, hipHostMalloc, hipHostMalloc, 420, REQUIRED, hip_result,                                          \
      (void **pointer, size_t size, unsigned int flags))                                                               \
    X(host_free, hipHostFree, hipHostFree, 420, REQUIRED, hip_result, (void *pointer))                                 \
    X(host_device_pointer, hipHostGetDevicePointer, hipHostGetDevicePointer, 420, REQUIRED, hip_result,                \
      (void **pointer, void *host, unsigned int flags))                                                                \
    X(copy, hipMemcpyAsync, hipMemcpyAsync, 420, REQUIRED, hip_result,                                                 \
      (void *dst, const void *src, size_t size, hip_copy_kind kind, hip_stream stream))                                \
    X(copy_3d, hipMemcpy3DAsync, hipMemcpy3DAsync, 420, REQUIRED, hip_result,                                          \
      (const hip_copy_3d *copy, hip_stream stream))                                                                    \
    X(copy_peer, hipMemcpyPeerAsync, hipMemcpyPeerAsync, 420, REQUIRED, hip_result,                                    \
      (void *dst, int dst_device, const void *src, int src_device, size_t size, hip_stream stream))                    \
    X(fill_8, hipMemsetD8Async, hipMemsetD8Async, 420, REQUIRED, hip_result,                                           \
      (hip_device_pointer dst, unsigned char value, size_t count, hip_stream stream))                                  \
    X(fill_16, hipMemsetD16Async, hipMemsetD16Async, 420, REQUIRED, hip_result,                                        \
      (hip_device_pointer dst, unsigned short value, size_t count, hip_stream stream))                                 \
    X(fill_32, hipMemsetD32Async, hipMemsetD32Async, 420, REQUIRED, hip_result,                                        \
      (hip_device_pointer dst, int value, size_t count, hip_stream stream))                                            \
    X(fill_2d_8, hipMemset2DAsync, hipMemset2DAsync, 420, REQUIRED, hip_result,                                        \
      (void *dst, size_t pitch, int value, size_t width, size_t height, hip_stream stream))                            \
    X(fill_2d_16, hipMemsetD2D16Async, hipMemsetD2D16Async, 710, OPTIONAL, hip_result,                                 \
      (hip_device_pointer dst, size_t pitch, unsigned short value, size_t width, size_t height, hip_stream stream))    \
    X(fill_2d_32, hipMemsetD2D32Async, hipMemsetD2D32Async, 710, OPTIONAL, hip_result,                                 \
      (hip_device_pointer dst, size_t pitch, unsigned int value, size_t width, size_t height, hip_stream stream))      \
    X(module_load, hipModuleLoadData, hipModuleLoadData, 420, REQUIRED, hip_result,                                    \
      (hip_module * module, const void *image))                                                                        \
    X(module_unload, hipModuleUnload, hipModuleUnload, 420, REQUIRED, hip_result, (hip_module module))                 \
    X(module_function, hipModuleGetFunction, hipModuleGetFunction, 420, REQUIRED, hip_result,                          \
      (hip_function * function, hip_module module, const char *name))                                                  \
    X(module_global, hipModuleGetGlobal, hipModuleGetGlobal, 420, REQUIRED, hip_result,                                \
      (hip_device_pointer * pointer, size_t * size, hip_module module, const char *name))                              \
    X(function_attribute, hipFuncGetAttribute, hipFuncGetAttribute, 420, REQUIRED, hip_result,                         \
      (int *value, hip_function_attribute attribute, hip_function function))                                           \
    X(occupancy_blocks, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor,                                            \
      hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, 420, REQUIRED, hip_result,                                   \
      (int *blocks, hip_function function, int threads, size_t shared_bytes))                                          \
    X(occupancy_threads, hipModuleOccupancyMaxPotentialBlockSize, hipModuleOccupancyMaxPotentialBlockSize, 420,        \
      REQUIRED, hip_result, (int *grid, int *threads, hip_function function, size_t shared_bytes, int limit))          \
    X(launch, hipModuleLaunchKernel, hipModuleLaunchKernel, 420, REQUIRED, hip_result,                                 \
      (hip_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,     \
       unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, hip_stream stream, void **parameters,    \
       void **extra))                                                                                                  \
    X(launch_cooperative, hipModuleLaunchCooperativeKernel, hipModuleLaunchCooperativeKernel, 550, OPTIONAL,           \
      hip_result,                                                                                                      \
      (hip_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,     \
       unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, hip_stream stream, void **parameters))

/* The functions of one libamdhip64. */
#define HIP_MEMBER(member, name, exported, version, need, result, parameters) result(*member) parameters;
typedef struct hip_functions {
    HIP_FUNCTIONS(HIP_MEMBER)
} hip_functions;
#undef HIP_MEMBER

#endif
