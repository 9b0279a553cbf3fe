/* SPDX-License-Identifier: Apache-2.0 */
/* Scans: several types and sizes of elements, a final pass, keys; with and without an array to fetch ahead. The arguments have
 * various names, which are the kernel's own matter. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "scans.h"

ACCEL_SCAN(scan_dot, scans_args, args, i, double, ACCEL_SUM, args.x)
{
    return args.x[i] * args.y[i];
}
ACCEL_SCAN(scan_min, scans_args, places, i, int16_t, ACCEL_MIN)
{
    return (int16_t)((int32_t)places.x[i] & 0x7fff);
}

ACCEL_REDUCER(scans_affine, compose, a, b, {1, 0})
{
    a.offset = b.factor * a.offset + b.offset;
    a.factor = b.factor * a.factor;
    return a;
}
ACCEL_SCAN(scan_affine, scans_args, args, i, scans_affine, compose)
{
    const scans_affine element = {1 + args.x[i] * 0x1p-12, args.y[i]};
    return element;
}

ACCEL_REDUCER(scans_sums, add_sums, a, b, {{0}})
{
    for (int m = 0; m < 9; m++)
        a.sums[m] += b.sums[m];
    return a;
}
ACCEL_SCAN(scan_sums, scans_args, args, i, scans_sums, add_sums)
{
    scans_sums element = {{0}};
    for (int m = 0; m < 9; m++)
        element.sums[m] = (float)args.x[i] * (float)m;
    return element;
}

ACCEL_SCAN_FINAL(scan_select, scans_args, from, index, uint32_t, ACCEL_SUM, from.x)
{
    return from.x[index] > 0;
}
ACCEL_FINAL_PASS(scan_select, scans_args, to, index, uint32_t, keeps, at)
{
    to.prefix[index] += at + 1;
    if (keeps)
        to.kept[at] = to.x[index];
}

ACCEL_SCAN_BY_KEY(scan_by_key, scans_args, a, k, float, ACCEL_SUM, a.y)
{
    return (float)a.x[k];
}
ACCEL_SCAN_HEAD(scan_by_key, scans_args, places, value)
{
    return ((int32_t)places.y[value] & 0x3f00) == 0;
}
