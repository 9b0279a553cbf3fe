/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of regions: small ones on the calling thread, large ones by the executor's, as if they were launches. */
#ifndef ACCEL_CPU_COPY_H
#define ACCEL_CPU_COPY_H

#include "plugins/cpu/dispatch/division.h"
#include "plugins/cpu/dispatch/executor.h"

/* Who does it. */
typedef struct cpu_transfer_site {
    const cpu_executor *executor;
    cpu_scratch *scratch; /* the calling thread's */
    const cpu_settings *settings;
    cpu_caches caches; /* of the device */
} cpu_transfer_site;

/* Both return when it is done. */
void cpu_copy(const cpu_transfer_site *, const accel_copy_params *);
/* `pattern` may differ from params->pattern, which may be gone by now. */
void cpu_fill(const cpu_transfer_site *, const accel_fill_params *, const void *pattern);

#endif
