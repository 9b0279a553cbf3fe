/* SPDX-License-Identifier: Apache-2.0 */
/* This process's rank among those of its job on the node. */
#ifndef ACCEL_CORE_LOCAL_RANK_H
#define ACCEL_CORE_LOCAL_RANK_H

#include <accel/accel.h>

/* From whichever variable its launcher sets; *variable names it. ACCEL_NOT_FOUND if there is none, with the names that
 * were looked for; ACCEL_INVALID if it is no number. */
accel_status accel_local_rank(uint32_t *rank, const char **variable);

#endif
