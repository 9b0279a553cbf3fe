/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a finished object as the loader will. */
#ifndef ACCELCC_OBJECT_H
#define ACCELCC_OBJECT_H

#include "target.h"

/* Checks that a host object is made for the target's machine and exports at least one kernel descriptor. Returns false
 * after a message. */
bool object_check(const accelcc_job *, const char *path);
/* Ends a host object with its checksum (../../src/object/checksum.h). false after a message. */
bool object_add_checksum(const char *path);
/* Checks that a cubin or code object has at least one kernel descriptor. */
bool object_check_gpu(const accelcc_job *, const char *path);
/* Prints the message that there are no kernels in the sources. */
void object_no_kernels(const accelcc_job *);
bool object_is_file(const char *path);
/* Reads a whole file into the arena. NULL after a message. */
const unsigned char *object_read(const char *path, size_t *size);

#endif
