/* SPDX-License-Identifier: Apache-2.0 */
/* The executor of cpu-check: runs all blocks on the calling thread, one launch of the process at a time, and finds errors
 * of kernels while they run. docs/checking.md says which, and how. */
#ifndef ACCEL_CPU_CHECK_H
#define ACCEL_CPU_CHECK_H

#include "plugins/cpu/dispatch/executor.h"

extern const cpu_executor cpu_executor_check;

#endif
