/* SPDX-License-Identifier: Apache-2.0 */
/* One program per noun: its file defines the suite, run.c the main function. */
#ifndef RUN_H
#define RUN_H

#include "assertions.h"

#include <stdbool.h>
#include <stddef.h>

Suite *noun_suite(void);

/* Adds a test as a case of its own name, so that CK_RUN_CASE=name runs it alone. */
#define add(suite, name) run_add(suite, #name, name)
void run_add(Suite *, const char *name, const TTest *);
/* The same where the machine has what the test is about. Elsewhere it is named among those that do not apply; a program
 * without any test that does is skipped. */
#define add_if(condition, suite, name) ((condition) ? run_add(suite, #name, name) : run_leave_out(#name))
void run_leave_out(const char *name);

/* From here on the n-th allocation of core fails (1: the next), and only that; 0: none. Only in this process. */
void run_fail_allocation(size_t n);
/* Has it been reached? */
bool run_allocation_failed(void);

#endif
