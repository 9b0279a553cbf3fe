/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In spherical coordinates around the sample point, distance^2 cancels:
 *
 *     flux = 1 / (4 pi) * integral over all directions of f(direction)
 *
 * where f, the integral of emission times amplification from the sample point to where the slab ends, has a closed form: the
 * way has a part in each layer, and a part of length l, behind others of gain G together, adds
 *
 *     emission * e^G * (e^(gain * l) - 1) / gain
 *
 * The directions are those of rectangles, in which the slab ends: bottom, top, and the sides of each layer. A rectangle at
 * distance d, with coordinates u and v from the point below the sample point, has directions by
 *
 *     u = d * sinh(a),   v = sqrt(d^2 + u^2) * sinh(b),   solid angle = da * db / (cosh(a) * cosh(b)^2)
 *
 * All of this is smooth, so Gauss's rule with a few points is exact to many digits.
 */
#include "quadrature.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { POINTS = 32 };
#define PI 3.14159265358979323846

typedef struct rule {
    double at[POINTS], weight[POINTS]; /* from -1 to 1 */
} rule;

/* The roots of Legendre's polynomial, by Newton's method. */
static rule legendre(void)
{
    rule r;
    for (int i = 0; i < POINTS; ++i) {
        double x = cos(PI * (i + 0.75) / (POINTS + 0.5)), slope = 1;
        for (int step = 0; step < 8; ++step) {
            double before = 1, p = x;
            for (int n = 2; n <= POINTS; ++n) {
                const double next = ((2 * n - 1) * x * p - (n - 1) * before) / n;
                before = p;
                p = next;
            }
            slope = POINTS * (x * p - before) / (x * x - 1);
            x -= p / slope;
        }
        r.at[i] = x;
        r.weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
    return r;
}

/* f of a way of that length from a level to the height z. */
static double along(const mesh *m, uint32_t level, double z, double length)
{
    const double begin = level * m->thickness, rise = z - begin;
    double gain = 0, sum = 0;
    uint32_t layer = rise > 0 ? level : level - 1;
    for (bool more = true; more; layer += rise > 0 ? 1 : UINT32_MAX) {
        const double low = layer * m->thickness, high = (layer + 1) * m->thickness;
        const uint32_t prism = layer * m->triangles;
        double part = m->thickness;
        more = rise > 0 ? z > high && layer + 1 < m->layers : z < low && layer > 0;
        if (!more)
            part = rise > 0 ? z - low : high - z;
        const double g = m->gain[prism], l = part / fabs(rise) * length;
        sum += m->emission[prism] * exp(gain) * (g != 0 ? expm1(g * l) / g : l);
        gain += g * l;
    }
    return sum;
}

/* What comes through a rectangle of the edges: u from u_0 to u_1, v from v_0 to v_1. One of the three is the height, counted
 * from the sample point: v of a side, d of top and bottom. */
static double through(const mesh *m, const rule *r, uint32_t level, double d, double u_0, double u_1, double v_0,
                      double v_1, const double *height)
{
    const double a_0 = asinh(u_0 / d), a_1 = asinh(u_1 / d);
    double sum = 0;
    for (int i = 0; i < POINTS; ++i) {
        const double a = (a_0 + a_1) / 2 + (a_1 - a_0) / 2 * r->at[i], c = d * cosh(a);
        const double b_0 = asinh(v_0 / c), b_1 = asinh(v_1 / c);
        double inner = 0;
        for (int j = 0; j < POINTS; ++j) {
            const double b = (b_0 + b_1) / 2 + (b_1 - b_0) / 2 * r->at[j];
            const double z = level * m->thickness + (height != NULL ? *height : c * sinh(b));
            inner += r->weight[j] * along(m, level, z, c * cosh(b)) / (cosh(b) * cosh(b));
        }
        sum += r->weight[i] * inner * (b_1 - b_0) / 2 / cosh(a);
    }
    return sum * (a_1 - a_0) / 2;
}

double quadrature_flux(const mesh *m, double edge, uint32_t vertex, uint32_t level)
{
    const rule r = legendre();
    const double x = m->vertex_x[vertex], y = m->vertex_y[vertex], z = level * m->thickness;
    const double left[2] = {-x, -y}, right[2] = {edge - x, edge - y}, down = -z,
                 up = (m->layers - level) * m->thickness;
    double sum = 0;
    if (level > 0)
        sum += through(m, &r, level, z, left[0], right[0], left[1], right[1], &down);
    if (level < m->layers)
        sum += through(m, &r, level, up, left[0], right[0], left[1], right[1], &up);
    for (int side = 0; side < 2; ++side) /* along x, along y; a sample point on the side gets nothing from it */
        for (uint32_t layer = 0; layer < m->layers; ++layer) {
            const double v_0 = ((double)layer - level) * m->thickness, v_1 = v_0 + m->thickness;
            if (left[1 - side] < 0)
                sum += through(m, &r, level, -left[1 - side], left[side], right[side], v_0, v_1, NULL);
            if (right[1 - side] > 0)
                sum += through(m, &r, level, right[1 - side], left[side], right[side], v_0, v_1, NULL);
        }
    return sum / (4 * PI);
}
