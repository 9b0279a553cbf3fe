/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* A way to a sample point. */
typedef struct way {
    const mesh *mesh;
    uint32_t vertex;
    vector from, to;
} way;

static vector difference(vector a, vector b)
{
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double square(vector v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

/* Gain of the part from a to b, from 0 to 1, which lies above one triangle: layer after layer. */
static double gain_above(const way *w, uint32_t t, double a, double b)
{
    const mesh *const m = w->mesh;
    const double z_a = w->from.z + a * (w->to.z - w->from.z), z_b = w->from.z + b * (w->to.z - w->from.z);
    const double low = fmin(z_a, z_b), high = fmax(z_a, z_b);
    double gain = 0;
    for (uint32_t layer = 0; layer < m->layers; ++layer) {
        const double part = fmin(high, (layer + 1) * m->thickness) - fmax(low, layer * m->thickness);
        if (part > 0)
            gain += m->gain[layer * m->triangles + t] * (b - a) * part / (high - low);
    }
    return gain;
}

/* On which side of the way, seen from above, a vertex lies: > 0 is left. */
static double side_of(const way *w, uint32_t vertex)
{
    const double x = w->mesh->vertex_x[vertex] - w->from.x, y = w->mesh->vertex_y[vertex] - w->from.y;
    return (w->to.x - w->from.x) * y - (w->to.y - w->from.y) * x;
}

/* From triangle to triangle, until one has the sample point as a corner. The way leaves through the edge that goes from its
 * right to its left. */
static double gain_along(const way *w, uint32_t t)
{
    const mesh *const m = w->mesh;
    const double dx = w->to.x - w->from.x, dy = w->to.y - w->from.y;
    double gone = 0, gain = 0;
    while (t != NO_TRIANGLE) {
        const mesh_triangle *const here = &m->triangle[t];
        unsigned e = 0;
        if (here->corner[0] == w->vertex || here->corner[1] == w->vertex || here->corner[2] == w->vertex)
            return gain + gain_above(w, t, gone, 1);
        while (e < 3 && !(side_of(w, here->corner[e]) < 0 && side_of(w, here->corner[(e + 1) % 3]) >= 0))
            ++e;
        if (e == 3)
            return NAN; /* a mesh with holes */
        const uint32_t right = here->corner[e], left = here->corner[(e + 1) % 3];
        const double s = side_of(w, right) / (side_of(w, right) - side_of(w, left));
        const double x = m->vertex_x[right] + s * (m->vertex_x[left] - m->vertex_x[right]) - w->from.x;
        const double y = m->vertex_y[right] + s * (m->vertex_y[left] - m->vertex_y[right]) - w->from.y;
        const double leave = (x * dx + y * dy) / (dx * dx + dy * dy);
        if (leave > gone) {
            gain += gain_above(w, t, gone, leave);
            gone = leave;
        }
        t = here->neighbour[e];
    }
    return gain;
}

static double flux_along(const way *w, uint32_t prism, double volume)
{
    const double distance_2 = square(difference(w->to, w->from));
    const double gain = gain_along(w, prism % w->mesh->triangles) * sqrt(distance_2);
    return volume * w->mesh->emission[prism] * exp(gain) / (4 * PI * distance_2);
}

/* Philox 4x32 with 10 rounds. */
static void random_words(uint64_t seed, uint64_t stream, uint64_t counter, uint32_t w[4])
{
    uint32_t k_0 = (uint32_t)seed, k_1 = (uint32_t)(seed >> 32);
    w[0] = (uint32_t)counter, w[1] = (uint32_t)(counter >> 32);
    w[2] = (uint32_t)stream, w[3] = (uint32_t)(stream >> 32);
    for (int round = 0; round < 10; ++round, k_0 += 0x9e3779b9, k_1 += 0xbb67ae85) {
        const uint64_t a = UINT64_C(0xd2511f53) * w[0], b = UINT64_C(0xcd9e8d57) * w[2];
        w[0] = (uint32_t)(b >> 32) ^ w[1] ^ k_0;
        w[1] = (uint32_t)b;
        w[2] = (uint32_t)(a >> 32) ^ w[3] ^ k_1;
        w[3] = (uint32_t)a;
    }
}

static vector place(const mesh *m, uint32_t prism, double b_0, double b_1, double b_2, double height)
{
    const uint32_t *const c = m->triangle[prism % m->triangles].corner;
    return (vector){b_0 * m->vertex_x[c[0]] + b_1 * m->vertex_x[c[1]] + b_2 * m->vertex_x[c[2]],
                    b_0 * m->vertex_y[c[0]] + b_1 * m->vertex_y[c[1]] + b_2 * m->vertex_y[c[2]],
                    (prism / m->triangles + height) * m->thickness};
}

/* One ray from a random place. */
static double sample(way *w, uint32_t level, uint32_t prism, const uint32_t random[4], double volume)
{
    const uint32_t layer = prism / w->mesh->triangles, *const c = w->mesh->triangle[prism % w->mesh->triangles].corner;
    const double u = ldexp(random[0] + 0.5, -32), v = ldexp(random[1] + 0.5, -32), h = ldexp(random[2] + 0.5, -32);
    const double b_1 = u + v > 1 ? 1 - u : u, b_2 = u + v > 1 ? 1 - v : v, b_0 = 1 - b_1 - b_2;
    const double b = c[0] == w->vertex ? b_0 : c[1] == w->vertex ? b_1 : c[2] == w->vertex ? b_2 : -1;
    w->from = place(w->mesh, prism, b_0, b_1, b_2, h);
    if (b < 0 || (layer != level && layer + 1 != level))
        return flux_along(w, prism, volume);
    const double t = fmax(1 - b, layer == level ? h : 1 - h);
    const vector d = difference(w->from, w->to);
    w->from = (vector){w->to.x + t * t * d.x, w->to.y + t * t * d.y, w->to.z + t * t * d.z};
    return flux_along(w, prism, volume * 3 * pow(t, 6));
}

static double volume_of(const mesh *m, uint32_t prism)
{
    return m->triangle[prism % m->triangles].area * m->thickness;
}

static flux find_flux(const mesh *m, uint32_t shared_rays, uint64_t seed, uint64_t stream, double *importance)
{
    const uint32_t level = (uint32_t)stream / m->vertices;
    way w = {.mesh = m, .vertex = (uint32_t)stream % m->vertices};
    flux f = {0, 0};
    uint64_t ray = 0;
    double total = 0;
    w.to = (vector){m->vertex_x[w.vertex], m->vertex_y[w.vertex], level * m->thickness};
    for (uint32_t i = 0; i < m->prisms; ++i) {
        w.from = place(m, i, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0.5);
        importance[i] = flux_along(&w, i, volume_of(m, i));
        total += importance[i];
    }
    for (uint32_t i = 0; i < m->prisms; ++i) {
        const uint32_t rays = LEAST_RAYS + (uint32_t)(shared_rays * (importance[i] / total));
        double mean = 0, squares = 0;
        for (uint32_t k = 1; k <= rays; ++k) {
            uint32_t random[4];
            random_words(seed, stream, ray++, random);
            const double x = sample(&w, level, i, random, volume_of(m, i)), before = x - mean;
            mean += before / k;
            squares += before * (x - mean);
        }
        f.value += mean;
        f.variance += squares / (rays - 1) / rays;
    }
    return f;
}

bool reference_run(const mesh *m, uint32_t shared_rays, uint64_t seed, flux *fluxes)
{
    const size_t samples = (size_t)m->vertices * (m->layers + 1);
    double *const importance = malloc(m->prisms * sizeof *importance);
    if (importance == NULL)
        return false;
    for (size_t s = 0; s < samples; ++s)
        fluxes[s] = find_flux(m, shared_rays, seed, s, importance);
    free(importance);
    return true;
}
