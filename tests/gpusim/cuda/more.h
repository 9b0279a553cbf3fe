/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libcuda.so.1 beyond those that the cuda plugin uses, for programs beside it: the columns of
 * src/plugins/gpu/cuda/functions.h. */
#ifndef GPUSIM_CUDA_MORE_H
#define GPUSIM_CUDA_MORE_H

#include "plugins/gpu/driver/cuda/functions.h"

#define SIM_MEMBER(member, name, exported, version, need, result, parameters) result(*member) parameters;

#define CUDA_MORE_FUNCTIONS(X)                                                                                         \
    X(primary_reset, cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, 11000, OPTIONAL, cuda_result,                \
      (cuda_device device))                                                                                            \
    X(context_create, cuCtxCreate, cuCtxCreate_v2, 3020, OPTIONAL, cuda_result,                                        \
      (cuda_context * context, unsigned int flags, cuda_device device))                                                \
    X(context_destroy, cuCtxDestroy, cuCtxDestroy_v2, 4000, OPTIONAL, cuda_result, (cuda_context context))             \
    X(context_synchronize, cuCtxSynchronize, cuCtxSynchronize, 2000, OPTIONAL, cuda_result, (void))                    \
    X(context_disable_peer, cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, 4000, OPTIONAL, cuda_result,               \
      (cuda_context peer))                                                                                             \
    X(stream_priority_range, cuCtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange, 5050, OPTIONAL, cuda_result,    \
      (int *least, int *greatest))                                                                                     \
    X(stream_priority, cuStreamGetPriority, cuStreamGetPriority, 5050, OPTIONAL, cuda_result,                          \
      (cuda_stream stream, int *priority))                                                                             \
    X(stream_flags, cuStreamGetFlags, cuStreamGetFlags, 5050, OPTIONAL, cuda_result,                                   \
      (cuda_stream stream, unsigned int *flags))

#endif
