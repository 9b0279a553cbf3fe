/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of atomics.k.c. */
#ifndef TEST_KERNELS_ATOMICS_H
#define TEST_KERNELS_ATOMICS_H
#include <stddef.h>
#include <stdint.h>

/* One variable per operation. */
typedef struct {
    int32_t add, sub, min, max, exch, inc, dec, bits_and, bits_or, bits_xor, cas;
} atomics_i32;
typedef struct {
    uint32_t add, sub, min, max, exch, inc, dec, bits_and, bits_or, bits_xor, cas;
} atomics_u32;
typedef struct {
    int64_t add, sub, min, max, exch, inc, dec, bits_and, bits_or, bits_xor, cas;
} atomics_i64;
typedef struct {
    uint64_t add, sub, min, max, exch, inc, dec, bits_and, bits_or, bits_xor, cas;
} atomics_u64;
typedef struct {
    long add, sub, min, max, exch, inc, dec, bits_and, bits_or, bits_xor, cas;
} atomics_long;
typedef struct {
    unsigned long add, sub, min, max, exch, inc, dec, bits_and, bits_or, bits_xor, cas;
} atomics_ulong;
typedef struct {
    long long add, sub, min, max, exch, inc, dec, bits_and, bits_or, bits_xor, cas;
} atomics_llong;
typedef struct {
    unsigned long long add, sub, min, max, exch, inc, dec, bits_and, bits_or, bits_xor, cas;
} atomics_ullong;
typedef struct {
    float add, sub, min, max, exch, cas;
} atomics_f32;
typedef struct {
    double add, sub, min, max, exch, cas;
} atomics_f64;

typedef struct {
    atomics_i32 i32;
    atomics_u32 u32;
    atomics_i64 i64;
    atomics_u64 u64;
    atomics_long l;
    atomics_ulong ul;
    atomics_llong ll;
    atomics_ullong ull;
    atomics_f32 f32;
    atomics_f64 f64;
} atomics_values;

/* Thread k of m, 0 <= k < m, applies each operation once with the value k + 1 (and: ~(1 << k % 16), or: 1 << k % 16,
 * xor: k + 1, inc and dec: wrap at 6, cas: from 0 to k + 1). Before: min is 100, bits_and is 0xffff, all others are 0.
 * After, for every type:
 *     add = m(m+1)/2, sub = -m(m+1)/2 in the type's arithmetic, min = 1, max = m, exch in 1..m, inc = m % 7,
 *     dec = (7 - m % 7) % 7, bits_and = 0xffff without the lowest min(m, 16) bits, bits_or = these bits,
 *     bits_xor = the exclusive or of 1..m, cas in 1..m. */
typedef struct {
    atomics_values *values;
    uint32_t *ticket; /* 1 entry, 0 before; atomics_thread counts it to m */
    uint32_t *old;    /* m entries: what an add of 1 returned, which is each of 0..m-1 once */
    uint32_t *wins;   /* 1 entry, 0 before; 1 after */
} atomics_args;

#endif
