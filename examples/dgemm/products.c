/* SPDX-License-Identifier: Apache-2.0 */
#include "products.h"

#include <accel/algorithm.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dgemm.h"

enum { GPU_THREADS = 64, BLOCKS = 4 }; /* of a block of `packs`; of each CPU or unit */

struct products {
    size_t n;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *packs, *tiles; /* borrowed from the module */
    accel_buffer *a, *b, *c;
    accel_work work[WAYS];
    dgemm_args args;
};

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool good(accel_status status)
{
    if (status != ACCEL_OK)
        fprintf(stderr, "dgemm: %s: %s\n", accel_status_name(status), accel_error_message());
    return status == ACCEL_OK;
}

static void divide(products *p, const accel_device_properties *about)
{
    const size_t parts = (p->n + TILE - 1) / TILE;
    const size_t blocks[2] = {parts, parts}, threads[2] = {TILE, TILE}, elems[2] = {1, 1};
    p->work[WAY_TILES] = accel_work_2d(blocks, threads, elems);
    /* On a CPU a block runs on one of them, and has one thread. */
    p->work[WAY_PACKS] = accel_work_1d((size_t)(about->compute_units != 0 ? about->compute_units : 1) * BLOCKS,
                                       about->kind == ACCEL_DEVICE_GPU ? GPU_THREADS : 1, 1);
}

static bool fill(products *p, accel_device *device, const double *a, const double *b)
{
    const accel_buffer_desc square = accel_buffer_2d(sizeof(double), p->n, p->n);
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_buffer_properties shape = ACCEL_BUFFER_PROPERTIES_INIT;
    if (!good(accel_device_info(device, &about)) || !good(accel_queue_create(device, NULL, &p->queue)) ||
        !good(accel_module_load(device, "dgemm", &p->module)) ||
        !good(accel_module_kernel(p->module, "packs", &p->packs)) ||
        !good(accel_module_kernel(p->module, "tiles", &p->tiles)) ||
        !good(accel_buffer_create(device, &square, &p->a)) || !good(accel_buffer_create(device, &square, &p->b)) ||
        !good(accel_buffer_create(device, &square, &p->c)) || !good(accel_write(p->queue, p->a, a)) ||
        !good(accel_write(p->queue, p->b, b)) || !good(accel_queue_wait(p->queue)) ||
        !good(accel_buffer_info(p->a, &shape))) /* matrices of one shape have one pitch */
        return false;
    p->args.n = p->n;
    p->args.pitch = shape.pitch[0] / sizeof(double);
    p->args.a = accel_buffer_ptr(p->a);
    p->args.b = accel_buffer_ptr(p->b);
    p->args.c = accel_buffer_ptr(p->c);
    divide(p, &about);
    return true;
}

products *products_new(accel_device *device, size_t n, const double *a, const double *b)
{
    products *const p = calloc(1, sizeof *p);
    if (p == NULL) {
        fprintf(stderr, "dgemm: no memory\n");
        return NULL;
    }
    p->n = n;
    if (!fill(p, device, a, b)) {
        products_free(p);
        return NULL;
    }
    return p;
}

static accel_status submit(products *p, enum way way)
{
    const double zero = 0;
    accel_gemm_desc desc = ACCEL_GEMM_DESC_INIT;
    accel_status status;
    switch (way) {
    case WAY_GEMM:
        desc.type = ACCEL_TYPE_DOUBLE;
        return accel_gemm(p->queue, &desc, 1, p->a, p->b, 0, p->c);
    case WAY_PACKS:
        status = accel_fill(p->queue, p->c, &zero, sizeof zero, NULL); /* the kernel adds to it */
        if (status != ACCEL_OK)
            return status;
        return accel_launch(p->queue, p->packs, &p->work[way], &p->args, sizeof p->args);
    default:
        return accel_launch(p->queue, p->tiles, &p->work[way], &p->args, sizeof p->args);
    }
}

bool products_run(products *p, enum way way, unsigned repeat, double *seconds, double *c)
{
    const double nan = NAN; /* so that no way leaves its result to the next */
    double best = INFINITY;
    if (!good(accel_fill(p->queue, p->c, &nan, sizeof nan, NULL)))
        return false;
    for (unsigned k = 0; k <= repeat; ++k) {
        const double start = seconds_now();
        if (!good(submit(p, way)) || !good(accel_queue_wait(p->queue)))
            return false;
        if (k > 0)
            best = fmin(best, seconds_now() - start);
    }
    *seconds = best;
    return good(accel_read(p->queue, c, p->c)) && good(accel_queue_wait(p->queue));
}

void products_free(products *p)
{
    if (p == NULL)
        return;
    accel_buffer_release(p->a);
    accel_buffer_release(p->b);
    accel_buffer_release(p->c);
    accel_module_release(p->module);
    accel_queue_release(p->queue);
    free(p);
}
