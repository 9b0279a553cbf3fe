/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of regions: small ones on the calling thread, large ones by the executor's threads, as if they were launches. */
#ifndef ACCEL_CPU_COPY_H
#define ACCEL_CPU_COPY_H

#include "plugins/cpu/transfer/transfer.h"

/* Both return when it is done. */
void cpu_copy(const cpu_transfer_site *, const accel_copy_params *);
/* `pattern` may differ from params->pattern, which may be gone by now. */
void cpu_fill(const cpu_transfer_site *, const accel_fill_params *, const void *pattern);

#endif
