/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cg - solves a sparse linear system by conjugate gradients on any device, and checks the result.
 *
 *   options.c                      the command line
 *   matrix_market.c, heat_matrix.c where A and b come from
 *   solver.c, cg.k.c, dot.k.c      the solver on the device
 *   reference.c, verification.c    what its result is checked against
 */
#include <accel/accel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "heat_matrix.h"
#include "matrix_market.h"
#include "options.h"
#include "reference.h"
#include "solver.h"
#include "verification.h"

enum { EXIT_VERIFIED = 0, EXIT_NOT_VERIFIED = 1, EXIT_ERROR = 2 };

/* b = A times a solution that is not smooth, so that every eigenvector takes part. */
static bool make_right_hand_side(linear_system *system)
{
    const size_t n = system->a.rows;
    system->b = malloc(n * sizeof *system->b);
    system->exact = malloc(n * sizeof *system->exact);
    system->start = calloc(n, sizeof *system->start);
    if (system->b == NULL || system->exact == NULL || system->start == NULL)
        return false;
    for (size_t i = 0; i < n; ++i)
        system->exact[i] = 1.0 + (double)(i * 7 % 11) / 11.0;
    sparse_matrix_multiply(&system->a, system->exact, system->b);
    return true;
}

static bool make_system(const cg_options *options, linear_system *system)
{
    if (options->file == NULL) {
        const char *reason;
        if (heat_matrix_generate(options->size[0], options->size[1], options->size[2], system, &reason))
            return true;
        fprintf(stderr, "cg: --size %zu %zu %zu: %s\n", options->size[0], options->size[1], options->size[2], reason);
        return false;
    }
    char error[512];
    size_t row, column;
    if (!matrix_market_read(options->file, &system->a, error, sizeof error)) {
        fprintf(stderr, "cg: %s\n", error);
        return false;
    }
    if (sparse_matrix_find_asymmetry(&system->a, &row, &column)) {
        fprintf(stderr,
                "cg: %s:%zu: not symmetric: entry (%zu, %zu) is %g, but (%zu, %zu) is %g; conjugate gradients need a "
                "symmetric matrix\n",
                options->file, matrix_market_line(options->file, row, column), row + 1, column + 1,
                sparse_matrix_at(&system->a, row, column), column + 1, row + 1,
                sparse_matrix_at(&system->a, column, row));
        return false;
    }
    if (!make_right_hand_side(system)) {
        fprintf(stderr, "cg: %s: there is no memory for %zu rows\n", options->file, system->a.rows);
        return false;
    }
    return true;
}

static void print_problem(const cg_options *options, const linear_system *system, const accel_device_properties *device)
{
    if (options->file != NULL)
        printf("matrix      %s\n", options->file);
    else
        printf("matrix      27-point heat matrix, %zu x %zu x %zu elements\n", options->size[0], options->size[1],
               options->size[2]);
    printf("            %zu rows, %zu entries\n", system->a.rows, system->a.entries);
    printf("device      %s (%s)\n", device->name, device->description);
}

/* About twenty lines, whatever the number of iterations; always the first and the last. */
static void print_history(const solution *s)
{
    const size_t step = s->iterations <= 20 ? 1 : (s->iterations + 19) / 20;
    printf("\niteration   |r| / |r at the start|\n");
    for (size_t i = 0; i <= s->iterations; ++i)
        if (i % step == 0 || i == s->iterations)
            printf("%9zu   %.6e\n", i, s->history[i]);
    printf("\n");
}

static void print_speed(const char *who, const sparse_matrix *a, const solution *s)
{
    const double per_iteration = s->iterations > 0 ? s->seconds / (double)s->iterations : 0;
    printf("%-11s %zu iterations in %.3f s", who, s->iterations, s->seconds);
    if (per_iteration > 0)
        printf(": %.3f ms each, %.2f GB/s, %.2f GFLOP/s", 1e3 * per_iteration,
               1e-9 * iteration_bytes(a) / per_iteration, 1e-9 * iteration_flops(a) / per_iteration);
    printf("\n");
}

