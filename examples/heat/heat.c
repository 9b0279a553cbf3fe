/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat - lets the heat of a square plate spread, and checks where it went. heat --help lists the options.
 *
 * The kernel is in heat.k.c, and simulation.c has the steps, the two queues and the events. Every snapshot is compared with
 * what the start's sine modes must have become, and the last one with plain C.
 */
#include <accel/accel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "modes.h"
#include "options.h"
#include "picture.h"
#include "reference.h"
#include "simulation.h"

#define RATE 0.2        /* of heat_args: the time step's */
#define TOLERANCE 1e-10 /* of temperatures, which are 1 at most: the rounding of many steps */

/* What the program holds against the snapshots. */
typedef struct course {
    const options *options;
    const modes *modes;
    double *last;        /* a copy of the last one */
    double scheme_error; /* the largest of all */
    unsigned count;
    bool progress; /* standard error is a terminal */
} course;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void draw(const char *path, size_t side, const double *values)
{
    if (!picture_write(path, side, values))
        exit(2);
}

static void draw_next(course *c, const double *values)
{
    const char *const prefix = c->options->animation;
    const size_t size = strlen(prefix) + 32;
    char *const path = malloc(size);
    if (path == NULL) {
        fprintf(stderr, "heat: no memory\n");
        exit(2);
    }
    snprintf(path, size, "%s-%04u.ppm", prefix, c->count);
    draw(path, c->options->side, values);
    free(path);
}

static void take(void *user, uint32_t step, const double *values)
{
    course *const c = user;
    const options *const o = c->options;
    c->scheme_error = fmax(c->scheme_error, modes_scheme_error(c->modes, step, values));
    if (o->animation != NULL)
        draw_next(c, values);
    if (step == o->steps)
        memcpy(c->last, values, (size_t)o->side * o->side * sizeof *values);
    ++c->count;
    if (!c->progress)
        return;
    /* The cursor stays at the begin of the line, so what is written next covers it. */
    if (step < o->steps)
        fprintf(stderr, "step %u of %u", step, o->steps);
    fputs("\033[K\r", stderr);
}

/* A value that is no number is as far away as can be. */
static double largest_distance(size_t n, const double *a, const double *b)
{
    double largest = 0;
    for (size_t i = 0; i < n; ++i) {
        const double distance = fabs(a[i] - b[i]);
        if (!(distance <= largest))
            largest = isnan(distance) ? INFINITY : distance;
    }
    return largest;
}

int main(int argc, char **argv)
{
    const options o = options_parse(argc, argv);
    const size_t points = (size_t)o.side * o.side;
    accel_instance *instance = NULL;
    accel_device *device; /* borrowed from the instance */
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;

    if (accel_instance_create(NULL, &instance) != ACCEL_OK ||
        accel_instance_find_device(instance, o.device, &device) != ACCEL_OK ||
        accel_device_info(device, &about) != ACCEL_OK) {
        fprintf(stderr, "heat: %s\n", accel_error_message());
        accel_instance_release(instance);
        return 2;
    }

    modes *const m = modes_new(o.side, RATE);
    double *const values = malloc(points * sizeof *values);
    course c = {.options = &o, .modes = m, .last = malloc(points * sizeof *values), .progress = isatty(STDERR_FILENO)};
    if (m == NULL || values == NULL || c.last == NULL) {
        fprintf(stderr, "heat: no memory for %zu points\n", points);
        exit(2);
    }
    modes_start(m, values);
    if (o.animation != NULL)
        draw_next(&c, values);
    c.count = 1;

    simulation *const s = simulation_new(device, o.side, RATE, values);
    double start = seconds_now();
    simulation_run(s, o.steps, o.every, take, &c);
    const double device_seconds = seconds_now() - start;
    simulation_release(s);
    if (o.picture != NULL)
        draw(o.picture, o.side, c.last);

    start = seconds_now();
    if (!reference_run(o.side, RATE, o.steps, values)) {
        fprintf(stderr, "heat: no memory for %zu points\n", points);
        exit(2);
    }
    const double plain_seconds = seconds_now() - start;
    const double apart = largest_distance(points, c.last, values);
    const bool good = apart <= TOLERANCE && c.scheme_error <= TOLERANCE;

    if (o.table_row) {
        printf("heat\t%s\t%s\t%s\t%.6f\n", about.backend, about.description, good ? "yes" : "NO", device_seconds);
    } else {
        printf("%u steps of %u x %u points on %s (%s)\n\n", o.steps, o.side, o.side, about.name, about.description);
        printf("device                 %9.3f us a step, with %u snapshots\n", 1e6 * device_seconds / o.steps,
               c.count - 1);
        printf("plain C, one thread    %9.3f us a step, without\n\n", 1e6 * plain_seconds / o.steps);
        printf("the end from plain C                        at most %.1e apart\n", apart);
        printf("snapshots from the modes of the scheme      at most %.1e apart\n", c.scheme_error);
        printf("the end from the heat equation's solution   at most %.1e apart\n\n",
               modes_equation_error(m, o.steps, c.last));
        printf("%s\n", good ? "verified: the heat is where plain C and the sine modes say" : "NOT VERIFIED");
    }
    free(c.last);
    free(values);
    modes_free(m);
    accel_instance_release(instance);
    return good ? 0 : 1;
}
