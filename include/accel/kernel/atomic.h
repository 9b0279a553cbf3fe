/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/atomic.h - atomics by type, for every target.
 *
 * accel_atomic_add(acc, p, v) is, in C, _Generic over the type that p points to:
 *
 *     ((void)(acc).core, _Generic(*(p), int: accel_atomic_add_int, ..., double: accel_atomic_add_double)((p), (v)))
 *
 * and in C++ a call of an overloaded function. The functions are written here once per kind of type, on the
 * target's primitives ACCEL_RAW_*.
 */
#ifndef ACCEL_KERNEL_ATOMIC_H
#define ACCEL_KERNEL_ATOMIC_H

/* Every C type of 32 or 64 bits; int32_t, uint32_t, int64_t and uint64_t are among them. */
#define ACCEL_INTEGERS_(X)                                                                                             \
    X(int, int)                                                                                                        \
    X(unsigned int, uint)                                                                                              \
    X(long, long)                                                                                                      \
    X(unsigned long, ulong)                                                                                            \
    X(long long, llong)                                                                                                \
    X(unsigned long long, ullong)
#define ACCEL_FLOATS_(X)                                                                                               \
    X(float, float)                                                                                                    \
    X(double, double)

#if defined(__cplusplus)
#define ACCEL_ATOMIC_NAME_(op, S) accel_atomic_##op##_on
#define ACCEL_ATOMIC_INTEGER_CALL_(op, p) accel_atomic_##op##_on
#define ACCEL_ATOMIC_CALL_(op, p) accel_atomic_##op##_on
#else
#define ACCEL_ATOMIC_NAME_(op, S) accel_atomic_##op##_##S
#define ACCEL_ATOMIC_INTEGERS_CALL_(op)                                                                                \
    int : accel_atomic_##op##_int,                                                                                     \
          unsigned int : accel_atomic_##op##_uint,                                                                     \
                         long : accel_atomic_##op##_long,                                                              \
                                unsigned long : accel_atomic_##op##_ulong,                                             \
                                                long long : accel_atomic_##op##_llong,                                 \
                                                            unsigned long long : accel_atomic_##op##_ullong
