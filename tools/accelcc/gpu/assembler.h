/* SPDX-License-Identifier: Apache-2.0 */
/* ptxas: NVIDIA's assembler of PTX. */
#ifndef ACCELCC_ASSEMBLER_H
#define ACCELCC_ASSEMBLER_H

#include "gpu/gpu_flags.h"
#include "target.h"

/* The ptxas that belongs to a compiler, else any; NULL: none. */
const char *assembler_find(const list *compiler);
/* Returns the PTX with the oldest .version with which the assembler accepts it for sm_NN, so that older drivers accept
 * it, too. Without an assembler, or with one that does not know the processor or the version, returns the text itself
 * after a note. Returns NULL after a message if the assembler finds an error in the text. */
const char *assembler_lower(const accelcc_job *, const char *processor, const char *text);
/* Makes machine code from a workspace file. `report` receives lines about registers and memory. Returns false after a
 * message. */
bool assembler_run(const accelcc_job *, const gpu_flags *, const char *processor, const char *ptx, const char *cubin,
                   const char **report);

#endif
