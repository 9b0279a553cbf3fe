/* SPDX-License-Identifier: Apache-2.0 */
/*
 * amplified-emission - the light that a pumped laser medium amplifies before the laser does. --help lists the options.
 *
 * The kernels are in amplified-emission.k.c, and simulation.c calls them. The fluxes are compared with plain C, and where the
 * beam covers all of the slab with a quadrature that knows neither chance nor triangles.
 */
#include <accel/accel.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "options.h"
#include "quadrature.h"
#include "reference.h"
#include "simulation.h"
#include "slab.h"

#define TOLERANCE 1e-9 /* of fluxes and their errors, from plain C: rounding */

typedef struct findings {
    double apart;                /* the largest relative distance from plain C */
    double error, largest_error; /* relative standard errors: their mean, the largest */
    double deviation, farthest;  /* from the quadrature, in standard errors: root mean square, the largest */
    double device_seconds, plain_seconds;
    size_t highest; /* the sample point with the largest flux */
    bool good;
} findings;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What is no number is as far away as can be. */
static double larger(double a, double b)
{
    return isnan(b) ? INFINITY : fmax(a, b);
}

static void compare(size_t samples, const flux *fluxes, const flux *expected, findings *f)
{
    for (size_t s = 0; s < samples; ++s) {
        const double error = sqrt(fluxes[s].variance), plain = sqrt(expected[s].variance);
        f->apart = larger(f->apart, fabs(fluxes[s].value / expected[s].value - 1));
        f->apart = larger(f->apart, fabs(error / plain - 1));
        f->error += error / fluxes[s].value / (double)samples;
        f->largest_error = larger(f->largest_error, error / fluxes[s].value);
        if (fluxes[s].value > fluxes[f->highest].value)
            f->highest = s;
    }
    f->good = f->apart <= TOLERANCE;
}

/* Distances in standard errors are normal deviates if flux and error are right: their mean square is 1, give or take
 * sqrt(2 / samples), and none is far away. The slack is for few rays in flat prisms: their distribution is skew. */
static void compare_exact(size_t samples, const mesh *m, const flux *fluxes, findings *f)
{
    double squares = 0;
    for (size_t s = 0; s < samples; ++s) {
        const double exact = quadrature_flux(m, SLAB_EDGE, (uint32_t)(s % m->vertices), (uint32_t)(s / m->vertices));
        const double distance = (fluxes[s].value - exact) / sqrt(fluxes[s].variance);
        squares += distance * distance;
        f->farthest = larger(f->farthest, fabs(distance));
    }
    f->deviation = sqrt(squares / (double)samples);
    f->good = f->good && f->farthest < 10 && fabs(squares / (double)samples - 1) < 5 * sqrt(2 / (double)samples) + 1;
}

static bool write_table(const char *path, size_t samples, const mesh *m, const flux *fluxes)
{
    FILE *const file = fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        fprintf(file, "# x y z flux error\n");
        for (size_t s = 0; s < samples; ++s)
            fprintf(file, "%.6f %.6f %.6f %.16e %.16e\n", m->vertex_x[s % m->vertices], m->vertex_y[s % m->vertices],
                    (double)(s / m->vertices) * m->thickness, fluxes[s].value, sqrt(fluxes[s].variance));
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    if (!good)
        fprintf(stderr, "amplified-emission: %s: %s\n", path, strerror(errno));
    return good;
}

static void no_memory(void)
{
    fprintf(stderr, "amplified-emission: no memory\n");
    exit(2);
}

static void print(const options *o, const mesh *m, const flux *fluxes, size_t samples, const findings *f)
{
    const flux *const highest = &fluxes[f->highest];
    const size_t vertex = f->highest % m->vertices;
    printf("device                 %9.3f us a sample point\n", 1e6 * f->device_seconds / (double)samples);
    printf("plain C, one thread    %9.3f us a sample point\n\n", 1e6 * f->plain_seconds / (double)samples);
    printf("largest flux           %.15g photons / (cm^2 s) at (%.2f, %.2f, %.2f) cm\n", highest->value,
           m->vertex_x[vertex], m->vertex_y[vertex], (double)(f->highest / m->vertices) * m->thickness);
    printf("standard error         %.2f %% on average, at most %.2f %%\n", 100 * f->error, 100 * f->largest_error);
    printf("from plain C           at most %.1e apart\n", f->apart);
    if (o->spot > 0)
        printf("from the quadrature    not compared, as there is none for a spot\n\n");
    else
        printf("from the quadrature    %.3f standard errors (root mean square), at most %.2f\n\n", f->deviation,
               f->farthest);
    printf("%s\n", !f->good ? "NOT VERIFIED"
                   : o->spot > 0
                       ? "verified: the fluxes are those of plain C"
                       : "verified: the fluxes are those of plain C, and as near to the quadrature as they say");
}

int main(int argc, char **argv)
{
    const options o = options_parse(argc, argv);
    accel_instance *instance = NULL;
    accel_device *device; /* borrowed from the instance */
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    findings f = {0};
    slab medium;

    if (accel_instance_create(NULL, &instance) != ACCEL_OK ||
        accel_instance_find_device(instance, o.device, &device) != ACCEL_OK ||
        accel_device_info(device, &about) != ACCEL_OK) {
        fprintf(stderr, "amplified-emission: %s\n", accel_error_message());
        accel_instance_release(instance);
        return 2;
    }
    if (!slab_new(&medium, o.side, o.layers, o.spot))
        no_memory();
    const mesh *const m = &medium.mesh;
    const size_t samples = (size_t)m->vertices * (m->layers + 1);
    flux *const fluxes = malloc(samples * sizeof *fluxes), *const expected = malloc(samples * sizeof *expected);
    if (fluxes == NULL || expected == NULL)
        no_memory();

    simulation *const s = simulation_new(device, m, o.rays, o.seed);
    double start = seconds_now();
    simulation_run(s, fluxes);
    f.device_seconds = seconds_now() - start;
    simulation_release(s);
    start = seconds_now();
    if (!reference_run(m, o.rays, o.seed, expected))
        no_memory();
    f.plain_seconds = seconds_now() - start;
    compare(samples, fluxes, expected, &f);
    if (o.spot <= 0)
        compare_exact(samples, m, fluxes, &f);
    const bool written = o.table == NULL || write_table(o.table, samples, m, fluxes);

    if (o.table_row) {
        printf("amplified-emission\t%s\t%s\t%s\t%.6f\n", about.backend, about.description, f.good ? "yes" : "NO",
               f.device_seconds);
    } else {
        printf("%zu sample points, %u prisms, up to %u rays a sample point on %s (%s)\n\n", samples, m->prisms,
               LEAST_RAYS * m->prisms + o.rays, about.name, about.description);
        print(&o, m, fluxes, samples, &f);
    }
    free(expected);
    free(fluxes);
    slab_free(&medium);
    accel_instance_release(instance);
    return !written ? 2 : f.good ? 0 : 1;
}
