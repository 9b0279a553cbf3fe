/* SPDX-License-Identifier: Apache-2.0 */
/* One warp, whose lanes wait, have returned, or are not there. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_GROUP_H
#define ACCEL_CPU_CHECK_GROUP_H

#include <accel/kernel/cpu/check_table.h>

/* Of a thread. Where none can go on, ELSEWHERE is one that has returned. */
typedef struct check_lane {
    enum { CHECK_LANE_ELSEWHERE, CHECK_LANE_BARRIER, CHECK_LANE_WARP } where;
    const void *place; /* where it waits */
    accel_check_warp call;
    uint64_t result; /* of its last call */
    void *fiber;     /* NULL: the block has one thread */
} check_lane;

typedef struct check_group {
    check_lane *lanes;
    uint32_t count, width; /* lanes that the block has, and that a warp has */
    size_t first;          /* thread */
} check_group;

/* Ends at least one operation of the warp if a lane waits at any. */
void check_group_resolve(const check_group *warp);

#endif
