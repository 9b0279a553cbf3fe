/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernel objects a device of GPUSIM_ARCHITECTURE_* takes. */
#ifndef GPUSIM_TARGET_H
#define GPUSIM_TARGET_H

#include "../kernel/grid.h"
#include "status.h"

/* What loading the object answers, with words for the log. `forms`: SIM_FORM_* of module.h. */
sim_status sim_target_check(const gpusim_object *, unsigned forms, char *log, size_t log_size);

#endif
