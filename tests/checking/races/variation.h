/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each kernel of this folder is one pattern in two variations: right, and wrong where RACES_WRONG is defined. The macros
 * below are what the two differ in. After the wrong lines a comment says what cpu-check has to report:
 *
 *     KIND, KIND here        the line of the access that comes later in the run; the first kind must be reported, others may be
 *     other                  the line that it collides with
 *     KIND here, other       both are this line
 *     KIND missed            nothing is reported: an error that cpu-check does not find
 *     KIND backwards         either line: it is found only if the last block runs first
 *     waits                  for blocks with lower numbers, so this kernel runs in their order only
 *
 * races.py compares all reports with these comments.
 */
#ifndef VARIATION_H
#define VARIATION_H

#include <accel/kernel.h>
#include "races.h"

#define PLACE(acc, t) (accel_block_index(acc).x * accel_block_extent(acc).x + (t))

/* for (EDGES(e, v)): the neighbours of a vertex. */
#define EDGES(e, v)                                                                                                    \
    uint32_t e = args.row[v];                                                                                          \
    e < args.row[(v) + 1];                                                                                             \
    e++
#define EDGES_BACKWARDS(e, v)                                                                                          \
    uint32_t e = args.row[(v) + 1];                                                                                    \
    e-- > args.row[v];

#if defined(RACES_WRONG)
#define PICK(right, wrong) (wrong)
#define ADD(acc, p, v) ((void)(*(p) += (v)))
#define TAKE(acc, p) ((*(p))++)
#define MAX(acc, p, v) ((void)(*(p) = *(p) < (v) ? (v) : *(p)))
#define MIN(acc, p, v) ((void)(*(p) = *(p) > (v) ? (v) : *(p)))
#define SYNC(acc) ((void)0)
#define FENCE(acc) ((void)0)
#define REGION(acc, t) ACCEL_THREADS_NOSYNC(acc, t)
#else
#define PICK(right, wrong) (right)
#define ADD(acc, p, v) ((void)accel_atomic_add(acc, (p), (v)))
#define TAKE(acc, p) accel_atomic_add(acc, (p), 1u)
#define MAX(acc, p, v) ((void)accel_atomic_max(acc, (p), (v)))
#define MIN(acc, p, v) ((void)accel_atomic_min(acc, (p), (v)))
#define SYNC(acc) accel_sync_block(acc)
#define FENCE(acc) accel_fence_device(acc)
#define REGION(acc, t) ACCEL_THREADS(acc, t)
#endif

#endif
