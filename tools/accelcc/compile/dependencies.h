/* SPDX-License-Identifier: Apache-2.0 */
/* Dependency files for Make and Ninja, and so for Meson and CMake. */
#ifndef ACCELCC_DEPENDENCIES_H
#define ACCELCC_DEPENDENCIES_H

#include "options.h"

/* Unites the compiler's dependency files (workspace names) into one rule for `outputs`, or for the -MT targets, and
 * writes it where the options say, by rename. false after a message. */
bool dependencies_write(const accelcc_options *, const list *files, const list *outputs);

#endif
