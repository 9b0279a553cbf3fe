/* SPDX-License-Identifier: Apache-2.0 */
/* In which order blocks, and threads between two barriers, run: another one must give the same result. Under the lock of
 * check.c. */
#ifndef ACCEL_CPU_CHECK_ORDER_H
#define ACCEL_CPU_CHECK_ORDER_H

#include <accel/object.h>
#include <stdbool.h>
#include <stddef.h>

/* "forwards", "backwards", or the number of a shuffle. NULL: forwards. false, and no change, if it is something else. */
bool check_order_choose(const char *text);
/* Forwards? */
bool check_order_is_plain(void);
/* Which of n comes as number k, counted from 0. Of k >= n it is k. The same in every run. */
size_t check_order_of(size_t k, size_t n);
/* 0: which of n comes first. 1: how far behind each the next one is, modulo n. */
size_t check_order_walk(size_t what, size_t n);
/* The kernel with its threads in this order: itself, or if it has barriers a copy, which holds until the next call. */
const accel_descriptor *check_order_threads(const accel_descriptor *);

#endif
