/* SPDX-License-Identifier: Apache-2.0 */
/* Programs call numbers and types by single letters, and may do so in front of libaccel's headers, or by -D. */
#define A 1
#define C 1
#define D 1
#define E 1
#define F 1
#define G 1
#define H 1
#define I 1
#define J 1
#define K 1
#define L 1
#define M 1
#define N 1
#define O 1
#define P 1
#define Q 1
#define R 1
#define S 1
#define U 1
#define V 1
#define W 1
#define X 1
#define Y 1
#define Z 1
#if !defined(__HIP__) /* whose own headers use these */
#define B 1
#define T 1
#endif
#include <accel/kernel.h>
#include <accel/kernel/debug.h>
#include <accel/kernel/pattern.h>
#include <accel/kernel/print.h>
#include <accel/kernel/row.h>
#include <accel/kernel/scatter.h>
#include <accel/kernel/scratch.h>

typedef struct {
    size_t n;
    double *x;
    float *y;
    uint32_t *count;
} letters_args;

ACCEL_REDUCER(double, letters_join, a, b, 0)
{
    return a + b;
}
ACCEL_REDUCE(letters_sum, letters_args, args, i, double, letters_join)
{
    return sqrt(fabs(args.x[i])) + pow(args.x[i], 2);
}
ACCEL_SCAN(letters_scan, letters_args, args, i, float, ACCEL_MAX, args.y)
{
    return args.y[i];
}

ACCEL_KERNEL(letters, letters_args, args)
{
    ACCEL_PRIVATE(acc, double, mine);
    ACCEL_FOR_EACH(acc, i, args.n) {
        accel_atomic_add(acc, args.count, accel_popcount((uint32_t)i));
        args.y[i] = fmaxf(args.y[i], 0);
    }
    ACCEL_FOR_EACH_ROW(acc, row, args.n, 4) {
        const double sum = accel_row_reduce(acc, 4, double, ACCEL_SUM, j, 0, row, args.x[j]);
        ACCEL_ROW_ONCE(acc, 4)
            args.x[row] = sum;
    }
    ACCEL_THREADS(acc, t)
        ACCEL_MY(mine, t) = (double)t;
    const double all = accel_block_reduce(acc, double, ACCEL_SUM, mine);
    ACCEL_ONCE(acc)
        args.x[0] = all + accel_pack_sum(accel_pack_load(args.x));
}
