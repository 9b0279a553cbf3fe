/* SPDX-License-Identifier: Apache-2.0 */
/* The same steps in plain C. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes the side * side values so many steps on. false: no memory. */
bool reference_run(size_t side, double rate, uint32_t steps, double *values);

#endif
