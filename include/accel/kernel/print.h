/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/print.h - kernels that print.
 *
 *     #include <accel/kernel/print.h>
 *
 *     ACCEL_KERNEL(scatter, scatter_args, args)
 *     {
 *         ACCEL_FOR_EACH(acc, i, args.n) {
 *             if (args.to[i] >= args.m)
 *                 ACCEL_PRINTF(acc, "element %zu goes to %d\n", i, args.to[i]);
 *             ...
 *
 * ACCEL_PRINTF(acc, format, values...) writes to C's stream `stdout` of the program, as printf does (semantics K19). The
 * format is a literal. It has at most 12 values: integers, floating-point numbers, pointers, and texts (%s). A call's text is
 * never mixed with another's, and has at most 1023 bytes; what is longer is cut. ACCEL_PRINTF stands in both forms of kernel,
 * inside and outside regions, and in functions that get `acc`.
 *
 * On CPUs a line is written at once. On GPUs it is kept in a buffer of the queue, and written when the queue, or an event
 * behind the launch, is waited for. The buffer holds 1 MiB. If it was full, the text says how many lines are missing.
 *
 * The kernels of a source that includes this file are called in another way, which costs some nanoseconds for each launch.
 * Loops that print are not vectorised. A printing thread of a thread kernel needs up to 6 KiB of its stack.
 */
#ifndef ACCEL_KERNEL_PRINT_H
#define ACCEL_KERNEL_PRINT_H

#include <accel/kernel.h>

#undef ACCEL_PRINT_FLAGS_
#define ACCEL_PRINT_FLAGS_ ACCEL_KERNEL_PRINTS

/* Has no body: compilers compare its format with what is printed. clang does not have such functions on GPUs. */
#if defined(__clang__) && (defined(__CUDA__) || defined(__HIP__))
#define ACCEL_PRINT_CHECK_(...) ((void)0)
#else
#if defined(__cplusplus)
extern "C" int accel_print_check(const char *format, ...) __attribute__((format(printf, 1, 2)));
#else
int accel_print_check(const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
#define ACCEL_PRINT_CHECK_(...) ((void)sizeof(accel_print_check(__VA_ARGS__)))
#endif

/* ---------------------------------------------------------------------------------------------- values -- */

ACCEL_INLINE_ accel_print_value accel_print_word(uint32_t kind, uint64_t word)
{
    accel_print_value value;
    value.kind = kind;
    value.bytes = 0;
    value.word = word;
    return value;
}
ACCEL_INLINE_ accel_print_value accel_print_int(int v)
{
    return accel_print_word(ACCEL_PRINT_INT32, (uint64_t)(int64_t)v);
}
ACCEL_INLINE_ accel_print_value accel_print_unsigned(unsigned v)
{
    return accel_print_word(ACCEL_PRINT_UINT32, v);
}
ACCEL_INLINE_ accel_print_value accel_print_long(long long v)
{
    return accel_print_word(ACCEL_PRINT_INT64, (uint64_t)v);
}
ACCEL_INLINE_ accel_print_value accel_print_unsigned_long(unsigned long long v)
{
    return accel_print_word(ACCEL_PRINT_UINT64, v);
}
ACCEL_INLINE_ accel_print_value accel_print_double(double v)
{
    union {
        double v;
        uint64_t word;
    } bits;
    bits.v = v;
    return accel_print_word(ACCEL_PRINT_DOUBLE, bits.word);
}
ACCEL_INLINE_ accel_print_value accel_print_text(const char *v)
{
    return accel_print_word(ACCEL_PRINT_TEXT, (uint64_t)(uintptr_t)(v != NULL ? v : "(null)"));
}
ACCEL_INLINE_ accel_print_value accel_print_pointer(const volatile void *v)
{
    return accel_print_word(ACCEL_PRINT_POINTER, (uint64_t)(uintptr_t)v);
}

#if defined(__cplusplus)
ACCEL_INLINE_ accel_print_value accel_print_value_of(int v)
{
    return accel_print_int(v);
}
ACCEL_INLINE_ accel_print_value accel_print_value_of(unsigned v)
{
    return accel_print_unsigned(v);
}
ACCEL_INLINE_ accel_print_value accel_print_value_of(long v)
{
    return accel_print_long(v);
}
ACCEL_INLINE_ accel_print_value accel_print_value_of(unsigned long v)
{
    return accel_print_unsigned_long(v);
}
ACCEL_INLINE_ accel_print_value accel_print_value_of(long long v)
{
    return accel_print_long(v);
}
ACCEL_INLINE_ accel_print_value accel_print_value_of(unsigned long long v)
{
    return accel_print_unsigned_long(v);
}
ACCEL_INLINE_ accel_print_value accel_print_value_of(double v)
{
    return accel_print_double(v);
}
ACCEL_INLINE_ accel_print_value accel_print_value_of(const char *v)
{
    return accel_print_text(v);
}
ACCEL_INLINE_ accel_print_value accel_print_value_of(const volatile void *v)
{
    return accel_print_pointer(v);
}
#endif

/* ---------------------------------------------------------------------------------------------- target -- */

#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#include <accel/kernel/gpu/print.h>
#else
#include <accel/kernel/cpu/print.h>
#endif

#if defined(ACCEL_LINT) || defined(ACCEL_LINT_TEXT)

#define ACCEL_PRINTF(acc, ...) ((void)(acc).core, (void)accel_print_check(__VA_ARGS__))

#elif defined(__cplusplus)

/* The format's size is known where it is a literal. */
#define ACCEL_PRINTF(acc, ...) (ACCEL_PRINT_CHECK_(__VA_ARGS__), accel_print((acc).core, __VA_ARGS__))

#else

/* ACCEL_PRINTF(acc, "%d %g\n", i, x) becomes accel_print(launch, "%d %g\n", 2, (const accel_print_value[]){i, x}). */
#define ACCEL_PRINTF(acc, ...)                                                                                         \
    (ACCEL_PRINT_CHECK_(__VA_ARGS__),                                                                                  \
     ACCEL_PRINT_CALL_(ACCEL_PRINT_COUNT_(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0),                   \
                       (acc).core.launch, __VA_ARGS__))
#define ACCEL_PRINT_COUNT_(format, a, b, c, d, e, f, g, h, i, j, k, l, count, ...) count
#define ACCEL_PRINT_CALL_(count, ...) ACCEL_PRINT_CALL_NOW_(count, __VA_ARGS__)
#define ACCEL_PRINT_CALL_NOW_(count, ...) ACCEL_PRINT_##count##_(__VA_ARGS__)

#define ACCEL_PRINT_VALUE_(v)                                                                                          \
    _Generic((v), _Bool                                                                                                \
             : accel_print_int, char                                                                                   \
             : accel_print_int, signed char                                                                            \
             : accel_print_int, unsigned char                                                                          \
             : accel_print_int, short                                                                                  \
             : accel_print_int, unsigned short                                                                         \
             : accel_print_int, int                                                                                    \
             : accel_print_int, unsigned                                                                               \
             : accel_print_unsigned, long                                                                              \
             : accel_print_long, unsigned long                                                                         \
             : accel_print_unsigned_long, long long                                                                    \
             : accel_print_long, unsigned long long                                                                    \
             : accel_print_unsigned_long, float                                                                        \
             : accel_print_double, double                                                                              \
             : accel_print_double, char *                                                                              \
             : accel_print_text, const char *                                                                          \
             : accel_print_text, default                                                                               \
             : accel_print_pointer)(v)

#define ACCEL_PRINT_LIST_(launch, format, count, ...)                                                                  \
    accel_print(launch, "" format, count, (const accel_print_value[]){__VA_ARGS__})
#define ACCEL_PRINT_0_(launch, format) accel_print(launch, "" format, 0, NULL)
#define ACCEL_PRINT_1_(launch, format, a) ACCEL_PRINT_LIST_(launch, format, 1, ACCEL_PRINT_VALUE_(a))
#define ACCEL_PRINT_2_(launch, format, a, b) ACCEL_PRINT_LIST_(launch, format, 2, ACCEL_PRINT_VALUES_2_(a, b))
#define ACCEL_PRINT_3_(launch, format, a, b, c) ACCEL_PRINT_LIST_(launch, format, 3, ACCEL_PRINT_VALUES_3_(a, b, c))
#define ACCEL_PRINT_4_(launch, format, a, b, c, d)                                                                     \
    ACCEL_PRINT_LIST_(launch, format, 4, ACCEL_PRINT_VALUES_4_(a, b, c, d))
#define ACCEL_PRINT_5_(launch, format, a, b, c, d, e)                                                                  \
    ACCEL_PRINT_LIST_(launch, format, 5, ACCEL_PRINT_VALUES_4_(a, b, c, d), ACCEL_PRINT_VALUE_(e))
#define ACCEL_PRINT_6_(launch, format, a, b, c, d, e, f)                                                               \
    ACCEL_PRINT_LIST_(launch, format, 6, ACCEL_PRINT_VALUES_4_(a, b, c, d), ACCEL_PRINT_VALUES_2_(e, f))
#define ACCEL_PRINT_7_(launch, format, a, b, c, d, e, f, g)                                                            \
    ACCEL_PRINT_LIST_(launch, format, 7, ACCEL_PRINT_VALUES_4_(a, b, c, d), ACCEL_PRINT_VALUES_3_(e, f, g))
#define ACCEL_PRINT_8_(launch, format, a, b, c, d, e, f, g, h)                                                         \
    ACCEL_PRINT_LIST_(launch, format, 8, ACCEL_PRINT_VALUES_4_(a, b, c, d), ACCEL_PRINT_VALUES_4_(e, f, g, h))
#define ACCEL_PRINT_9_(launch, format, a, b, c, d, e, f, g, h, i)                                                      \
    ACCEL_PRINT_LIST_(launch, format, 9, ACCEL_PRINT_VALUES_4_(a, b, c, d), ACCEL_PRINT_VALUES_4_(e, f, g, h),         \
                      ACCEL_PRINT_VALUE_(i))
#define ACCEL_PRINT_10_(launch, format, a, b, c, d, e, f, g, h, i, j)                                                  \
    ACCEL_PRINT_LIST_(launch, format, 10, ACCEL_PRINT_VALUES_4_(a, b, c, d), ACCEL_PRINT_VALUES_4_(e, f, g, h),        \
                      ACCEL_PRINT_VALUES_2_(i, j))
#define ACCEL_PRINT_11_(launch, format, a, b, c, d, e, f, g, h, i, j, k)                                               \
    ACCEL_PRINT_LIST_(launch, format, 11, ACCEL_PRINT_VALUES_4_(a, b, c, d), ACCEL_PRINT_VALUES_4_(e, f, g, h),        \
                      ACCEL_PRINT_VALUES_3_(i, j, k))
#define ACCEL_PRINT_12_(launch, format, a, b, c, d, e, f, g, h, i, j, k, l)                                            \
    ACCEL_PRINT_LIST_(launch, format, 12, ACCEL_PRINT_VALUES_4_(a, b, c, d), ACCEL_PRINT_VALUES_4_(e, f, g, h),        \
                      ACCEL_PRINT_VALUES_4_(i, j, k, l))
#define ACCEL_PRINT_VALUES_2_(a, b) ACCEL_PRINT_VALUE_(a), ACCEL_PRINT_VALUE_(b)
#define ACCEL_PRINT_VALUES_3_(a, b, c) ACCEL_PRINT_VALUES_2_(a, b), ACCEL_PRINT_VALUE_(c)
#define ACCEL_PRINT_VALUES_4_(a, b, c, d) ACCEL_PRINT_VALUES_2_(a, b), ACCEL_PRINT_VALUES_2_(c, d)

#endif

#endif