static void print_error(const cg_options *options, const linear_system *system, const solution *s)
{
    if (!s->converged)
        return;
    if (system->exact != NULL) {
        double worst = 0;
        for (size_t i = 0; i < system->a.rows; ++i)
            worst = fmax(worst, fabs(s->x[i] - system->exact[i]));
        printf("solution    largest error %.2e; the exact one is known\n", worst);
    } else {
        const size_t centre = heat_matrix_centre(options->size[0], options->size[1], options->size[2]);
        if (centre != SIZE_MAX)
            printf("solution    temperature in the middle %.6f; 1/6 on an infinitely fine mesh\n", s->x[centre]);
    }
}

static void print_verification(const verification *v, const solution *device, const solution *reference)
{
    printf("residual    %.3e recomputed, %.1e from the recurrence's (allowed %.1e)\n", v->residual, v->residual_gap,
           v->residual_allowed);
    printf("difference  |A (x - reference)| = %.1e (allowed %.1e), |x - reference| / |reference| = %.1e\n",
           v->difference, v->difference_allowed, v->x_difference);
    if (device->converged != reference->converged || !v->iterations_agree)
        printf("iterations  %zu, %s; the reference: %zu, %s\n", device->iterations,
               device->converged ? "converged" : "not converged", reference->iterations,
               reference->converged ? "converged" : "not converged");
    printf("result      %s, %s\n", device->converged ? "converged" : "stopped by the iteration limit",
           v->passed ? "verified" : "NOT VERIFIED");
}

static int solve_and_check(const cg_options *options, const linear_system *system, accel_device *device)
{
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    solution ours = {0}, reference = {0};
    verification v;
    int result = EXIT_ERROR;
    if (!solution_allocate(&ours, system->a.rows, &options->solver) ||
        !solution_allocate(&reference, system->a.rows, &options->solver)) {
        fprintf(stderr, "cg: there is no memory for two solutions of %zu rows\n", system->a.rows);
        goto done;
    }
    accel_status status = accel_device_info(device, &about);
    if (status == ACCEL_OK) {
        if (!options->table_row)
            print_problem(options, system, &about);
        status = solver_solve(device, system, &options->solver, &ours);
    }
    if (status != ACCEL_OK) {
        fprintf(stderr, "cg: %s: %s\n", accel_status_name(status), accel_error_message());
        goto done;
    }
    if (ours.indefinite) {
        fprintf(stderr,
                "cg: %s: p . A p is not positive in iteration %zu: the matrix is not positive definite; conjugate "
                "gradients need that\n",
                options->file != NULL ? options->file : "heat matrix", ours.iterations + 1);
        goto done;
    }
    if (!options->table_row && !options->quiet)
        print_history(&ours);

    if (!reference_solve(system, &options->solver, &reference) ||
        !verify_solution(system, &options->solver, &ours, &reference, &v)) {
        fprintf(stderr, "cg: there is no memory for the reference\n");
        goto done;
    }
    if (options->table_row) {
        printf("cg\t%s\t%s\t%s\t%.6f\n", about.backend, about.description, v.passed ? "yes" : "NO", ours.seconds);
    } else {
        print_speed("speed", &system->a, &ours);
        print_speed("plain C", &system->a, &reference);
        print_error(options, system, &ours);
        print_verification(&v, &ours, &reference);
    }
    result = v.passed ? EXIT_VERIFIED : EXIT_NOT_VERIFIED;
done:
    solution_free(&reference);
    solution_free(&ours);
    return result;
}

int main(int argc, char **argv)
{
    cg_options options;
    switch (cg_options_parse(argc, argv, &options)) {
    case PARSED:
        break;
    case PARSED_HELP:
        return 0;
    case PARSE_FAILED:
        return EXIT_ERROR;
    }

    /* The device first: a mistyped name need not wait for the matrix. */
    accel_instance *instance = NULL;
    accel_device *device; /* borrowed from the instance */
    linear_system system = {0};
    int result = EXIT_ERROR;
    accel_status status = accel_instance_create(NULL, &instance);
    if (status == ACCEL_OK)
        status = accel_instance_find_device(instance, options.device, &device);
    if (status != ACCEL_OK)
        fprintf(stderr, "cg: %s: %s\n", accel_status_name(status), accel_error_message());
    else if (make_system(&options, &system))
        result = solve_and_check(&options, &system, device);
    linear_system_free(&system);
    accel_instance_release(instance);
    return result;
}
