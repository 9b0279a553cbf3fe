/* SPDX-License-Identifier: Apache-2.0 */
/* Mathematics by the C names. Row i of d and f has the functions of x[i] in the order below, as the host's <math.h>
 * computes them, within 4 units in the last place (sqrt, fabs, fmin, fmax, floor, ceil, fma: exactly). Any work
 * division. */
#include <accel/kernel.h>
#include "functions.h"

ACCEL_KERNEL(functions, functions_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const double x = args.x[i];
        const float y = (float)x;
        double *d = args.d + i * FUNCTIONS_DOUBLE;
        float *f = args.f + i * FUNCTIONS_FLOAT;
        d[0] = sqrt(x);
        d[1] = fabs(x - 0.5);
        d[2] = fmin(x, 0.5);
        d[3] = fmax(x, 0.5);
        d[4] = floor(8 * x);
        d[5] = ceil(8 * x);
        d[6] = fma(x, x, x);
        d[7] = exp(x);
        d[8] = log(x);
        d[9] = pow(x, 1.5);
        d[10] = sin(x);
        d[11] = cos(x);
        d[12] = tanh(x);
        d[13] = atan2(x, 2.0);
        d[14] = cbrt(x);
        d[15] = hypot(x, 1.0);
        f[0] = sqrtf(y);
        f[1] = fabsf(y - 0.5f);
        f[2] = fminf(y, 0.5f);
        f[3] = fmaxf(y, 0.5f);
        f[4] = expf(y);
        f[5] = logf(y);
        f[6] = sinf(y);
        f[7] = powf(y, 2.5f);
    }
}
