/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline.h"

#include <accel/algorithm.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cublas.h"
#include "interop.h"
#include "openblas.h"
#include "rows.h"

enum { MAKE, DAMP, SCALE, KERNELS };
static const char *const names[KERNELS] = {"make", "damp", "scale"};

typedef struct pipeline {
    accel_device *device; /* borrowed */
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernels[KERNELS]; /* borrowed from the module */
    accel_buffer *a, *b, *c, *sizes;
    double *row_sizes; /* the program's memory; where the host can, `sizes` is the same */
    double *host_c;    /* c's memory as the host sees it; NULL: the host cannot */
    interop_args args;
    openblas openblas;
    cublas cublas;
} pipeline;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool good(accel_status status)
{
    if (status != ACCEL_OK)
        fprintf(stderr, "interop: %s: %s\n", accel_status_name(status), accel_error_message());
    return status == ACCEL_OK;
}

/* The library where it is not named may be missing. The result says whether the program can go on. */
static bool may_miss(const char *option, const char *name)
{
    const char *const why = dlerror();
    if (name != NULL)
        fprintf(stderr, "interop: %s: %s\n", option, why);
    return name == NULL;
}

static bool is_none(const char *name)
{
    return name != NULL && strcmp(name, "none") == 0;
}

/* One that suits the device: OpenBLAS for memory of the host, cuBLAS for that of an NVIDIA GPU. */
static bool open_library(pipeline *p, const char *backend, const pipeline_libraries *wanted)
{
    const char *const openblas_name = wanted->openblas != NULL ? wanted->openblas : OPENBLAS_USUAL;
    if (p->host_c != NULL && !is_none(wanted->openblas)) {
        if (openblas_open(&p->openblas, openblas_name))
            return true;
        openblas_close(&p->openblas);
        return may_miss("--openblas", wanted->openblas);
    }
    if (p->host_c == NULL && strcmp(backend, "cuda") == 0 && !is_none(wanted->cublas)) {
        void *stream;
        if (!cublas_open(&p->cublas, wanted->cublas)) {
            cublas_close(&p->cublas);
            return may_miss("--cublas", wanted->cublas);
        }
        /* Calls before this one left the device's context current, as this thread had none. */
        if (!good(accel_queue_native(p->queue, &stream)))
            return false;
        const int status = cublas_use(&p->cublas, stream);
        if (status != 0)
            fprintf(stderr, "interop: cuBLAS: its status is %d\n", status);
        return status == 0;
    }
    return true;
}

/* Memory of the program's own that kernels use too. A GPU gets a copy of it instead. */
static bool share_sizes(pipeline *p)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), p->args.n);
    p->row_sizes = malloc(p->args.n * sizeof *p->row_sizes);
    if (p->row_sizes == NULL) {
        fprintf(stderr, "interop: no memory\n");
        return false;
    }
    return good(p->host_c != NULL ? accel_buffer_wrap(p->device, p->row_sizes, &desc, &p->sizes)
                                  : accel_buffer_create(p->device, &desc, &p->sizes));
}

static bool pipeline_open(pipeline *p, const pipeline_libraries *wanted)
{
    const accel_buffer_desc square = accel_buffer_2d(sizeof(double), p->args.n, p->args.n);
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_buffer_properties shape = ACCEL_BUFFER_PROPERTIES_INIT;
    if (!good(accel_device_info(p->device, &about)) || !good(accel_queue_create(p->device, NULL, &p->queue)) ||
        !good(accel_module_load(p->device, "interop", &p->module)) ||
        !good(accel_buffer_create(p->device, &square, &p->a)) ||
        !good(accel_buffer_create(p->device, &square, &p->b)) ||
        !good(accel_buffer_create(p->device, &square, &p->c)) || !good(accel_buffer_info(p->c, &shape)))
        return false;
    for (int k = 0; k < KERNELS; ++k)
        if (!good(accel_module_kernel(p->module, names[k], &p->kernels[k])))
            return false;
    p->host_c = shape.host_ptr;
    p->args.pitch = shape.pitch[0] / sizeof(double); /* matrices of one shape have one pitch */
    p->args.a = accel_buffer_ptr(p->a);
    p->args.b = accel_buffer_ptr(p->b);
    p->args.c = accel_buffer_ptr(p->c);
    if (!share_sizes(p))
        return false;
    p->args.sizes = accel_buffer_ptr(p->sizes);
    return open_library(p, about.backend, wanted);
}

