/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that the light version of a kernel raises: accesses where there is no memory, and divisions by zero. */
#ifndef ACCEL_CPU_CHECK_CRASH_H
#define ACCEL_CPU_CHECK_CRASH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct check_crash {
    uintptr_t instruction, address;
    bool has_address, divides;
    uint32_t how; /* ACCEL_CHECK_WRITE, or 0 */
} check_crash;

/* Installs handlers before the first block of a launch, and removes them behind the last. */
void check_crash_catch(bool begin);
/* The calling thread is in the kernel's code, or no longer. */
void check_crash_inside(bool inside);

/* stray.c: the kernel has crashed, below this frame; and leaves it. */
void check_light_crashed(const check_crash *, const void *frame) __attribute__((noreturn));
void check_light_abandon(const void *frame) __attribute__((noreturn));

#endif
