/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel `scan_any` on CPUs, in place of what ACCEL_SCAN_FINAL defines (accel/kernel/cpu/scan.h). Its joins give the same
 * bits in any order, so a tile is eight parts, which are joined side by side, and no runs. Loops over elements have the type
 * of these. Values between tiles are of the type for all.
 */
#ifndef ACCEL_KERNELS_SCAN_ANY_H
#define ACCEL_KERNELS_SCAN_ANY_H

enum { SCAN_PARTS = 8 };

typedef scan_value accel_value_scan_any;
typedef struct {
    scan_values_args args;
    accel_scan_places places;
} accel_all_scan_any;
ACCEL_REDUCER_OF_(scan_any, scan_value, scan_join)

/* Integers of 32 bits are the lower ones of 64. A floating-point number is multiplied by -1 where its sign is changed. */
#define SCAN_FLIP_INTEGER(T, args) (T)(args)->flip
#define SCAN_FLIPPED_INTEGER(x, flip) ((x) ^ (flip))
#define SCAN_FLIP_PRODUCT(T, args) (T)0
#define SCAN_FLIPPED_PRODUCT(x, flip) ((void)(flip), (x))
#define SCAN_WORD_PRODUCT(T, bits) (T)(bits)
#define SCAN_BITS_PRODUCT(x) (uint64_t)(x)
#define SCAN_FLIP_FLOATING(T, args) ((args)->flip == 0 ? (T)1 : (T)-1)
#define SCAN_FLIPPED_FLOATING(x, flip) ((x) * (flip))
#define SCAN_WORD_INTEGER(T, bits) (T)(bits)
#define SCAN_BITS_INTEGER(x) (uint64_t)(x)
#define SCAN_WORD_FLOATING(T, bits) (T) double_of(bits)
#define SCAN_BITS_FLOATING(x) bits_of((double)(x))

#define SCAN_LEAST(a, b) ((b) < (a) ? (b) : (a)) /* a NaN is no minimum */
#define SCAN_PRODUCT(a, b) ((a) * (b))

