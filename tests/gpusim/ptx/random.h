/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers (xorshift), and what of the execution they decide. */
#ifndef PTX_RANDOM_H
#define PTX_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ptx_random {
    uint64_t state;   /* not 0 */
    bool adversarial; /* GPUSIM_PTX_ADVERSARY: activemask gives any of the lanes that it may */
    bool inexact;     /* GPUSIM_PTX_INEXACT: approximations err as far as the manual lets them */
} ptx_random;

/* By GPUSIM_PTX_SEED, another one for each grid. */
void ptx_random_begin(ptx_random *);

static inline uint32_t ptx_random_next(ptx_random *self)
{
    self->state ^= self->state << 13;
    self->state ^= self->state >> 7;
    self->state ^= self->state << 17;
    return (uint32_t)(self->state >> 16);
}

#endif
