/* SPDX-License-Identifier: Apache-2.0 */
/* All steps in plain C. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

/* The result, n dense rows. false: no memory. */
bool reference_run(size_t n, double *c);

#endif
