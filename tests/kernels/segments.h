/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and elements of segments.k.c. */
#ifndef TEST_KERNELS_SEGMENTS_H
#define TEST_KERNELS_SEGMENTS_H
#include <stddef.h>
#include <stdint.h>

/* x -> factor * x + offset modulo 2^32, joined by composition: the order of the values matters, how they are grouped does not. */
typedef struct {
    uint32_t factor, offset;
} segments_affine;

typedef struct {
    const uint32_t *x;
    const uint8_t *head;               /* bits, of which `heads` are asked for */
    segments_affine *element, *prefix; /* what the final pass was given; of a number only the offset */
    uint32_t *passes;                  /* how often it ran */
    int heads;
} segments_args;

#endif
