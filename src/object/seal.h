/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seal of host objects: accelcc ends each with 16 bytes, SEAL_MAGIC and a hash of all bytes before it. The system's
 * loader maps damaged files without a look, and crashes; libaccel looks first. It guards against accidents, not against
 * malice. What has no seal is taken as it is: objects made otherwise, or passed through strip, which cuts it off.
 */
#ifndef ACCEL_OBJECT_SEAL_H
#define ACCEL_OBJECT_SEAL_H

#include <stddef.h>

#define SEAL_MAGIC "ACCSEAL1"
enum { SEAL_SIZE = 16 };

typedef enum seal_state { SEAL_NONE, SEAL_WHOLE, SEAL_BROKEN } seal_state;

/* Of `size` bytes that have none yet. */
void seal_make(const void *data, size_t size, unsigned char seal[SEAL_SIZE]);
seal_state seal_check(const void *data, size_t size);

#endif
