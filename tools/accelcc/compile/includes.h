/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that a source includes, and those that it lacks, for which compilers only suggest names that look alike. */
#ifndef ACCELCC_INCLUDES_H
#define ACCELCC_INCLUDES_H

#include "base/list.h"

/* Does the text of the source itself include a header whose name begins like one of these? False if it cannot be read. */
bool includes_any(const char *source, const char *const headers[], size_t count);

/* Of a source that does not compile: names the headers of those macros and functions of ours that the compiler's output names,
 * unless the source includes them. Each once: `shown` is what was shown. */
void includes_show_missing(const char *source, const char *output, list *shown);

#endif
