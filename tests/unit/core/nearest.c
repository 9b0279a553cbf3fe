/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/nearest.h"
#include "run.h"

#include <string.h>

static const char *const names[] = {"cuda", "hip", "cpu-threads", "cpu-omp", "cpu-serial"};
#define NAMES names, sizeof(names) / sizeof(names[0])

START_TEST(one_edit_of_each_kind_is_distance_one)
{
    ck_assert_uint_eq(accel_nearest_distance("cuda", "cuda"), 0);
    ck_assert_uint_eq(accel_nearest_distance("cuda", "cda"), 1);
    ck_assert_uint_eq(accel_nearest_distance("cuda", "cudda"), 1);
    ck_assert_uint_eq(accel_nearest_distance("cuda", "coda"), 1);
    ck_assert_uint_eq(accel_nearest_distance("cuda", "ucda"), 1);
}
END_TEST

START_TEST(case_does_not_count)
{
    ck_assert_uint_eq(accel_nearest_distance("CUDA", "cuda"), 0);
    ck_assert_str_eq(accel_nearest("HIPP", NAMES), "hip");
}
END_TEST

START_TEST(distance_is_symmetric_and_counts_from_empty)
{
    ck_assert_uint_eq(accel_nearest_distance("", "abc"), 3);
    ck_assert_uint_eq(accel_nearest_distance("abc", ""), 3);
    ck_assert_uint_eq(accel_nearest_distance("kitten", "sitting"), 3);
    ck_assert_uint_eq(accel_nearest_distance("sitting", "kitten"), 3);
}
END_TEST

START_TEST(the_nearest_name_is_found)
{
    ck_assert_str_eq(accel_nearest("cpu-thread", NAMES), "cpu-threads");
    ck_assert_str_eq(accel_nearest("cpu_serial", NAMES), "cpu-serial");
    ck_assert_str_eq(accel_nearest("cud", NAMES), "cuda");
}
END_TEST

START_TEST(a_name_far_from_all_has_no_nearest)
{
    ck_assert_ptr_null(accel_nearest("opencl", NAMES));
    ck_assert_ptr_null(accel_nearest("x", names, 0));
}
END_TEST

START_TEST(very_long_names_are_only_equal_or_far)
{
    char a[400], b[400];

    memset(a, 'a', sizeof(a) - 1);
    a[sizeof(a) - 1] = '\0';
    memcpy(b, a, sizeof(b));
    ck_assert_uint_eq(accel_nearest_distance(a, b), 0);
    b[0] = 'b';
    ck_assert_uint_gt(accel_nearest_distance(a, b), 1000);
    ck_assert_ptr_null(accel_nearest(a, NAMES));
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("nearest");

    add(suite, one_edit_of_each_kind_is_distance_one);
    add(suite, case_does_not_count);
    add(suite, distance_is_symmetric_and_counts_from_empty);
    add(suite, the_nearest_name_is_found);
    add(suite, a_name_far_from_all_has_no_nearest);
    add(suite, very_long_names_are_only_equal_or_far);
    return suite;
}
