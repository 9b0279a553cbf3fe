/* SPDX-License-Identifier: Apache-2.0 */
/* One kernel per function and type: out[i] = f(x[i]), or f(x[i], y[i]). Any work division. */
#include <accel/kernel.h>
#include "functions.h"

#define KERNEL_NAME(T, f) T##_##f
#define KERNEL(T, f, ...)                                                                                              \
    ACCEL_KERNEL(KERNEL_NAME(T, f), T##_args, args)                                                                    \
    {                                                                                                                  \
        ACCEL_FOR_EACH(acc, i, args.n)                                                                                 \
            args.out[i] = f(__VA_ARGS__);                                                                              \
    }
#define ONE(f) KERNEL(double, f, args.x[i]) KERNEL(float, f, args.x[i])
#define TWO(f) KERNEL(double, f, args.x[i], args.y[i]) KERNEL(float, f, args.x[i], args.y[i])

MATHEMATICS_ONE(ONE)
MATHEMATICS_TWO(TWO)
