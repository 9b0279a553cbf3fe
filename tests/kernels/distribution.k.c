/* SPDX-License-Identifier: Apache-2.0 */
/* What four given words become in each distribution. Any work division. */
#include <accel/kernel.h>
#include "distribution.h"

ACCEL_KERNEL(distribution, distribution_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const uint32_t *w = args.word + 4 * i;
        const accel_philox_words words = {{w[0], w[1], w[2], w[3]}};
        const accel_normal_floats normal = accel_normal_float(words);
        const accel_normal_doubles normal_double = accel_normal_double(words);
        for (size_t k = 0; k < 4; k++) {
            args.normal[4 * i + k] = normal.v[k];
            args.exponential[4 * i + k] = accel_exponential_float(w[k]);
        }
        for (size_t k = 0; k < 2; k++) {
            args.normal_double[2 * i + k] = normal_double.v[k];
            args.exponential_double[2 * i + k] = accel_exponential_double(w[2 * k], w[2 * k + 1]);
            args.below[2 * i + k] = accel_range_32(w[2 * k], w[2 * k + 1], (uint32_t)args.range);
        }
        args.below_64[i] = accel_range_64(words, args.range);
    }
}
