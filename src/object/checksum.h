/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checksum of host objects: accelcc ends each with 16 bytes, CHECKSUM_MAGIC and a hash of all bytes before it. The system's
 * loader maps damaged files without a look, and crashes; libaccel looks first. It guards against accidents, not against
 * malice. What has no checksum, and nothing else behind the bytes that its headers name, is taken as it
 * is: objects made otherwise, or passed through strip, which cuts it off.
 */
#ifndef ACCEL_OBJECT_CHECKSUM_H
#define ACCEL_OBJECT_CHECKSUM_H

#include <stddef.h>

#define CHECKSUM_MAGIC "ACCELSUM"
enum { CHECKSUM_SIZE = 16 };

typedef enum checksum_state { CHECKSUM_NONE, CHECKSUM_RIGHT, CHECKSUM_WRONG } checksum_state;

/* Of `size` bytes that have none yet. */
void checksum_make(const void *data, size_t size, unsigned char checksum[CHECKSUM_SIZE]);
checksum_state checksum_check(const void *data, size_t size);

#endif
