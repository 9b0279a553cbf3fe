/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel objects on the kernel path: names, ranks, order, and the texts when none will do. */
#include "object_search.h"
#include "fake_backend.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64], first[80], second[80], absent[80];
static fake_backend *fake;
static char *path[] = {first, second, absent, NULL};
static const char *const files[] = {"1/blas.rank-1.so",  "1/blas.rank-5.so",      "2/blas.rank-5.so",
                                    "2/blas.rank-0.so",  "2/blas.gfx90a.hsaco",   "2/blas.so",
                                    "2/blas.rank-9.txt", "1/blas-v1.2.rank-7.so", "2/.rank-9.so",
                                    "2/blas..so",        "2/libblas.so.3",        "2/other.rank-0.so"};

static void file(const char *name, bool make)
{
    char full[256];

    snprintf(full, sizeof(full), "%s/%s", root, name);
    if (!make) {
        unlink(full);
        return;
    }
    FILE *stream = fopen(full, "w");
    ck_assert_ptr_nonnull(stream);
    fputs("not ELF", stream);
    fclose(stream);
}

static void set_up(void)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(root, sizeof(root), "%s/accel-unit-XXXXXX", tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(first, sizeof(first), "%s/1", root);
    snprintf(second, sizeof(second), "%s/2", root);
    snprintf(absent, sizeof(absent), "%s/3", root);
    ck_assert_int_eq(mkdir(first, 0700) | mkdir(second, 0700), 0);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i)
        file(files[i], true);
    fake = fake_open(path);
}

static void tear_down(void)
{
    fake_close();
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i)
        file(files[i], false);
    rmdir(first);
    rmdir(second);
    rmdir(root);
}

static bool says(const char *part)
{
    return strstr(accel_error_message(), part) != NULL;
}

START_TEST(names_are_split_at_the_last_two_dots)
{
    accel_object_name name;
    accel_status status;
    static const char *const none[] = {"blas.so",         "blas1",        ".x86-64.so", "blas..so",
                                       "blas.x86-64.txt", "libblas.so.3", "",           "."};

    ck_assert(accel_object_name_parse("blas-v1.2.gfx90a:xnack+.hsaco", &name, &status));
    ck_assert_str_eq(name.library, "blas-v1.2");
    ck_assert_str_eq(name.target, "gfx90a:xnack+");
    ck_assert_str_eq(name.format, "hsaco");
    accel_object_name_clear(&name);
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); ++i) {
        ck_assert_msg(!accel_object_name_parse(none[i], &name, &status), "%s", none[i]);
        ck_assert_uint_eq(status, ACCEL_OK);
    }
}
END_TEST

START_TEST(the_best_rank_comes_first_and_of_equals_the_earlier_directory)
{
    accel_object_list list = {0};
    accel_device *device = fake->device;

    ck_assert_uint_eq(accel_object_search(path, device, "blas", &list), ACCEL_OK);
    ck_assert_uint_eq(list.count, 5);
    ck_assert_uint_eq(list.items[0].rank, 5);
    ck_assert_uint_eq(list.items[0].directory, 0);
    ck_assert_uint_eq(list.items[1].rank, 5);
    ck_assert_uint_eq(list.items[1].directory, 1);
    ck_assert_uint_eq(list.items[2].rank, 1);
    ck_assert_uint_eq(list.items[3].rank, 0);
    ck_assert_uint_eq(list.items[4].rank, 0);
    ck_assert_ptr_nonnull(strstr(accel_text_peek(&list.searched), "/3 (No such file or directory)"));
    accel_object_list_clear(&list);
    ck_assert_uint_eq(accel_object_search(path, device, NULL, &list), ACCEL_OK);
    ck_assert_uint_eq(list.count, 7);
    accel_object_list_clear(&list);
}
END_TEST

START_TEST(out_of_memory_in_a_search_leaves_nothing_behind)
{
    accel_device *device = fake->device;
    accel_object_list list = {0};
    size_t n = 1;

    for (bool failed = true; failed; ++n) {
        run_fail_allocation(n);
        accel_status status = accel_object_search(path, device, NULL, &list);
        failed = run_allocation_failed();
        run_fail_allocation(0);
        ck_assert(status == ACCEL_OK || (failed && status == ACCEL_OUT_OF_MEMORY));
        accel_object_list_clear(&list);
    }
    ck_assert_uint_gt(n, 10);
}
END_TEST

