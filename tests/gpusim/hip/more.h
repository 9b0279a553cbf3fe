/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libamdhip64.so beyond those that the hip plugin uses, for programs beside it: the columns of
 * src/plugins/gpu/hip/functions.h. */
#ifndef GPUSIM_HIP_MORE_H
#define GPUSIM_HIP_MORE_H

#include "plugins/gpu/driver/hip/functions.h"

#define HIP_MORE_FUNCTIONS(X)                                                                                          \
    X(device_synchronize, hipDeviceSynchronize, hipDeviceSynchronize, 420, OPTIONAL, hip_result, (void))               \
    X(stream_priority_range, hipDeviceGetStreamPriorityRange, hipDeviceGetStreamPriorityRange, 420, OPTIONAL,          \
      hip_result, (int *least, int *greatest))                                                                         \
    X(stream_priority, hipStreamGetPriority, hipStreamGetPriority, 420, OPTIONAL, hip_result,                          \
      (hip_stream stream, int *priority))                                                                              \
    X(stream_flags, hipStreamGetFlags, hipStreamGetFlags, 420, OPTIONAL, hip_result,                                   \
      (hip_stream stream, unsigned int *flags))

#endif
