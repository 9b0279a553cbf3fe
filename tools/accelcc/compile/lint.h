/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds errors that only some targets would show. With ACCEL_LINT, accel/kernel.h writes the loops of regions as OpenMP
 * loops, and the compiler refuses break, return and goto out of these. No code is generated from that form. With
 * ACCEL_LINT_TEXT it marks kernels, regions and loops in the preprocessed text, and lint/rules.h is asked.
 */
#ifndef ACCELCC_LINT_H
#define ACCELCC_LINT_H

#include "target.h"

/* Returns false after the compiler's messages, and one of accelcc if the source is valid C and only breaks the rules of
 * regions. With `rules_only` it accepts a source that does not compile at all. */
bool lint_source(const accelcc_job *, const char *source, bool rules_only);

#endif