/* What was submitted may still use all of this, so nothing is given back before the queue is empty. */
static void pipeline_close(pipeline *p)
{
    if (p->queue != NULL)
        accel_queue_wait(p->queue);
    cublas_close(&p->cublas);
    openblas_close(&p->openblas);
    accel_buffer_release(p->a);
    accel_buffer_release(p->b);
    accel_buffer_release(p->c);
    accel_buffer_release(p->sizes);
    free(p->row_sizes);
    accel_module_release(p->module);
    accel_queue_release(p->queue);
}

static bool launch(pipeline *p, int kernel)
{
    const size_t square[2] = {p->args.n, p->args.n};
    return good(accel_launch_over(p->queue, p->kernels[kernel], 2, square, &p->args, sizeof p->args));
}

/* Runs when all before it in the queue is complete, and what follows waits for it. */
static void multiply(void *user, accel_status status)
{
    const pipeline *const p = user;
    if (status == ACCEL_OK) /* else the numbers were never made */
        openblas_multiply(&p->openblas, p->args.n, p->args.pitch, p->args.a, p->args.b, p->args.c);
}

/* C = A * B in the order of the queue, whoever computes it. Waits for nothing. */
static bool submit_product(pipeline *p, pipeline_report *report)
{
    accel_gemm_desc desc = ACCEL_GEMM_DESC_INIT;
    if (p->openblas.library != NULL) {
        report->product = "OpenBLAS, in a host function of the queue";
        return good(accel_queue_call(p->queue, multiply, p));
    }
    if (p->cublas.library != NULL) {
        report->product = "cuBLAS, in the queue's stream";
        const int status = cublas_multiply(&p->cublas, p->args.n, p->args.pitch, p->args.a, p->args.b, p->args.c);
        if (status != 0)
            fprintf(stderr, "interop: cublasDgemm: its status is %d\n", status);
        return status == 0;
    }
    report->product = "accel_gemm: no other library takes part";
    desc.type = ACCEL_TYPE_DOUBLE;
    return good(accel_gemm(p->queue, &desc, 1, p->a, p->b, 0, p->c));
}

/* The loop of the program, on C's own memory if the host can, or else on a copy of it in `copy`. */
static bool add_rows(pipeline *p, double *copy, pipeline_report *report)
{
    const size_t n = p->args.n;
    if (p->host_c == NULL && !good(accel_read(p->queue, copy, p->c)))
        return false;
    if (!good(accel_queue_wait(p->queue))) /* now nobody writes to C */
        return false;
    if (p->host_c != NULL)
        rows_sizes(n, p->args.pitch, p->host_c, p->row_sizes);
    else
        rows_sizes(n, n, copy, p->row_sizes);
    report->rows = p->host_c != NULL ? "in the buffer's own memory, after a wait" : "in a copy, after a wait";
    return true;
}

/* The loop is over when this is submitted, so the kernel finds what it wrote. */
static bool submit_scale(pipeline *p, pipeline_report *report)
{
    report->scale = p->host_c != NULL ? "with the loop's results where they are" : "with a copy of the loop's results";
    if (p->host_c == NULL && !good(accel_write(p->queue, p->sizes, p->row_sizes)))
        return false;
    return launch(p, SCALE);
}

bool pipeline_run(accel_device *device, size_t n, const pipeline_libraries *wanted, double *result,
                  pipeline_report *report)
{
    pipeline p = {.device = device, .args = {.n = n}};
    bool done = pipeline_open(&p, wanted);
    const double start = seconds_now();
    done = done && launch(&p, MAKE) && submit_product(&p, report) && launch(&p, DAMP) && add_rows(&p, result, report) &&
           submit_scale(&p, report) && good(accel_read(p.queue, result, p.c)) && good(accel_queue_wait(p.queue));
    report->seconds = seconds_now() - start;
    pipeline_close(&p);
    return done;
}
