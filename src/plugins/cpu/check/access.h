/* SPDX-License-Identifier: Apache-2.0 */
/* Every read and write of a kernel comes here. */
#ifndef ACCEL_CPU_CHECK_ACCESS_H
#define ACCEL_CPU_CHECK_ACCESS_H

#include "plugins/cpu/check/finding.h"

/* Contracts: accel_check_hooks. */
void check_access(const volatile void *p, size_t size, uint32_t how, const void *place);
void check_read4(const volatile void *p, const void *place);
void check_read8(const volatile void *p, const void *place);
void check_write4(const volatile void *p, const void *place);
void check_write8(const volatile void *p, const void *place);
void check_update4(const volatile void *p, const void *place);
void check_update8(const volatile void *p, const void *place);
/* The side of an operation that a word of the shadow remembers. */
check_side check_side_of(uint64_t word, bool writes);

#endif
