/* SPDX-License-Identifier: Apache-2.0 */
/* Copies to the host's memory, until the host has waited for them. Under the lock of track.c. */
#ifndef ACCEL_CPU_CHECK_RESULTS_H
#define ACCEL_CPU_CHECK_RESULTS_H

#include "plugins/cpu/check/queues/stamp.h"

#include <stddef.h>

typedef struct check_result check_result;

/* One is about to be submitted. NULL if memory is short, or if there are many. */
check_result *check_result_add(const void *place, size_t bytes);
void check_result_remove(check_result *);
/* It is executed, as the operation of this number. */
void check_result_executed(check_result *, uint32_t track, uint64_t number);
/* Forgets those that the host knows, by its stamp. */
void check_results_forget(const check_stamp *);
/* Forgets all, and calls for each if there is something to call. */
void check_results_each(void (*call)(const void *place, size_t bytes));

#endif
