/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that an object has twice. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_KERNELS_H
#define ACCEL_CPU_CHECK_KERNELS_H

#include <accel/object.h>
#include <stdbool.h>

/* The light version of this kernel is that one. false if memory is short. */
bool check_kernels_add(const accel_descriptor *, const accel_descriptor *light);
/* NULL: it has none. */
const accel_descriptor *check_kernels_light(const accel_descriptor *);

#endif
