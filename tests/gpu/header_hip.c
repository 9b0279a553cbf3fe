/* SPDX-License-Identifier: Apache-2.0 */
/* Our declarations of the HIP runtime beside its header, of whichever major that is: compiles if they are the same. */
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

#include "header.h"
#include "plugins/gpu/driver/hip/functions.h"

HIP_RESULTS(SAME_VALUE)
HIP_DEVICE_ATTRIBUTES(SAME_VALUE)
HIP_FUNCTION_ATTRIBUTES(SAME_VALUE)
HIP_COPY_KINDS(SAME_VALUE)
HIP_FLAGS(SAME_VALUE)

SAME_TYPE(hip_device, hipDevice_t)
SAME_TYPE(hip_device_pointer, hipDeviceptr_t)
SAME_TYPE(hip_stream, hipStream_t)
SAME_TYPE(hip_event, hipEvent_t)
SAME_TYPE(hip_module, hipModule_t)
SAME_TYPE(hip_function, hipFunction_t)
SAME_TYPE(hip_array, hipArray_t)
SAME_TYPE(hip_uuid, hipUUID)
SAME_TYPE(hip_result, hipError_t)
SAME_TYPE(hip_device_attribute, hipDeviceAttribute_t)
SAME_TYPE(hip_function_attribute, hipFunction_attribute)
SAME_TYPE(hip_copy_kind, hipMemcpyKind)
SAME_TYPE(hip_copy_3d, hipMemcpy3DParms)
SAME_MEMBER(hip_uuid, bytes, hipUUID, bytes)
_Static_assert(__builtin_types_compatible_p(hip_host_function, hipHostFn_t), "hipHostFn_t differs");

#define MEMBER(ours, theirs) SAME_MEMBER(hip_copy_3d, ours, hipMemcpy3DParms, theirs)
HIP_COPY_3D_MEMBERS(MEMBER)

/* Each major's header has one layout of the properties, and HIP 5's one function. */
#if HIP_VERSION < 60000000
#define PROPERTIES hip_properties_r0000
#define ABSENT_hipGetDevicePropertiesR0600 ,
_Static_assert(HIP_PROPERTIES_R0000_SIZE == sizeof(hipDeviceProp_t), "hipDeviceProp_t has another size");
#else
#define PROPERTIES hip_properties_r0600
#undef hipGetDeviceProperties
#define ABSENT_hipGetDeviceProperties ,
_Static_assert(HIP_PROPERTIES_R0600_SIZE == sizeof(hipDeviceProp_t), "hipDeviceProp_t has another size");
#endif
_Static_assert(offsetof(PROPERTIES, room) == sizeof(hipDeviceProp_t), "hipDeviceProp_t has another size");
SAME_MEMBER(PROPERTIES, architecture, hipDeviceProp_t, gcnArchName)

/* What came later is not in an older header. */
#if HIP_VERSION < 50500000
#define ABSENT_hipModuleLaunchCooperativeKernel ,
#endif
#if HIP_VERSION < 70100000
#define ABSENT_hipMemsetD2D16Async ,
#define ABSENT_hipMemsetD2D32Async ,
#endif

/* From here on our names are theirs. */
#define hip_device hipDevice_t
#define hip_device_pointer hipDeviceptr_t
#define hip_stream hipStream_t
#define hip_event hipEvent_t
#define hip_module hipModule_t
#define hip_function hipFunction_t
#define hip_uuid hipUUID
#define hip_result hipError_t
#define hip_device_attribute hipDeviceAttribute_t
#define hip_function_attribute hipFunction_attribute
#define hip_copy_kind hipMemcpyKind
#define hip_copy_3d hipMemcpy3DParms
#define hip_host_function hipHostFn_t
#define hip_properties_r0000 hipDeviceProp_t
#define hip_properties_r0600 hipDeviceProp_t
_Static_assert(__builtin_types_compatible_p(void(*) HIP_STREAM_CALLBACK_PARAMETERS, hipStreamCallback_t),
               "hipStreamCallback_t differs");
#define hip_stream_callback hipStreamCallback_t

/* PICK(ABSENT_name, skip, compare) is `skip` if ABSENT_name is defined as a comma, else `compare`. */
#define PICK_THIRD(first, second, third, ...) third
#define PICK(...) PICK_THIRD(__VA_ARGS__, none)
#define NO_SIGNATURE(exported, result, parameters)
#define SIGNATURE(member, name, exported, version, need, result, parameters)                                           \
    PICK(ABSENT_##exported, NO_SIGNATURE, SAME_SIGNATURE)(exported, result, parameters)
HIP_FUNCTIONS(SIGNATURE)
