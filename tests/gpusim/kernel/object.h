/* SPDX-License-Identifier: Apache-2.0 */
/* The host shared object within an object of any form. */
#ifndef GPUSIM_OBJECT_H
#define GPUSIM_OBJECT_H

#include "grid.h"

#define GPUSIM_PTX_LINE "// gpusim " /* begins each line of base64 */

/* The caller frees it; NULL, with a reason. */
void *gpusim_object_unpack(const void *data, size_t size, size_t *host_size, gpusim_object *, char *reason,
                           size_t reason_size);

#endif
