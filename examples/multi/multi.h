/* SPDX-License-Identifier: Apache-2.0 */
/* The argument struct of multi.k.c, shared by host and kernel. */
#ifndef MULTI_H
#define MULTI_H

#include <stddef.h>
#include <stdint.h>

/* The part of the plane that is shown, and in how many points. */
typedef struct picture {
    size_t width, height;
    size_t stride; /* place k in the order of the rows has row k * stride % height; no common divisor with height */
    double left, top, step;
    uint32_t limit; /* of steps at a point */
} picture;

typedef struct mandelbrot_args {
    picture shown;
    size_t first, count; /* places in the order of the rows */
    uint32_t *steps;     /* count * width */
} mandelbrot_args;

#endif
