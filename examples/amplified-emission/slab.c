/* SPDX-License-Identifier: Apache-2.0 */
#include "slab.h"

#include <math.h>
#include <stdlib.h>

/* Of about 2 percent of ytterbium in YAG, at a wavelength of 1030 nm. */
#define IONS 2.76e20             /* per cm^3 */
#define LIFETIME 0.95e-3         /* s */
#define EMISSION_SECTION 2.1e-20 /* cm^2 */
#define ABSORPTION_SECTION 1.2e-21
#define EXCITED 0.3     /* so much of the ions at the bottom */
#define PUMP_LENGTH 1.0 /* cm, in which the pump loses all but 1 / e */

static double chance(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0 - 0.5;
}

static void place_vertices(slab *s, uint32_t side)
{
    uint32_t seed = 1;
    for (uint32_t v = 0; v < s->mesh.vertices; ++v) {
        const uint32_t i = v / (side + 1), j = v % (side + 1);
        const double dx = chance(&seed) / 2, dy = chance(&seed) / 2;
        const bool inside = i % side != 0 && j % side != 0;
        s->vertex_x[v] = SLAB_EDGE * (inside ? j + dx : j) / side;
        s->vertex_y[v] = SLAB_EDGE * (inside ? i + dy : i) / side;
    }
}

static void measure(const slab *s, mesh_triangle *t)
{
    double twice = 0;
    for (unsigned e = 0; e < 3; ++e) {
        const uint32_t from = t->corner[e], to = t->corner[(e + 1) % 3];
        const double dx = s->vertex_x[to] - s->vertex_x[from], dy = s->vertex_y[to] - s->vertex_y[from];
        t->normal_x[e] = dy;
        t->normal_y[e] = -dx;
        t->offset[e] = dy * s->vertex_x[from] - dx * s->vertex_y[from];
        twice += t->offset[e];
    }
    t->area = twice / 2;
}

static void make_triangles(slab *s, uint32_t side)
{
    for (uint32_t i = 0; i < side; ++i)
        for (uint32_t j = 0; j < side; ++j) {
            const uint32_t v = i * (side + 1) + j, above = v + side + 1, square = 2 * (i * side + j);
            mesh_triangle *const lower = &s->triangles[square], *const upper = lower + 1;
            *lower = (mesh_triangle){.corner = {v, v + 1, above + 1},
                                     .neighbour = {i > 0 ? square - 2 * side + 1 : NO_TRIANGLE,
                                                   j + 1 < side ? square + 3 : NO_TRIANGLE, square + 1}};
            *upper = (mesh_triangle){.corner = {v, above + 1, above},
                                     .neighbour = {square, i + 1 < side ? square + 2 * side : NO_TRIANGLE,
                                                   j > 0 ? square - 2 : NO_TRIANGLE}};
            measure(s, lower);
            measure(s, upper);
        }
}

static void pump(slab *s, double spot)
{
    for (uint32_t i = 0; i < s->mesh.prisms; ++i) {
        const mesh_triangle *const t = &s->triangles[i % s->mesh.triangles];
        const double z = (i / s->mesh.triangles + 0.5) * s->mesh.thickness;
        double x = -SLAB_EDGE / 2, y = -SLAB_EDGE / 2, excited = EXCITED * exp(-z / PUMP_LENGTH);
        for (unsigned c = 0; c < 3; ++c) {
            x += s->vertex_x[t->corner[c]] / 3;
            y += s->vertex_y[t->corner[c]] / 3;
        }
        if (spot > 0)
            excited *= exp(-pow((x * x + y * y) / (spot * spot), 4)); /* nearly as strong all over the beam */
        s->gain[i] = IONS * (excited * EMISSION_SECTION - (1 - excited) * ABSORPTION_SECTION);
        s->emission[i] = IONS * excited / LIFETIME;
    }
}

bool slab_new(slab *s, uint32_t side, uint32_t layers, double spot)
{
    mesh *const m = &s->mesh;
    *s = (slab){.mesh = {.vertices = (side + 1) * (side + 1),
                         .triangles = 2 * side * side,
                         .layers = layers,
                         .prisms = 2 * side * side * layers,
                         .thickness = SLAB_HEIGHT / layers}};
    m->vertex_x = s->vertex_x = malloc(m->vertices * sizeof *s->vertex_x);
    m->vertex_y = s->vertex_y = malloc(m->vertices * sizeof *s->vertex_y);
    m->gain = s->gain = malloc(m->prisms * sizeof *s->gain);
    m->emission = s->emission = malloc(m->prisms * sizeof *s->emission);
    m->triangle = s->triangles = malloc(m->triangles * sizeof *s->triangles);
    if (s->vertex_x == NULL || s->vertex_y == NULL || s->gain == NULL || s->emission == NULL || s->triangles == NULL)
        return false;
    place_vertices(s, side);
    make_triangles(s, side);
    pump(s, spot);
    return true;
}

void slab_free(slab *s)
{
    free(s->triangles);
    free(s->emission);
    free(s->gain);
    free(s->vertex_y);
    free(s->vertex_x);
}
