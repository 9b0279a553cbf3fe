/* SPDX-License-Identifier: Apache-2.0 */
/* One time step: drift, then (libaccel's sort and histogram) begins, gather, forces. And the energy. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "nbody.h"

/* What leaves the box on one side comes in on the other. */
ACCEL_FN double inside(double x, double box)
{
    return x < 0 ? x + box : x >= box ? x - box : x;
}

/* Rounding may give the edge of the box. */
ACCEL_FN uint32_t cell_along(double x, double cell, uint32_t side)
{
    const uint32_t c = (uint32_t)(x / cell);
    return c < side ? c : side - 1;
}

/* The first half of the step's force, and the new positions. The forces are those of the step before, whose order of the
 * particles `now` still has. */
ACCEL_KERNEL(drift, nbody_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        vector v = args.now.velocity[i], x = args.now.position[i];
        const vector f = args.force[i];
        v.x += args.half_step * f.x;
        v.y += args.half_step * f.y;
        v.z += args.half_step * f.z;
        x.x = inside(x.x + 2 * args.half_step * v.x, args.box);
        x.y = inside(x.y + 2 * args.half_step * v.y, args.box);
        x.z = inside(x.z + 2 * args.half_step * v.z, args.box);
        args.now.velocity[i] = v;
        args.now.position[i] = x;
        args.key[i] =
            (cell_along(x.z, args.cell, args.side) * args.side + cell_along(x.y, args.cell, args.side)) * args.side +
            cell_along(x.x, args.cell, args.side);
        args.order[i] = (uint32_t)i;
    }
}

/* Where each cell's particles begin: after all those of the cells before. */
ACCEL_SCAN(begins, nbody_args, args, c, uint32_t, ACCEL_SUM)
{
    return args.count[c];
}

/* Neighbours in space become neighbours in memory. */
ACCEL_KERNEL(gather, nbody_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const uint32_t from = args.order[i];
        args.sorted.position[i] = args.now.position[from];
        args.sorted.velocity[i] = args.now.velocity[from];
        args.sorted.id[i] = args.now.id[from];
    }
}

/* Force, and in w the potential, on a particle at x by those of a cell, which lies `shift` away from where it seems to be.
 * The potential has no step and no kink at REACH, so the energy is conserved. */
ACCEL_FN void add_cell(const nbody_args args, uint32_t c, size_t self, vector x, vector shift, vector *force, double *w)
{
    const double reach_2 = REACH * REACH, end_2 = 1 / reach_2, end_6 = end_2 * end_2 * end_2;
    const double end = 4 * (end_6 * end_6 - end_6), slope = -12 * (2 * end_6 * end_6 - end_6) * end_2;
    const size_t begin = args.begin[c], behind = begin + args.count[c];
    for (size_t j = begin; j < behind; j++) {
        const vector other = args.sorted.position[j];
        const double dx = x.x - (other.x + shift.x), dy = x.y - (other.y + shift.y), dz = x.z - (other.z + shift.z);
        const double d_2 = dx * dx + dy * dy + dz * dz;
        if (d_2 < reach_2 && j != self) {
            const double r_2 = 1 / d_2, r_6 = r_2 * r_2 * r_2;
            const double factor = 24 * (2 * r_6 * r_6 - r_6) * r_2 + 2 * slope;
            *w += 4 * (r_6 * r_6 - r_6) - end - (d_2 - reach_2) * slope;
            force->x += factor * dx;
            force->y += factor * dy;
            force->z += factor * dz;
        }
    }
}

/* The neighbour of cell c along an edge, and how far its particles are from where they seem to be. */
ACCEL_FN uint32_t neighbour(uint32_t c, uint32_t step, const nbody_args args, double *shift)
{
    *shift = c + step == 0 ? -args.box : c + step == args.side + 1 ? args.box : 0;
    return c + step == 0 ? args.side - 1 : c + step == args.side + 1 ? 0 : c + step - 1;
}

/* The forces, and the second half of their step. */
ACCEL_KERNEL(forces, nbody_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const vector x = args.sorted.position[i];
        const uint32_t cx = cell_along(x.x, args.cell, args.side), cy = cell_along(x.y, args.cell, args.side),
                       cz = cell_along(x.z, args.cell, args.side);
        vector force = {0, 0, 0}, shift;
        double w = 0;
        for (uint32_t k = 0; k < 27; k++) {
            const uint32_t nx = neighbour(cx, k % 3, args, &shift.x), ny = neighbour(cy, k / 3 % 3, args, &shift.y),
                           nz = neighbour(cz, k / 9, args, &shift.z);
            add_cell(args, (nz * args.side + ny) * args.side + nx, i, x, shift, &force, &w);
        }
        args.force[i] = force;
        args.potential[i] = w;
        args.sorted.velocity[i].x += args.half_step * force.x;
        args.sorted.velocity[i].y += args.half_step * force.y;
        args.sorted.velocity[i].z += args.half_step * force.z;
    }
}

/* Each potential is of two particles. */
ACCEL_REDUCE(energy, nbody_args, args, i, double, ACCEL_SUM)
{
    const vector v = args.sorted.velocity[i];
    return 0.5 * (v.x * v.x + v.y * v.y + v.z * v.z + args.potential[i]);
}
