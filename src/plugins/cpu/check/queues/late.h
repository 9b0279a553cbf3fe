/* SPDX-License-Identifier: Apache-2.0 */
/*
 * On request, operations of queues that do not block begin late: when the host waits for something or asks whether it is
 * complete, or a while after their submission. A host that reads results without waiting finds what was there before.
 */
#ifndef ACCEL_CPU_CHECK_LATE_H
#define ACCEL_CPU_CHECK_LATE_H

#include <stdbool.h>
#include <stdint.h>

void check_late_set(bool);
/* An operation is submitted. Returns what to give to check_late_pass; 0: it begins at once. */
uint64_t check_late_submit(void);
/* Its turn has come: returns when it may begin. `submitted` is the time of its submission. */
void check_late_pass(uint64_t submit, uint64_t submitted_ns);
/* What was submitted may begin. */
void check_late_open(void);

#endif
