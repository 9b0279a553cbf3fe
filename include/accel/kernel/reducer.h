/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/reducer.h - reducers: how two values become one, and the value to start with.
 *
 * A reducer is a word, which macros paste to the names of its two parts. T is the type of the values.
 *
 *     ACCEL_SUM, ACCEL_PROD                        numbers; a + b, a * b
 *     ACCEL_MIN, ACCEL_MAX                         numbers
 *     ACCEL_AND, ACCEL_OR, ACCEL_XOR               integers as truths: the result is 0 or 1
 *     ACCEL_BIT_AND, ACCEL_BIT_OR, ACCEL_BIT_XOR   integers
 *     ACCEL_MINMAX                                 struct { min, max }
 *     ACCEL_MINLOC, ACCEL_MAXLOC                   struct { value, index }
 *     ACCEL_MINMAXLOC                              struct { min, max, min_index, max_index }
 *
 * The structs are the author's, with members of these names in this order; another order is an error. Of equal values the
 * smallest index counts. 0.0 and -0.0 are equal: the zero that is kept may be another one than that of the index, but it is
 * the same on every device. A NaN is never a minimum or maximum. Where there is no value, minima and maxima are what a
 * reducer starts with: infinities or the ends of the type's range, and the largest index.
 *
 * Reducers of one's own have any type, so that several reductions are one: a struct with a member for each.
 *
 *     ACCEL_REDUCER(range, range_join, a, b, {INFINITY, -INFINITY})
 *     {
 *         a.min = b.min < a.min ? b.min : a.min;
 *         a.max = b.max > a.max ? b.max : a.max;
 *         return a;
 *     }
 *
 * defines range_join: the type, the name, the two values, and what to start with, which is last because of its commas.
 * Joining it to any value gives that value. The braces join b to a and return the result. `b < a ? b : a` is faster than
 * fmin, which is a call on CPUs.
 *
 * What pastes the word:
 *
 *     const T start = accel_start_ACCEL_SUM((T *)0);     an initialiser; the pointer tells the type
 *     accel_into_ACCEL_SUM(&a, &b);                      a statement: joins b to a
 */
#ifndef ACCEL_KERNEL_REDUCER_H
#define ACCEL_KERNEL_REDUCER_H

#include <accel/kernel.h>

/* ------------------------------------------------------------------------------------------- ranges -- */

/* accel_top(p) and accel_bottom(p): infinities, or the ends of the range of the integer type that p points to. */
#if defined(__cplusplus)
template <class T_> ACCEL_INLINE_ constexpr T_ accel_top(const T_ *)
{
    return static_cast<T_>(-1) > static_cast<T_>(0)
               ? static_cast<T_>(-1)
               : static_cast<T_>((static_cast<uint64_t>(1) << (8 * sizeof(T_) - 1)) - 1);
}
template <class T_> ACCEL_INLINE_ constexpr T_ accel_bottom(const T_ *p)
{
    return static_cast<T_>(-1) > static_cast<T_>(0) ? static_cast<T_>(0) : static_cast<T_>(-accel_top(p) - 1);
}
ACCEL_INLINE_ constexpr float accel_top(const float *)
{
    return __builtin_huge_valf();
}
ACCEL_INLINE_ constexpr float accel_bottom(const float *)
{
    return -__builtin_huge_valf();
}
ACCEL_INLINE_ constexpr double accel_top(const double *)
{
    return __builtin_huge_val();
}
ACCEL_INLINE_ constexpr double accel_bottom(const double *)
{
    return -__builtin_huge_val();
}
#else
#define ACCEL_TOP_OF_(T) ((T)((UINT64_C(1) << (8 * sizeof(T) - 1)) - 1))
#define ACCEL_RANGES_(p, of_signed, of_unsigned, of_float, of_double)                                                  \
    _Generic(*(p), float                                                                                               \
             : of_float, double                                                                                        \
             : of_double, char                                                                                         \
             : (char)-1 > 0 ? of_unsigned(char) : of_signed(char), signed char                                         \
             : of_signed(signed char), short                                                                           \
             : of_signed(short), int                                                                                   \
             : of_signed(int), long                                                                                    \
             : of_signed(long), long long                                                                              \
             : of_signed(long long), unsigned char                                                                     \
             : of_unsigned(unsigned char), unsigned short                                                              \
             : of_unsigned(unsigned short), unsigned int                                                               \
             : of_unsigned(unsigned int), unsigned long                                                                \
             : of_unsigned(unsigned long), unsigned long long                                                          \
             : of_unsigned(unsigned long long))
