/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers that kernels need on the GPU that the user named. Code for CPUs does not tell: it is asked of the library's
 * object for that GPU, which libaccel has found beside the one that runs. Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_REGISTERS_H
#define ACCEL_CPU_CHECK_REGISTERS_H

#include <accel/plugin.h>

typedef struct check_registers {
    uint64_t each;  /* thread has so many */
    uint64_t lanes; /* of a warp; 0: the object does not tell */
} check_registers;

/* An object is loaded. Remembers what its sibling for this target, "sm_90", tells of its kernels. */
void check_registers_object(const accel_image *, void *handle, const char *target);
/* false: no object tells. */
bool check_registers_of(const accel_descriptor *, const char *target, check_registers *);

#endif
