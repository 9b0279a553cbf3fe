/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of 13 bits for the places in kernels' code from which memory is accessed, for as long as the process lives. Under the
 * lock of check.c. */
#ifndef ACCEL_CPU_CHECK_SITE_H
#define ACCEL_CPU_CHECK_SITE_H

#include "plugins/cpu/check/common/hidden.h"

#include <stdint.h>

enum { CHECK_SITES = 8192 };

/* By number; NULL: nobody has it. */
CHECK_HIDDEN extern const void *check_sites[CHECK_SITES];

/* The one that a place gets if no other has it. */
static inline unsigned check_site_first(const void *place)
{
    return (uint32_t)(uintptr_t)place * 0x9e3779b1u >> 19;
}

/* The number of any place. 0, which nobody has, if the neighbourhood is full. */
unsigned check_site_find(const void *place);

static inline unsigned check_site_of(const void *place)
{
    const unsigned first = check_site_first(place);
    return __builtin_expect(check_sites[first] == place, 1) ? first : check_site_find(place);
}

#endif
