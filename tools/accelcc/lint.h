/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors that only some targets would show. With ACCEL_LINT, accel/kernel.h spells the loops of regions as OpenMP
 * loops, out of which the compiler lets no break, return or goto lead; nothing is generated from that spelling.
 */
#ifndef ACCELCC_LINT_H
#define ACCELCC_LINT_H

#include "target.h"

/* false after the compiler's messages, and one of accelcc if the source is valid C and only breaks the rules of
 * regions. With `rules_only` a source that the compiler does not take at all is not its affair. */
bool lint_source(const accelcc_job *, const char *source, bool rules_only);

#endif
