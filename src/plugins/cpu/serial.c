/* SPDX-License-Identifier: Apache-2.0 */
#include "executor.h"

/* A hand-out to another thread never pays: there is none. */
enum { CHUNK = 1 << 20 };

static uint32_t serial_compute_units(const cpu_executor *self)
{
    (void)self;
    return 1;
}

static accel_status serial_run(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch)
{
    (void)self;
    return cpu_blocks_run(launch, scratch, 0, launch->blocks);
}

static void serial_suggest(const cpu_executor *self, const accel_kernel_descriptor *kernel,
                           accel_suggestion *suggestion)
{
    (void)self;
    suggestion->blocks = 1;
    suggestion->chunk = CHUNK;
    suggestion->threads = cpu_threads_of_block(kernel);
}

const cpu_executor cpu_executor_serial = {
    .name = "cpu-serial",
    .compute_units = serial_compute_units,
    .run = serial_run,
    .suggest = serial_suggest,
};
