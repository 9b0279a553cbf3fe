/* SPDX-License-Identifier: Apache-2.0 */
/* How long a block may run, if the user sets a limit. A kernel that does not end, or waits for another block, has no other end
 * here. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_LIMIT_H
#define ACCEL_CPU_CHECK_LIMIT_H

#include "plugins/cpu/check/common/hidden.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0: none. */
void check_limit_set(uint64_t seconds);
/* Do accesses have to pass? */
bool check_limit_is_set(void);
/* A block begins. */
void check_limit_block(void);

CHECK_HIDDEN extern uint64_t check_limit_left; /* accesses and barriers until the clock is looked at */
/* Ends the kernel if the block has run for too long; the rest is of the access, or 0 for a barrier. */
void check_limit_look(const volatile void *p, size_t size, uint32_t how, const void *place);

/* At each access and barrier. */
static inline void check_limit_pass(const volatile void *p, size_t size, uint32_t how, const void *place)
{
    if (__builtin_expect(--check_limit_left == 0, 0))
        check_limit_look(p, size, how, place);
}

#endif
