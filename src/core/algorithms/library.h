/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libaccel's own kernels (src/kernels). A root device loads the best object of them beside the plugins on first use, and keeps
 * it as long as it lives. The user's kernel path is never searched for it.
 */
#ifndef ACCEL_CORE_LIBRARY_H
#define ACCEL_CORE_LIBRARY_H

#include "core/api/queue.h"
#include "core/launch/kernel.h"

/* The order of library.c's table. Reductions are the operation's first one and the type's place. */
typedef enum accel_own_kernel {
    ACCEL_OWN_SUM,                            /* uint32, uint64, float, double */
    ACCEL_OWN_PROD = ACCEL_OWN_SUM + 4,       /* the same */
    ACCEL_OWN_MIN = ACCEL_OWN_PROD + 4,       /* int32, uint32, int64, uint64, float, double */
    ACCEL_OWN_MAX = ACCEL_OWN_MIN + 6,        /* the same */
    ACCEL_OWN_SORT_COUNT = ACCEL_OWN_MAX + 6, /* keys of 32 bits, of 64 */
    ACCEL_OWN_SORT_SCAN = ACCEL_OWN_SORT_COUNT + 2,
    ACCEL_OWN_SORT_SCATTER, /* the same, with nothing, 4 and 8 bytes carried by each */
    ACCEL_OWN_SORT_NUMBER = ACCEL_OWN_SORT_SCATTER + 6,
    ACCEL_OWN_SORT_SETTLE,
    ACCEL_OWN_SORT_GATHER,
    ACCEL_OWN_HISTOGRAM_CLEAR,
    ACCEL_OWN_HISTOGRAM_COUNT,
    ACCEL_OWN_TRANSPOSE,
    ACCEL_OWN_SELECT_COUNT,
    ACCEL_OWN_SELECT_MOVE,
    ACCEL_OWN_SELECT_LENGTHS,
    ACCEL_OWN_GEMM_FLOAT,
    ACCEL_OWN_GEMM_DOUBLE,
    ACCEL_OWN_SCAN_SUM,                           /* uint32, uint64, float, double */
    ACCEL_OWN_SCAN_PROD = ACCEL_OWN_SCAN_SUM + 4, /* float, double */
    ACCEL_OWN_SCAN_ANY = ACCEL_OWN_SCAN_PROD + 2, /* other operations, products of integers */
    ACCEL_OWN_KERNELS                             /* how many there are */
} accel_own_kernel;

/* The kernel for the queue's device; borrowed. Only the first call for a kernel loads anything. Errors: ACCEL_NOT_FOUND (no
 * object runs on the device), ACCEL_INCOMPATIBLE (one of another libaccel), and those of loading. */
accel_status accel_own_kernel_get(const char *function, const accel_queue *, accel_own_kernel, accel_kernel **);

#endif
