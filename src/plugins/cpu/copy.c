/* SPDX-License-Identifier: Apache-2.0 */
#include "copy.h"

#include <string.h>

/* One index of every dimension from `dim` on. Depth is at most ACCEL_MAX_DIMS. */
static void copy_from(const accel_copy_params *params, uint32_t dim, unsigned char *dst, const unsigned char *src)
{
    if (dim + 1 == params->dims || dim == ACCEL_MAX_DIMS - 1) { /* the latter for compilers: it bounds the recursion */
        memcpy(dst, src, params->extent[dim]);
        return;
    }
    for (size_t i = 0; i < params->extent[dim]; ++i) {
        copy_from(params, dim + 1, dst, src);
        dst += params->dst_pitch[dim];
        src += params->src_pitch[dim];
    }
}

void cpu_copy(const accel_copy_params *params)
{
    copy_from(params, 0, params->dst, params->src);
}
