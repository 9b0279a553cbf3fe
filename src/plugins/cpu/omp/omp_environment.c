/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/omp/omp_environment.h"
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/mask.h"

#include <stdlib.h>

static uint32_t counted;

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

void cpu_omp_count_cpus(void)
{
    uint8_t mask[CPU_MASK_BYTES];
    cpu_process_cpus(mask);
    counted = cpu_mask_count(mask);
}

uint32_t cpu_omp_most_threads(const char *root, const uint8_t mask[CPU_MASK_BYTES])
{
    if (is_set("OMP_NUM_THREADS"))
        return UINT32_MAX;
    uint32_t quota = cpu_group_quota(root), cpus = cpu_mask_count(mask);
    return cpus < counted && cpus < quota ? cpus : quota;
}

bool cpu_omp_is_scheduled(void)
{
    return is_set("OMP_SCHEDULE");
}
