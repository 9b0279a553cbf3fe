/* SPDX-License-Identifier: Apache-2.0 */
/* The same picture in plain C. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "multi.h"

/* Steps at each point of a row, from the top. */
void reference_row(const picture *shown, size_t row, uint32_t steps[]);

#endif
