/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an operation keeps alive (plugin.h: accel_hold). A hold is a reference to a buffer under another name, so that
 * holding allocates nothing.
 */
#ifndef ACCEL_CORE_HOLD_H
#define ACCEL_CORE_HOLD_H

#include <accel/plugin.h>

/* A new reference to the buffer, as a hold; NULL for NULL. */
accel_hold *accel_hold_buffer(accel_buffer *);
/* Gives it back; NULL is allowed. Host service hold_release. */
void accel_hold_release(accel_hold *);

#endif
