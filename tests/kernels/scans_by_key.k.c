/* SPDX-License-Identifier: Apache-2.0 */
/* Scans by key whose elements may be read where results are written. An index whose key, args.y, differs from the one before is a
 * head. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "scans.h"

ACCEL_SCAN_BY_KEY(sum_by_key, scans_args, args, i, double, ACCEL_SUM, args.x)
{
    return args.x[i];
}
ACCEL_SCAN_HEAD(sum_by_key, scans_args, args, i)
{
    return i == 0 || args.y[i] != args.y[i - 1];
}

/* Smaller than what is joined, an element and a head. */
ACCEL_SCAN_BY_KEY(sum16_by_key, scans_args, args, i, uint16_t, ACCEL_SUM)
{
    return ((const uint16_t *)(const void *)args.x)[i];
}
ACCEL_SCAN_HEAD(sum16_by_key, scans_args, args, i)
{
    return i == 0 || args.y[i] != args.y[i - 1];
}

/* The order of the values matters, and GPUs do not move them through shared memory. */
ACCEL_REDUCER(scans_affine, compose, a, b, {1, 0})
{
    a.offset = b.factor * a.offset + b.offset;
    a.factor = b.factor * a.factor;
    return a;
}
ACCEL_SCAN_BY_KEY(compose_by_key, scans_args, args, i, scans_affine, compose)
{
    const scans_affine element = {1 + args.x[2 * i] * 0x1p-12, args.x[2 * i + 1]};
    return element;
}
ACCEL_SCAN_HEAD(compose_by_key, scans_args, args, i)
{
    return i == 0 || args.y[i] != args.y[i - 1];
}
