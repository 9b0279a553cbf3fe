/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine takes from libaccel's configuration, read once when the backend opens. */
#ifndef ACCEL_CPU_SETTINGS_H
#define ACCEL_CPU_SETTINGS_H

#include <accel/plugin.h>

typedef struct cpu_settings {
    uint64_t spin_ns;  /* ACCEL_CPU_SPIN_US: how long an idle worker polls before it naps */
    size_t stack_size; /* ACCEL_CPU_STACK_SIZE: of a thread of a thread kernel */
    bool check;        /* ACCEL_CHECK: detect stack overflow of thread kernels */
} cpu_settings;

/* ACCEL_INVALID, with a text, if a value cannot be understood. */
accel_status cpu_settings_read(cpu_settings *);

#endif
