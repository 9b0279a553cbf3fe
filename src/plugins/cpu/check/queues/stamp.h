/* SPDX-License-Identifier: Apache-2.0 */
/* For each track of queues/track.h the number of its last operation that is known to be complete. */
#ifndef ACCEL_CPU_CHECK_STAMP_H
#define ACCEL_CPU_CHECK_STAMP_H

#include <stdint.h>

enum { CHECK_TRACKS = 32 };

typedef struct check_stamp {
    uint64_t reached[CHECK_TRACKS];
} check_stamp;

#endif
