/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/ranks.h"
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plain numbers. Slurm comes last, see below: an mpirun inside its allocation may inherit the batch script's. */
static const char *const variables[] = {
    "OMPI_COMM_WORLD_LOCAL_SIZE", /* Open MPI, Spectrum MPI */
    "MPI_LOCALNRANKS",            /* MPICH with Hydra, Intel MPI */
    "MV2_COMM_WORLD_LOCAL_SIZE",  /* MVAPICH2 */
    "MVP_COMM_WORLD_LOCAL_SIZE",  /* MVAPICH 3 and later */
    "PMI_LOCAL_SIZE",             /* Cray MPICH */
    "PALS_LOCAL_SIZE",            /* PALS */
};

/* "4(x2),3": of the nodes 0 and 1 each has 4, node 2 has 3. 0 if it is no such list, or too short. */
static uint32_t of_node(const char *list, unsigned long node)
{
    while (*list >= '0' && *list <= '9') {
        char *end;
        unsigned long tasks = strtoul(list, &end, 10), times = 1;
        if (strncmp(end, "(x", 2) == 0) {
            times = strtoul(end + 2, &end, 10);
            end += *end == ')';
        }
        if (node < times)
            return tasks < UINT32_MAX ? (uint32_t)tasks : 0;
        node -= times;
        list = *end == ',' ? end + 1 : end;
    }
    return 0;
}

uint32_t cpu_ranks(void)
{
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); ++i) {
        const char *value = getenv(variables[i]);
        uint32_t ranks = value != NULL ? of_node(value, 0) : 0;
        if (ranks != 0)
            return ranks;
    }
    /* Of srun's processes alone: LOCALID is theirs, TASKS_PER_NODE of the step. */
    const char *list = getenv("SLURM_STEP_TASKS_PER_NODE"), *node = getenv("SLURM_NODEID");
    uint32_t ranks = 0;
    if (list != NULL && getenv("SLURM_LOCALID") != NULL)
        ranks = of_node(list, node != NULL ? strtoul(node, NULL, 10) : 0);
    return ranks != 0 ? ranks : 1;
}

bool cpu_ranks_share(const char *root, uint32_t ranks, const uint8_t mask[CPU_MASK_BYTES])
{
    char path[CPU_PATH], list[CPU_LINE_TEXT];
    uint8_t online[CPU_MASK_BYTES] = {0};
    if (ranks <= 1)
        return false;
    snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/online", root);
    cpu_mask_add_list(online, cpu_file_line(path, list, sizeof(list)));
    uint32_t usable = cpu_mask_count(online), group = cpu_group_cpus(root);
    if (group < usable)
        usable = group;
    return usable == 0 || (uint64_t)ranks * cpu_mask_count(mask) > usable;
}
