/* SPDX-License-Identifier: Apache-2.0 */
/* c = a + b. accelcc makes one object per target from this file, whose language is C++ on every target. */
#include <accel/kernel.h>
#include "vector-add-cpp.hpp"

/* Any element type; compilers inline it. Classes have ACCEL_METHOD for their members. */
template <class T> ACCEL_FN T sum(T a, T b)
{
    return a + b;
}

ACCEL_KERNEL(vector_add, vector_add_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.c[i] = sum(args.a[i], args.b[i]);
}
