/* SPDX-License-Identifier: Apache-2.0 */
/* The known word nearest to a mistyped one. */
#ifndef ACCELCC_NEAREST_H
#define ACCELCC_NEAREST_H

#include "base/list.h"

/* NULL if none is near enough: if more than a third of the letters, plus one, would have to change. */
const char *nearest_word(const char *word, const list *known);

#endif
