/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the cuda plugin needs of the CUDA Driver API, declared by ourselves: no vendor header is needed to build, and the
 * names are our own, so that a test can compile both side by side and compare them (tests/gpu). Written from CUDA's
 * documentation; cuda.h of CUDA 13.0 agrees.
 *
 * Everything is a list, from which the enumerations, the table of functions, their lookup, the comparison with cuda.h
 * and the simulated driver are generated.
 */
#ifndef ACCEL_GPU_CUDA_DECLARATIONS_H
#define ACCEL_GPU_CUDA_DECLARATIONS_H

#include <stddef.h>
#include <stdint.h>

typedef int cuda_device;              /* CUdevice */
typedef uint64_t cuda_device_pointer; /* CUdeviceptr_v2 */
typedef uint64_t cuda_flags64;        /* cuuint64_t */
typedef struct cuda_context_object *cuda_context;
typedef struct cuda_stream_object *cuda_stream;
typedef struct cuda_event_object *cuda_event;
typedef struct cuda_module_object *cuda_module;
typedef struct cuda_function_object *cuda_function;
typedef struct cuda_array_object *cuda_array;
typedef void (*cuda_host_function)(void *user);              /* CUhostFn */
typedef size_t (*cuda_shared_of_block_size)(int block_size); /* CUoccupancyB2DSize */
typedef struct cuda_uuid {
    char bytes[16];
} cuda_uuid;

/* Enumerators: X(ours, cuda.h's, value). */

