/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what a launch's findings are: to the queue, to a file as text, to a file as JSON. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_REPORT_H
#define ACCEL_CPU_CHECK_REPORT_H

#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/queues/released.h"

#include <accel/accel.h>

/* Where the environment wants reports, as text, for which "-" is standard error, and as JSON. NULL: nowhere. `suppressions` is the
 * file that silences some, or NULL. All are kept by reference. ACCEL_IO: one cannot be written. */
accel_status check_report_open(const char *report, const char *json, const char *suppressions, const char *backend);
/* Tells what the operation's findings are, each with new places once per process, and returns how many there are that
 * nothing suppresses. `text` gets the first of them, for the queue's failure. */
size_t check_report(const check_operation *, char *text, size_t size);
/* Tells of buffers and objects that were never released: of those from one line of the program together. */
void check_report_leaks(void);
/* Tells that the program uses a released object in the function, or releases it once more (NULL). `text` gets what the
 * function says. */
void check_report_misuse(const check_released *, const char *function, char *text, size_t size);
/* Tells what the host has done by an address, each with new places once. */
void check_report_host(const check_finding *);
/* Tells that something which was asked for cannot be checked. */
void check_report_failure(const char *text);
/* Tells a file, once, that the process has an object for target check. */
void check_report_loaded(void);
/* Tells a file that cpu-check does not open in this process. */
void check_report_refused(void);
/* Tells of copies to the host's memory that the host has never waited for. */
void check_report_misses(void);

#endif
