/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native way: what one would write without libaccel. Its loops are compiled once per instruction set, with the
 * flags that accelcc gives kernels, so that a kernel is compared with plain C for the same machine code level.
 */
#ifndef BENCH_NATIVE_H
#define BENCH_NATIVE_H

#include <stddef.h>

typedef struct native_loops {
    const char *target; /* as accelcc names it: "x86-64-v3" */
    /* y += a x */
    void (*axpy)(size_t n, double a, const double *x, double *y);
    /* Fused (or, without such instructions, separate) multiplications and additions on the widest vectors, in enough
     * independent chains to hide their latency; returns how many floating-point operations that were. */
    double (*peak)(size_t rounds);
} native_loops;

/* Those for the target; NULL if there are none. */
const native_loops *native_find(const char *target);

/* Does nothing; called through a pointer. */
extern void (*volatile native_empty)(void);

#endif
