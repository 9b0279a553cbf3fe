/* SPDX-License-Identifier: Apache-2.0 */
/* The same filters in plain C. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "filters.h"

/* args as for filters_run. false: no memory. */
bool reference_run(const image_args *args, const uint8_t *colours, filtered *result);

#endif
