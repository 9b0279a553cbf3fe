# SPDX-License-Identifier: Apache-2.0
# Kernel sources for the tests of accelcc, written into the working directory.

axpy_sources() {
    cat >axpy.h <<'SOURCE'
#include <stddef.h>
typedef struct {
    double a;
    size_t n;
    const double *x;
    double *y;
} axpy_args;
SOURCE
    cat >axpy.k.c <<'SOURCE'
#include <accel/kernel.h>
#include "axpy.h"

ACCEL_KERNEL(axpy, axpy_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] += args.a * args.x[i];
}
SOURCE
    cat >scale.k.c <<'SOURCE'
#include <accel/kernel.h>
#include "axpy.h"

ACCEL_KERNEL(scale, axpy_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] *= args.a;
}
SOURCE
}

# region LEAVE: a kernel whose region is left early by the given statement, on line 8.
region_source() {
    cat >region.k.c <<SOURCE
#include <accel/kernel.h>
#include "axpy.h"

ACCEL_KERNEL(region, axpy_args, args)
{
    ACCEL_THREADS(acc, t) {
        if (t == args.n)
            $1;
        args.y[t] *= args.a;
    }
$2
}
SOURCE
}
