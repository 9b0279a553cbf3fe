/* SPDX-License-Identifier: Apache-2.0 */
/* The executor of cpu-serial: the calling thread runs all blocks, in order. */
#ifndef ACCEL_CPU_SERIAL_H
#define ACCEL_CPU_SERIAL_H

#include "plugins/cpu/dispatch/executor.h"

extern const cpu_executor cpu_executor_serial;

#endif
