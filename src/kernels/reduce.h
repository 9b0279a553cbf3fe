/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the reductions of values. */
#ifndef ACCEL_KERNELS_REDUCE_H
#define ACCEL_KERNELS_REDUCE_H

typedef struct reduce_values_args {
    const void *values; /* of the type in the kernel's name */
} reduce_values_args;

#endif
