/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector-add - the first program: adds two vectors on a device and checks every element.
 *
 *   vector-add [DEVICE]              DEVICE is "cpu-serial", "cuda:1", ...; without it, the first device
 *   vector-add --list-devices        lists the devices
 *   vector-add --table-row [DEVICE]  one line for examples/demo.sh, fields separated by tabs
 *
 * The kernel is in vector-add.k.c, its arguments in vector-add.h.
 */
#include <accel/accel.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vector-add.h"

#define ELEMENTS ((size_t)1 << 20)

/* Functions that can fail return a status. accel_error_message() then says what failed, why, and what to do. A longer
 * program would clean up and continue; this one exits. */
static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "vector-add: %s: %s\n", accel_status_name(status), accel_error_message());
    exit(2);
}

static void list_devices(const accel_instance *instance)
{
    for (size_t i = 0; i < accel_instance_device_count(instance); ++i) {
        accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
        check(accel_device_info(accel_instance_device(instance, i), &about));
        printf("%s\t%s\t%s\n", about.name, about.backend, about.description);
    }
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* c = a + b on the device, all three in host memory. Returns the seconds the kernel took. */
static double add_on_device(accel_device *device, size_t n, const float *a, const float *b, float *c)
{
    /* A queue runs its operations in order; the host does not wait for them. */
    accel_queue *queue;
    check(accel_queue_create(device, NULL, &queue));

    accel_buffer_desc vector = accel_buffer_1d(sizeof(float), n);
    accel_buffer *device_a, *device_b, *device_c;
    check(accel_buffer_create(device, &vector, &device_a));
    check(accel_buffer_create(device, &vector, &device_b));
    check(accel_buffer_create(device, &vector, &device_c));

    /* Finds vector-add.TARGET.so, .ptx, ... beside this program and loads the best one that the device can run. */
    accel_module *module;
    accel_kernel *kernel;
    check(accel_module_load(device, "vector-add", &module));
    check(accel_module_kernel(module, "vector_add", &kernel));

    /* Blocks, threads and elements that suit this kernel on this device. */
    accel_work work = ACCEL_WORK_INIT;
    check(accel_work_divide(kernel, 1, &n, NULL, &work));
    const vector_add_args args = {n, accel_buffer_ptr(device_a), accel_buffer_ptr(device_b),
                                  accel_buffer_ptr(device_c)};

    check(accel_write(queue, device_a, a));
    check(accel_write(queue, device_b, b));
    check(accel_queue_wait(queue));
    const double start = seconds_now();
    check(accel_launch(queue, kernel, &work, &args, sizeof args));
    check(accel_queue_wait(queue)); /* only to time the kernel: the queue keeps the order by itself */
    const double seconds = seconds_now() - start;
    check(accel_read(queue, c, device_c));
    check(accel_queue_wait(queue));

    accel_module_release(module);
    accel_buffer_release(device_c);
    accel_buffer_release(device_b);
    accel_buffer_release(device_a);
    accel_queue_release(queue);
    return seconds;
}

/* Counts the wrong elements. The inputs are small integers, so the sums are exact. */
static size_t count_wrong(size_t n, const float *a, const float *b, const float *c)
{
    size_t wrong = 0;
    for (size_t i = 0; i < n; ++i) {
        if (c[i] == a[i] + b[i])
            continue;
        if (wrong++ == 0)
            fprintf(stderr, "vector-add: element %zu is %g, not %g\n", i, (double)c[i], (double)(a[i] + b[i]));
    }
    return wrong;
}

int main(int argc, char **argv)
{
    bool list = false, table_row = false;
    const char *name = NULL; /* the first device of all */
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--list-devices") == 0) {
            list = true;
        } else if (strcmp(argv[i], "--table-row") == 0) {
            table_row = true;
        } else if (argv[i][0] != '-' && name == NULL) {
            name = argv[i];
        } else {
            fprintf(stderr, "usage: vector-add [--table-row] [DEVICE] | --list-devices\n");
            return 2;
        }
    }

    accel_instance *instance;
    check(accel_instance_create(NULL, &instance));
    if (list) {
        list_devices(instance);
        accel_instance_release(instance);
        return 0;
    }

    accel_device *device; /* borrowed from the instance */
    check(accel_instance_find_device(instance, name, &device));

    float *a = malloc(ELEMENTS * sizeof *a);
    float *b = malloc(ELEMENTS * sizeof *b);
    float *c = malloc(ELEMENTS * sizeof *c);
    if (a == NULL || b == NULL || c == NULL) {
        fprintf(stderr, "vector-add: no memory for three vectors of %zu floats\n", ELEMENTS);
        return 2;
    }
    for (size_t i = 0; i < ELEMENTS; ++i) {
        a[i] = (float)(i % 1000);
        b[i] = (float)(i % 77);
        c[i] = -1.0f;
    }
    const double seconds = add_on_device(device, ELEMENTS, a, b, c);
    const size_t wrong = count_wrong(ELEMENTS, a, b, c);

    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    check(accel_device_info(device, &about));
    if (table_row)
        printf("vector-add\t%s\t%s\t%s\t%.6f\n", about.backend, about.description, wrong == 0 ? "yes" : "NO", seconds);
    else
        printf("vector-add of %zu floats on %s (%s): %s, %.3f ms\n", ELEMENTS, about.name, about.description,
               wrong == 0 ? "verified" : "WRONG", 1e3 * seconds);

    free(c);
    free(b);
    free(a);
    accel_instance_release(instance);
    return wrong == 0 ? 0 : 1;
}
