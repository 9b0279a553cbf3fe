/* SPDX-License-Identifier: Apache-2.0 */
#include "simulation.h"

#include <accel/algorithm.h>
#include <accel/pattern.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRIFT, BEGINS, GATHER, FORCES, ENERGY, KERNELS };
static const char *const names[KERNELS] = {"drift", "begins", "gather", "forces", "energy"};

/* The device's arrays. Two of each that the sort moves. */
enum { POSITION, VELOCITY = 2, ID = 4, KEY = 6, ORDER, COUNT, BEGIN, FORCE, POTENTIAL, ARRAYS };

struct simulation {
    accel_device *device; /* borrowed */
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernels[KERNELS]; /* borrowed from the module */
    accel_buffer *arrays[ARRAYS];
    unsigned now; /* which of two has the particles */
    double step;
    nbody_args args;
};

static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "nbody: %s: %s\n", accel_status_name(status), accel_error_message());
    exit(2);
}

static void array_new(simulation *s, int which, size_t n, size_t size)
{
    const accel_buffer_desc desc = accel_buffer_1d(size, n);
    check(accel_buffer_create(s->device, &desc, &s->arrays[which]));
}

/* The arguments name the arrays as they are now. */
static void turn(simulation *s)
{
    particles *const both[] = {&s->args.now, &s->args.sorted};
    for (unsigned k = 0; k < 2; ++k) {
        const unsigned from = s->now ^ k;
        both[k]->position = accel_buffer_ptr(s->arrays[POSITION + from]);
        both[k]->velocity = accel_buffer_ptr(s->arrays[VELOCITY + from]);
        both[k]->id = accel_buffer_ptr(s->arrays[ID + from]);
    }
}

static void arrays_new(simulation *s, uint32_t n)
{
    const uint32_t zero = 0;
    for (int k = 0; k < 2; ++k) {
        array_new(s, POSITION + k, n, sizeof(vector));
        array_new(s, VELOCITY + k, n, sizeof(vector));
        array_new(s, ID + k, n, sizeof(uint32_t));
    }
    array_new(s, KEY, n, sizeof(uint32_t));
    array_new(s, ORDER, n, sizeof(uint32_t));
    array_new(s, COUNT, s->args.cells, sizeof(uint32_t));
    array_new(s, BEGIN, s->args.cells, sizeof(uint32_t));
    array_new(s, FORCE, n, sizeof(vector));
    array_new(s, POTENTIAL, n, sizeof(double));
    check(accel_fill(s->queue, s->arrays[FORCE], &zero, sizeof zero, NULL));
    s->args.key = accel_buffer_ptr(s->arrays[KEY]);
    s->args.order = accel_buffer_ptr(s->arrays[ORDER]);
    s->args.count = accel_buffer_ptr(s->arrays[COUNT]);
    s->args.begin = accel_buffer_ptr(s->arrays[BEGIN]);
    s->args.force = accel_buffer_ptr(s->arrays[FORCE]);
    s->args.potential = accel_buffer_ptr(s->arrays[POTENTIAL]);
    turn(s);
}

simulation *simulation_new(accel_device *device, uint32_t n, double box, double step, const particles *host)
{
    simulation *const s = calloc(1, sizeof *s);
    if (s == NULL) {
        fprintf(stderr, "nbody: no memory\n");
        exit(2);
    }
    s->device = device;
    s->step = step;
    s->args.n = n;
    s->args.side = (uint32_t)(box / REACH);
    s->args.cells = s->args.side * s->args.side * s->args.side;
    s->args.box = box;
    s->args.cell = box / s->args.side;
    check(accel_queue_create(device, NULL, &s->queue));
    check(accel_module_load(device, "nbody", &s->module));
    for (int k = 0; k < KERNELS; ++k)
        check(accel_module_kernel(s->module, names[k], &s->kernels[k]));
    arrays_new(s, n);
    check(accel_write(s->queue, s->arrays[POSITION], host->position));
    check(accel_write(s->queue, s->arrays[VELOCITY], host->velocity));
    check(accel_write(s->queue, s->arrays[ID], host->id));
    check(accel_queue_wait(s->queue));
    return s;
}

static void launch(simulation *s, int kernel)
{
    const size_t n = s->args.n;
    check(accel_launch_over(s->queue, s->kernels[kernel], 1, &n, &s->args, sizeof s->args));
}

/* The list of cells: particles in the order of their cells, and where those of each cell begin. Then the forces. */
static void find_forces(simulation *s)
{
    accel_sort_desc sort = ACCEL_SORT_DESC_INIT;
    accel_histogram_desc counts = ACCEL_HISTOGRAM_DESC_INIT;
    sort.type = counts.type = ACCEL_TYPE_UINT32;
    for (uint32_t left = s->args.cells - 1; left != 0; left /= 2)
        ++sort.bit_count; /* no key has more */
    counts.high = s->args.cells;
    check(accel_histogram(s->queue, &counts, s->arrays[KEY], s->arrays[COUNT]));
    check(accel_scan(s->queue, s->kernels[BEGINS], s->args.cells, &s->args, sizeof s->args, s->arrays[BEGIN], 0));
    check(accel_sort(s->queue, &sort, s->arrays[KEY], s->arrays[ORDER]));
    launch(s, GATHER);
    launch(s, FORCES);
}

/* Into element k of the buffer. */
static void find_energy(simulation *s, accel_buffer *energies, size_t k)
{
    const size_t one = 1, n = s->args.n;
    accel_buffer *element;
    check(accel_buffer_view(energies, &k, &one, &element));
    check(accel_reduce(s->queue, s->kernels[ENERGY], 1, &n, &s->args, sizeof s->args, element));
    accel_buffer_release(element);
}

void simulation_run(simulation *s, uint32_t steps, double *energies)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), (size_t)steps + 1);
    accel_buffer *results;
    check(accel_buffer_create(s->device, &desc, &results));
    for (uint32_t k = 0; k <= steps; ++k) {
        s->args.half_step = k == 0 ? 0 : s->step / 2; /* at first only the forces */
        launch(s, DRIFT);
        find_forces(s);
        find_energy(s, results, k);
        s->now ^= 1;
        turn(s);
    }
    check(accel_read(s->queue, energies, results));
    check(accel_queue_wait(s->queue)); /* the only one */
    accel_buffer_release(results);
}

void simulation_read(simulation *s, vector *position, vector *velocity)
{
    const size_t n = s->args.n;
    vector *const x = malloc(n * sizeof *x), *const v = malloc(n * sizeof *v);
    uint32_t *const id = malloc(n * sizeof *id);
    if (x == NULL || v == NULL || id == NULL) {
        fprintf(stderr, "nbody: no memory\n");
        exit(2);
    }
    check(accel_read(s->queue, x, s->arrays[POSITION + s->now]));
    check(accel_read(s->queue, v, s->arrays[VELOCITY + s->now]));
    check(accel_read(s->queue, id, s->arrays[ID + s->now]));
    check(accel_queue_wait(s->queue));
    for (size_t i = 0; i < n; ++i) {
        position[id[i]] = x[i];
        velocity[id[i]] = v[i];
    }
    free(x);
    free(v);
    free(id);
}

void simulation_release(simulation *s)
{
    for (int k = 0; k < ARRAYS; ++k)
        accel_buffer_release(s->arrays[k]);
    accel_module_release(s->module);
    accel_queue_release(s->queue);
    free(s);
}
