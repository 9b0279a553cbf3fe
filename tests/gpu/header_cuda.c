/* SPDX-License-Identifier: Apache-2.0 */
/* Our declarations of the CUDA driver beside cuda.h: compiles if they are the same. */
#define __CUDA_API_VERSION_INTERNAL /* every version of a function under its own name */
#include <cuda.h>

#include "plugins/gpu/driver/cuda/functions.h"
#include "header.h"

CUDA_RESULTS(SAME_VALUE)
CUDA_DEVICE_ATTRIBUTES(SAME_VALUE)
CUDA_FUNCTION_ATTRIBUTES(SAME_VALUE)
CUDA_MEMORY_TYPES(SAME_VALUE)
CUDA_JIT_OPTIONS(SAME_VALUE)
CUDA_QUERY_RESULTS(SAME_VALUE)
CUDA_FLAGS(SAME_VALUE)

SAME_TYPE(cuda_device, CUdevice)
SAME_TYPE(cuda_device_pointer, CUdeviceptr)
SAME_TYPE(cuda_flags64, cuuint64_t)
SAME_TYPE(cuda_context, CUcontext)
SAME_TYPE(cuda_stream, CUstream)
SAME_TYPE(cuda_event, CUevent)
SAME_TYPE(cuda_module, CUmodule)
SAME_TYPE(cuda_function, CUfunction)
SAME_TYPE(cuda_array, CUarray)
SAME_TYPE(cuda_uuid, CUuuid)
SAME_TYPE(cuda_result, CUresult)
SAME_TYPE(cuda_device_attribute, CUdevice_attribute)
SAME_TYPE(cuda_function_attribute, CUfunction_attribute)
SAME_TYPE(cuda_memory_type, CUmemorytype)
SAME_TYPE(cuda_jit_option, CUjit_option)
SAME_TYPE(cuda_query_result, CUdriverProcAddressQueryResult)
SAME_TYPE(cuda_copy_3d, CUDA_MEMCPY3D)
SAME_TYPE(cuda_copy_3d_peer, CUDA_MEMCPY3D_PEER)
SAME_MEMBER(cuda_uuid, bytes, CUuuid, bytes)
_Static_assert(__builtin_types_compatible_p(cuda_host_function, CUhostFn), "CUhostFn differs");
_Static_assert(__builtin_types_compatible_p(cuda_shared_of_block_size, CUoccupancyB2DSize),
               "CUoccupancyB2DSize differs");

#define MEMBER(ours, theirs, peers)                                                                                    \
    SAME_MEMBER(cuda_copy_3d, ours, CUDA_MEMCPY3D, theirs)                                                             \
    SAME_MEMBER(cuda_copy_3d_peer, ours, CUDA_MEMCPY3D_PEER, peers)
CUDA_COPY_3D_MEMBERS(MEMBER)

/* From here on our names are theirs. */
#define cuda_device CUdevice
#define cuda_device_pointer CUdeviceptr
#define cuda_flags64 cuuint64_t
#define cuda_context CUcontext
#define cuda_stream CUstream
#define cuda_event CUevent
#define cuda_module CUmodule
#define cuda_function CUfunction
#define cuda_uuid CUuuid
#define cuda_result CUresult
#define cuda_device_attribute CUdevice_attribute
#define cuda_function_attribute CUfunction_attribute
#define cuda_jit_option CUjit_option
#define cuda_query_result CUdriverProcAddressQueryResult
#define cuda_copy_3d CUDA_MEMCPY3D
#define cuda_copy_3d_peer CUDA_MEMCPY3D_PEER

#define SIGNATURE(member, name, exported, version, need, result, parameters)                                           \
    SAME_SIGNATURE(exported, result, parameters)
CUDA_ENTRY_FUNCTIONS(SIGNATURE)
CUDA_FUNCTIONS(SIGNATURE)
