/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels use of a GPU, for --resource-usage; one line per kernel on stdout. */
#ifndef ACCELCC_RESOURCES_H
#define ACCELCC_RESOURCES_H

#include "base/list.h"

#include <stdint.h>

/* From what ptxas -v says. `remark` stands behind the target's name. */
void resources_print_assembler(const char *target, const char *remark, const char *report);
/* One kernel of an AMD code object. */
void resources_print(const char *target, const char *kernel, const char *registers, uint64_t shared_bytes,
                     uint64_t stack_bytes, const char *spills);

#endif
