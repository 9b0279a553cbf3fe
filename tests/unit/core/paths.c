/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/paths.h"
#include "run.h"

#include <string.h>
#include <unistd.h>

static accel_paths paths;

START_TEST(entries_keep_their_order_and_stand_once)
{
    ck_assert_uint_eq(accel_paths_add_list(&paths, "X", "/b:/a/:/b//:/"), ACCEL_OK);
    ck_assert_uint_eq(paths.count, 3);
    ck_assert_str_eq(paths.items[0], "/b");
    ck_assert_str_eq(paths.items[1], "/a");
    ck_assert_str_eq(paths.items[2], "/");
    ck_assert_ptr_null(paths.items[3]);
    accel_paths_clear(&paths);
}
END_TEST

START_TEST(C3_empty_and_relative_entries_are_skipped_with_a_record)
{
    static const char *const lists[] = {":", ".", "a/b", "..", "./x:", "~/y"};

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); ++i) {
        ck_assert_uint_eq(accel_paths_add_list(&paths, "ACCEL_X", lists[i]), ACCEL_OK);
        ck_assert_uint_eq(paths.count, 0);
        ck_assert_ptr_nonnull(strstr(accel_text_peek(&paths.skipped), "of ACCEL_X was skipped: it is not absolute"));
        ck_assert_ptr_nonnull(strstr(accel_text_peek(&paths.ignored), "\" of ACCEL_X"));
        accel_paths_clear(&paths);
    }
}
END_TEST

START_TEST(an_unset_list_is_empty)
{
    ck_assert_uint_eq(accel_paths_add_list(&paths, "X", NULL), ACCEL_OK);
    ck_assert_uint_eq(accel_paths_add_list(&paths, "X", ""), ACCEL_OK);
    ck_assert_uint_eq(paths.count, 0);
    ck_assert_str_eq(accel_text_peek(&paths.skipped), "");
}
END_TEST

START_TEST(program_and_library_lie_in_absolute_directories)
{
    char *program = NULL, *library = NULL;

    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_uint_eq(accel_paths_program(&program), ACCEL_OK);
    ck_assert_uint_eq(accel_paths_library(&library), ACCEL_OK);
    ck_assert_int_eq(program[0], '/');
    ck_assert_str_eq(program, library); /* linked statically here */
    accel_text_clear(&(accel_text){.data = program});
    accel_text_clear(&(accel_text){.data = library});
}
END_TEST

START_TEST(without_memory_at_any_allocation_it_says_so)
{
    accel_status status = ACCEL_OUT_OF_MEMORY;

    for (size_t n = 1; status != ACCEL_OK; ++n) {
        run_fail_allocation(n);
        status = accel_paths_add_list(&paths, "X", "/a:.:/b");
        ck_assert_uint_eq(status, run_allocation_failed() ? ACCEL_OUT_OF_MEMORY : ACCEL_OK);
        accel_paths_clear(&paths);
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("paths");

    add(suite, entries_keep_their_order_and_stand_once);
    add(suite, C3_empty_and_relative_entries_are_skipped_with_a_record);
    add(suite, an_unset_list_is_empty);
    add(suite, program_and_library_lie_in_absolute_directories);
    add(suite, without_memory_at_any_allocation_it_says_so);
    return suite;
}