START_TEST(a_broken_best_object_is_an_error_and_nothing_else_is_taken)
{
    accel_module *module = NULL;

    ck_assert_uint_eq(accel_module_load(fake->device, "blas", &module), ACCEL_INCOMPATIBLE);
    ck_assert_msg(says("accel_module_load: ") && says("/1/blas.rank-5.so") && says("not an ELF file"), "%s",
                  accel_error_message());
    ck_assert_ptr_null(module);
}
END_TEST

START_TEST(an_unknown_library_is_answered_with_the_nearest_name_and_the_directories)
{
    accel_module *module = NULL;

    ck_assert_uint_eq(accel_module_load(fake->device, "blsa", &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says("\"blsa\"") && says("did you mean \"blas\"?") && says(first) && says(second) &&
                      says("--targets=rank-9"),
                  "%s", accel_error_message());
}
END_TEST

START_TEST(objects_that_do_not_run_here_are_listed_with_reasons)
{
    accel_module *module = NULL;

    ck_assert_uint_eq(accel_module_load(fake->device, "other", &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says("\"other\"") && says("imaginary") && says("/2/other.rank-0.so (unknown target rank-0.so)") &&
                      says("--targets=rank-9"),
                  "%s", accel_error_message());
}
END_TEST

START_TEST(names_with_directories_are_no_library_names)
{
    accel_module *module = NULL;

    ck_assert_uint_eq(accel_module_load(fake->device, "1/blas", &module), ACCEL_INVALID);
    ck_assert_uint_eq(accel_module_load(fake->device, "", &module), ACCEL_INVALID);
}
END_TEST

START_TEST(a_given_file_of_another_target_is_incompatible)
{
    accel_module *module = NULL;
    char name[128];

    snprintf(name, sizeof(name), "%s/blas.gfx90a.hsaco", second);
    ck_assert_uint_eq(accel_module_load_file(fake->device, name, &module), ACCEL_INCOMPATIBLE);
    ck_assert_msg(says(name) && says("gfx90a"), "%s", accel_error_message());
    snprintf(name, sizeof(name), "%s/blas.rank-3.so", second);
    ck_assert_uint_eq(accel_module_load_file(fake->device, name, &module), ACCEL_NOT_FOUND);
    ck_assert_msg(says(name), "%s", accel_error_message());
    snprintf(name, sizeof(name), "%s/blas.so", second);
    ck_assert_uint_eq(accel_module_load_file(fake->device, name, &module), ACCEL_INCOMPATIBLE);
    ck_assert_msg(says("NAME.TARGET.FORMAT"), "%s", accel_error_message());
}
END_TEST

typedef struct seen {
    size_t objects, chosen;
} seen;

static bool count(void *user, const accel_object_properties *object)
{
    seen *counts = user;

    ++counts->objects;
    if (object->chosen) {
        ++counts->chosen;
        if (strcmp(object->library, "blas") == 0) {
            ck_assert_str_eq(object->target, "rank-5");
            ck_assert_msg(strstr(object->reason, "loading it will fail") != NULL, "%s", object->reason);
        }
    }
    return true;
}

START_TEST(a_visit_shows_every_object_and_one_choice_per_library)
{
    seen counts = {0, 0};

    ck_assert_uint_eq(accel_device_visit_objects(fake->device, NULL, count, &counts), ACCEL_OK);
    ck_assert_uint_eq(counts.objects, 7);
    ck_assert_uint_eq(counts.chosen, 2); /* none of "other" */
}
END_TEST

static void add_with_files(Suite *suite, const char *name, const TTest *test)
{
    TCase *test_case = tcase_create(name);

    tcase_add_checked_fixture(test_case, set_up, tear_down);
    tcase_add_test(test_case, test);
    suite_add_tcase(suite, test_case);
}
#define add_with_files(suite, name) add_with_files(suite, #name, name)

Suite *noun_suite(void)
{
    Suite *suite = suite_create("object_search");

    add(suite, names_are_split_at_the_last_two_dots);
    add_with_files(suite, the_best_rank_comes_first_and_of_equals_the_earlier_directory);
    add_with_files(suite, out_of_memory_in_a_search_leaves_nothing_behind);
    add_with_files(suite, a_broken_best_object_is_an_error_and_nothing_else_is_taken);
    add_with_files(suite, an_unknown_library_is_answered_with_the_nearest_name_and_the_directories);
    add_with_files(suite, objects_that_do_not_run_here_are_listed_with_reasons);
    add_with_files(suite, names_with_directories_are_no_library_names);
    add_with_files(suite, a_given_file_of_another_target_is_incompatible);
    add_with_files(suite, a_visit_shows_every_object_and_one_choice_per_library);
    return suite;
}
