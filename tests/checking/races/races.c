/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches kernels of a library, each with arrays of its own. Usage: races LIBRARY KERNEL...
 * races.py judges what cpu-check writes about them.
 */
#include "races.h"

#include <accel/accel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED_BYTES = 1024, BUFFERS = 17 };

#define GOOD(call) good((call), #call)

static accel_device *device;
static accel_queue *queue;
static accel_buffer *buffers[BUFFERS];
static size_t count;

static void good(accel_status status, const char *call)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "races: %s: %s\n", call, accel_error_message());
    exit(1);
}

/* The address of a new buffer with a name and these elements. */
static void *made(const char *name, const void *values, size_t elem, size_t n)
{
    const accel_buffer_desc desc = accel_buffer_1d(elem, n);
    GOOD(accel_buffer_create(device, &desc, &buffers[count]));
    GOOD(accel_object_name(ACCEL_OBJECT_BUFFER, buffers[count], name));
    GOOD(accel_write(queue, buffers[count], values));
    return accel_buffer_ptr(buffers[count++]);
}

static races_args arguments(void)
{
    static const uint64_t zero[RACES_N];
    static float numbers[RACES_N];
    static uint32_t permutation[RACES_N], repeated[RACES_N], row[RACES_SHORT + 1], column[RACES_EDGES],
        value[RACES_SHORT];
    for (uint32_t i = 0; i < RACES_N; ++i) {
        numbers[i] = (float)(i + 1);
        permutation[i] = (i * 77 + 13) % RACES_N;
        repeated[i] = i % (RACES_N / 2);
    }
    for (uint32_t v = 0; v < RACES_SHORT; ++v) {
        const uint32_t degree = 1 + v % 7;
        value[v] = (v * 71 + 5) % RACES_SHORT;
        row[v + 1] = row[v] + degree;
        for (uint32_t k = 0; k < degree; ++k) {
            const uint32_t to = (v * (k + 1) + 3 * k + 1) % RACES_SHORT;
            column[row[v] + k] = to != v ? to : (to + 1) % RACES_SHORT;
        }
    }
    column[0] = RACES_SHORT - 1;
    return (races_args){
        .n = RACES_N,
        .x = made("x", numbers, sizeof(float), RACES_N),
        .y = made("y", zero, sizeof(float), RACES_N),
        .d = made("d", zero, sizeof(double), RACES_N),
        .i = made("i", zero, sizeof(int32_t), RACES_N),
        .l = made("l", zero, sizeof(uint64_t), RACES_N),
        .b = made("b", zero, sizeof(uint8_t), RACES_N),
        .c = made("c", zero, sizeof(uint32_t), RACES_THREADS),
        .permutation = made("permutation", permutation, sizeof(uint32_t), RACES_N),
        .repeated = made("repeated", repeated, sizeof(uint32_t), RACES_N),
        .m = RACES_SHORT,
        .p = made("p", numbers, sizeof(float), RACES_SHORT),
        .q = made("q", zero, sizeof(float), RACES_SHORT),
        .vertices = RACES_SHORT,
        .row = made("row", row, sizeof(uint32_t), RACES_SHORT + 1),
        .column = made("column", column, sizeof(uint32_t), row[RACES_SHORT]),
        .value = made("value", value, sizeof(uint32_t), RACES_SHORT),
        .next = made("next", zero, sizeof(uint32_t), RACES_SHORT),
        .real = made("real", zero, sizeof(double), RACES_SHORT),
        .list = made("list", zero, sizeof(uint32_t), RACES_SHORT),
    };
}

static void run(accel_module *module, const char *name)
{
    accel_kernel *kernel;
    accel_work work = accel_work_1d(RACES_BLOCKS, RACES_THREADS, 1);
    const races_args args = arguments();
    work.shared_bytes = SHARED_BYTES;
    GOOD(accel_module_kernel(module, name, &kernel));
    GOOD(accel_launch(queue, kernel, &work, &args, sizeof args));
    GOOD(accel_queue_wait(queue));
    while (count > 0)
        accel_buffer_release(buffers[--count]);
}

int main(int argc, char *argv[])
{
    accel_instance *instance;
    accel_module *module;
    if (argc < 3)
        return 2;
    GOOD(accel_instance_create(NULL, &instance));
    GOOD(accel_instance_find_device(instance, NULL, &device));
    GOOD(accel_queue_create(device, NULL, &queue));
    GOOD(accel_module_load(device, argv[1], &module));
    for (int k = 2; k < argc; ++k)
        run(module, argv[k]);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
    return 0;
}
