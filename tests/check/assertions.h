/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check (libcheck.github.io), which writes the place of every assertion that holds into a file. Many of ours stand in
 * loops over whole arrays, where that took most of a run's time: here only check_mark() and failures are written, so the place
 * that Check names after a crash is that of the last of these.
 */
#ifndef ASSERTIONS_H
#define ASSERTIONS_H

#include <check.h>

#ifdef CHECK_MAJOR_VERSION
#undef ck_assert
#undef ck_assert_msg
#define ck_assert(condition) ck_assert_msg(condition, "%s does not hold", #condition)
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#define check_mark(file, line) _mark_point(file, line)
#else /* tests/aarch64 has a few lines of Check only */
#define check_mark(file, line) ((void)(file), (void)(line))
#endif

#endif
