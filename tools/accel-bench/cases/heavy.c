/* SPDX-License-Identifier: Apache-2.0 */
#include "cases/heavy.h"

#include <inttypes.h>
#include <stdio.h>

#include "clock.h"

bool heavy_open(const bench *b, heavy_launch *launch, uint64_t steps)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    const accel_buffer_desc values = accel_buffer_1d(sizeof(uint64_t), HEAVY_ELEMENTS);
    desc.flags = ACCEL_QUEUE_BLOCKING;
    *launch = (heavy_launch){.work = ACCEL_WORK_INIT};
    if (!bench_check("heavy", accel_queue_create(b->device, &desc, &launch->queue)) ||
        !bench_load(b, "bench", "heavy", &launch->module, &launch->kernel) ||
        !bench_check("heavy", accel_buffer_create(b->device, &values, &launch->buffer)))
        return false;
    launch->args = (heavy_args){.elements = HEAVY_ELEMENTS, .steps = steps, .value = accel_buffer_ptr(launch->buffer)};
    return true;
}

void heavy_close(heavy_launch *launch)
{
    accel_buffer_release(launch->buffer);
    accel_module_release(launch->module);
    accel_queue_release(launch->queue);
}

bool heavy_sample(void *user, size_t repetitions, double *nanoseconds)
{
    const heavy_launch *launch = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(launch->queue, launch->kernel, &launch->work, &launch->args, sizeof launch->args);
        status |= accel_queue_wait(launch->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("heavy", status);
}

bool heavy_validate(void *user)
{
    const heavy_launch *launch = user;
    uint64_t found[HEAVY_ELEMENTS];
    if (!bench_check("heavy", accel_read(launch->queue, found, launch->buffer)) ||
        !bench_check("heavy", accel_queue_wait(launch->queue)))
        return false;
    for (uint64_t i = 0; i < launch->args.elements; ++i)
        if (found[i] != busy_value(i, heavy_steps(i, launch->args.steps, launch->args.uneven))) {
            fprintf(stderr, "accel-bench: heavy: element %" PRIu64 " gives %" PRIu64 "\n", i, found[i]);
            return false;
        }
    return true;
}
