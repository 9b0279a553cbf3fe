/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of regions, on the calling thread. */
#ifndef ACCEL_CPU_COPY_H
#define ACCEL_CPU_COPY_H

#include <accel/plugin.h>

void cpu_copy(const accel_copy_params *);
/* `pattern` may differ from params->pattern, which may be gone by now. */
void cpu_fill(const accel_fill_params *, const void *pattern);

#endif
