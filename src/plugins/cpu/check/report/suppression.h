/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors that the user does not want to be told: a file with a line `[KIND] FILE[:LINE]` for each. Under the lock of
 * check.c.
 */
#ifndef ACCEL_CPU_CHECK_SUPPRESSION_H
#define ACCEL_CPU_CHECK_SUPPRESSION_H

#include "plugins/cpu/check/report/description.h"

#include <accel/accel.h>

/* Reads the file; NULL: there is none, and nothing is suppressed. A failure has its text in host->error; it names the
 * backend. */
accel_status check_suppressions_read(const char *file, const char *backend);
/* The line of the file that suppresses it, because either side is there; 0: none. */
size_t check_suppression_of(const check_description *);

#endif
