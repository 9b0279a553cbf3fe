/* SPDX-License-Identifier: Apache-2.0 */
/* The vendors' libraries for named ranges: NVTX, roctx. */
#ifndef ACCEL_CORE_RANGE_LIBRARY_H
#define ACCEL_CORE_RANGE_LIBRARY_H

/* Opens the libraries that are here, once per process; a missing one is no failure. Each function calls those there are. */
void accel_ranges_push(const char *name);
void accel_ranges_pop(void);

#endif
