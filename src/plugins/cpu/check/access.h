/* SPDX-License-Identifier: Apache-2.0 */
/* Every read and write of a kernel comes here. */
#ifndef ACCEL_CPU_CHECK_ACCESS_H
#define ACCEL_CPU_CHECK_ACCESS_H

#include <stddef.h>
#include <stdint.h>

/* Contract: accel_check_hooks. */
void check_access(const volatile void *p, size_t size, uint32_t how, const void *place);

#endif
