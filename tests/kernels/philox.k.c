/* SPDX-License-Identifier: Apache-2.0 */
/* Entry i has the words of (seed, stream, first + i), the first of them as a float in [0, 1), and the first two as a
 * double in [0, 1). Known answers of Philox 4x32-10 (counter words as {counter, stream}, from the authors' test):
 *     all words 0:          6627e8d5 e169c58d bc57ac4c 9b00dbd8
 *     all words ffffffff:   408f276d 41c83b0e a20bc7c6 6d5451fd
 *     seed 299f31d0a4093822, counter 85a308d3243f6a88, stream 0370734413198a2e:
 *                           d16cfe09 94fdcceb 5001e420 24126ea1
 * Any work division. */
#include <accel/kernel.h>
#include "philox.h"

ACCEL_KERNEL(philox, philox_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const accel_philox_words words = accel_philox(args.seed, args.stream, args.first + i);
        for (size_t k = 0; k < 4; k++)
            args.word[4 * i + k] = words.v[k];
        args.uniform[i] = accel_uniform_float(words.v[0]);
        args.uniform2[i] = accel_uniform_double(words.v[0], words.v[1]);
    }
}
