/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of sync_predicates.k.c. */
#ifndef TEST_KERNELS_SYNC_PREDICATES_H
#define TEST_KERNELS_SYNC_PREDICATES_H
#include <stddef.h>
#include <stdint.h>

/* What each thread of a block of m threads got. */
typedef struct {
    int32_t third;   /* count of t % 3 == 0: (m + 2) / 3 */
    int32_t nobody;  /* count of 0: 0 */
    int32_t all;     /* and of 2: 1 (any non-zero value counts) */
    int32_t not_all; /* and of t != m - 1: 0 */
    int32_t one;     /* or of t == m - 1: 1 */
    int32_t none;    /* or of 0: 0 */
} sync_predicates_result;

typedef struct {
    sync_predicates_result *result; /* one per thread of the grid */
} sync_predicates_args;

#endif
