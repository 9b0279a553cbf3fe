/* SPDX-License-Identifier: Apache-2.0 */
/* What the light version of a kernel finds: the hooks of accel/kernel/cpu/check_table.h. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_STRAY_H
#define ACCEL_CPU_CHECK_STRAY_H

#include <stddef.h>
#include <stdint.h>

void check_stray(const volatile void *p, size_t size, uint32_t how, const void *place);
void check_stray_poison(const void *begin, size_t size, int poisoned);
void check_stray_leave(const void *frame);
/* An access, of any size, that the compiler has left to a function. */
void check_stray_access(const volatile void *p, size_t size, uint32_t how, const void *place);
/* A launch begins: no array of private values is known. */
void check_stray_begin(void);

#endif
