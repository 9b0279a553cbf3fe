/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/serial/serial.h"

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

const cpu_executor cpu_executor_serial = {
    .name = "cpu-serial",
    .compute_units = serial_compute_units,
    .run = serial_run,
    .parts = serial_compute_units,
};
