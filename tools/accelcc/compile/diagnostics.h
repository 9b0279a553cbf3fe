/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler's messages, shown once although several targets cause them. */
#ifndef ACCELCC_DIAGNOSTICS_H
#define ACCELCC_DIAGNOSTICS_H

#include "base/list.h"

/* Shows `output` on stderr unless the same text is in `shown`; adds it there. */
void diagnostics_show(const char *output, list *shown);
/* The flag that makes the compiler colour what accelcc passes on to a terminal; NULL if stderr is none. */
const char *diagnostics_colour_flag(void);

#endif