#define ACCEL_ALL_BITS_(T) ((T)-1)
#define ACCEL_BOTTOM_OF_(T) ((T)(-ACCEL_TOP_OF_(T) - 1))
#define ACCEL_ZERO_(T) ((T)0)
#define accel_top(p) ACCEL_RANGES_(p, ACCEL_TOP_OF_, ACCEL_ALL_BITS_, __builtin_inff(), __builtin_inf())
#define accel_bottom(p) ACCEL_RANGES_(p, ACCEL_BOTTOM_OF_, ACCEL_ZERO_, -__builtin_inff(), -__builtin_inf())
#endif

/* ---------------------------------------------------------------------------------------- built-in ones -- */

/* A word that is no reducer is an error where it stands. gcc says nothing of functions that a system header's macro calls. */
#define ACCEL_IS_REDUCER_(reducer) ACCEL_STATIC_ASSERT_(accel_reducer_##reducer == 1, "a reducer")
enum {
    accel_reducer_ACCEL_SUM = 1,
    accel_reducer_ACCEL_PROD = 1,
    accel_reducer_ACCEL_MIN = 1,
    accel_reducer_ACCEL_MAX = 1,
    accel_reducer_ACCEL_AND = 1,
    accel_reducer_ACCEL_OR = 1,
    accel_reducer_ACCEL_XOR = 1,
    accel_reducer_ACCEL_BIT_AND = 1,
    accel_reducer_ACCEL_BIT_OR = 1,
    accel_reducer_ACCEL_BIT_XOR = 1,
    accel_reducer_ACCEL_MINMAX = 1,
    accel_reducer_ACCEL_MINLOC = 1,
    accel_reducer_ACCEL_MAXLOC = 1,
    accel_reducer_ACCEL_MINMAXLOC = 1
};

/* Nothing is converted but back to the type: integers narrower than int are computed as ints. */
#define ACCEL_INTO_(a, expression) (*(a) = (__typeof__(*(a)))(expression))
#define ACCEL_MEMBER_TOP_(p, member) accel_top(&(p)->member)
#define ACCEL_MEMBER_BOTTOM_(p, member) accel_bottom(&(p)->member)

#define accel_start_ACCEL_SUM(p) 0
#define accel_into_ACCEL_SUM(a, b) ACCEL_INTO_(a, *(a) + *(b))
#define accel_start_ACCEL_PROD(p) 1
#define accel_into_ACCEL_PROD(a, b) ACCEL_INTO_(a, *(a) * *(b))
#define accel_start_ACCEL_MIN(p) accel_top(p)
#define accel_into_ACCEL_MIN(a, b) ACCEL_INTO_(a, *(b) < *(a) ? *(b) : *(a))
#define accel_start_ACCEL_MAX(p) accel_bottom(p)
#define accel_into_ACCEL_MAX(a, b) ACCEL_INTO_(a, *(b) > *(a) ? *(b) : *(a))

#define accel_start_ACCEL_AND(p) 1
#define accel_into_ACCEL_AND(a, b) ACCEL_INTO_(a, (*(a) != 0) & (*(b) != 0))
#define accel_start_ACCEL_OR(p) 0
#define accel_into_ACCEL_OR(a, b) ACCEL_INTO_(a, (*(a) != 0) | (*(b) != 0))
#define accel_start_ACCEL_XOR(p) 0
#define accel_into_ACCEL_XOR(a, b) ACCEL_INTO_(a, (*(a) != 0) ^ (*(b) != 0))
#define accel_start_ACCEL_BIT_AND(p) (__typeof__(*(p)))~(__typeof__(*(p)))0
#define accel_into_ACCEL_BIT_AND(a, b) ACCEL_INTO_(a, *(a) & *(b))
#define accel_start_ACCEL_BIT_OR(p) 0
#define accel_into_ACCEL_BIT_OR(a, b) ACCEL_INTO_(a, *(a) | *(b))
#define accel_start_ACCEL_BIT_XOR(p) 0
#define accel_into_ACCEL_BIT_XOR(a, b) ACCEL_INTO_(a, *(a) ^ *(b))

