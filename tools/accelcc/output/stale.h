/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the same library that this run did not make. */
#ifndef ACCELCC_STALE_H
#define ACCELCC_STALE_H

#include "../options.h"

/* Notes those that are older than a source: devices that prefer them would run the old kernels. */
void stale_note(const accelcc_options *, const list *made);

#endif
