/* SPDX-License-Identifier: Apache-2.0 */
#include "picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool picture_write(const char *path, size_t side, const double *values)
{
    FILE *const file = fopen(path, "wb");
    bool good = file != NULL && fprintf(file, "P6\n%zu %zu\n255\n", side, side) > 0;
    for (size_t i = 0; good && i < side * side; ++i) {
        const double heat = fmax(-1, fmin(1, values[i]));
        const unsigned char strong = 255, pale = (unsigned char)(255 * (1 - fabs(heat)) + 0.5);
        const unsigned char pixel[3] = {heat < 0 ? pale : strong, pale, heat < 0 ? strong : pale};
        good = fwrite(pixel, sizeof pixel, 1, file) == 1;
    }
    int why = errno;
    if (file != NULL && fclose(file) != 0 && good) {
        why = errno;
        good = false;
    }
    if (!good)
        fprintf(stderr, "heat: %s: %s\n", path, strerror(why));
    return good;
}
