/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the hip plugin needs of the HIP runtime, declared by ourselves: no vendor header is needed to build, and the names
 * are our own, so that a test can compile both side by side and compare them (tests/gpu). Written from HIP's
 * documentation; the headers of HIP 5.2 agree, and so do those of HIP 6 and 7 as far as they were read (no machine
 * of ours has them). What differs between majors is marked.
 *
 * Everything is a list, from which the enumerations, the table of functions, their lookup, the comparison with the
 * vendor's header and the simulated driver are generated.
 */
#ifndef ACCEL_GPU_HIP_DECLARATIONS_H
#define ACCEL_GPU_HIP_DECLARATIONS_H

#include <stddef.h>
#include <stdint.h>

typedef int hip_device;           /* hipDevice_t, and everywhere the ordinal */
typedef void *hip_device_pointer; /* hipDeviceptr_t */
typedef struct hip_stream_object *hip_stream;
typedef struct hip_event_object *hip_event;
typedef struct hip_module_object *hip_module;
typedef struct hip_function_object *hip_function;
typedef struct hip_array_object *hip_array;
typedef struct hip_uuid {
    char bytes[16];
} hip_uuid;

/* Enumerators: X(ours, HIP's, value). */

#define HIP_RESULTS(X)                                                                                                 \
    X(HIP_RESULT_SUCCESS, hipSuccess, 0)                                                                               \
    X(HIP_RESULT_INVALID_VALUE, hipErrorInvalidValue, 1)                                                               \
    X(HIP_RESULT_OUT_OF_MEMORY, hipErrorOutOfMemory, 2)                                                                \
    X(HIP_RESULT_NOT_INITIALIZED, hipErrorNotInitialized, 3)                                                           \
    X(HIP_RESULT_DEINITIALIZED, hipErrorDeinitialized, 4)                                                              \
    X(HIP_RESULT_INVALID_CONFIGURATION, hipErrorInvalidConfiguration, 9)                                               \
    X(HIP_RESULT_INVALID_SYMBOL, hipErrorInvalidSymbol, 13)                                                            \
    X(HIP_RESULT_INVALID_DEVICE_POINTER, hipErrorInvalidDevicePointer, 17)                                             \
    X(HIP_RESULT_INSUFFICIENT_DRIVER, hipErrorInsufficientDriver, 35)                                                  \
    X(HIP_RESULT_PRIOR_LAUNCH_FAILURE, hipErrorPriorLaunchFailure, 53)                                                 \
    X(HIP_RESULT_INVALID_DEVICE_FUNCTION, hipErrorInvalidDeviceFunction, 98)                                           \
    X(HIP_RESULT_NO_DEVICE, hipErrorNoDevice, 100)                                                                     \
    X(HIP_RESULT_INVALID_DEVICE, hipErrorInvalidDevice, 101)                                                           \
    X(HIP_RESULT_INVALID_IMAGE, hipErrorInvalidImage, 200)                                                             \
    X(HIP_RESULT_INVALID_CONTEXT, hipErrorInvalidContext, 201)                                                         \
    X(HIP_RESULT_NO_BINARY_FOR_GPU, hipErrorNoBinaryForGpu, 209)                                                       \
    X(HIP_RESULT_ECC_UNCORRECTABLE, hipErrorECCNotCorrectable, 214)                                                    \
    X(HIP_RESULT_PEER_ACCESS_UNSUPPORTED, hipErrorPeerAccessUnsupported, 217)                                          \
    X(HIP_RESULT_INVALID_KERNEL_FILE, hipErrorInvalidKernelFile, 218)                                                  \
    X(HIP_RESULT_INVALID_SOURCE, hipErrorInvalidSource, 300)                                                           \
    X(HIP_RESULT_FILE_NOT_FOUND, hipErrorFileNotFound, 301)                                                            \
    X(HIP_RESULT_SHARED_OBJECT_SYMBOL_NOT_FOUND, hipErrorSharedObjectSymbolNotFound, 302)                              \
    X(HIP_RESULT_SHARED_OBJECT_INIT_FAILED, hipErrorSharedObjectInitFailed, 303)                                       \
    X(HIP_RESULT_OPERATING_SYSTEM, hipErrorOperatingSystem, 304)                                                       \
    X(HIP_RESULT_INVALID_HANDLE, hipErrorInvalidHandle, 400)                                                           \
    X(HIP_RESULT_ILLEGAL_STATE, hipErrorIllegalState, 401)                                                             \
    X(HIP_RESULT_NOT_FOUND, hipErrorNotFound, 500)                                                                     \
    X(HIP_RESULT_NOT_READY, hipErrorNotReady, 600)                                                                     \
    X(HIP_RESULT_ILLEGAL_ADDRESS, hipErrorIllegalAddress, 700)                                                         \
    X(HIP_RESULT_LAUNCH_OUT_OF_RESOURCES, hipErrorLaunchOutOfResources, 701)                                           \
    X(HIP_RESULT_LAUNCH_TIMEOUT, hipErrorLaunchTimeOut, 702)                                                           \
    X(HIP_RESULT_PEER_ACCESS_ALREADY_ENABLED, hipErrorPeerAccessAlreadyEnabled, 704)                                   \
    X(HIP_RESULT_PEER_ACCESS_NOT_ENABLED, hipErrorPeerAccessNotEnabled, 705)                                           \
    X(HIP_RESULT_CONTEXT_IS_DESTROYED, hipErrorContextIsDestroyed, 709)                                                \
    X(HIP_RESULT_ASSERT, hipErrorAssert, 710)                                                                          \
    X(HIP_RESULT_LAUNCH_FAILED, hipErrorLaunchFailure, 719)                                                            \
    X(HIP_RESULT_COOPERATIVE_LAUNCH_TOO_LARGE, hipErrorCooperativeLaunchTooLarge, 720)                                 \
    X(HIP_RESULT_NOT_SUPPORTED, hipErrorNotSupported, 801)                                                             \
    X(HIP_RESULT_STREAM_CAPTURE_UNSUPPORTED, hipErrorStreamCaptureUnsupported, 900)                                    \
    X(HIP_RESULT_STREAM_CAPTURE_INVALIDATED, hipErrorStreamCaptureInvalidated, 901)                                    \
    X(HIP_RESULT_UNKNOWN, hipErrorUnknown, 999)                                                                        \
    X(HIP_RESULT_RUNTIME_MEMORY, hipErrorRuntimeMemory, 1052)                                                          \
    X(HIP_RESULT_RUNTIME_OTHER, hipErrorRuntimeOther, 1053)

