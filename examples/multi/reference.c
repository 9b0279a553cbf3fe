/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled with -ffp-contract=off, too. */
#include "reference.h"

void reference_row(const picture *shown, size_t row, uint32_t steps[])
{
    const double im = shown->top - ((double)row + 0.5) * shown->step;
    for (size_t j = 0; j < shown->width; ++j) {
        const double re = shown->left + ((double)j + 0.5) * shown->step;
        double x = 0, y = 0;
        uint32_t n = 0;
        for (; n < shown->limit && x * x + y * y <= 4; ++n) {
            const double next = x * x - y * y + re;
            y = 2 * x * y + im;
            x = next;
        }
        steps[j] = n;
    }
}
