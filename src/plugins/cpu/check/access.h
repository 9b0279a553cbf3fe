/* SPDX-License-Identifier: Apache-2.0 */
/* Every read and write of a kernel comes here. */
#ifndef ACCEL_CPU_CHECK_ACCESS_H
#define ACCEL_CPU_CHECK_ACCESS_H

#include "plugins/cpu/check/finding.h"

/* Contract: accel_check_hooks. */
void check_access(const volatile void *p, size_t size, uint32_t how, const void *place);
/* The side of an operation that a word of the shadow remembers. */
check_side check_side_of(uint64_t word, bool writes);

#endif
