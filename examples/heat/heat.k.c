/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/kernel.h>
#include "heat.h"

/* One explicit time step of all points inside. */
ACCEL_KERNEL(step, heat_args, args)
{
    const size_t pitch = args.pitch;
    const double *__restrict__ now = args.now;
    double *__restrict__ next = args.next;
    ACCEL_FOR_EACH_2D(acc, i, j, args.side - 2, args.side - 2) {
        const size_t at = (i + 1) * pitch + j + 1;
        const double u = now[at];
        next[at] = u + args.rate * (now[at - pitch] + now[at - 1] + now[at + 1] + now[at + pitch] - 4 * u);
    }
}
