/* SPDX-License-Identifier: Apache-2.0 */
/* The log: silent unless ACCEL_LOG asks. One per process, since plugins have no instance at hand. */
#ifndef ACCEL_CORE_LOG_H
#define ACCEL_CORE_LOG_H

#include <accel/plugin.h>

/* Sets level and target from a value of ACCEL_LOG, "" or "LEVEL[:FILE]"; nothing changes on failure. The text of a
 * failure begins with ACCEL_LOG: ACCEL_INVALID (unknown level), ACCEL_IO (the file cannot be opened). */
accel_status accel_log_configure(const char *value);
/* One line, written by one system call, if the level is asked for. Keeps errno. */
void accel_log(uint32_t level, const char *format, ...) ACCEL_PRINTF_FORMAT(2, 3);

#endif
