/* SPDX-License-Identifier: Apache-2.0 */
#include "reduction.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, PIECES = 4, PIECE = 4096, TILE = PIECES * PIECE, LARGEST = 256 };

/* Values: elements, or results of tiles. */
typedef struct values {
    const reduction *what;
    const reductions_args *args;
    const unsigned char *results; /* NULL: elements */
} values;

static void get(const values *v, size_t i, void *out)
{
    if (v->results == NULL)
        v->what->element(out, v->args, i);
    else
        memcpy(out, v->results + i * v->what->size, v->what->size);
}

static void reduce_tile(const values *v, size_t begin, size_t count, void *out)
{
    static unsigned char lanes[PIECES][LANES][LARGEST];
    unsigned char value[LARGEST];
    for (size_t piece = 0; piece < PIECES; ++piece) {
        for (size_t lane = 0; lane < LANES; ++lane) {
            memcpy(lanes[piece][lane], v->what->start, v->what->size);
            for (size_t i = piece * PIECE + lane; i < (piece + 1) * PIECE && i < count; i += LANES) {
                get(v, begin + i, value);
                v->what->join(lanes[piece][lane], value);
            }
        }
    }
    for (size_t half = PIECES / 2; half > 0; half /= 2) {
        for (size_t piece = 0; piece < half; ++piece) {
            for (size_t lane = 0; lane < LANES; ++lane)
                v->what->join(lanes[piece][lane], lanes[piece + half][lane]);
        }
    }
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; ++lane)
            v->what->join(lanes[0][lane], lanes[0][lane + half]);
    }
    memcpy(out, lanes[0][0], v->what->size);
}

void reduction_of(const reduction *what, const reductions_args *args, size_t n, void *result)
{
    values v = {what, args, NULL};
    unsigned char *before = NULL;
    for (;;) {
        size_t tiles = n == 0 ? 1 : (n + TILE - 1) / TILE;
        unsigned char *results = malloc(tiles * what->size);
        for (size_t t = 0; t < tiles; ++t)
            reduce_tile(&v, t * TILE, n - t * TILE < TILE ? n - t * TILE : TILE, results + t * what->size);
        free(before);
        before = results;
        if (tiles == 1)
            break;
        v.results = results;
        n = tiles;
    }
    memcpy(result, before, what->size);
    free(before);
}

/* ---------------------------------------------------------------------------------------- reductions -- */

#define START(T, ...) &(const T)__VA_ARGS__
#define ELEMENT(name, T, expression)                                                                                   \
    static void element_##name(void *element, const reductions_args *args, size_t i)                                   \
    {                                                                                                                  \
        const double x = args->x[i], y = args->y[i];                                                                   \
        const T value = expression;                                                                                    \
        (void)x, (void)y;                                                                                              \
        memcpy(element, &value, sizeof value);                                                                         \
    }
#define JOIN(name, T, statements)                                                                                      \
    static void join_##name(void *first, const void *second)                                                           \
    {                                                                                                                  \
        T a, b;                                                                                                        \
        memcpy(&a, first, sizeof a);                                                                                   \
        memcpy(&b, second, sizeof b);                                                                                  \
        statements;                                                                                                    \
        memcpy(first, &a, sizeof a);                                                                                   \
    }
/* Of equal values the smallest index, and the value that was there. */
#define KEEP(order, value, index)                                                                                      \
    do {                                                                                                               \
        if (b.value order a.value || (b.value == a.value && b.index < a.index))                                        \
            a.index = b.index;                                                                                         \
        a.value = b.value order a.value ? b.value : a.value;                                                           \
    } while (0)
#define BRACED(...)                                                                                                    \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static uint16_t bits(double x)
{
    return (uint16_t)(int32_t)x;
}