/* Two functions: what the parts of a tile make, and the tile behind `before`. What is left over belongs to the last part. */
#define SCAN_PARTS_OF(name, T, kind, JOIN)                                                                             \
    static __attribute__((noinline)) void name##_parts(const scan_values_args *args, size_t begin, size_t count,       \
                                                       scan_value *parts)                                              \
    {                                                                                                                  \
        const T *const values = (const T *)args->values + begin;                                                       \
        const T flip = SCAN_FLIP_##kind(T, args);                                                                      \
        const size_t length = count / SCAN_PARTS;                                                                      \
        T s[SCAN_PARTS];                                                                                               \
        ACCEL_ALL_SCALAR_ for (size_t c = 0; c < SCAN_PARTS; c++) s[c] = SCAN_WORD_##kind(T, args->start);             \
        ACCEL_STEP_BY_STEP_ for (size_t k = 0; k < length; k++)                                                        \
        {                                                                                                              \
            ACCEL_ALL_SCALAR_ for (size_t c = 0; c < SCAN_PARTS; c++)                                                  \
            {                                                                                                          \
                const T x = SCAN_FLIPPED_##kind(values[c * length + k], flip);                                         \
                s[c] = JOIN(s[c], x);                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        ACCEL_STEP_BY_STEP_ for (size_t k = SCAN_PARTS * length; k < count; k++)                                       \
        {                                                                                                              \
            const T x = SCAN_FLIPPED_##kind(values[k], flip);                                                          \
            s[SCAN_PARTS - 1] = JOIN(s[SCAN_PARTS - 1], x);                                                            \
        }                                                                                                              \
        ACCEL_ALL_SCALAR_ for (size_t c = 0; c < SCAN_PARTS; c++) parts[c].bits = SCAN_BITS_##kind(s[c]);              \
    }                                                                                                                  \
    static __attribute__((noinline)) void name##_tile(const scan_values_args *args, size_t begin, size_t count,        \
                                                      const scan_value *parts, uint64_t before, bool is_inclusive)     \
    {                                                                                                                  \
        const T *const values = (const T *)args->values + begin;                                                       \
        T *const results = (T *)args->results + begin;                                                                 \
        const T flip = SCAN_FLIP_##kind(T, args);                                                                      \
        const size_t length = count / SCAN_PARTS;                                                                      \
        T s[SCAN_PARTS], p = SCAN_WORD_##kind(T, before);                                                              \
        ACCEL_ALL_SCALAR_ for (size_t c = 0; c < SCAN_PARTS; c++)                                                      \
        {                                                                                                              \
            const T part = SCAN_WORD_##kind(T, parts[c].bits);                                                         \
            s[c] = p;                                                                                                  \
            p = JOIN(p, part);                                                                                         \
        }                                                                                                              \
        ACCEL_STEP_BY_STEP_ for (size_t k = 0; k < length; k++)                                                        \
        {                                                                                                              \
            T x[SCAN_PARTS];                                                                                           \
            ACCEL_ALL_SCALAR_ for (size_t c = 0; c < SCAN_PARTS; c++) x[c] =                                           \
                SCAN_FLIPPED_##kind(values[c * length + k], flip);                                                     \
            ACCEL_ALL_SCALAR_ for (size_t c = 0; c < SCAN_PARTS; c++)                                                  \
            {                                                                                                          \
                const T exclusive = s[c];                                                                              \
                s[c] = JOIN(s[c], x[c]);                                                                               \
                results[c * length + k] = SCAN_FLIPPED_##kind(is_inclusive ? s[c] : exclusive, flip);                  \
            }                                                                                                          \
        }                                                                                                              \
        p = s[SCAN_PARTS - 1];                                                                                         \
        ACCEL_STEP_BY_STEP_ for (size_t k = SCAN_PARTS * length; k < count; k++)                                       \
        {                                                                                                              \
            const T x = SCAN_FLIPPED_##kind(values[k], flip), exclusive = p;                                           \
            p = JOIN(p, x);                                                                                            \
            results[k] = SCAN_FLIPPED_##kind(is_inclusive ? p : exclusive, flip);                                      \
        }                                                                                                              \
    }

SCAN_PARTS_OF(scan_min_uint32, uint32_t, INTEGER, SCAN_LEAST)
SCAN_PARTS_OF(scan_min_uint64, uint64_t, INTEGER, SCAN_LEAST)
SCAN_PARTS_OF(scan_min_float, float, FLOATING, SCAN_LEAST)
SCAN_PARTS_OF(scan_min_double, double, FLOATING, SCAN_LEAST)
SCAN_PARTS_OF(scan_prod_uint32, uint32_t, PRODUCT, SCAN_PRODUCT)
SCAN_PARTS_OF(scan_prod_uint64, uint64_t, PRODUCT, SCAN_PRODUCT)

typedef struct scan_any_functions {
    void (*parts)(const scan_values_args *, size_t begin, size_t count, scan_value *);
    void (*tile)(const scan_values_args *, size_t begin, size_t count, const scan_value *, uint64_t before,
                 bool is_inclusive);
} scan_any_functions;

static scan_any_functions scan_least_of(uint32_t type)
{
    const scan_any_functions words = {scan_min_uint32_parts, scan_min_uint32_tile},
                             long_words = {scan_min_uint64_parts, scan_min_uint64_tile},
                             floats = {scan_min_float_parts, scan_min_float_tile},
                             doubles = {scan_min_double_parts, scan_min_double_tile};
    if (type == ACCEL_TYPE_FLOAT)
        return floats;
    if (type == ACCEL_TYPE_DOUBLE)
        return doubles;
    return type == ACCEL_TYPE_INT64 || type == ACCEL_TYPE_UINT64 ? long_words : words;
}

static scan_any_functions scan_product_of(uint32_t type)
{
    const scan_any_functions words = {scan_prod_uint32_parts, scan_prod_uint32_tile},
                             long_words = {scan_prod_uint64_parts, scan_prod_uint64_tile};
    return type == ACCEL_TYPE_INT64 || type == ACCEL_TYPE_UINT64 ? long_words : words;
}

static scan_any_functions scan_any_of(const scan_values_args *args)
{
    return args->join != SCAN_PROD ? scan_least_of(args->type) : scan_product_of(args->type);
}

static scan_value accel_spread_of_scan_any(scan_value *values, size_t count)
{
    scan_value x = accel_start_of_scan_any();
    for (size_t k = 0; k < count; k++) {
        const scan_value next = scan_joined(x, values[k]);
        values[k] = x;
        x = next;
    }
    return x;
}

static scan_value accel_total_of_scan_any(const accel_all_scan_any *all, size_t begin, size_t count, scan_value *parts)
{
    scan_any_of(&all->args).parts(&all->args, begin, count, parts);
    scan_value x = accel_start_of_scan_any();
    for (size_t c = 0; c < SCAN_PARTS; c++) {
        parts[c].join = all->args.join;
        x = scan_joined(x, parts[c]);
    }
    return x;
}

static void scan_any_tile(const accel_all_scan_any *all, size_t begin, size_t count, const scan_value *parts,
                          const scan_value *carry, bool is_inclusive)
{
    const uint64_t before = carry->join == SCAN_NOTHING ? all->args.start : carry->bits;
    scan_any_of(&all->args).tile(&all->args, begin, count, parts, before, is_inclusive);
}

static void accel_exclusive_of_scan_any(const accel_all_scan_any *all, size_t begin, size_t count,
                                        const scan_value *parts, const scan_value *carry)
{
    scan_any_tile(all, begin, count, parts, carry, false);
}

static void accel_inclusive_of_scan_any(const accel_all_scan_any *all, size_t begin, size_t count,
                                        const scan_value *parts, const scan_value *carry)
{
    scan_any_tile(all, begin, count, parts, carry, true);
}

ACCEL_CPU_SCAN_STEPS_(scan_any, scan_values_args, scan_value, ACCEL_KIND_SCAN_FINAL)

#endif