/* The same numbers in HIP 5.2, 6 and 7. Attributes that changed or went away (name, uuid, gcn names) are not used. */
#define HIP_DEVICE_ATTRIBUTES(X)                                                                                       \
    X(HIP_ATTRIBUTE_MAPPED, hipDeviceAttributeCanMapHostMemory, 3)                                                     \
    X(HIP_ATTRIBUTE_CLOCK_KHZ, hipDeviceAttributeClockRate, 5)                                                         \
    X(HIP_ATTRIBUTE_CONCURRENT_MANAGED, hipDeviceAttributeConcurrentManagedAccess, 9)                                  \
    X(HIP_ATTRIBUTE_COOPERATIVE, hipDeviceAttributeCooperativeLaunch, 10)                                              \
    X(HIP_ATTRIBUTE_L2_BYTES, hipDeviceAttributeL2CacheSize, 19)                                                       \
    X(HIP_ATTRIBUTE_MANAGED, hipDeviceAttributeManagedMemory, 24)                                                      \
    X(HIP_ATTRIBUTE_MAX_THREADS_X, hipDeviceAttributeMaxBlockDimX, 26)                                                 \
    X(HIP_ATTRIBUTE_MAX_THREADS_Y, hipDeviceAttributeMaxBlockDimY, 27)                                                 \
    X(HIP_ATTRIBUTE_MAX_THREADS_Z, hipDeviceAttributeMaxBlockDimZ, 28)                                                 \
    X(HIP_ATTRIBUTE_MAX_BLOCKS_X, hipDeviceAttributeMaxGridDimX, 29)                                                   \
    X(HIP_ATTRIBUTE_MAX_BLOCKS_Y, hipDeviceAttributeMaxGridDimY, 30)                                                   \
    X(HIP_ATTRIBUTE_MAX_BLOCKS_Z, hipDeviceAttributeMaxGridDimZ, 31)                                                   \
    X(HIP_ATTRIBUTE_MAX_BLOCK_THREADS, hipDeviceAttributeMaxThreadsPerBlock, 56)                                       \
    X(HIP_ATTRIBUTE_MAX_UNIT_THREADS, hipDeviceAttributeMaxThreadsPerMultiProcessor, 57)                               \
    X(HIP_ATTRIBUTE_MAX_PITCH, hipDeviceAttributeMaxPitch, 58)                                                         \
    X(HIP_ATTRIBUTE_MEMORY_BUS_BITS, hipDeviceAttributeMemoryBusWidth, 59)                                             \
    X(HIP_ATTRIBUTE_MEMORY_CLOCK_KHZ, hipDeviceAttributeMemoryClockRate, 60)                                           \
    X(HIP_ATTRIBUTE_COMPUTE_UNITS, hipDeviceAttributeMultiprocessorCount, 63)                                          \
    X(HIP_ATTRIBUTE_PCI_BUS, hipDeviceAttributePciBusId, 67)                                                           \
    X(HIP_ATTRIBUTE_PCI_DEVICE, hipDeviceAttributePciDeviceId, 68)                                                     \
    X(HIP_ATTRIBUTE_PCI_DOMAIN, hipDeviceAttributePciDomainID, 69)                                                     \
    X(HIP_ATTRIBUTE_MAX_SHARED, hipDeviceAttributeMaxSharedMemoryPerBlock, 74)                                         \
    X(HIP_ATTRIBUTE_WARP_SIZE, hipDeviceAttributeWarpSize, 87)                                                         \
    X(HIP_ATTRIBUTE_MEMORY_POOLS, hipDeviceAttributeMemoryPoolsSupported, 88)

