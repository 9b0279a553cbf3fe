/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nbody - simulates a liquid: particles that act on their neighbours.
 *
 *   nbody [--side M] [--steps N] [--table-row] [DEVICE]
 *
 *   M            so many particles along each edge of the box, M * M * M in all; 20 unless given
 *   N            time steps; 20 unless given
 *   --table-row  one line for examples/demo.sh, fields separated by tabs
 *   DEVICE       "cpu-serial", "cuda:1", ...; without it, the first device
 *
 * The kernels are in nbody.k.c, and simulation.c has the steps. Positions, velocities and energies are compared with those of
 * plain C, and the energy at each step with that of the first.
 */
#include "reference.h"
#include "simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DENSITY 0.8442 /* particles per unit of volume: a liquid near its triple point */
#define STEP 0.002     /* of time */
#define TOLERANCE 1e-8 /* of positions and velocities: rounding, grown by the collisions of many steps */
#define DRIFT 1e-3     /* of the energy of a particle */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool parse_number(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t *number)
{
    char *end = NULL;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "nbody: %s: \"%s\" is not a number from %u to %u\n", option, text, least, most);
        return false;
    }
    *number = (uint32_t)value;
    return true;
}

static bool parse(int argc, char **argv, uint32_t *side, uint32_t *steps, bool *table_row, const char **device)
{
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--table-row") == 0) {
            *table_row = true;
        } else if (strcmp(argv[i], "--side") == 0 && i + 1 < argc) {
            if (!parse_number("--side", argv[++i], 8, 500, side)) /* fewer would meet around the box */
                return false;
        } else if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc) {
            if (!parse_number("--steps", argv[++i], 1, 1000, steps))
                return false;
        } else if (argv[i][0] != '-' && *device == NULL) {
            *device = argv[i];
        } else {
            fprintf(stderr, "usage: nbody [--side M] [--steps N] [--table-row] [DEVICE]\n");
            return false;
        }
    }
    return true;
}

/* A grid, and velocities as if by chance, whose sum is zero. */
static bool particles_new(uint32_t side, double box, particles *p)
{
    const uint32_t n = side * side * side;
    uint32_t seed = 1;
    vector mean = {0, 0, 0};
    p->position = malloc(n * sizeof *p->position);
    p->velocity = malloc(n * sizeof *p->velocity);
    p->id = malloc(n * sizeof *p->id);
    if (p->position == NULL || p->velocity == NULL || p->id == NULL)
        return false;
    for (uint32_t i = 0; i < n; ++i) {
        double v[3];
        for (int d = 0; d < 3; ++d) {
            seed = seed * 1664525u + 1013904223u;
            v[d] = (double)seed / 4294967296.0 * 4 - 2;
        }
        p->position[i] = (vector){(i % side + 0.5) * box / side, (i / side % side + 0.5) * box / side,
                                  (i / side / side + 0.5) * box / side};
        p->velocity[i] = (vector){v[0], v[1], v[2]};
        p->id[i] = i;
        mean.x += v[0] / n;
        mean.y += v[1] / n;
        mean.z += v[2] / n;
    }
    for (uint32_t i = 0; i < n; ++i) {
        p->velocity[i].x -= mean.x;
        p->velocity[i].y -= mean.y;
        p->velocity[i].z -= mean.z;
    }
    return true;
}

static void particles_free(particles *p)
{
    free(p->position);
    free(p->velocity);
    free(p->id);
}

/* The largest difference along any axis; around the box it may be as large as its edge. */
static double largest_difference(uint32_t n, const vector *a, const vector *b, double box)
{
    double largest = 0;
    for (uint32_t i = 0; i < n; ++i) {
        const double d[] = {fabs(a[i].x - b[i].x), fabs(a[i].y - b[i].y), fabs(a[i].z - b[i].z)};
        for (int k = 0; k < 3; ++k)
            largest = fmax(largest, d[k] > box / 2 ? fabs(box - d[k]) : d[k]);
    }
    return largest;
}

typedef struct findings {
    double apart;         /* positions and velocities: the device's from plain C's */
    double energy, drift; /* of a particle: at first, and the largest change */
    double device_seconds, plain_seconds;
    bool good;
} findings;

/* Both, from the same start. false: no memory. */
static bool simulate(accel_device *device, uint32_t side, uint32_t steps, findings *f)
{
    const uint32_t n = side * side * side;
    const double box = side / cbrt(DENSITY);
    double *const energies = malloc((steps + 1) * sizeof *energies), *const expected =
                                                                         malloc((steps + 1) * sizeof *expected);
    vector *const x = malloc(n * sizeof *x), *const v = malloc(n * sizeof *v);
    particles host = {0};
    bool good = energies != NULL && expected != NULL && x != NULL && v != NULL && particles_new(side, box, &host);
    if (good) {
        simulation *const s = simulation_new(device, n, box, STEP, &host);
        double start = seconds_now();
        simulation_run(s, steps, energies);
        f->device_seconds = seconds_now() - start;
        simulation_read(s, x, v);
        simulation_release(s);
        start = seconds_now();
        good = reference_run(n, box, STEP, steps, &host, expected);
        f->plain_seconds = seconds_now() - start;
    }
    if (good) {
        f->apart =
            fmax(largest_difference(n, x, host.position, box), largest_difference(n, v, host.velocity, INFINITY));
        f->energy = energies[0] / n;
        f->good = f->apart < TOLERANCE;
        for (uint32_t k = 0; k <= steps; ++k) {
            f->drift = fmax(f->drift, fabs(energies[k] - energies[0]) / n);
            f->good = f->good && fabs(energies[k] - expected[k]) < TOLERANCE * n;
        }
        f->good = f->good && f->drift < DRIFT;
    }
    particles_free(&host);
    free(v);
    free(x);
    free(expected);
    free(energies);
    return good;
}

int main(int argc, char **argv)
{
    uint32_t side = 20, steps = 20;
    bool table_row = false;
    const char *name = NULL; /* the first device of all */
    findings f = {0};
    accel_instance *instance = NULL;
    accel_device *device; /* borrowed from the instance */
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;

    if (!parse(argc, argv, &side, &steps, &table_row, &name))
        return 2;
    if (accel_instance_create(NULL, &instance) != ACCEL_OK ||
        accel_instance_find_device(instance, name, &device) != ACCEL_OK ||
        accel_device_info(device, &about) != ACCEL_OK) {
        fprintf(stderr, "nbody: %s\n", accel_error_message());
        accel_instance_release(instance);
        return 2;
    }
    if (!simulate(device, side, steps, &f)) {
        fprintf(stderr, "nbody: no memory for %u particles\n", side * side * side);
        accel_instance_release(instance);
        return 2;
    }
    if (table_row) {
        printf("nbody\t%s\t%s\t%s\t%.6f\n", about.backend, about.description, f.good ? "yes" : "NO", f.device_seconds);
    } else {
        printf("%u steps of %u particles on %s (%s)\n\n", steps, side * side * side, about.name, about.description);
        printf("device                 %9.3f ms a step\n", 1e3 * f.device_seconds / steps);
        printf("plain C, one thread    %9.3f ms a step\n\n", 1e3 * f.plain_seconds / steps);
        printf("energy of a particle   %.15g, which changed by at most %.1e\n", f.energy, f.drift);
        printf("from plain C           at most %.1e apart\n\n", f.apart);
        printf("%s\n", f.good ? "verified: the particles move as in plain C, and energy is conserved" : "NOT VERIFIED");
    }
    accel_instance_release(instance);
    return f.good ? 0 : 1;
}
