/* SPDX-License-Identifier: Apache-2.0 */
/* Points of the Mandelbrot set. Compiled with -ffp-contract=off: without fused operations, +, - and * have the same bits on
 * every device, and so have the counts. */
#include <accel/kernel.h>
#include "multi.h"

/* Steps of z = z * z + c until z leaves the circle of radius 2; at most `limit`. */
ACCEL_FN uint32_t steps_at(double re, double im, uint32_t limit)
{
    double x = 0, y = 0, xx = 0, yy = 0;
    uint32_t steps = 0;
    while (steps < limit && xx + yy <= 4) {
        y = 2 * x * y + im;
        x = xx - yy + re;
        xx = x * x;
        yy = y * y;
        ++steps;
    }
    return steps;
}

ACCEL_KERNEL(mandelbrot, mandelbrot_args, args)
{
    ACCEL_FOR_EACH_2D(acc, i, j, args.count, args.shown.width) {
        const size_t row = (args.first + i) * args.shown.stride % args.shown.height;
        args.steps[i * args.shown.width + j] =
            steps_at(args.shown.left + ((double)j + 0.5) * args.shown.step,
                     args.shown.top - ((double)row + 0.5) * args.shown.step, args.shown.limit);
    }
}