#define CUDA_RESULTS(X)                                                                                                \
    X(CUDA_RESULT_SUCCESS, CUDA_SUCCESS, 0)                                                                            \
    X(CUDA_RESULT_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE, 1)                                                          \
    X(CUDA_RESULT_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY, 2)                                                          \
    X(CUDA_RESULT_NOT_INITIALIZED, CUDA_ERROR_NOT_INITIALIZED, 3)                                                      \
    X(CUDA_RESULT_DEINITIALIZED, CUDA_ERROR_DEINITIALIZED, 4)                                                          \
    X(CUDA_RESULT_STUB_LIBRARY, CUDA_ERROR_STUB_LIBRARY, 34)                                                           \
    X(CUDA_RESULT_DEVICE_UNAVAILABLE, CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                                               \
    X(CUDA_RESULT_NO_DEVICE, CUDA_ERROR_NO_DEVICE, 100)                                                                \
    X(CUDA_RESULT_INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE, 101)                                                      \
    X(CUDA_RESULT_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE, 200)                                                        \
    X(CUDA_RESULT_INVALID_CONTEXT, CUDA_ERROR_INVALID_CONTEXT, 201)                                                    \
    X(CUDA_RESULT_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                                \
    X(CUDA_RESULT_ECC_UNCORRECTABLE, CUDA_ERROR_ECC_UNCORRECTABLE, 214)                                                \
    X(CUDA_RESULT_PEER_ACCESS_UNSUPPORTED, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)                                    \
    X(CUDA_RESULT_INVALID_PTX, CUDA_ERROR_INVALID_PTX, 218)                                                            \
    X(CUDA_RESULT_NVLINK_UNCORRECTABLE, CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)                                          \
    X(CUDA_RESULT_JIT_COMPILER_NOT_FOUND, CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)                                      \
    X(CUDA_RESULT_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)                                    \
    X(CUDA_RESULT_JIT_COMPILATION_DISABLED, CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)                                  \
    X(CUDA_RESULT_CONTAINED, CUDA_ERROR_CONTAINED, 226)                                                                \
    X(CUDA_RESULT_INVALID_SOURCE, CUDA_ERROR_INVALID_SOURCE, 300)                                                      \
    X(CUDA_RESULT_FILE_NOT_FOUND, CUDA_ERROR_FILE_NOT_FOUND, 301)                                                      \
    X(CUDA_RESULT_SHARED_OBJECT_SYMBOL_NOT_FOUND, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302)                      \
    X(CUDA_RESULT_SHARED_OBJECT_INIT_FAILED, CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303)                                \
    X(CUDA_RESULT_OPERATING_SYSTEM, CUDA_ERROR_OPERATING_SYSTEM, 304)                                                  \
    X(CUDA_RESULT_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE, 400)                                                      \
    X(CUDA_RESULT_ILLEGAL_STATE, CUDA_ERROR_ILLEGAL_STATE, 401)                                                        \
    X(CUDA_RESULT_NOT_FOUND, CUDA_ERROR_NOT_FOUND, 500)                                                                \
    X(CUDA_RESULT_NOT_READY, CUDA_ERROR_NOT_READY, 600)                                                                \
    X(CUDA_RESULT_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                    \
    X(CUDA_RESULT_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                    \
    X(CUDA_RESULT_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                                      \
    X(CUDA_RESULT_PEER_ACCESS_ALREADY_ENABLED, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                            \
    X(CUDA_RESULT_PEER_ACCESS_NOT_ENABLED, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)                                    \
    X(CUDA_RESULT_CONTEXT_IS_DESTROYED, CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                                          \
    X(CUDA_RESULT_ASSERT, CUDA_ERROR_ASSERT, 710)                                                                      \
    X(CUDA_RESULT_TOO_MANY_PEERS, CUDA_ERROR_TOO_MANY_PEERS, 711)                                                      \
    X(CUDA_RESULT_HARDWARE_STACK_ERROR, CUDA_ERROR_HARDWARE_STACK_ERROR, 714)                                          \
    X(CUDA_RESULT_ILLEGAL_INSTRUCTION, CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)                                            \
    X(CUDA_RESULT_MISALIGNED_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS, 716)                                              \
    X(CUDA_RESULT_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)                                        \
    X(CUDA_RESULT_INVALID_PC, CUDA_ERROR_INVALID_PC, 718)                                                              \
    X(CUDA_RESULT_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED, 719)                                                        \
    X(CUDA_RESULT_COOPERATIVE_LAUNCH_TOO_LARGE, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)                          \
    X(CUDA_RESULT_NOT_PERMITTED, CUDA_ERROR_NOT_PERMITTED, 800)                                                        \
    X(CUDA_RESULT_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED, 801)                                                        \
    X(CUDA_RESULT_SYSTEM_NOT_READY, CUDA_ERROR_SYSTEM_NOT_READY, 802)                                                  \
    X(CUDA_RESULT_SYSTEM_DRIVER_MISMATCH, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)                                      \
    X(CUDA_RESULT_COMPAT_NOT_SUPPORTED_ON_DEVICE, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)                      \
    X(CUDA_RESULT_MPS_CLIENT_TERMINATED, CUDA_ERROR_MPS_CLIENT_TERMINATED, 810)                                        \
    X(CUDA_RESULT_STREAM_CAPTURE_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900)                              \
    X(CUDA_RESULT_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901)                              \
    X(CUDA_RESULT_EXTERNAL_DEVICE, CUDA_ERROR_EXTERNAL_DEVICE, 911)                                                    \
    X(CUDA_RESULT_UNKNOWN, CUDA_ERROR_UNKNOWN, 999)

#define CUDA_DEVICE_ATTRIBUTES(X)                                                                                      \
    X(CUDA_ATTRIBUTE_MAX_BLOCK_THREADS, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1)                                  \
    X(CUDA_ATTRIBUTE_MAX_THREADS_X, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 2)                                            \
    X(CUDA_ATTRIBUTE_MAX_THREADS_Y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 3)                                            \
    X(CUDA_ATTRIBUTE_MAX_THREADS_Z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 4)                                            \
    X(CUDA_ATTRIBUTE_MAX_BLOCKS_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 5)                                              \
    X(CUDA_ATTRIBUTE_MAX_BLOCKS_Y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 6)                                              \
    X(CUDA_ATTRIBUTE_MAX_BLOCKS_Z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 7)                                              \
    X(CUDA_ATTRIBUTE_MAX_SHARED, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8)                                   \
    X(CUDA_ATTRIBUTE_WARP_SIZE, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10)                                                     \
    X(CUDA_ATTRIBUTE_MAX_PITCH, CU_DEVICE_ATTRIBUTE_MAX_PITCH, 11)                                                     \
    X(CUDA_ATTRIBUTE_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 13)                                                    \
    X(CUDA_ATTRIBUTE_COMPUTE_UNITS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                                      \
    X(CUDA_ATTRIBUTE_MAPPED, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 19)                                              \
    X(CUDA_ATTRIBUTE_PCI_BUS, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 33)                                                      \
    X(CUDA_ATTRIBUTE_PCI_DEVICE, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 34)                                                \
    X(CUDA_ATTRIBUTE_MEMORY_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 36)                                      \
    X(CUDA_ATTRIBUTE_MEMORY_BUS_BITS, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 37)                                 \
    X(CUDA_ATTRIBUTE_L2_BYTES, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38)                                                  \
    X(CUDA_ATTRIBUTE_MAX_UNIT_THREADS, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39)                         \
    X(CUDA_ATTRIBUTE_UNIFIED_ADDRESS, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41)                                      \
    X(CUDA_ATTRIBUTE_PCI_DOMAIN, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 50)                                                \
    X(CUDA_ATTRIBUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                               \
    X(CUDA_ATTRIBUTE_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                               \
    X(CUDA_ATTRIBUTE_STREAM_PRIORITIES, CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 78)                           \
    X(CUDA_ATTRIBUTE_MANAGED, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 83)                                                  \
    X(CUDA_ATTRIBUTE_CONCURRENT_MANAGED, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 89)                            \
    X(CUDA_ATTRIBUTE_COOPERATIVE, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 95)                                          \
    X(CUDA_ATTRIBUTE_MAX_SHARED_OPTIN, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)                      \
    X(CUDA_ATTRIBUTE_MEMORY_POOLS, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 115)

#define CUDA_FUNCTION_ATTRIBUTES(X)                                                                                    \
    X(CUDA_FUNCTION_MAX_THREADS, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0)                                           \
    X(CUDA_FUNCTION_SHARED_BYTES, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)                                              \
    X(CUDA_FUNCTION_LOCAL_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 3)                                                \
    X(CUDA_FUNCTION_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS, 4)                                                          \
    X(CUDA_FUNCTION_MAX_DYNAMIC_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)

#define CUDA_MEMORY_TYPES(X)                                                                                           \
    X(CUDA_MEMORY_HOST, CU_MEMORYTYPE_HOST, 1)                                                                         \
    X(CUDA_MEMORY_DEVICE, CU_MEMORYTYPE_DEVICE, 2)                                                                     \
    X(CUDA_MEMORY_ARRAY, CU_MEMORYTYPE_ARRAY, 3)                                                                       \
    X(CUDA_MEMORY_UNIFIED, CU_MEMORYTYPE_UNIFIED, 4)

#define CUDA_JIT_OPTIONS(X)                                                                                            \
    X(CUDA_JIT_INFO_LOG, CU_JIT_INFO_LOG_BUFFER, 3)                                                                    \
    X(CUDA_JIT_INFO_LOG_SIZE, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 4)                                                    \
    X(CUDA_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BUFFER, 5)                                                                  \
    X(CUDA_JIT_ERROR_LOG_SIZE, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)

#define CUDA_QUERY_RESULTS(X)                                                                                          \
    X(CUDA_QUERY_SUCCESS, CU_GET_PROC_ADDRESS_SUCCESS, 0)                                                              \
    X(CUDA_QUERY_NOT_FOUND, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, 1)                                                   \
    X(CUDA_QUERY_VERSION_NOT_SUFFICIENT, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, 2)

/* Flags of functions that take an unsigned int. */
#define CUDA_FLAGS(X)                                                                                                  \
    X(CUDA_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING, 1)                                                             \
    X(CUDA_EVENT_BLOCKING_SYNC, CU_EVENT_BLOCKING_SYNC, 1)                                                             \
    X(CUDA_EVENT_DISABLE_TIMING, CU_EVENT_DISABLE_TIMING, 2)                                                           \
    X(CUDA_HOST_PORTABLE, CU_MEMHOSTALLOC_PORTABLE, 1)                                                                 \
    X(CUDA_HOST_MAPPED, CU_MEMHOSTALLOC_DEVICEMAP, 2)                                                                  \
    X(CUDA_ATTACH_GLOBAL, CU_MEM_ATTACH_GLOBAL, 1)                                                                     \
    X(CUDA_QUERY_LEGACY_STREAM, CU_GET_PROC_ADDRESS_LEGACY_STREAM, 1)

#define CUDA_ENUMERATOR(ours, theirs, value) ours = (value),
typedef enum cuda_result { CUDA_RESULTS(CUDA_ENUMERATOR) } cuda_result;
typedef enum cuda_device_attribute { CUDA_DEVICE_ATTRIBUTES(CUDA_ENUMERATOR) } cuda_device_attribute;
typedef enum cuda_function_attribute { CUDA_FUNCTION_ATTRIBUTES(CUDA_ENUMERATOR) } cuda_function_attribute;
typedef enum cuda_memory_type { CUDA_MEMORY_TYPES(CUDA_ENUMERATOR) } cuda_memory_type;
typedef enum cuda_jit_option { CUDA_JIT_OPTIONS(CUDA_ENUMERATOR) } cuda_jit_option;
typedef enum cuda_query_result { CUDA_QUERY_RESULTS(CUDA_ENUMERATOR) } cuda_query_result;
enum { CUDA_FLAGS(CUDA_ENUMERATOR) };
#undef CUDA_ENUMERATOR

/* Structs, and for each member X(ours, cuda.h's). */

/* CUDA_MEMCPY3D_v2, and CUDA_MEMCPY3D_PEER_v1, which has contexts where the other is reserved. */
typedef struct cuda_copy_3d {
    size_t src_x;
    size_t src_y;
    size_t src_z;
    size_t src_lod;
    cuda_memory_type src_type;
    const void *src_host;
    cuda_device_pointer src_device;
    cuda_array src_array;
    cuda_context src_context; /* NULL in a CUDA_MEMCPY3D */
    size_t src_pitch;
    size_t src_height;
    size_t dst_x;
    size_t dst_y;
    size_t dst_z;
    size_t dst_lod;
    cuda_memory_type dst_type;
    void *dst_host;
    cuda_device_pointer dst_device;
    cuda_array dst_array;
    cuda_context dst_context;
    size_t dst_pitch;
    size_t dst_height;
    size_t width;
    size_t height;
    size_t depth;
} cuda_copy_3d;

/* X(ours, of CUDA_MEMCPY3D, of CUDA_MEMCPY3D_PEER) */
#define CUDA_COPY_3D_MEMBERS(X)                                                                                        \
    X(src_x, srcXInBytes, srcXInBytes)                                                                                 \
    X(src_y, srcY, srcY)                                                                                               \
    X(src_z, srcZ, srcZ)                                                                                               \
    X(src_lod, srcLOD, srcLOD)                                                                                         \
    X(src_type, srcMemoryType, srcMemoryType)                                                                          \
    X(src_host, srcHost, srcHost)                                                                                      \
    X(src_device, srcDevice, srcDevice)                                                                                \
    X(src_array, srcArray, srcArray)                                                                                   \
    X(src_context, reserved0, srcContext)                                                                              \
    X(src_pitch, srcPitch, srcPitch)                                                                                   \
    X(src_height, srcHeight, srcHeight)                                                                                \
    X(dst_x, dstXInBytes, dstXInBytes)                                                                                 \
    X(dst_y, dstY, dstY)                                                                                               \
    X(dst_z, dstZ, dstZ)                                                                                               \
    X(dst_lod, dstLOD, dstLOD)                                                                                         \
    X(dst_type, dstMemoryType, dstMemoryType)                                                                          \
    X(dst_host, dstHost, dstHost)                                                                                      \
    X(dst_device, dstDevice, dstDevice)                                                                                \
    X(dst_array, dstArray, dstArray)                                                                                   \
    X(dst_context, reserved1, dstContext)                                                                              \
    X(dst_pitch, dstPitch, dstPitch)                                                                                   \
    X(dst_height, dstHeight, dstHeight)                                                                                \
    X(width, WidthInBytes, WidthInBytes)                                                                               \
    X(height, Height, Height)                                                                                          \
    X(depth, Depth, Depth)

/* What CUDA_MEMCPY3D_PEER is. */
typedef cuda_copy_3d cuda_copy_3d_peer;

#endif
