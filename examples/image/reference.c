/* SPDX-License-Identifier: Apache-2.0 */
/* The blur goes over the whole picture twice: along all rows, then along all columns. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void make_grey(size_t pixels, const uint8_t *colours, uint8_t *grey)
{
    for (size_t i = 0; i < pixels; ++i, colours += 3)
        grey[i] = (uint8_t)((77 * colours[0] + 150 * colours[1] + 29 * colours[2] + 128) / 256);
}

static size_t clamp(ptrdiff_t at, size_t extent)
{
    return at < 0 ? 0 : (size_t)at < extent ? (size_t)at : extent - 1;
}

static bool blur(const image_args *args, const uint8_t *grey, uint8_t *blurred)
{
    const ptrdiff_t radius = (ptrdiff_t)args->radius;
    uint32_t *const along = malloc(args->rows * args->columns * sizeof *along);
    if (along == NULL)
        return false;
    for (size_t i = 0; i < args->rows; ++i)
        for (size_t j = 0; j < args->columns; ++j) {
            uint32_t sum = 128;
            for (ptrdiff_t k = -radius; k <= radius; ++k)
                sum += args->weights[labs(k)] * grey[i * args->columns + clamp((ptrdiff_t)j + k, args->columns)];
            along[i * args->columns + j] = sum >> 8;
        }
    for (size_t i = 0; i < args->rows; ++i)
        for (size_t j = 0; j < args->columns; ++j) {
            uint32_t sum = 1u << 23;
            for (ptrdiff_t k = -radius; k <= radius; ++k)
                sum += args->weights[labs(k)] * along[clamp((ptrdiff_t)i + k, args->rows) * args->columns + j];
            blurred[i * args->columns + j] = (uint8_t)(sum >> 24);
        }
    free(along);
    return true;
}

bool reference_run(const image_args *args, const uint8_t *colours, filtered *result)
{
    const size_t pixels = args->rows * args->columns;
    double marks[FILTERS + 1];
    marks[GREY] = seconds_now();
    make_grey(pixels, colours, result->grey);
    marks[HISTOGRAM] = seconds_now();
    memset(result->counts, 0, sizeof result->counts);
    for (size_t i = 0; i < pixels; ++i)
        ++result->counts[result->grey[i]];
    marks[BLUR] = seconds_now();
    if (!blur(args, result->grey, result->blurred))
        return false;
    marks[FILTERS] = seconds_now();
    for (int k = 0; k < FILTERS; ++k)
        result->seconds[k] = marks[k + 1] - marks[k];
    return true;
}
