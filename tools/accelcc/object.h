/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at a finished host object as the loader will. */
#ifndef ACCELCC_OBJECT_H
#define ACCELCC_OBJECT_H

#include "target.h"

/* It is made for the target's machine and exports at least one kernel descriptor. false after a message. */
bool object_check(const accelcc_job *, const char *path);
/* A whole file; the arena's. NULL after a message. */
const unsigned char *object_read(const char *path, size_t *size);

#endif
