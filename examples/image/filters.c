/* SPDX-License-Identifier: Apache-2.0 */
#include "filters.h"

#include <stdio.h>
#include <stdlib.h>

/* Once is not enough: at first a device puts kernels and memory in their places. */
enum { ROUNDS = 3 };

typedef struct filters {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernels[FILTERS]; /* borrowed from the module */
    accel_buffer *colours, *grey, *blurred, *counts;
    accel_event *marks[FILTERS + 1]; /* before each filter, and after the last one */
} filters;

bool filtered_new(filtered *f, size_t rows, size_t columns)
{
    *f = (filtered){.grey = malloc(rows * columns), .blurred = malloc(rows * columns)};
    return f->grey != NULL && f->blurred != NULL;
}

void filtered_free(filtered *f)
{
    free(f->grey);
    free(f->blurred);
}

static bool good(accel_status status)
{
    if (status != ACCEL_OK)
        fprintf(stderr, "image: %s: %s\n", accel_status_name(status), accel_error_message());
    return status == ACCEL_OK;
}

static bool filters_open(filters *f, accel_device *device, image_args *args)
{
    static const char *const names[FILTERS] = {"grey", "histogram", "blur"};
    const size_t pixels = args->rows * args->columns;
    const accel_buffer_desc colours = accel_buffer_1d(1, 3 * pixels), bytes = accel_buffer_1d(1, pixels),
                            counts = accel_buffer_1d(sizeof *args->counts, LEVELS);
    accel_event_desc timed = ACCEL_EVENT_DESC_INIT;
    timed.flags = ACCEL_EVENT_TIMING;
    if (!good(accel_queue_create(device, NULL, &f->queue)) || !good(accel_module_load(device, "image", &f->module)) ||
        !good(accel_buffer_create(device, &colours, &f->colours)) ||
        !good(accel_buffer_create(device, &bytes, &f->grey)) ||
        !good(accel_buffer_create(device, &bytes, &f->blurred)) ||
        !good(accel_buffer_create(device, &counts, &f->counts)))
        return false;
    for (int k = 0; k < FILTERS; ++k)
        if (!good(accel_module_kernel(f->module, names[k], &f->kernels[k])))
            return false;
    for (int k = 0; k <= FILTERS; ++k)
        if (!good(accel_event_create(device, &timed, &f->marks[k])))
            return false;
    args->colours = accel_buffer_ptr(f->colours);
    args->grey = accel_buffer_ptr(f->grey);
    args->blurred = accel_buffer_ptr(f->blurred);
    args->counts = accel_buffer_ptr(f->counts);
    return true;
}

static void filters_close(filters *f)
{
    for (int k = 0; k <= FILTERS; ++k)
        accel_event_release(f->marks[k]);
    accel_buffer_release(f->colours);
    accel_buffer_release(f->grey);
    accel_buffer_release(f->blurred);
    accel_buffer_release(f->counts);
    accel_module_release(f->module);
    accel_queue_release(f->queue);
}

/* The three filters, with a mark before each and one at the end. Waits for nothing. */
static bool submit(filters *f, const image_args *args)
{
    const uint32_t zero = 0;
    const size_t pixels = args->rows * args->columns;
    const size_t blocks[2] = {(args->rows + TILE_ROWS - 1) / TILE_ROWS,
                              (args->columns + TILE_COLUMNS - 1) / TILE_COLUMNS};
    const size_t threads[2] = {TILE_ROWS, TILE_COLUMNS}, elems[2] = {1, 1};
    const accel_work tiles = accel_work_2d(blocks, threads, elems);
    return good(accel_fill(f->queue, f->counts, &zero, sizeof zero, NULL)) &&
           good(accel_event_record(f->marks[GREY], f->queue)) &&
           good(accel_launch_over(f->queue, f->kernels[GREY], 1, &pixels, args, sizeof *args)) &&
           good(accel_event_record(f->marks[HISTOGRAM], f->queue)) &&
           good(accel_launch_over(f->queue, f->kernels[HISTOGRAM], 1, &pixels, args, sizeof *args)) &&
           good(accel_event_record(f->marks[BLUR], f->queue)) &&
           good(accel_launch(f->queue, f->kernels[BLUR], &tiles, args, sizeof *args)) &&
           good(accel_event_record(f->marks[FILTERS], f->queue));
}

static bool read_times(filters *f, double seconds[FILTERS])
{
    uint64_t nanoseconds;
    for (int k = 0; k < FILTERS; ++k) {
        if (!good(accel_event_elapsed(f->marks[k], f->marks[k + 1], &nanoseconds)))
            return false;
        seconds[k] = 1e-9 * (double)nanoseconds;
    }
    return true;
}

bool filters_run(accel_device *device, image_args args, const uint8_t *colours, filtered *result)
{
    filters f = {0};
    bool done = filters_open(&f, device, &args) && good(accel_write(f.queue, f.colours, colours));
    for (int round = 0; done && round < ROUNDS; ++round)
        done = submit(&f, &args);
    if (done)
        done = good(accel_read(f.queue, result->grey, f.grey)) &&
               good(accel_read(f.queue, result->blurred, f.blurred)) &&
               good(accel_read(f.queue, result->counts, f.counts));
    /* The only wait, also after an error: until then the device may write to the host's memory. */
    if (f.queue != NULL)
        done = good(accel_queue_wait(f.queue)) && done;
    if (done)
        done = read_times(&f, result->seconds);
    filters_close(&f);
    return done;
}
