/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"

#include <stdlib.h>

static uint64_t grids; /* atomic */

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] == '1';
}

void ptx_random_begin(ptx_random *self)
{
    const char *seed = getenv("GPUSIM_PTX_SEED");
    self->state = (seed != NULL ? strtoull(seed, NULL, 10) : 1) + 1;
    self->state = (self->state << 32) + 1 + __atomic_fetch_add(&grids, 1, __ATOMIC_RELAXED);
    self->state *= UINT64_C(0x9e3779b97f4a7c15);
    self->state |= 1;
    self->adversarial = is_set("GPUSIM_PTX_ADVERSARY");
    self->inexact = is_set("GPUSIM_PTX_INEXACT");
}
