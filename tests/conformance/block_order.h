/* SPDX-License-Identifier: Apache-2.0 */
/* The order of accel/kernel/collective.h in plain C: what the n threads of a block make of a value of each, 1 to 1024 values. */
#ifndef BLOCK_ORDER_H
#define BLOCK_ORDER_H
#include <stddef.h>

enum { BLOCK_ORDER_LARGEST = 16 }; /* bytes of a value in a scan */

/* Joins b to a. */
typedef void (*into_function)(void *a, const void *b);

/* All values in one. */
void block_order_reduce(const void *values, size_t n, size_t size, into_function into, void *result);
/* Each value becomes what it and those before it make. */
void block_order_scan(void *values, size_t n, size_t size, into_function into);

#endif
