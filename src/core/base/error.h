/* SPDX-License-Identifier: Apache-2.0 */
/* The calling thread's error text. The first detector of a failure reports it; callers pass the status on. */
#ifndef ACCEL_CORE_ERROR_H
#define ACCEL_CORE_ERROR_H

#include <accel/plugin.h>

/* Sets this thread's text, beginning with the API function's name ("accel_copy: ..."), and returns `status`. Texts stay
 * whole up to 4 KiB; longer ones lose the middle of their longest words, or their end if there is no memory for them. */
accel_status accel_error_set(accel_status status, const char *format, ...) ACCEL_PRINTF_FORMAT(2, 3);
/* ACCEL_INVALID, naming the parameter. */
accel_status accel_error_null(const char *function, const char *parameter);
/* Puts "function: " before this thread's text if it is not there yet: for texts that a plugin wrote. Returns
 * `status`. */
accel_status accel_error_prefix(accel_status status, const char *function);

/* The text is that of another public function, which this one has called: it gets this one's name instead. Returns
 * `status`. */
accel_status accel_error_rename(accel_status status, const char *function);

/* Around inner failures of a call that succeeds in the end: its caller's text stays that of the last failed call. */
#define ACCEL_ERROR_SIZE 4096u
void accel_error_save(char buffer[ACCEL_ERROR_SIZE]);
void accel_error_restore(const char buffer[ACCEL_ERROR_SIZE]);

#endif