#define HIP_FUNCTION_ATTRIBUTES(X)                                                                                     \
    X(HIP_FUNCTION_MAX_THREADS, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0)                                           \
    X(HIP_FUNCTION_SHARED_BYTES, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)                                              \
    X(HIP_FUNCTION_LOCAL_BYTES, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 3)                                                \
    X(HIP_FUNCTION_REGISTERS, HIP_FUNC_ATTRIBUTE_NUM_REGS, 4)                                                          \
    X(HIP_FUNCTION_MAX_DYNAMIC_SHARED, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)

#define HIP_COPY_KINDS(X)                                                                                              \
    X(HIP_COPY_HOST_TO_HOST, hipMemcpyHostToHost, 0)                                                                   \
    X(HIP_COPY_HOST_TO_DEVICE, hipMemcpyHostToDevice, 1)                                                               \
    X(HIP_COPY_DEVICE_TO_HOST, hipMemcpyDeviceToHost, 2)                                                               \
    X(HIP_COPY_DEVICE_TO_DEVICE, hipMemcpyDeviceToDevice, 3)                                                           \
    X(HIP_COPY_DEFAULT, hipMemcpyDefault, 4)

/* Flags of functions that take an unsigned int. */
#define HIP_FLAGS(X)                                                                                                   \
    X(HIP_STREAM_NON_BLOCKING, hipStreamNonBlocking, 1)                                                                \
    X(HIP_EVENT_BLOCKING_SYNC, hipEventBlockingSync, 1)                                                                \
    X(HIP_EVENT_DISABLE_TIMING, hipEventDisableTiming, 2)                                                              \
    X(HIP_HOST_PORTABLE, hipHostMallocPortable, 1)                                                                     \
    X(HIP_HOST_MAPPED, hipHostMallocMapped, 2)                                                                         \
    X(HIP_ATTACH_GLOBAL, hipMemAttachGlobal, 1)

