/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that core makes on its own account. */
#ifndef ACCEL_CORE_COPY_H
#define ACCEL_CORE_COPY_H

#include "core/memory/buffer.h"

/* The first element of src to that of dst, which have the same size and exist. Both buffers are kept alive until it is
 * done. src is of the queue's device; dst is of any device, and usable. */
accel_status accel_copy_first(const char *function, accel_queue *, accel_buffer *dst, accel_buffer *src);

#endif