ELEMENT(dot, double, x *y)
ELEMENT(x, double, x)
JOIN(sum, double, a += b)
ELEMENT(float_sum, float, (float)x)
JOIN(float_sum, float, a += b)
ELEMENT(prod, double, 1 + x * 0x1p-40)
JOIN(prod, double, a *= b)
ELEMENT(min, int32_t, (int32_t)x)
JOIN(min, int32_t, if (b < a) a = b)
JOIN(min_of_doubles, double, if (b < a) a = b)
JOIN(max, float, if (b > a) a = b)
ELEMENT(and, uint8_t, bits(x) != 77)
JOIN(and, uint8_t, a = a && b)
ELEMENT(or, uint8_t, bits(x) == 77)
JOIN(or, uint8_t, a = a || b)
ELEMENT(xor, int32_t, bits(x) & 6)
JOIN(xor, int32_t, a = !a != !b)
ELEMENT(bit_and, uint16_t, bits(x) | 0xf00f)
JOIN(bit_and, uint16_t, a &= b)
ELEMENT(bit_or, uint64_t, bits(x) & 0xf0f)
JOIN(bit_or, uint64_t, a |= b)
ELEMENT(bit_xor, uint16_t, bits(x))
JOIN(bit_xor, uint16_t, a ^= b)
ELEMENT(minmax, low_high, BRACED(x, x))
JOIN(minmax, low_high, if (b.min < a.min) a.min = b.min; if (b.max > a.max) a.max = b.max)
ELEMENT(place, float_place, BRACED((float)x, (uint32_t)i))
JOIN(minloc, float_place, KEEP(<, value, index))
JOIN(maxloc, float_place, KEEP(>, value, index))
ELEMENT(places, low_high_places, BRACED(x, x, i, i))
JOIN(minmaxloc, low_high_places, KEEP(<, min, min_index); KEEP(>, max, max_index))
ELEMENT(statistics, statistics, BRACED(x, x, x *y, x > 0))
JOIN(statistics, statistics, if (b.min < a.min) a.min = b.min; if (b.max > a.max) a.max = b.max; a.dot += b.dot;
     a.positive += b.positive)
ELEMENT(affine, affine, BRACED(1 + x * 0x1p-42, y))
JOIN(affine, affine, a.offset = b.factor * a.offset; a.offset += b.offset; a.factor = b.factor * a.factor)
JOIN(many, many_sums, for (int m = 0; m < 9; ++m) a.sums[m] += b.sums[m])

static void element_many(void *element, const reductions_args *args, size_t i)
{
    many_sums value;
    for (int m = 0; m < 9; ++m)
        value.sums[m] = (float)args->x[i] * (float)m;
    memcpy(element, &value, sizeof value);
}

