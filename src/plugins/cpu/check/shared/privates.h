/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of a block's private values, on its stack. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_PRIVATES_H
#define ACCEL_CPU_CHECK_PRIVATES_H

#include <stdbool.h>
#include <stddef.h>

/* An array begins its life: `each` bytes for a thread, `size` in all; the values of the block's threads are undefined. */
void check_privates_add(const void *values, size_t each, size_t size);
/* The block is over. */
void check_privates_forget(void);
/* Is it in one of the arrays? `used`: in the value of a thread that the block has. */
bool check_privates_have(const void *p, bool *used);

#endif
