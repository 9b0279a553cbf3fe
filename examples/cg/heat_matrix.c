/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 27-point heat matrix of miniFE (Mantevo).
 *
 * Steady heat conduction, -div(grad u) = 0, in the unit cube, discretised by nx * ny * nz eight-node hexahedra with
 * trilinear shape functions; conductivity 1. The face x = 1 is held at temperature 1, edges included, the other
 * five at 0. Each node is a row and is coupled to the up to 27 nodes of the elements around it.
 *
 * Numbering, element matrix, boundary conditions and structure are miniFE's. Rows of fixed nodes keep their entries,
 * with 1 on the diagonal and 0 beside it. Columns of fixed nodes are moved to the right-hand side and stored as 0. So
 * the matrix is symmetric and positive definite, and a multiplication costs what it costs in miniFE.
 *
 * Two things differ from miniFE. The right-hand side has no unit source, so that the temperature in the middle is
 * known: six copies of the problem, one for each hot face, add up to u = 1, hence u = 1/6 there, but for the mesh's
 * error. And the iteration starts with the fixed temperatures in place instead of 0. The rows of fixed nodes have the
 * eigenvalue 1, far above all others. Conjugate gradients would find it at once, lose it to rounding and find it again,
 * which costs iterations and makes histories depend on the last bit.
 *
 * The mesh is a tensor product, and so is the matrix: with K the stiffness and M the mass matrix of linear elements on
 * a line, it is Kx My Mz + Mx Ky Mz + Mx My Kz. This is what summing the 8 x 8 element matrices gives.
 */
#include "heat_matrix.h"

#include <stdlib.h>

/* Row of the assembled one-dimensional matrices: entries for the neighbour on the left, the node, the right. */
typedef struct line_row {
    double stiffness[3];
    double mass[3];
} line_row;

static line_row make_line_row(size_t node, size_t elements)
{
    const double h = 1.0 / (double)elements;
    const double left = node > 0 ? 1.0 : 0.0, right = node < elements ? 1.0 : 0.0; /* is there an element? */
    return (line_row){
        .stiffness = {-left / h, (left + right) / h, -right / h},
        .mass = {left * h / 6, (left + right) * h / 3, right * h / 6},
    };
}

typedef struct mesh {
    size_t elements[3]; /* x, y, z */
    size_t nodes[3];
} mesh;

/* Is the node's temperature fixed, and at what? */
static bool is_fixed(const mesh *m, const size_t node[3], double *temperature)
{
    *temperature = node[0] == m->elements[0] ? 1.0 : 0.0;
    for (int d = 0; d < 3; ++d)
        if (node[d] == 0 || node[d] == m->elements[d])
            return true;
    return false;
}

static bool make_mesh(size_t nx, size_t ny, size_t nz, mesh *m, size_t *rows, size_t *entries, const char **reason)
{
    *m = (mesh){{nx, ny, nz}, {nx + 1, ny + 1, nz + 1}};
    *rows = 1;
    *entries = 1;
    for (int d = 0; d < 3; ++d) {
        if (m->elements[d] == 0) {
            *reason = "a mesh needs at least one element in each direction";
            return false;
        }
        if (m->elements[d] > UINT32_MAX || *rows > UINT32_MAX / m->nodes[d]) {
            *reason = "the mesh has more than 2^32 - 1 nodes";
            return false;
        }
        *rows *= m->nodes[d];
        *entries *= 3 * m->nodes[d] - 2; /* each node has itself and two neighbours, but the ends one */
    }
    return true;
}

/* Writes one row behind the entries written so far and returns its right-hand side. */
static double write_row(const mesh *m, const size_t node[3], sparse_matrix *a, size_t *entry)
{
    const line_row x = make_line_row(node[0], m->elements[0]);
    const line_row y = make_line_row(node[1], m->elements[1]);
    const line_row z = make_line_row(node[2], m->elements[2]);
    double temperature, neighbour_temperature;
    const bool fixed = is_fixed(m, node, &temperature);
    double b = fixed ? temperature : 0.0;

    for (size_t k = node[2] == 0; k < 3 && node[2] + k <= m->nodes[2]; ++k)
        for (size_t j = node[1] == 0; j < 3 && node[1] + j <= m->nodes[1]; ++j)
            for (size_t i = node[0] == 0; i < 3 && node[0] + i <= m->nodes[0]; ++i) {
                const size_t neighbour[3] = {node[0] + i - 1, node[1] + j - 1, node[2] + k - 1};
                const bool diagonal = i == 1 && j == 1 && k == 1;
                double value = x.stiffness[i] * y.mass[j] * z.mass[k] + x.mass[i] * y.stiffness[j] * z.mass[k] +
                               x.mass[i] * y.mass[j] * z.stiffness[k];
                if (fixed) {
                    value = diagonal ? 1.0 : 0.0;
                } else if (is_fixed(m, neighbour, &neighbour_temperature)) {
                    b -= value * neighbour_temperature;
                    value = 0.0;
                }
                a->column[*entry] =
                    (uint32_t)(neighbour[0] + m->nodes[0] * (neighbour[1] + m->nodes[1] * neighbour[2]));
                a->value[*entry] = value;
                ++*entry;
            }
    return b;
}

bool heat_matrix_generate(size_t nx, size_t ny, size_t nz, linear_system *system, const char **reason)
{
    mesh m;
    size_t rows, entries;
    if (!make_mesh(nx, ny, nz, &m, &rows, &entries, reason))
        return false;

    linear_system made = {.b = malloc(rows * sizeof *made.b), .start = malloc(rows * sizeof *made.start)};
    if (!sparse_matrix_allocate(&made.a, rows, entries) || made.b == NULL || made.start == NULL) {
        linear_system_free(&made);
        *reason = "there is no memory for the matrix";
        return false;
    }
    size_t row = 0, entry = 0, node[3];
    double temperature;
    for (node[2] = 0; node[2] < m.nodes[2]; ++node[2])
        for (node[1] = 0; node[1] < m.nodes[1]; ++node[1])
            for (node[0] = 0; node[0] < m.nodes[0]; ++node[0], ++row) {
                made.a.row_start[row] = entry;
                made.b[row] = write_row(&m, node, &made.a, &entry);
                made.start[row] = is_fixed(&m, node, &temperature) ? temperature : 0.0;
            }
    made.a.row_start[row] = entry;
    *system = made;
    return true;
}

size_t heat_matrix_centre(size_t nx, size_t ny, size_t nz)
{
    if (nx % 2 != 0 || ny % 2 != 0 || nz % 2 != 0)
        return SIZE_MAX;
    return nx / 2 + (nx + 1) * (ny / 2 + (ny + 1) * (nz / 2));
}
