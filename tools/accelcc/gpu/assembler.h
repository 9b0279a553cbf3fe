/* SPDX-License-Identifier: Apache-2.0 */
/* ptxas: NVIDIA's assembler of PTX. */
#ifndef ACCELCC_ASSEMBLER_H
#define ACCELCC_ASSEMBLER_H

#include "gpu/gpu_flags.h"
#include "target.h"

/* The ptxas that belongs to a compiler, else any; NULL: none. */
const char *assembler_find(const list *compiler);
/* The PTX with the oldest .version with which the assembler still takes it for sm_NN, so that older drivers do too.
 * The text itself where there is no assembler, or one that does not know the processor: then a note says so. */
const char *assembler_lower(const accelcc_job *, const char *processor, const char *text);
/* Makes machine code of a workspace file. With `report` lines about registers and memory are put there. false after a
 * message. */
bool assembler_run(const accelcc_job *, const gpu_flags *, const char *processor, const char *ptx, const char *cubin,
                   const char **report);

#endif