#define HIP_ENUMERATOR(ours, theirs, value) ours = (value),
typedef enum hip_result { HIP_RESULTS(HIP_ENUMERATOR) } hip_result;
typedef enum hip_device_attribute { HIP_DEVICE_ATTRIBUTES(HIP_ENUMERATOR) } hip_device_attribute;
typedef enum hip_function_attribute { HIP_FUNCTION_ATTRIBUTES(HIP_ENUMERATOR) } hip_function_attribute;
typedef enum hip_copy_kind { HIP_COPY_KINDS(HIP_ENUMERATOR) } hip_copy_kind;
enum { HIP_FLAGS(HIP_ENUMERATOR) };
#undef HIP_ENUMERATOR

typedef void (*hip_host_function)(void *user); /* hipHostFn_t */
/* hipStreamCallback_t; its parameters apart, so that they can be compared. */
#define HIP_STREAM_CALLBACK_PARAMETERS (hip_stream stream, hip_result status, void *user)
typedef void(*hip_stream_callback) HIP_STREAM_CALLBACK_PARAMETERS;

/* Structs, and for each member X(ours, HIP's). */

typedef struct hip_position { /* hipPos */
    size_t x;
    size_t y;
    size_t z;
} hip_position;

typedef struct hip_pitched_pointer { /* hipPitchedPtr */
    void *pointer;
    size_t pitch;
    size_t width;
    size_t height;
} hip_pitched_pointer;

typedef struct hip_extent { /* hipExtent */
    size_t width;
    size_t height;
    size_t depth;
} hip_extent;

typedef struct hip_copy_3d { /* hipMemcpy3DParms */
    hip_array src_array;
    hip_position src_position;
    hip_pitched_pointer src;
    hip_array dst_array;
    hip_position dst_position;
    hip_pitched_pointer dst;
    hip_extent extent;
    hip_copy_kind kind;
} hip_copy_3d;

#define HIP_COPY_3D_MEMBERS(X)                                                                                         \
    X(src_array, srcArray)                                                                                             \
    X(src_position.x, srcPos.x)                                                                                        \
    X(src_position.y, srcPos.y)                                                                                        \
    X(src_position.z, srcPos.z)                                                                                        \
    X(src.pointer, srcPtr.ptr)                                                                                         \
    X(src.pitch, srcPtr.pitch)                                                                                         \
    X(src.width, srcPtr.xsize)                                                                                         \
    X(src.height, srcPtr.ysize)                                                                                        \
    X(dst_array, dstArray)                                                                                             \
    X(dst_position.x, dstPos.x)                                                                                        \
    X(dst_position.y, dstPos.y)                                                                                        \
    X(dst_position.z, dstPos.z)                                                                                        \
    X(dst.pointer, dstPtr.ptr)                                                                                         \
    X(dst.pitch, dstPtr.pitch)                                                                                         \
    X(dst.width, dstPtr.xsize)                                                                                         \
    X(dst.height, dstPtr.ysize)                                                                                        \
    X(extent.width, extent.width)                                                                                      \
    X(extent.height, extent.height)                                                                                    \
    X(extent.depth, extent.depth)                                                                                      \
    X(kind, kind)

/* hipDeviceProp_t, from which only the name of the architecture is taken; the rest comes from attributes. Its layout
 * changed with HIP 6. Both are followed by room, should a minor version of the library write more than we know. */
enum { HIP_PROPERTIES_R0000_SIZE = 792, HIP_PROPERTIES_R0600_SIZE = 1472, HIP_PROPERTIES_ROOM = 2048 };

typedef struct hip_properties_r0000 { /* hipGetDeviceProperties, HIP 5 */
    size_t before[396 / sizeof(size_t)];
    char more[396 % sizeof(size_t)];
    char architecture[256]; /* gcnArchName */
    char after[HIP_PROPERTIES_R0000_SIZE - 396 - 256];
    char room[HIP_PROPERTIES_ROOM];
} hip_properties_r0000;

typedef struct hip_properties_r0600 { /* hipGetDevicePropertiesR0600, from HIP 6 */
    size_t before[1160 / sizeof(size_t)];
    char architecture[256]; /* gcnArchName */
    char after[HIP_PROPERTIES_R0600_SIZE - 1160 - 256];
    char room[HIP_PROPERTIES_ROOM];
} hip_properties_r0600;

#endif
