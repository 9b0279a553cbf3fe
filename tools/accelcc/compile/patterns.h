/* SPDX-License-Identifier: Apache-2.0 */
/* Sources with patterns: accel/kernel/pattern.h, collective.h and row.h. Their results have the same bits on every
 * target, so no compiler may fuse a product and a sum into one operation. */
#ifndef ACCELCC_PATTERNS_H
#define ACCELCC_PATTERNS_H

#include <stdbool.h>

/* Does the text of the source itself include one of these headers? */
bool patterns_in(const char *source);
/* What is defined for the others, so that they cannot include one through another header. */
#define PATTERNS_NONE "ACCEL_WITHOUT_PATTERNS"

#endif
