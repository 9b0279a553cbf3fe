/* SPDX-License-Identifier: Apache-2.0 */
/* Where plugins are looked for, and in which order. */
#include "stage.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(the_plugin_path_is_searched_in_order)
{
    const char *first = stage_directory("first"), *second = stage_directory("second");

    stage_plugin(second, "good", "fake");
    stage_path(first, second);
    accel_instance *instance = stage_instance();
    ck_assert_ptr_nonnull(strstr(stage_backend(instance, "fake").path, "/second/"));
    accel_instance_release(instance);
    stage_plugin(first, "good", "fake");
    instance = stage_instance();
    ck_assert_ptr_nonnull(strstr(stage_backend(instance, "fake").path, "/first/"));
    accel_instance_release(instance);
}
END_TEST

START_TEST(the_programs_path_comes_after_the_environments)
{
    const char *theirs = stage_directory("theirs"), *ours = stage_directory("ours");
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;

    desc.plugin_path = ours;
    desc.backends = "fake";
    stage_plugin(ours, "good", "fake");
    ck_assert_uint_eq(accel_instance_create(&desc, &instance), ACCEL_OK);
    ck_assert_ptr_nonnull(strstr(stage_backend(instance, "fake").path, "/ours/"));
    accel_instance_release(instance);
    stage_plugin(theirs, "good", "fake");
    stage_path(theirs, NULL);
    ck_assert_uint_eq(accel_instance_create(&desc, &instance), ACCEL_OK);
    ck_assert_ptr_nonnull(strstr(stage_backend(instance, "fake").path, "/theirs/"));
    accel_instance_release(instance);
}
END_TEST

START_TEST(a_broken_plugin_does_not_hide_a_good_one_further_on)
{
    const char *first = stage_directory("first"), *second = stage_directory("second");

    stage_plugin(first, "abi", "fake");
    stage_plugin(second, "good", "fake");
    stage_path(first, second);
    setenv("ACCEL_BACKEND", "fake", 1);
    accel_instance *instance = stage_instance();
    ck_assert_uint_eq(stage_backend(instance, "fake").state, ACCEL_BACKEND_USABLE);
    ck_assert_ptr_nonnull(strstr(stage_backend(instance, "fake").path, "/second/"));
    accel_instance_release(instance);
}
END_TEST

START_TEST(every_candidate_that_fails_leaves_a_line)
{
    const char *first = stage_directory("first"), *second = stage_directory("second");

    stage_plugin(first, "abi", "fake");
    stage_plugin(second, "undefined", "fake");
    stage_path(first, second);
    setenv("ACCEL_BACKEND", "fake", 1);
    accel_instance *instance = stage_instance();
    accel_backend_properties properties = stage_backend(instance, "fake");
    const char *reason = properties.reason, *newline = strchr(reason, '\n');
    ck_assert_uint_eq(properties.state, ACCEL_BACKEND_INCOMPATIBLE);
    ck_assert_ptr_nonnull(strstr(properties.path, "/first/"));
    ck_assert_ptr_nonnull(newline);
    ck_assert_ptr_nonnull(strstr(reason, "/first/libaccel-fake.so: descriptor: "));
    ck_assert_ptr_nonnull(strstr(newline, "/second/libaccel-fake.so: load: "));
    accel_instance_release(instance);
}
END_TEST

START_TEST(a_plugin_that_opened_and_said_no_ends_the_search)
{
    const char *first = stage_directory("first"), *second = stage_directory("second");

    stage_plugin(first, "good", "fake");
    stage_plugin(second, "bare", "fake");
    stage_path(first, second);
    setenv("FAKE_STATE", "4", 1);
    stage_expect("fake", ACCEL_BACKEND_NO_DRIVER, "/first/", NULL);
    ck_assert_uint_eq(stage_count(stage_trace(), "open"), 1);
}
END_TEST

START_TEST(C3_the_working_directory_is_never_searched)
{
    static const char *const paths[] = {"", ".", ":", "./", "::.:", "here"};

    stage_plugin(stage_directory("here"), "good", "fake");
    stage_plugin(stage, "good", "fake");
    ck_assert_int_eq(chdir(stage), 0);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); ++i) {
        setenv("ACCEL_PLUGIN_PATH", paths[i], 1);
        accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
        desc.backends = "fake";
        desc.plugin_path = paths[i];
        stage_refused(&desc, ACCEL_NOT_FOUND, "no backend \"fake\"", NULL);
    }
    ck_assert_str_eq(stage_trace(), "");
}
END_TEST

START_TEST(skipped_entries_are_recorded)
{
    setenv("ACCEL_PLUGIN_PATH", "relative:/nonexistent/accel", 1);
    stage_expect("hip", ACCEL_BACKEND_NOT_INSTALLED, "libaccel-hip.so", "/nonexistent/accel",
                 "\"relative\" of ACCEL_PLUGIN_PATH was skipped", NULL);
}
END_TEST