/* What to start with is written in the members' order. */
#define ACCEL_IN_ORDER_(a, first, second)                                                                              \
    ACCEL_STATIC_ASSERT_(__builtin_offsetof(__typeof__(*(a)), first) < __builtin_offsetof(__typeof__(*(a)), second),   \
                         "member " #first " must stand before " #second)

#define accel_start_ACCEL_MINMAX(p)                                                                                    \
    {                                                                                                                  \
        ACCEL_MEMBER_TOP_(p, min), ACCEL_MEMBER_BOTTOM_(p, max)                                                        \
    }
#define accel_into_ACCEL_MINMAX(a, b)                                                                                  \
    do {                                                                                                               \
        ACCEL_IN_ORDER_(a, min, max);                                                                                  \
        accel_into_ACCEL_MIN(&(a)->min, &(b)->min);                                                                    \
        accel_into_ACCEL_MAX(&(a)->max, &(b)->max);                                                                    \
    } while (0)

/* Choices between two values, not branches: so loops over lanes vectorise. */
#define ACCEL_INTO_LOC_(a, b, order, value, index)                                                                     \
    do {                                                                                                               \
        ACCEL_IN_ORDER_(a, value, index);                                                                              \
        const __typeof__((a)->index) accel_first = (b)->index < (a)->index ? (b)->index : (a)->index;                  \
        const __typeof__((a)->index) accel_kept = (b)->value == (a)->value ? accel_first : (a)->index;                 \
        (a)->index = (b)->value order(a)->value ? (b)->index : accel_kept;                                             \
        (a)->value = (b)->value order(a)->value ? (b)->value : (a)->value;                                             \
    } while (0)
#define accel_start_ACCEL_MINLOC(p)                                                                                    \
    {                                                                                                                  \
        ACCEL_MEMBER_TOP_(p, value), ACCEL_MEMBER_TOP_(p, index)                                                       \
    }
#define accel_into_ACCEL_MINLOC(a, b) ACCEL_INTO_LOC_(a, b, <, value, index)
#define accel_start_ACCEL_MAXLOC(p)                                                                                    \
    {                                                                                                                  \
        ACCEL_MEMBER_BOTTOM_(p, value), ACCEL_MEMBER_TOP_(p, index)                                                    \
    }
#define accel_into_ACCEL_MAXLOC(a, b) ACCEL_INTO_LOC_(a, b, >, value, index)
#define accel_start_ACCEL_MINMAXLOC(p)                                                                                 \
    {                                                                                                                  \
        ACCEL_MEMBER_TOP_(p, min), ACCEL_MEMBER_BOTTOM_(p, max), ACCEL_MEMBER_TOP_(p, min_index),                      \
            ACCEL_MEMBER_TOP_(p, max_index)                                                                            \
    }
#define accel_into_ACCEL_MINMAXLOC(a, b)                                                                               \
    do {                                                                                                               \
        ACCEL_IN_ORDER_(a, min, max);                                                                                  \
        ACCEL_IN_ORDER_(a, max, min_index);                                                                            \
        ACCEL_IN_ORDER_(a, min_index, max_index);                                                                      \
        ACCEL_INTO_LOC_(a, b, <, min, min_index);                                                                      \
        ACCEL_INTO_LOC_(a, b, >, max, max_index);                                                                      \
    } while (0)

/* -------------------------------------------------------------------------------------- one's own -- */

#define ACCEL_REDUCER(T, name, a, b, ...)                                                                              \
    enum { accel_reducer_##name = 1 };                                                                                 \
    ACCEL_INLINE_ T accel_join_##name(T a, T b);                                                                       \
    ACCEL_INLINE_ T accel_start_##name(const T *accel_type __attribute__((unused)))                                    \
    {                                                                                                                  \
        const T accel_value = __VA_ARGS__;                                                                             \
        return accel_value;                                                                                            \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_into_##name(T *accel_a, const T *accel_b)                                                 \
    {                                                                                                                  \
        *accel_a = accel_join_##name(*accel_a, *accel_b);                                                              \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_join_##name(T a, T b)

#endif
