/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product has the same bits everywhere, so no compiler may fuse a multiplication and an addition in this source. Those of
 * cg.k.c may be fused, which makes them faster. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "cg_kernels.h"

ACCEL_REDUCE(dot, dot_args, args, i, double, ACCEL_SUM)
{
    return args.x[i] * args.y[i];
}
