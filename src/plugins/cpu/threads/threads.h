/* SPDX-License-Identifier: Apache-2.0 */
/* The executor of cpu-threads: a pool of threads per device. */
#ifndef ACCEL_CPU_THREADS_H
#define ACCEL_CPU_THREADS_H

#include "plugins/cpu/dispatch/executor.h"

/* Makes those of devices; runs nothing itself. */
extern const cpu_executor cpu_executor_threads;

#endif
