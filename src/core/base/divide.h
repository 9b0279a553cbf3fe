/* SPDX-License-Identifier: Apache-2.0 */
/* Division that rounds up. */
#ifndef ACCEL_CORE_DIVIDE_H
#define ACCEL_CORE_DIVIDE_H

#include <stddef.h>

static inline size_t accel_divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

#endif