const reduction reductions_2d[] = {
    {"reduce_2d", sizeof(double), element_x, START(double, {0}), join_sum},
    {"reduce_2d_statistics", sizeof(statistics), element_statistics, START(statistics, {INFINITY, -INFINITY, 0, 0}),
     join_statistics},
    {"reduce_2d_max", sizeof(float), element_float_sum, START(float, {-INFINITY}), join_max},
    {"reduce_2d_bit_xor", sizeof(uint16_t), element_bit_xor, START(uint16_t, {0}), join_bit_xor},
};
const size_t reduction_2d_count = sizeof reductions_2d / sizeof reductions_2d[0];
const reduction reductions_of_planes[] = {
    {"reduce_2d_prod", sizeof(double), element_prod, START(double, {1}), join_prod},
    {"reduce_2d_min", sizeof(int32_t), element_min, START(int32_t, {INT32_MAX}), join_min},
    {"reduce_2d_and", sizeof(uint8_t), element_and, START(uint8_t, {1}), join_and},
    {"reduce_2d_or", sizeof(uint8_t), element_or, START(uint8_t, {0}), join_or},
    {"reduce_2d_xor", sizeof(int32_t), element_xor, START(int32_t, {0}), join_xor},
    {"reduce_2d_bit_and", sizeof(uint16_t), element_bit_and, START(uint16_t, {UINT16_MAX}), join_bit_and},
    {"reduce_2d_bit_or", sizeof(uint64_t), element_bit_or, START(uint64_t, {0}), join_bit_or},
    {"reduce_2d_minmax", sizeof(low_high), element_minmax, START(low_high, {INFINITY, -INFINITY}), join_minmax},
    {"reduce_2d_minloc", sizeof(float_place), element_place, START(float_place, {INFINITY, UINT32_MAX}), join_minloc},
    {"reduce_2d_maxloc", sizeof(float_place), element_place, START(float_place, {-INFINITY, UINT32_MAX}), join_maxloc},
    {"reduce_2d_minmaxloc", sizeof(low_high_places), element_places,
     START(low_high_places, {INFINITY, -INFINITY, UINT64_MAX, UINT64_MAX}), join_minmaxloc},
};
const size_t reduction_of_planes_count = sizeof reductions_of_planes / sizeof reductions_of_planes[0];
const reduction reductions_3d[] = {
    {"reduce_3d", sizeof(affine), element_affine, START(affine, {1, 0}), join_affine},
    {"reduce_3d_prod", sizeof(double), element_prod, START(double, {1}), join_prod},
    {"reduce_3d_minloc", sizeof(float_place), element_place, START(float_place, {INFINITY, UINT32_MAX}), join_minloc},
};
const size_t reduction_3d_count = sizeof reductions_3d / sizeof reductions_3d[0];
const reduction reductions[] = {
    {"reduce_dot", sizeof(double), element_dot, START(double, {0}), join_sum},
    {"reduce_float_sum", sizeof(float), element_float_sum, START(float, {0}), join_float_sum},
    {"reduce_prod", sizeof(double), element_prod, START(double, {1}), join_prod},
    {"reduce_min", sizeof(int32_t), element_min, START(int32_t, {INT32_MAX}), join_min},
    {"reduce_min_of_doubles", sizeof(double), element_x, START(double, {INFINITY}), join_min_of_doubles},
    {"reduce_max", sizeof(float), element_float_sum, START(float, {-INFINITY}), join_max},
    {"reduce_and", sizeof(uint8_t), element_and, START(uint8_t, {1}), join_and},
    {"reduce_or", sizeof(uint8_t), element_or, START(uint8_t, {0}), join_or},
    {"reduce_xor", sizeof(int32_t), element_xor, START(int32_t, {0}), join_xor},
    {"reduce_bit_and", sizeof(uint16_t), element_bit_and, START(uint16_t, {UINT16_MAX}), join_bit_and},
    {"reduce_bit_or", sizeof(uint64_t), element_bit_or, START(uint64_t, {0}), join_bit_or},
    {"reduce_bit_xor", sizeof(uint16_t), element_bit_xor, START(uint16_t, {0}), join_bit_xor},
    {"reduce_minmax", sizeof(low_high), element_minmax, START(low_high, {INFINITY, -INFINITY}), join_minmax},
    {"reduce_minloc", sizeof(float_place), element_place, START(float_place, {INFINITY, UINT32_MAX}), join_minloc},
    {"reduce_maxloc", sizeof(float_place), element_place, START(float_place, {-INFINITY, UINT32_MAX}), join_maxloc},
    {"reduce_minmaxloc", sizeof(low_high_places), element_places,
     START(low_high_places, {INFINITY, -INFINITY, UINT64_MAX, UINT64_MAX}), join_minmaxloc},
    {"reduce_statistics", sizeof(statistics), element_statistics, START(statistics, {INFINITY, -INFINITY, 0, 0}),
     join_statistics},
    {"reduce_affine", sizeof(affine), element_affine, START(affine, {1, 0}), join_affine},
    {"reduce_many", sizeof(many_sums), element_many, START(many_sums, {{0}}), join_many},
};
const size_t reduction_count = sizeof reductions / sizeof reductions[0];
