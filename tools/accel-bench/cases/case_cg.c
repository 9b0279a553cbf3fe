/* SPDX-License-Identifier: Apache-2.0 */
/* The solver of examples/cg, unchanged. */
#include <math.h>
#include <stdio.h>

#include "../../examples/cg/heat_matrix.h"
#include "../../examples/cg/reference.h"
#include "../../examples/cg/solver.h"
#include "cases/cases.h"

enum { NODES = 100, QUICK_NODES = 20, ITERATIONS = 10 };

typedef struct cg_state {
    linear_system system;
    solver *solver;
    solver_options options;
    solution solution;
} cg_state;

static bool sample_run(void *user, size_t repetitions, double *nanoseconds)
{
    cg_state *s = user;
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        if (!bench_check("cg", solver_run(s->solver, &s->system, &s->options, &s->solution)))
            return false;
        *nanoseconds += 1e9 * s->solution.seconds;
    }
    return true;
}

static bool validate(void *user)
{
    const cg_state *s = user;
    const double residual = s->solution.history[ITERATIONS];
    solution plain;
    if (!solution_allocate(&plain, s->system.a.rows, &s->options) ||
        !reference_solve(&s->system, &s->options, &plain)) {
        fprintf(stderr, "accel-bench: cg: no memory for a solution in plain C\n");
        return false;
    }
    const double expected = plain.history[ITERATIONS];
    const bool good = s->solution.iterations == ITERATIONS && fabs(residual - expected) <= 1e-10 * expected;
    if (!good)
        fprintf(stderr, "accel-bench: cg: the residual after %zu iterations is %.17g, not %.17g\n",
                s->solution.iterations, residual, expected);
    solution_free(&plain);
    return good;
}

enum case_result case_cg(bench *b)
{
    const size_t nodes = b->quick ? QUICK_NODES : NODES;
    char name[64];
    const char *reason;
    const uint64_t parameters[NATIVE_PARAMETERS] = {nodes, ITERATIONS};
    cg_state s = {.options = {.iterations = ITERATIONS}};
    bench_contest c = {
        .name = name, .measure = MEASURE_FLOPS, .goal = GOAL_RATIO, .goal_value = 1, .goal_device = "cpu-threads"};
    snprintf(name, sizeof name, "conjugate gradients, %zu^3", nodes);
    if (!heat_matrix_generate(nodes - 1, nodes - 1, nodes - 1, &s.system, &reason)) {
        fprintf(stderr, "accel-bench: cg: %s\n", reason);
        return CASE_FAILED;
    }
    c.bytes = ITERATIONS * iteration_bytes(&s.system.a);
    c.flops = c.amount = ITERATIONS * iteration_flops(&s.system.a);
    bool good = bench_check("cg", solver_create(b->device, &s.system, &s.solver)) &&
                solution_allocate(&s.solution, s.system.a.rows, &s.options) &&
                bench_add_native(b, &c, BENCH_C, "cg-omp", parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample_run, &s);
        for (size_t i = 0; i < c.count; ++i)
            c.ways[i].repetitions = 1;
        good = bench_run(b, &c, validate, &s);
    }
    solution_free(&s.solution);
    solver_release(s.solver);
    linear_system_free(&s.system);
    return good ? CASE_DONE : CASE_FAILED;
}
