/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of warp.k.c. */
#ifndef TEST_KERNELS_WARP_H
#define TEST_KERNELS_WARP_H
#include <stddef.h>
#include <stdint.h>

/* What thread t found; w is the warp's size, l = t % w its lane. */
typedef struct {
    uint32_t size;     /* w: 1 on CPUs */
    uint32_t lane;     /* l */
    uint64_t odd;      /* ballot of t % 2: the bits of the lanes whose t is odd */
    uint32_t any_last; /* any (l == w - 1): 1 */
    uint32_t any_none; /* any (0): 0 */
    uint32_t all_lane; /* all (l < w): 1 */
    uint32_t all_zero; /* all (l == 0): 1 if w is 1, else 0 */
    uint32_t differ;   /* calls for the whole warp, or by mask, that give anything else: 0 */
    int32_t from_last; /* t of lane w - 1, negative */
    uint32_t from_up;  /* t - 1, or t where l == 0 */
    int64_t from_down; /* 2^40 + t + 1, or 2^40 + t where l == w - 1 */
    uint64_t from_xor; /* 2^40 + the t of lane l ^ 1, or the own one if w is 1 */
    float sum;         /* of t over the lanes, by xor */
    float first;       /* t of lane 0 as a float */
    double last;       /* t of lane w - 1 as a double */
} warp_result;

typedef struct {
    warp_result *result; /* one per thread */
} warp_args;

#endif
