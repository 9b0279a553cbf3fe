/* SPDX-License-Identifier: Apache-2.0 */
/* The flux at one sample point: importance, total, share, trace, estimate. simulation.c runs them in this order. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include <accel/kernel/philox.h>
#include "emission.h"

#define FOUR_PI 12.566370614359172954

/* e^x with the same bits on every target: no function of a library, but sums and products, and a power of two. */
ACCEL_FN double exponential(double x)
{
    const double k = floor(x * 1.4426950408889634074 + 0.5);
    const double r = x - k * 0x1.62e42feep-1 - k * 0x1.a39ef35793c76p-33; /* from -ln 2 / 2 to ln 2 / 2 */
    const double inverse[12] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5,         1};
    double p = 1.0 / 6227020800; /* of 13! */
    for (int n = 0; n < 12; n++)
        p = p * r + inverse[n];
    return ldexp(p * r + 1, (int)k);
}

ACCEL_FN double length_of(vector v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/* The gain, multiplied by the length, of the straight way to the sample point from a place of a prism; `away` is that place
 * seen from the sample point. The way goes from prism to prism. */
ACCEL_FN double gain_towards(const emission_args args, uint32_t prism, vector away)
{
    const mesh m = args.medium;
    const double x = m.vertex_x[args.vertex] + away.x, y = m.vertex_y[args.vertex] + away.y,
                 z = args.level * m.thickness + away.z;
    uint32_t t = prism % m.triangles, layer = prism / m.triangles;
    double gone = 0, gain = 0; /* gone: 0 at the begin, 1 at the sample point */
    for (uint32_t step = 0; gone < 1 && step < m.prisms; step++) {
        const mesh_triangle *here = &m.triangle[t];
        double leave = 1;
        uint32_t through = 3; /* an edge, or: */
        int climb = 0;        /* a level */
        /* Only what the way goes out through: so no rounding leads back. */
        for (uint32_t e = 0; e < 3; e++) {
            const double speed = -(here->normal_x[e] * away.x + here->normal_y[e] * away.y);
            const double left = here->offset[e] - here->normal_x[e] * x - here->normal_y[e] * y;
            if (speed > 0 && left < leave * speed) {
                leave = left / speed;
                through = e;
            }
        }
        if (away.z != 0) {
            const double at = (z - (away.z > 0 ? layer : layer + 1) * m.thickness) / away.z;
            if (at < leave) {
                leave = at;
                climb = away.z > 0 ? -1 : 1;
            }
        }
        if (leave > gone) {
            gain += m.gain[layer * m.triangles + t] * (leave - gone);
            gone = leave;
        }
        if (climb != 0) {
            layer += (uint32_t)climb;
            if (layer >= m.layers) /* also below 0, which wraps */
                break;
        } else if (through < 3) {
            t = here->neighbour[through];
            if (t == NO_TRIANGLE)
                break;
        }
    }
    return gain * length_of(away);
}

/* What reaches the sample point from so much volume around that place. */
ACCEL_FN double flux_from(const emission_args args, uint32_t prism, vector away, double volume)
{
    const double distance = length_of(away);
    return volume * args.medium.emission[prism] * exponential(gain_towards(args, prism, away)) /
           (FOUR_PI * distance * distance);
}

ACCEL_FN double volume_of(const mesh m, uint32_t prism)
{
    return m.triangle[prism % m.triangles].area * m.thickness;
}

/* A place of a prism, by barycentric coordinates and its height in the layer, seen from the sample point. */
ACCEL_FN vector place_in(const emission_args args, uint32_t prism, const double *corner, double height)
{
    const mesh m = args.medium;
    const mesh_triangle *t = &m.triangle[prism % m.triangles];
    vector away = {0, 0, 0};
    for (uint32_t c = 0; c < 3; c++) {
        away.x += corner[c] * (m.vertex_x[t->corner[c]] - m.vertex_x[args.vertex]);
        away.y += corner[c] * (m.vertex_y[t->corner[c]] - m.vertex_y[args.vertex]);
    }
    away.z = ((double)(prism / m.triangles) - args.level + height) * m.thickness;
    return away;
}

/* If the sample point is a corner of the prism: how far from there a place is, up to 1 where the prism ends. Else 0. */
ACCEL_FN double reach_of(const emission_args args, uint32_t prism, const double *corner, double height)
{
    const mesh m = args.medium;
    const mesh_triangle *t = &m.triangle[prism % m.triangles];
    const uint32_t layer = prism / m.triangles;
    const double across = layer == args.level ? height : 1 - height;
    if (layer != args.level && layer + 1 != args.level)
        return 0;
    for (uint32_t c = 0; c < 3; c++)
        if (t->corner[c] == args.vertex)
            return across > 1 - corner[c] ? across : 1 - corner[c];
    return 0;
}

/* A prism as if all of it were in its middle. */
ACCEL_KERNEL(importance, emission_args, args)
{
    const double third[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    ACCEL_FOR_EACH(acc, i, args.medium.prisms) {
        const uint32_t prism = (uint32_t)i;
        args.importance[i] = flux_from(args, prism, place_in(args, prism, third, 0.5), volume_of(args.medium, prism));
    }
}

ACCEL_REDUCE(total, emission_args, args, i, double, ACCEL_SUM)
{
    return args.importance[i];
}

/* Each prism's rays: some, and more in proportion to its importance. They follow those of the prisms before. */
ACCEL_SCAN_FINAL(share, emission_args, args, i, uint32_t, ACCEL_SUM)
{
    return LEAST_RAYS + (uint32_t)(args.shared_rays * (args.importance[i] / *args.total));
}
ACCEL_FINAL_PASS(share, emission_args, args, i, uint32_t, element, prefix)
{
    args.count[i] = element;
    args.begin[i] = prefix;
    for (uint32_t k = prefix; k < prefix + element && k < args.rays; k++)
        args.owner[k] = (uint32_t)i;
}

/* From 0 to 1, but neither. */
ACCEL_FN double fraction_of(uint32_t word)
{
    return (word + 0.5) * 0x1p-32;
}

/* A ray to the sample point from a random place of its prism. If the sample point is a corner of the prism, the place is moved
 * towards it, to the third power of how far it was. That many more places near by make up for their 1 / distance^2, which had
 * no finite variance. The weight says how much rarer or more frequent places became. */
ACCEL_KERNEL(trace, emission_args, args)
{
    const uint32_t last = args.medium.prisms - 1, rays = args.begin[last] + args.count[last];
    ACCEL_FOR_EACH(acc, k, rays < args.rays ? rays : args.rays) {
        const uint32_t prism = args.owner[k];
        const accel_philox_words random = accel_philox(args.seed, args.stream, k);
        const double u = fraction_of(random.v[0]), v = fraction_of(random.v[1]), height = fraction_of(random.v[2]);
        const int beyond = u + v > 1; /* in the other half of the parallelogram */
        const double a = beyond ? 1 - u : u, b = beyond ? 1 - v : v;
        const double corner[3] = {1 - a - b, a, b};
        const double reach = reach_of(args, prism, corner, height), square = reach > 0 ? reach * reach : 1;
        vector away = place_in(args, prism, corner, height);
        away.x *= square;
        away.y *= square;
        away.z *= square;
        const double weight = reach > 0 ? 3 * square * square * square : 1;
        args.contribution[k] = flux_from(args, prism, away, weight * volume_of(args.medium, prism));
    }
}

ACCEL_REDUCER(flux, flux_sum, a, b, {0, 0})
{
    a.value += b.value;
    a.variance += b.variance;
    return a;
}

/* A prism's flux is the mean of its rays. */
ACCEL_REDUCE(estimate, emission_args, args, i, flux, flux_sum)
{
    const uint32_t n = args.count[i];
    const double *contribution = args.contribution + args.begin[i];
    double sum = 0, squares = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += contribution[k];
    for (uint32_t k = 0; k < n; k++)
        squares += (contribution[k] - sum / n) * (contribution[k] - sum / n);
    const flux f = {sum / n, squares / (n - 1) / n};
    return f;
}
