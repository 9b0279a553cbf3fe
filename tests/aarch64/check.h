/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As much of Check (libcheck.github.io) as the kernels' tests use, for machines that have a cross compiler but no Check:
 * the tests run one after another in one process, and the first failure ends it. main.c defines check_abort.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Suite Suite;
typedef struct TTest {
    void (*function)(void);
} TTest;

#define START_TEST(name)                                                                                               \
    static void name##_function(void);                                                                                 \
    static const TTest name##_test = {name##_function}, *const name = &name##_test;                                    \
    static void name##_function(void)
#define END_TEST

/* There is one suite, of main.c. */
#define suite_create(name) NULL

/* Ends the program, or the test alone if the text says that it is unsupported here. */
_Noreturn void check_abort(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define ck_abort_msg(...) check_abort(__VA_ARGS__)
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : (void)ck_abort_msg(__VA_ARGS__))
#define ck_assert(condition) ck_assert_msg(condition, "%s:%d: %s", __FILE__, __LINE__, #condition)
#define ck_assert_ptr_eq(a, b) ck_assert((const void *)(a) == (const void *)(b))
#define ck_assert_ptr_nonnull(pointer) ck_assert((pointer) != NULL)
#define ck_assert_int_eq(a, b) ck_assert((intmax_t)(a) == (intmax_t)(b))
#define ck_assert_int_ge(a, b) ck_assert((intmax_t)(a) >= (intmax_t)(b))
#define ck_assert_uint_eq(a, b) ck_assert((uintmax_t)(a) == (uintmax_t)(b))
#define ck_assert_uint_ne(a, b) ck_assert((uintmax_t)(a) != (uintmax_t)(b))
#define ck_assert_uint_ge(a, b) ck_assert((uintmax_t)(a) >= (uintmax_t)(b))
#define ck_assert_uint_gt(a, b) ck_assert((uintmax_t)(a) > (uintmax_t)(b))
#define ck_assert_uint_lt(a, b) ck_assert((uintmax_t)(a) < (uintmax_t)(b))
#define ck_assert_mem_eq(a, b, size) ck_assert(memcmp(a, b, size) == 0)

#endif
