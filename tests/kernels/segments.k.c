/* SPDX-License-Identifier: Apache-2.0 */
/* Scans by key with a final pass: a number, with an array to fetch ahead, and a struct, whose order matters. Head and final pass stand
 * in either order, and the arguments have various names. */
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
#include "segments.h"

ACCEL_SCAN_BY_KEY_FINAL(segments_sum, segments_args, from, i, uint32_t, ACCEL_SUM, from.x)
{
    return from.x[i];
}
ACCEL_SCAN_HEAD(segments_sum, segments_args, from, value)
{
    return from.head[value] & from.heads;
}
ACCEL_FINAL_PASS(segments_sum, segments_args, to, index, uint32_t, value, prefix)
{
    to.element[index].offset = value;
    to.prefix[index].offset = prefix;
    to.passes[index]++;
}

ACCEL_REDUCER(segments_affine, compose, a, b, {1, 0})
{
    a.offset = b.factor * a.offset + b.offset;
    a.factor = b.factor * a.factor;
    return a;
}
ACCEL_SCAN_BY_KEY_FINAL(segments_compose, segments_args, args, head, segments_affine, compose)
{
    const segments_affine element = {2 * args.x[head] + 1, args.x[head] >> 3};
    return element;
}
ACCEL_FINAL_PASS(segments_compose, segments_args, args, i, segments_affine, element, prefix)
{
    args.element[i] = element;
    args.prefix[i] = prefix;
    args.passes[i]++;
}
ACCEL_SCAN_HEAD(segments_compose, segments_args, args, i)
{
    return (args.head[i] & args.heads) != 0;
}
