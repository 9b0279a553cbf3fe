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
    const scans_affine element = {1 + args.x[i] * 0x1p-42, args.y[i]};
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

/* A reducer of each other kind. */
ACCEL_SCAN(scan_prod, scans_args, args, i, double, ACCEL_PROD, args.x)
{
    return 1 + (double)(int16_t)(int32_t)args.x[i] * 0x1p-20;
}
ACCEL_SCAN(scan_max, scans_args, args, i, float, ACCEL_MAX)
{
    return (float)args.x[i];
}
ACCEL_SCAN(scan_min_of_doubles, scans_args, args, i, double, ACCEL_MIN, args.x)
{
    return args.x[i];
}
ACCEL_SCAN(scan_xor, scans_args, args, i, int32_t, ACCEL_XOR)
{
    return (int32_t)args.x[i] & 6;
}
ACCEL_SCAN(scan_bit_xor, scans_args, args, i, uint16_t, ACCEL_BIT_XOR)
{
    return (uint16_t)(int32_t)args.x[i];
}
ACCEL_SCAN(scan_minloc, scans_args, args, i, scans_place, ACCEL_MINLOC)
{
    const scans_place element = {(float)args.x[i], (uint32_t)i};
    return element;
}

ACCEL_SCAN(scan_maxloc, scans_args, args, i, scans_place, ACCEL_MAXLOC)
{
    const scans_place element = {(float)args.x[i], (uint32_t)i};
    return element;
}
ACCEL_SCAN(scan_minmax, scans_args, args, i, scans_range, ACCEL_MINMAX)
{
    const scans_range element = {(float)args.x[i], (float)args.x[i]};
    return element;
}
ACCEL_SCAN(scan_minmaxloc, scans_args, args, i, scans_places, ACCEL_MINMAXLOC)
{
    const float value = (float)args.x[i];
    const scans_places element = {value, value, (uint32_t)i, (uint32_t)i};
    return element;
}
ACCEL_SCAN(scan_and, scans_args, args, i, uint8_t, ACCEL_AND)
{
    (void)args;
    return (uint8_t)(i % 5003 != 5001 ? 3 : 0);
}
ACCEL_SCAN(scan_or, scans_args, args, i, int32_t, ACCEL_OR)
{
    (void)args;
    return i % 5003 == 2501 ? 6 : 0;
}
ACCEL_SCAN(scan_bit_and, scans_args, args, i, uint32_t, ACCEL_BIT_AND)
{
    return (uint32_t)(int32_t)args.x[i] | 0xf0f0f00fu | (uint32_t)(i % 251 != 7) << 16;
}
ACCEL_SCAN(scan_bit_or, scans_args, args, i, uint64_t, ACCEL_BIT_OR)
{
    (void)args;
    return (uint64_t)(i % 3001 == 9) << i % 61;
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

/* A struct, whose order matters: the prefix of each index, and whether its element came with it. */
ACCEL_SCAN_FINAL(scan_affine_final, scans_args, args, i, scans_affine, compose)
{
    const scans_affine element = {1 + args.x[i] * 0x1p-42, args.y[i]};
    return element;
}
ACCEL_FINAL_PASS(scan_affine_final, scans_args, args, i, scans_affine, element, prefix)
{
    args.kept[i] = prefix.offset;
    args.prefix[i] += element.offset == args.y[i] ? 1 : 100;
}

ACCEL_SCAN_BY_KEY(scan_by_key, scans_args, a, k, float, ACCEL_SUM, a.y)
{
    return (float)a.x[k];
}
ACCEL_SCAN_HEAD(scan_by_key, scans_args, places, value)
{
    return ((int32_t)places.y[value] & 0x3f00) == 0;
}
ACCEL_SCAN_BY_KEY(scan_affine_by_key, scans_args, args, i, scans_affine, compose)
{
    const scans_affine element = {1 + args.x[i] * 0x1p-42, args.y[i]};
    return element;
}
ACCEL_SCAN_HEAD(scan_affine_by_key, scans_args, args, i)
{
    return ((int32_t)args.y[i] & 0x3f00) == 0;
}
