/* SPDX-License-Identifier: Apache-2.0 */
/* The rights of pages of the program's memory. All of it may run in a signal handler. */
#ifndef ACCEL_CPU_CHECK_PAGES_H
#define ACCEL_CPU_CHECK_PAGES_H

#include <stdbool.h>
#include <stdint.h>

enum { CHECK_PAGE = 4096 };

/* May all of [begin, end) be read, and written too if that is asked for? */
bool check_pages_allow(uintptr_t begin, uintptr_t end, bool written);
/* Whole pages; `rights` as mprotect takes them. false: the system refuses. */
bool check_pages_set(uintptr_t begin, uintptr_t end, int rights);

#endif
