/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much slower kernels are on cpu-check than on cpu-serial: prints the table of docs/checking.md. Usage: cost LIBRARY [TURNS]
 * Needs ACCEL_BACKEND=cpu-serial,cpu-check. ACCEL_CHECK_SHARE and the other variables count, too.
 */
#include <accel/accel.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../kernels/axpy.h"
#include "../kernels/dgemm.h"
#include "../kernels/histogram.h"
#include "stencil.h"

enum { N = 1000000, TILES = 16, MATRIX = TILES * DGEMM_TILE, SIDE = 1000, BLOCKS = 100, TURNS = 9, MOST_TURNS = 99 };

#define GOOD(call) good((call), #call)

static void good(accel_status status, const char *call)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "%s: %s\n", call, accel_error_message());
    exit(1);
}

/* Of one backend. */
typedef struct side {
    const char *backend;
    accel_queue *queue;
    accel_module *module;
    accel_buffer *x, *y, *z, *indices, *bins;
} side;

typedef struct measured {
    const char *title, *kernel;
    int repeats; /* of a turn on cpu-serial, for the clock */
} measured;

static const measured kernels[] = {{"DAXPY, 1e6", "axpy", 5},
                                   {"DGEMM in tiles, 256", "dgemm_fixed", 5},
                                   {"stencil, 1000 x 1000", "stencil", 5},
                                   {"histogram with atomics, 1e6", "histogram_global", 2}};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

static accel_buffer *make(accel_device *device, size_t bytes, size_t count)
{
    accel_buffer_desc desc = accel_buffer_1d(bytes, count);
    accel_buffer *made;
    GOOD(accel_buffer_create(device, &desc, &made));
    return made;
}

static void open_side(accel_instance *instance, const char *library, side *self)
{
    static double ones[N];
    static uint32_t indices[N];
    const uint64_t zero = 0;
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_device *device;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t i = 0; i < N; ++i) {
        ones[i] = 1;
        indices[i] = ((uint32_t)i * 2654435761u >> 7) % HISTOGRAM_BINS;
    }
    GOOD(accel_instance_find_device(instance, self->backend, &device));
    GOOD(accel_queue_create(device, &desc, &self->queue));
    GOOD(accel_module_load(device, library, &self->module));
    self->x = make(device, sizeof(double), N);
    self->y = make(device, sizeof(double), N);
    self->z = make(device, sizeof(double), N);
    self->indices = make(device, sizeof(uint32_t), N);
    self->bins = make(device, sizeof(uint64_t), HISTOGRAM_BINS);
    GOOD(accel_write(self->queue, self->x, ones));
    GOOD(accel_write(self->queue, self->y, ones));
    GOOD(accel_write(self->queue, self->z, ones));
    GOOD(accel_write(self->queue, self->indices, indices));
    GOOD(accel_fill(self->queue, self->bins, &zero, sizeof zero, NULL));
}

static void close_side(side *self)
{
    accel_buffer_release(self->x);
    accel_buffer_release(self->y);
    accel_buffer_release(self->z);
    accel_buffer_release(self->indices);
    accel_buffer_release(self->bins);
    accel_module_release(self->module);
    accel_queue_release(self->queue);
}

static void launch(const side *self, const measured *what)
{
    const void *x = accel_buffer_ptr(self->x);
    const axpy_args axpy = {2, N, x, accel_buffer_ptr(self->y)};
    const dgemm_args dgemm = {MATRIX, x, accel_buffer_ptr(self->y), accel_buffer_ptr(self->z)};
    const stencil_args stencil = {SIDE, x, accel_buffer_ptr(self->y)};
    const histogram_args histogram = {N, accel_buffer_ptr(self->indices), accel_buffer_ptr(self->bins)};
    const accel_work work_1d = accel_work_1d(BLOCKS, 1, 1);
    const accel_work work_dgemm =
        accel_work_2d((size_t[]){TILES, TILES}, (size_t[]){DGEMM_TILE, DGEMM_TILE}, (size_t[]){1, 1});
    const accel_work work_stencil = accel_work_2d((size_t[]){BLOCKS, 1}, (size_t[]){1, 1}, (size_t[]){1, 1});
    accel_kernel *kernel;
    GOOD(accel_module_kernel(self->module, what->kernel, &kernel));
    if (what == &kernels[0])
        GOOD(accel_launch(self->queue, kernel, &work_1d, &axpy, sizeof axpy));
    else if (what == &kernels[1])
        GOOD(accel_launch(self->queue, kernel, &work_dgemm, &dgemm, sizeof dgemm));
    else if (what == &kernels[2])
        GOOD(accel_launch(self->queue, kernel, &work_stencil, &stencil, sizeof stencil));
    else
        GOOD(accel_launch(self->queue, kernel, &work_1d, &histogram, sizeof histogram));
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static double time_of(const side *self, const measured *what, int repeats)
{
    const double begin = now_ms();
    for (int i = 0; i < repeats; ++i)
        launch(self, what);
    return (now_ms() - begin) / repeats;
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

/* Launches of a turn on cpu-check: so many that two of their blocks are in the share of ACCEL_CHECK_SHARE, or more. */
static int launches_of_a_turn(void)
{
    const char *share = getenv("ACCEL_CHECK_SHARE");
    const int launches = share != NULL ? atoi(share) * 2 / BLOCKS : 0;
    return launches > 1 ? launches : 1;
}

static void measure(const side *serial, const side *check, const measured *what, int turns)
{
    double plain[MOST_TURNS], checked[MOST_TURNS];
    const int launches = launches_of_a_turn();
    (void)time_of(serial, what, 1);
    (void)time_of(check, what, launches);
    for (int i = 0; i < turns; ++i) {
        plain[i] = time_of(serial, what, what->repeats);
        checked[i] = time_of(check, what, launches);
    }
    qsort(plain, (size_t)turns, sizeof plain[0], by_value);
    qsort(checked, (size_t)turns, sizeof checked[0], by_value);
    printf("| %s | %.2f ms | %.1f ms | %.1f |\n", what->title, plain[turns / 2], checked[turns / 2],
           checked[turns / 2] / plain[turns / 2]);
}

int main(int argc, char **argv)
{
    side serial = {.backend = "cpu-serial"}, check = {.backend = "cpu-check"};
    accel_instance *instance;
    const int turns = argc > 2 ? atoi(argv[2]) : TURNS;
    if (argc < 2 || turns < 1 || turns > MOST_TURNS) {
        fprintf(stderr, "usage: cost LIBRARY [TURNS]\n");
        return 2;
    }
    GOOD(accel_instance_create(NULL, &instance));
    open_side(instance, argv[1], &serial);
    open_side(instance, argv[1], &check);
    printf("| kernel | `cpu-serial` | `cpu-check` | factor |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < KERNELS; ++i)
        measure(&serial, &check, &kernels[i], turns);
    close_side(&serial);
    close_side(&check);
    accel_instance_release(instance);
    return 0;
}