START_TEST(C4_in_a_set_uid_process_the_environments_path_is_ignored)
{
    stage_plugin(stage, "good", "fake");
    stage_path(stage, NULL);
    stage_secure = true;
    setenv("ACCEL_BACKEND", "fake", 1);
    stage_refused(NULL, ACCEL_NOT_FOUND, "no backend \"fake\"", NULL);
    ck_assert_str_eq(stage_trace(), "");

    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT; /* the program's own word counts */
    accel_instance *instance = NULL;
    desc.plugin_path = stage;
    ck_assert_uint_eq(accel_instance_create(&desc, &instance), ACCEL_OK);
    accel_instance_release(instance);
}
END_TEST

/* Whoever may link to a set-uid program chooses where the link lies. */
START_TEST(C3_in_a_set_uid_process_the_programs_directory_is_not_searched_for_kernels)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

    ck_assert_int_gt(length, 0);
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    for (int secure = 0; secure < 2; ++secure) {
        stage_secure = secure != 0;
        accel_instance *instance = stage_instance();
        const char *found = strstr(accel_instance_kernel_path(instance), program);
        ck_assert_msg((found != NULL) == (secure == 0), "\"%s\"", accel_instance_kernel_path(instance));
        accel_instance_release(instance);
    }
}
END_TEST

START_TEST(known_backends_come_first_in_order_of_preference_then_others_by_name)
{
    static const char *const expected[] = {"cuda",       "hip",  "cpu-threads", "cpu-omp",
                                           "cpu-serial", "fake", "fake-b",      "zebra"};
    accel_backend_properties properties = ACCEL_BACKEND_PROPERTIES_INIT;

    stage_plugin(stage, "good", "zebra");
    stage_plugin(stage, "good", "fake");
    stage_plugin(stage, "good", "fake-b");
    stage_path(stage, NULL);
    accel_instance *instance = stage_instance();
    size_t known = 0;
    for (size_t i = 0; i < accel_instance_backend_count(instance); ++i) {
        ck_assert_uint_eq(accel_instance_backend_info(instance, i, &properties), ACCEL_OK);
        if (known < 8 && strcmp(properties.name, expected[known]) == 0)
            ++known;
    }
    ck_assert_uint_eq(known, 8);
    ck_assert_uint_eq(accel_instance_backend_info(instance, accel_instance_backend_count(instance), &properties),
                      ACCEL_NOT_FOUND);
    accel_instance_release(instance);
}
END_TEST

START_TEST(files_whose_names_are_no_plugins_are_not_listed)
{
    static const char *const names[] = {"Fake", "fa_ke", "", "a-name-that-has-more-than-31-letters"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
        stage_plugin(stage, "good", names[i]);
    stage_path(stage, NULL);
    accel_instance *instance = stage_instance();
    accel_backend_properties properties = ACCEL_BACKEND_PROPERTIES_INIT;
    for (size_t i = 0; i < accel_instance_backend_count(instance); ++i) {
        ck_assert_uint_eq(accel_instance_backend_info(instance, i, &properties), ACCEL_OK);
        ck_assert_ptr_null(strstr(properties.path, stage));
    }
    accel_instance_release(instance);
}
END_TEST

START_TEST(a_plugin_that_is_replaced_by_rename_is_loaded_anew)
{
    char other[96], path[96];

    snprintf(path, sizeof(path), "%s/libaccel-fake.so", stage);
    snprintf(other, sizeof(other), "%s/libaccel-new.so", stage);
    stage_plugin(stage, "abi", "fake");
    stage_path(stage, NULL);
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, NULL);
    stage_plugin(stage, "good", "new");
    ck_assert_int_eq(rename(other, path), 0);
    stage_expect("fake", ACCEL_BACKEND_USABLE, NULL);
}
END_TEST

START_TEST(a_hard_link_under_another_name_is_refused_although_the_plugin_is_loaded)
{
    char other[96];

    snprintf(other, sizeof(other), "%s/libaccel-other.so", stage);
    ck_assert_int_eq(link(stage_plugin(stage, "good", "fake"), other), 0);
    stage_path(stage, NULL);
    stage_expect("fake", ACCEL_BACKEND_USABLE, NULL);
    stage_expect("other", ACCEL_BACKEND_INCOMPATIBLE, "calls itself \"fake\"", NULL);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("search");

    staged(suite, the_plugin_path_is_searched_in_order);
    staged(suite, the_programs_path_comes_after_the_environments);
    staged(suite, a_broken_plugin_does_not_hide_a_good_one_further_on);
    staged(suite, every_candidate_that_fails_leaves_a_line);
    staged(suite, a_plugin_that_opened_and_said_no_ends_the_search);
    staged(suite, C3_the_working_directory_is_never_searched);
    staged(suite, skipped_entries_are_recorded);
    staged(suite, C4_in_a_set_uid_process_the_environments_path_is_ignored);
    staged(suite, C3_in_a_set_uid_process_the_programs_directory_is_not_searched_for_kernels);
    staged(suite, known_backends_come_first_in_order_of_preference_then_others_by_name);
    staged(suite, files_whose_names_are_no_plugins_are_not_listed);
    staged(suite, a_plugin_that_is_replaced_by_rename_is_loaded_anew);
    staged(suite, a_hard_link_under_another_name_is_refused_although_the_plugin_is_loaded);
    return suite;
}
