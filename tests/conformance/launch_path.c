/* SPDX-License-Identifier: Apache-2.0 */
/* Empty launches, for callgrind (launch_path.sh) and for the clock: launch-path blocking|queued ROUNDS. */
#include "kernels/arguments.h"

#include <accel/accel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void ok(accel_status status)
{
    if (status != ACCEL_OK) {
        fprintf(stderr, "%s\n", accel_error_message());
        exit(1);
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

void launches(accel_queue *queue, accel_kernel *kernel, long rounds);
__attribute__((noinline)) void launches(accel_queue *queue, accel_kernel *kernel, long rounds)
{
    accel_work work = accel_work_1d(1, 1, 1);
    words_args args = {.words = NULL, .n = 0, .value = 0};
    for (long i = 0; i < rounds; ++i)
        ok(accel_launch(queue, kernel, &work, &args, sizeof args));
}

int main(int argc, char **argv)
{
    bool blocking = argc == 3 && strcmp(argv[1], "blocking") == 0;
    long rounds = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_instance *instance;
    accel_device *device;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    double best = 1e30;

    desc.flags = blocking ? ACCEL_QUEUE_BLOCKING : 0;
    ok(accel_instance_create(NULL, &instance));
    ok(accel_instance_find_device(instance, NULL, &device));
    ok(accel_queue_create(device, &desc, &queue));
    ok(accel_module_load(device, "conformance", &module));
    ok(accel_module_kernel(module, "add", &kernel));
    for (int pass = 0; pass < 5; ++pass) {
        double begun = now();
        launches(queue, kernel, rounds);
        ok(accel_queue_wait(queue));
        double each = (now() - begun) / (double)rounds;
        best = each < best ? each : best;
    }
    printf("%.1f ns per launch\n", best);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
}
