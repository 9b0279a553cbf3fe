/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at a finished object as the loader will. */
#ifndef ACCELCC_OBJECT_H
#define ACCELCC_OBJECT_H

#include "target.h"

/* A host object: it is made for the target's machine and exports at least one kernel descriptor. false after a
 * message. */
bool object_check(const accelcc_job *, const char *path);
/* Ends a host object with its seal (../../src/object/seal.h). false after a message. */
bool object_seal(const char *path);
/* A cubin or code object: it has at least one kernel descriptor. */
bool object_check_gpu(const accelcc_job *, const char *path);
/* The message that there are no kernels in the sources. */
void object_no_kernels(const accelcc_job *);
bool object_is_file(const char *path);
/* A whole file; the arena's. NULL after a message. */
const unsigned char *object_read(const char *path, size_t *size);

#endif
