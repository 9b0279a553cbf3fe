/* SPDX-License-Identifier: Apache-2.0 */
#include "core/config/local_rank.h"

#include "core/config/environment.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <stdlib.h>

/* Ranks on the node, as the launchers pass them to their processes. Slurm comes last: an mpirun inside its allocation may
 * inherit the batch script's. */
static const char *const rank_variables[] = {
    "OMPI_COMM_WORLD_LOCAL_RANK", /* Open MPI, Spectrum MPI */
    "MPI_LOCALRANKID",            /* MPICH with Hydra, Intel MPI */
    "MV2_COMM_WORLD_LOCAL_RANK",  /* MVAPICH2 */
    "MVP_COMM_WORLD_LOCAL_RANK",  /* MVAPICH 3 and later */
    "PMI_LOCAL_RANK",             /* Cray MPICH */
    "PALS_LOCAL_RANKID",          /* PALS */
    "FLUX_TASK_LOCAL_ID",         /* Flux */
    "SLURM_LOCALID",              /* Slurm's srun */
};
#define RANK_VARIABLE_COUNT (sizeof(rank_variables) / sizeof(rank_variables[0]))

accel_status accel_local_rank(uint32_t *rank, const char **variable)
{
    accel_text names = {0};

    for (size_t i = 0; i < RANK_VARIABLE_COUNT; ++i) {
        const char *value = accel_environment_value(rank_variables[i]);
        char *end = NULL;

        if (value == NULL || value[0] == '\0')
            continue;
        unsigned long number = strtoul(value, &end, 10);
        if (value[0] < '0' || value[0] > '9' || *end != '\0' || number > UINT32_MAX)
            return accel_error_set(ACCEL_INVALID, "ACCEL_DEVICES is \"local-rank\", but %s is \"%s\", which is no rank",
                                   rank_variables[i], value);
        *rank = (uint32_t)number;
        *variable = rank_variables[i];
        return ACCEL_OK;
    }
    for (size_t i = 0; i < RANK_VARIABLE_COUNT; ++i)
        accel_text_add(&names, "%s%s", i > 0 ? ", " : "", rank_variables[i]);
    accel_error_set(ACCEL_NOT_FOUND,
                    "ACCEL_DEVICES is \"local-rank\", but no launcher told this process its rank on the node (looked "
                    "for %s); start it with mpirun or srun, or name devices",
                    accel_text_peek(&names));
    accel_text_clear(&names);
    return ACCEL_NOT_FOUND;
}
