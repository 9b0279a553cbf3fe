/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which blocks are looked at closely: one of N, two neighbours at a time, as neighbours are the likeliest to race. The first
 * launch of a kernel begins with two of them. Later ones go on counting, so that short launches have no larger share than long
 * ones, and each block has its turn. Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_SHARE_H
#define ACCEL_CPU_CHECK_SHARE_H

#include <accel/object.h>
#include <stdbool.h>
#include <stddef.h>

/* From now on one of so many; 1: all. No kernel has run. */
void check_share_choose(size_t one_of);
/* A launch of the kernel begins. */
void check_share_launch(const accel_descriptor *, size_t blocks);
/* Is this block of it looked at closely? */
bool check_share_has(size_t block);

#endif
