/* SPDX-License-Identifier: Apache-2.0 */
#include "simulation.h"

#include <accel/pattern.h>

#include <stdio.h>
#include <stdlib.h>

enum { IMPORTANCE, TOTAL, SHARE, TRACE, ESTIMATE, KERNELS };
static const char *const names[KERNELS] = {"importance", "total", "share", "trace", "estimate"};

/* The device's arrays: those of the mesh, then those that the kernels write. */
enum { VERTEX_X, VERTEX_Y, TRIANGLES, GAIN, EMISSION, WEIGHTS, SUM, COUNT, BEGIN, OWNER, CONTRIBUTION, FLUXES, ARRAYS };

struct simulation {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernels[KERNELS]; /* borrowed from the module */
    accel_buffer *arrays[ARRAYS];
    size_t samples;
    emission_args args;
};

static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "amplified-emission: %s: %s\n", accel_status_name(status), accel_error_message());
    exit(2);
}

/* `from`: its elements, or NULL. Returns the device's pointer. */
static void *array_new(simulation *s, accel_device *device, int which, size_t n, size_t size, const void *from)
{
    const accel_buffer_desc desc = accel_buffer_1d(size, n);
    check(accel_buffer_create(device, &desc, &s->arrays[which]));
    if (from != NULL)
        check(accel_write(s->queue, s->arrays[which], from));
    return accel_buffer_ptr(s->arrays[which]);
}

static void arrays_new(simulation *s, accel_device *device, const mesh *host)
{
    emission_args *const args = &s->args;
    mesh *const m = &args->medium;
    const uint32_t n = host->prisms;
    *m = *host;
    m->vertex_x = array_new(s, device, VERTEX_X, host->vertices, sizeof(double), host->vertex_x);
    m->vertex_y = array_new(s, device, VERTEX_Y, host->vertices, sizeof(double), host->vertex_y);
    m->triangle = array_new(s, device, TRIANGLES, host->triangles, sizeof(mesh_triangle), host->triangle);
    m->gain = array_new(s, device, GAIN, n, sizeof(double), host->gain);
    m->emission = array_new(s, device, EMISSION, n, sizeof(double), host->emission);
    args->importance = array_new(s, device, WEIGHTS, n, sizeof(double), NULL);
    args->total = array_new(s, device, SUM, 1, sizeof(double), NULL);
    args->count = array_new(s, device, COUNT, n, sizeof(uint32_t), NULL);
    args->begin = array_new(s, device, BEGIN, n, sizeof(uint32_t), NULL);
    args->owner = array_new(s, device, OWNER, args->rays, sizeof(uint32_t), NULL);
    args->contribution = array_new(s, device, CONTRIBUTION, args->rays, sizeof(double), NULL);
    array_new(s, device, FLUXES, s->samples, sizeof(flux), NULL);
}

simulation *simulation_new(accel_device *device, const mesh *host, uint32_t shared_rays, uint64_t seed)
{
    simulation *const s = calloc(1, sizeof *s);
    if (s == NULL) {
        fprintf(stderr, "amplified-emission: no memory\n");
        exit(2);
    }
    s->samples = (size_t)host->vertices * (host->layers + 1);
    s->args.rays = LEAST_RAYS * host->prisms + shared_rays;
    s->args.shared_rays = shared_rays;
    s->args.seed = seed;
    check(accel_queue_create(device, NULL, &s->queue));
    check(accel_module_load(device, "amplified-emission", &s->module));
    for (int k = 0; k < KERNELS; ++k)
        check(accel_module_kernel(s->module, names[k], &s->kernels[k]));
    arrays_new(s, device, host);
    check(accel_queue_wait(s->queue));
    return s;
}

/* Five calls, and none of them waits. */
static void find_flux(simulation *s, size_t sample)
{
    emission_args *const args = &s->args;
    const size_t one = 1, prisms = args->medium.prisms, rays = args->rays;
    accel_buffer *result;
    args->vertex = (uint32_t)(sample % args->medium.vertices);
    args->level = (uint32_t)(sample / args->medium.vertices);
    args->stream = sample;
    check(accel_buffer_view(s->arrays[FLUXES], &sample, &one, &result));
    check(accel_launch_over(s->queue, s->kernels[IMPORTANCE], 1, &prisms, args, sizeof *args));
    check(accel_reduce(s->queue, s->kernels[TOTAL], 1, &prisms, args, sizeof *args, s->arrays[SUM]));
    check(accel_scan(s->queue, s->kernels[SHARE], prisms, args, sizeof *args, NULL, ACCEL_SCAN_EXCLUSIVE));
    check(accel_launch_over(s->queue, s->kernels[TRACE], 1, &rays, args, sizeof *args));
    check(accel_reduce(s->queue, s->kernels[ESTIMATE], 1, &prisms, args, sizeof *args, result));
    accel_buffer_release(result);
}

void simulation_run(simulation *s, flux *fluxes)
{
    for (size_t sample = 0; sample < s->samples; ++sample)
        find_flux(s, sample);
    check(accel_read(s->queue, fluxes, s->arrays[FLUXES]));
    check(accel_queue_wait(s->queue)); /* the only one */
}

void simulation_release(simulation *s)
{
    for (int k = 0; k < ARRAYS; ++k)
        accel_buffer_release(s->arrays[k]);
    accel_module_release(s->module);
    accel_queue_release(s->queue);
    free(s);
}
