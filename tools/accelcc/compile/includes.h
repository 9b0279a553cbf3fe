/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that a source lacks. Compilers only suggest names that look alike. */
#ifndef ACCELCC_INCLUDES_H
#define ACCELCC_INCLUDES_H

#include "base/list.h"

/* Of a source that does not compile: names the headers of those macros and functions of ours that the compiler's output names,
 * unless the source includes them. Each once: `shown` is what was shown. */
void includes_show_missing(const char *source, const char *output, list *shown);

#endif
