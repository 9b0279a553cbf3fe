/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that views.c gives parts of buffers. */
#include <accel/kernel.h>
#include "planted.h"

ACCEL_KERNEL(view_behind, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[i + 1]; /* view_behind: here */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(view_before, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i < args.n)
        args.x[i - 1] = 1; /* view_before: here */
}

ACCEL_THREAD_KERNEL(view_atomic, planted_args, args)
{
    accel_sync_block(acc);
    if (accel_global_index(acc).x == 3)
        accel_atomic_add(acc, &args.c[args.n], 1u); /* view_atomic: here */
}

/* Rows as if there were nothing between them. */
ACCEL_KERNEL(view_rows, planted_args, args)
{
    ACCEL_THREADS(acc, t) {
        if (t < args.n)
            args.y[t] = args.x[t]; /* view_rows: here */
    }
}

/* 4 rows of 8 elements, which are args.n apart: right. */
ACCEL_KERNEL(view_square, planted_args, args)
{
    ACCEL_THREADS_FIRST(acc, t, 32) {
        args.y[t] = args.x[t / 8 * args.n + t % 8];
    }
}

typedef struct view_ten {
    float v[10];
} view_ten;

/* Half of it lies in the view. */
ACCEL_KERNEL(view_struct, planted_args, args)
{
    ACCEL_ONCE(acc) {
        *(view_ten *)args.y = *(const view_ten *)(args.x + args.n - 5); /* view_struct: here */
    }
}

/* What a table of pointers leads to: x is the view, and y holds the buffer's address. */
ACCEL_KERNEL(view_table, planted_args, args)
{
    float **table = (float **)(void *)args.y;
    ACCEL_ONCE(acc) {
        table[0][args.n] = args.x[0] + 1;
    }
}
