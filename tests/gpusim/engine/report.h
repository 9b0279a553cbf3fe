/* SPDX-License-Identifier: Apache-2.0 */
/* What a driver would not forgive, told on stderr and in the file that GPUSIM_REPORT names, one line each:
 * "cuda: leak: ...". A process that has a violation ends with the status GPUSIM_STATUS. */
#ifndef GPUSIM_REPORT_H
#define GPUSIM_REPORT_H

#include <stdarg.h>
#include <stdbool.h>

/* `kind`: "leak", "use after free", "wrong context", "wrong stream", "order", "bounds", "host access", "inside",
 * "handle", "query". May be called from any thread; in a list GPUSIM_ALLOW of kinds, it is silent. */
void sim_violation(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool sim_violation_allowed(const char *kind);
bool sim_violations(void);

/* For GPUSIM_TRACE: a line in that file for each call of the driver, in order: the function's name. */
void sim_trace(const char *function);
/* And one for what a copy or fill does, behind a blank. */
void sim_trace_work(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For GPUSIM_LOG=1: what a fault was, and the like. */
void sim_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
