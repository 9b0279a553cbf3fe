/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/struct_size.h"
#include "run.h"

#include <string.h>

typedef struct known {
    uint32_t struct_size, flags;
    uint64_t value;
} known;

static union {
    known value;
    unsigned char bytes[8192];
} given;

static accel_status import(known *out)
{
    return accel_struct_import("f", "known", out, sizeof(*out), &given);
}

START_TEST(O6_a_null_descriptor_is_all_defaults)
{
    known out = {1, 2, 3};

    ck_assert_uint_eq(accel_struct_import("f", "known", &out, sizeof(out), NULL), ACCEL_OK);
    ck_assert_uint_eq(out.struct_size, sizeof(out));
    ck_assert_uint_eq(out.flags, 0);
    ck_assert_uint_eq(out.value, 0);
}
END_TEST

START_TEST(O6_fields_missing_from_a_smaller_struct_are_zero)
{
    known out = {9, 9, 9};

    given.value = (known){8, 5, 7};
    ck_assert_uint_eq(import(&out), ACCEL_OK);
    ck_assert_uint_eq(out.flags, 5);
    ck_assert_uint_eq(out.value, 0);
    ck_assert_uint_eq(out.struct_size, sizeof(out));
}
END_TEST

START_TEST(O6_a_larger_struct_passes_if_unknown_bytes_are_zero)
{
    known out;

    given.value = (known){sizeof(known) + 16, 5, 7};
    ck_assert_uint_eq(import(&out), ACCEL_OK);
    ck_assert_uint_eq(out.value, 7);
}
END_TEST

START_TEST(O6_every_unknown_byte_that_is_not_zero_is_refused)
{
    for (size_t i = sizeof(known); i < sizeof(known) + 16; ++i) {
        known out;
        memset(&given, 0, sizeof(given));
        given.value.struct_size = sizeof(known) + 16;
        given.bytes[i] = 1;
        ck_assert_uint_eq(import(&out), ACCEL_INVALID);
        ck_assert_ptr_nonnull(strstr(accel_error_message(), "f: known"));
    }
}
END_TEST

START_TEST(an_uninitialised_struct_size_is_refused)
{
    static const uint32_t sizes[] = {0, 1, 3, 4097, 8192, UINT32_MAX};
    known out = {1, 2, 3};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        given.value.struct_size = sizes[i];
        ck_assert_uint_eq(import(&out), ACCEL_INVALID);
        ck_assert_ptr_nonnull(strstr(accel_error_message(), "INIT"));
        ck_assert_uint_eq(accel_struct_export("f", "known", &given, &out, sizeof(out)), ACCEL_INVALID);
    }
    ck_assert_uint_eq(out.flags, 2);
}
END_TEST

START_TEST(O6_export_fills_the_callers_size_and_no_more)
{
    const known ours = {sizeof(known), 5, 7};

    memset(&given, 0xff, sizeof(given));
    given.value.struct_size = 8;
    ck_assert_uint_eq(accel_struct_export("f", "known", &given, &ours, sizeof(ours)), ACCEL_OK);
    ck_assert_uint_eq(given.value.struct_size, 8);
    ck_assert_uint_eq(given.value.flags, 5);
    ck_assert_uint_eq(given.bytes[8], 0xff);
}
END_TEST

START_TEST(O6_export_zeroes_what_only_the_caller_knows)
{
    const known ours = {sizeof(known), 5, 7};

    memset(&given, 0xff, sizeof(given));
    given.value.struct_size = sizeof(known) + 8;
    ck_assert_uint_eq(accel_struct_export("f", "known", &given, &ours, sizeof(ours)), ACCEL_OK);
    ck_assert_uint_eq(given.value.struct_size, sizeof(known) + 8);
    ck_assert_uint_eq(given.value.value, 7);
    for (size_t i = sizeof(known); i < sizeof(known) + 8; ++i)
        ck_assert_uint_eq(given.bytes[i], 0);
    ck_assert_uint_eq(given.bytes[sizeof(known) + 8], 0xff);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("struct_size");

    add(suite, O6_a_null_descriptor_is_all_defaults);
    add(suite, O6_fields_missing_from_a_smaller_struct_are_zero);
    add(suite, O6_a_larger_struct_passes_if_unknown_bytes_are_zero);
    add(suite, O6_every_unknown_byte_that_is_not_zero_is_refused);
    add(suite, an_uninitialised_struct_size_is_refused);
    add(suite, O6_export_fills_the_callers_size_and_no_more);
    add(suite, O6_export_zeroes_what_only_the_caller_knows);
    return suite;
}
