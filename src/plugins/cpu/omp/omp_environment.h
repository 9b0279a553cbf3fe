/* SPDX-License-Identifier: Apache-2.0 */
/* What OMP_ variables and the system leave to cpu-omp to decide. */
#ifndef ACCEL_CPU_OMP_ENVIRONMENT_H
#define ACCEL_CPU_OMP_ENVIRONMENT_H

#include "plugins/cpu/engine/process.h"

#include <stdbool.h>

/* When the runtime is about to be loaded, which makes the CPUs of the process its number of threads. Before any device. */
void cpu_omp_count_cpus(void);
/* Threads of a team on the CPUs of the mask: UINT32_MAX if OMP_NUM_THREADS or nothing speaks against what the runtime
 * says; else the control group's quota, or the number of CPUs where that has become less since the runtime counted them. */
uint32_t cpu_omp_most_threads(const char *root, const uint8_t mask[CPU_MASK_BYTES]);
/* Has somebody chosen a schedule? */
bool cpu_omp_is_scheduled(void);

#endif
