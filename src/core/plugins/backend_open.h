/* SPDX-License-Identifier: Apache-2.0 */
/* From a name to a backend with devices, or to the reasons why there is none. */
#ifndef ACCEL_CORE_BACKEND_OPEN_H
#define ACCEL_CORE_BACKEND_OPEN_H

#include "core/plugins/backend.h"
#include "core/plugins/search.h"
#include "core/plugins/selection.h"

/* "no driver", ... for texts. */
const char *accel_backend_state_name(uint32_t state);

/* Each fills a backend whose instance is set and whose rest is zero. A backend that cannot be used is no failure: its
 * state and reason say so. The only error is ACCEL_OUT_OF_MEMORY; the backend is to be closed after that too. */
accel_status accel_backend_open(accel_backend *, const char *name, const accel_search *, const accel_selection *,
                                accel_device ***devices, size_t *device_count);
accel_status accel_backend_leave(accel_backend *, const char *name, const accel_search *, const accel_selection *);
/* After its devices are closed. */
void accel_backend_close(accel_backend *);

#endif
