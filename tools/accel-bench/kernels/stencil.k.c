/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/kernel.h>
#include "stencil.h"

ACCEL_KERNEL(stencil, stencil_args, args)
{
    ACCEL_FOR_EACH(acc, tile, STENCIL_TILES)
        stencil_tile(tile, args.from, args.to);
}
