/* SPDX-License-Identifier: Apache-2.0 */
/* HIP's functions on top of CUDA's; see README.md. */
#ifndef TESTS_HIP_ON_CUDA_FORWARD_H
#define TESTS_HIP_ON_CUDA_FORWARD_H

#include "plugins/gpu/driver/cuda/cuda.h"
#include "plugins/gpu/driver/hip/functions.h"

#define FORWARD_DECLARE(member, name, exported, version, need, result, parameters)                                     \
    __attribute__((visibility("default"))) result exported parameters;
HIP_FUNCTIONS(FORWARD_DECLARE)

enum { FORWARD_DEVICES = 64 };

/* HIP's code for CUDA's. */
hip_result forward_result(cuda_result);
/* The device's context, made on first use and kept: HIP's runtime never gives a device back, and doing so at exit would wait
 * for what is pending. */
hip_result forward_context(int device, cuda_context *context);
/* Makes the calling thread's device CUDA's current context. */
hip_result forward_enter(void);

/* In a function that works on the current device. */
#define FORWARD_ENTER()                                                                                                \
    do {                                                                                                               \
        hip_result entered = forward_enter();                                                                          \
        if (entered != HIP_RESULT_SUCCESS)                                                                             \
            return entered;                                                                                            \
    } while (0)

static inline cuda_device_pointer forward_address(const void *pointer)
{
    return (cuda_device_pointer)(uintptr_t)pointer;
}

#endif
