/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The installed kernels, relative to the program, so that the prefix may be moved. */
static void kernel_directory(char *path, size_t size)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    path[0] = '\0';
    if (length <= 0)
        return;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return;
    *slash = '\0';
    const int used = snprintf(path, size, "%s/%s", program, BENCH_KERNELS);
    if (used < 0 || (size_t)used >= size)
        path[0] = '\0';
}

bool bench_open(bench *b, const char *device)
{
    char directory[8192];
    kernel_directory(directory, sizeof directory);
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.kernel_path = directory;
    b->about = (accel_device_properties)ACCEL_DEVICE_PROPERTIES_INIT;
    return bench_check("opening libaccel", accel_instance_create(&desc, &b->instance)) &&
           bench_check("--backend", accel_instance_find_device(b->instance, device, &b->device)) &&
           bench_check("the device's properties", accel_device_info(b->device, &b->about));
}

void bench_close(bench *b)
{
    accel_instance_release(b->instance);
}

bool bench_check(const char *what, accel_status status)
{
    if (status == ACCEL_OK)
        return true;
    fprintf(stderr, "accel-bench: %s: %s: %s\n", what, accel_status_name(status), accel_error_message());
    return false;
}

bool bench_load(const bench *b, const char *library, const char *name, accel_module **module, accel_kernel **kernel)
{
    return bench_check(library, accel_module_load(b->device, library, module)) &&
           bench_check(name, accel_module_kernel(*module, name, kernel));
}

bool bench_has_host_memory(const bench *b)
{
    return (b->about.features & ACCEL_FEATURE_HOST_MEMORY) != 0;
}

static bench_result make_result(const char *name, const bench_way *ours, enum goal_kind goal, double value)
{
    bench_result result = {.unit = "ns", .ours = ours->nanoseconds, .goal = goal, .goal_value = value};
    snprintf(result.name, sizeof result.name, "%s", name);
    return result;
}

void bench_add_time(bench *b, const char *name, const bench_way *ours, enum goal_kind goal, double value)
{
    const bench_result result = make_result(name, ours, goal, value);
    report_add(&b->report, &result);
}

void bench_add_comparison(bench *b, const char *name, const bench_way *native, const bench_way *ours,
                          enum goal_kind goal, double value)
{
    bench_result result = make_result(name, ours, goal, value);
    result.has_native = true;
    result.native = native->nanoseconds;
    result.ratio = ours->ratio;
    report_add(&b->report, &result);
}
