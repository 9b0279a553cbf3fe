/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch has told of itself: its stacks, and what the code at hand is in. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_SURROUNDINGS_H
#define ACCEL_CPU_CHECK_SURROUNDINGS_H

#include "plugins/cpu/check/common/hidden.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct check_range {
    const char *begin, *end;
} check_range;

/* How an access to a value of 4 or 8 bytes is checked. */
enum {
    CHECK_WAY_FULL,    /* by all of access.c */
    CHECK_WAY_FAST,    /* the usual case first, which asks for nothing of check_surroundings */
    CHECK_WAY_COUNTED, /* the same, behind the limit of the block's time and the views of the launch */
    CHECK_WAY_LIGHT    /* the usual case where races are not looked for */
};

/* Of the launch. */
typedef struct check_surroundings {
    uintptr_t unfit4, unfit8;          /* bits of no address for that way: CHECK_WAY_FAST only, and aligned values */
    uint32_t way;                      /* CHECK_WAY_*, of what is below and the clock */
    bool light;                        /* a block of the kernel's light version runs: that asks by itself */
    bool views;                        /* the launch was given parts of some buffers only */
    check_range stack, fibers;         /* locals: only private values count there */
    const struct cpu_fiber_pool *pool; /* of `fibers` */
    check_range locked;                /* by ACCEL_ATOMIC_UPDATE or _MODIFY */
    int block_scope;                   /* in an atomic operation of the block */
    void *fiber;                       /* that runs; NULL: none, the thread's own stack */
    int trusted;                       /* in code of libaccel's own */
    const char *outer;                 /* in a region: the stack from here on is of the code around it; NULL: in none */
    const void *region;                /* where that began */
    check_range privates;              /* all private values lie in it */
} check_surroundings;
CHECK_HIDDEN extern check_surroundings check_around;

/* A launch begins on this thread, in this frame: its stack from there on is the program's, which waits for the launch. */
void check_surroundings_begin(const void *frame);

/* Does the user want to be told of arithmetic that fails? */
CHECK_HIDDEN extern bool check_traps;

static inline bool check_range_has(check_range range, const void *p)
{
    return (const char *)p >= range.begin && (const char *)p < range.end;
}

#endif