#define ACCEL_ATOMIC_INTEGER_CALL_(op, p) _Generic(*(p), ACCEL_ATOMIC_INTEGERS_CALL_(op))
#define ACCEL_ATOMIC_CALL_(op, p)                                                                                      \
    _Generic(*(p), ACCEL_ATOMIC_INTEGERS_CALL_(op), float                                                              \
             : accel_atomic_##op##_float, double                                                                       \
             : accel_atomic_##op##_double)
#endif

#define accel_atomic_add(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_CALL_(add, p)((p), (v)))
#define accel_atomic_sub(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_CALL_(sub, p)((p), (v)))
#define accel_atomic_min(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_CALL_(min, p)((p), (v)))
#define accel_atomic_max(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_CALL_(max, p)((p), (v)))
#define accel_atomic_exch(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_CALL_(exch, p)((p), (v)))
#define accel_atomic_cas(acc, p, expected, desired)                                                                    \
    ((void)(acc).core, ACCEL_ATOMIC_CALL_(cas, p)((p), (expected), (desired)))
#define accel_atomic_inc(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_INTEGER_CALL_(inc, p)((p), (v)))
#define accel_atomic_dec(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_INTEGER_CALL_(dec, p)((p), (v)))
#define accel_atomic_and(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_INTEGER_CALL_(and, p)((p), (v)))
#define accel_atomic_or(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_INTEGER_CALL_(or, p)((p), (v)))
#define accel_atomic_xor(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_INTEGER_CALL_(xor, p)((p), (v)))

/* Replaces *p by `next`, an expression of `old`, unless `done` already holds. Returns the old value. */
#define ACCEL_ATOMIC_LOOP_(T, p, done, next)                                                                           \
    T old;                                                                                                             \
    ACCEL_RAW_LOAD_(p, &old);                                                                                          \
    for (;;) {                                                                                                         \
        if (done)                                                                                                      \
            return old;                                                                                                \
        T desired = (T)(next);                                                                                         \
        if (ACCEL_RAW_CAS_(p, &old, &desired))                                                                         \
            return old;                                                                                                \
    }

/* The same for integers and floating-point types. cas compares bits. */
#define ACCEL_ATOMIC_ANY_(T, S)                                                                                        \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(exch, S)(T * p, T v)                                                            \
    {                                                                                                                  \
        T old;                                                                                                         \
        ACCEL_RAW_EXCH_(p, &v, &old);                                                                                  \
        return old;                                                                                                    \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(cas, S)(T * p, T expected, T desired)                                           \
    {                                                                                                                  \
        (void)ACCEL_RAW_CAS_(p, &expected, &desired);                                                                  \
        return expected;                                                                                               \
    }

#define ACCEL_ATOMIC_INTEGER_(T, S)                                                                                    \
    ACCEL_ATOMIC_ANY_(T, S)                                                                                            \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(add, S)(T * p, T v)                                                             \
    {                                                                                                                  \
        return ACCEL_RAW_ADD_(p, v);                                                                                   \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(sub, S)(T * p, T v)                                                             \
    {                                                                                                                  \
        return ACCEL_RAW_SUB_(p, v);                                                                                   \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(and, S)(T * p, T v)                                                             \
    {                                                                                                                  \
        return ACCEL_RAW_AND_(p, v);                                                                                   \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(or, S)(T * p, T v)                                                              \
    {                                                                                                                  \
        return ACCEL_RAW_OR_(p, v);                                                                                    \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(xor, S)(T * p, T v)                                                             \
    {                                                                                                                  \
        return ACCEL_RAW_XOR_(p, v);                                                                                   \
    }                                                                                                                  \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(min, S)(T * p, T v){ACCEL_ATOMIC_MIN_(T, p, v)} ACCEL_INLINE_ T                 \
    ACCEL_ATOMIC_NAME_(max, S)(T * p, T v){ACCEL_ATOMIC_MAX_(T, p, v)} ACCEL_INLINE_ T                                 \
    ACCEL_ATOMIC_NAME_(inc, S)(T * p, T v){ACCEL_ATOMIC_LOOP_(T, p, 0, old >= v ? 0 : old + 1)} ACCEL_INLINE_ T        \
    ACCEL_ATOMIC_NAME_(dec, S)(T * p, T v)                                                                             \
    {                                                                                                                  \
        ACCEL_ATOMIC_LOOP_(T, p, 0, old == 0 || old > v ? v : old - 1)                                                 \
    }

#define ACCEL_ATOMIC_FLOAT_(T, S)                                                                                      \
    ACCEL_ATOMIC_ANY_(T, S)                                                                                            \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(add, S)(T * p, T v){ACCEL_ATOMIC_FLOAT_ADD_(T, p, v)} ACCEL_INLINE_ T           \
    ACCEL_ATOMIC_NAME_(sub, S)(T * p, T v){ACCEL_ATOMIC_FLOAT_ADD_(T, p, -v)} ACCEL_INLINE_ T                          \
    ACCEL_ATOMIC_NAME_(min, S)(T * p, T v){ACCEL_ATOMIC_LOOP_(T, p, !(v < old), v)} ACCEL_INLINE_ T                    \
    ACCEL_ATOMIC_NAME_(max, S)(T * p, T v)                                                                             \
    {                                                                                                                  \
        ACCEL_ATOMIC_LOOP_(T, p, !(v > old), v)                                                                        \
    }

/* Targets with instructions for these have defined them. */
#ifndef ACCEL_ATOMIC_MIN_
#define ACCEL_ATOMIC_MIN_(T, p, v) ACCEL_ATOMIC_LOOP_(T, p, !(v < old), v)
#define ACCEL_ATOMIC_MAX_(T, p, v) ACCEL_ATOMIC_LOOP_(T, p, !(v > old), v)
#endif
#ifndef ACCEL_ATOMIC_FLOAT_ADD_
#define ACCEL_ATOMIC_FLOAT_ADD_(T, p, v) ACCEL_ATOMIC_LOOP_(T, p, 0, old + (v))
#endif

ACCEL_INTEGERS_(ACCEL_ATOMIC_INTEGER_)
ACCEL_FLOATS_(ACCEL_ATOMIC_FLOAT_)

/* Among the threads of a block: a plain operation where they share an OS thread, else the device's. Integers wrap. */
#define accel_atomic_add_block(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_CALL_(add_block, p)((p), (v)))
#define accel_atomic_sub_block(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_CALL_(sub_block, p)((p), (v)))
#define accel_atomic_min_block(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_CALL_(min_block, p)((p), (v)))
#define accel_atomic_max_block(acc, p, v) ((void)(acc).core, ACCEL_ATOMIC_CALL_(max_block, p)((p), (v)))

#if defined(ACCEL_BLOCK_ATOMICS_ARE_PLAIN_)
#define ACCEL_ATOMIC_PLAIN_(T, S, op, next)                                                                            \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(op, S)(T * p, T v)                                                              \
    {                                                                                                                  \
        ACCEL_CHECK_(accel_check_scope(1));                                                                            \
        const T old = *p;                                                                                              \
        next;                                                                                                          \
        ACCEL_BLOCK_ATOMICS_ARE_PLAIN_;                                                                                \
        ACCEL_CHECK_(accel_check_scope(0));                                                                            \
        return old;                                                                                                    \
    }
#define ACCEL_ATOMIC_PLAIN_ORDER_(T, S)                                                                                \
    ACCEL_ATOMIC_PLAIN_(T, S, min_block, if (v < old) *p = v)                                                          \
    ACCEL_ATOMIC_PLAIN_(T, S, max_block, if (v > old) *p = v)
#define ACCEL_ATOMIC_BLOCK_INTEGER_(T, S)                                                                              \
    ACCEL_ATOMIC_PLAIN_(T, S, add_block, (void)__builtin_add_overflow(old, v, p))                                      \
    ACCEL_ATOMIC_PLAIN_(T, S, sub_block, (void)__builtin_sub_overflow(old, v, p))                                      \
    ACCEL_ATOMIC_PLAIN_ORDER_(T, S)
#define ACCEL_ATOMIC_BLOCK_FLOAT_(T, S)                                                                                \
    ACCEL_ATOMIC_PLAIN_(T, S, add_block, *p = old + v)                                                                 \
    ACCEL_ATOMIC_PLAIN_(T, S, sub_block, *p = old - v)                                                                 \
    ACCEL_ATOMIC_PLAIN_ORDER_(T, S)
#else
#define ACCEL_ATOMIC_SAME_(T, S, op)                                                                                   \
    ACCEL_INLINE_ T ACCEL_ATOMIC_NAME_(op##_block, S)(T * p, T v)                                                      \
    {                                                                                                                  \
        return ACCEL_ATOMIC_NAME_(op, S)(p, v);                                                                        \
    }
#define ACCEL_ATOMIC_BLOCK_INTEGER_(T, S)                                                                              \
    ACCEL_ATOMIC_SAME_(T, S, add)                                                                                      \
    ACCEL_ATOMIC_SAME_(T, S, sub) ACCEL_ATOMIC_SAME_(T, S, min) ACCEL_ATOMIC_SAME_(T, S, max)
#define ACCEL_ATOMIC_BLOCK_FLOAT_(T, S) ACCEL_ATOMIC_BLOCK_INTEGER_(T, S)
#endif

ACCEL_INTEGERS_(ACCEL_ATOMIC_BLOCK_INTEGER_)
ACCEL_FLOATS_(ACCEL_ATOMIC_BLOCK_FLOAT_)

#endif
