/* SPDX-License-Identifier: Apache-2.0 */
/* The executor of cpu-omp: blocks over the threads of an OpenMP runtime. */
#ifndef ACCEL_CPU_OMP_H
#define ACCEL_CPU_OMP_H

#include "plugins/cpu/dispatch/executor.h"

/* Makes those of devices; runs nothing itself. */
extern const cpu_executor cpu_executor_omp;

#endif
