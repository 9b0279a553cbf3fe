/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin brings configuration variables of its own, as data that is read without loading it. */
#include "stage.h"

#include <accel/plugin.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static accel_config_properties row(const accel_instance *instance, const char *name)
{
    accel_config_properties properties = ACCEL_CONFIG_PROPERTIES_INIT;

    for (size_t i = 0; accel_instance_config(instance, i, &properties) == ACCEL_OK; ++i) {
        if (strcmp(properties.name, name) == 0)
            return properties;
    }
    ck_abort_msg("no row %s", name);
    return properties;
}

static void put(void)
{
    stage_path(stage, NULL);
    stage_plugin(stage, "variables", "fake");
    setenv("ACCEL_BACKEND", "fake", 1);
}

START_TEST(a_variable_of_a_third_partys_plugin_is_no_typo)
{
    put();
    setenv("ACCEL_FAKE_GEAR", "5", 1);
    accel_instance *instance = stage_instance();
    accel_config_properties gear = row(instance, "ACCEL_FAKE_GEAR");

    ck_assert_uint_eq(gear.flags, 0);
    ck_assert_str_eq(gear.value, "5");
    ck_assert_str_eq(gear.default_value, "3");
    ck_assert_str_eq(gear.source, "environment");
    ck_assert_str_eq(gear.meaning, "which gear the fake is in");
    ck_assert_str_eq(gear.plugins, "fake");
    ck_assert_str_eq(row(instance, "ACCEL_BACKEND").plugins, "");
    ck_assert_ptr_nonnull(strstr(stage_trace(), "fake gear 5\nfake has a file 0\n"));
    accel_instance_release(instance);
}
END_TEST

START_TEST(a_plugin_gets_its_default_if_the_variable_is_unset)
{
    put();
    setenv("ACCEL_FAKE_FILE", "/here", 1);
    accel_instance *instance = stage_instance();

    ck_assert_str_eq(row(instance, "ACCEL_FAKE_GEAR").value, "");
    ck_assert_str_eq(row(instance, "ACCEL_FAKE_GEAR").source, "default");
    ck_assert_ptr_nonnull(strstr(stage_trace(), "fake gear 3\nfake has a file 1\n"));
    accel_instance_release(instance);
}
END_TEST

START_TEST(C3_in_a_set_uid_process_a_variable_that_names_files_is_ignored)
{
    stage_plugin(stage, "variables", "fake");
    setenv("ACCEL_FAKE_FILE", "/evil", 1);
    setenv("ACCEL_BACKEND", "fake", 1);
    stage_secure = true;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance;

    desc.plugin_path = stage;
    ck_assert_uint_eq(accel_instance_create(&desc, &instance), ACCEL_OK);
    ck_assert_uint_eq(row(instance, "ACCEL_FAKE_FILE").flags, ACCEL_CONFIG_IGNORED);
    ck_assert_ptr_nonnull(strstr(stage_trace(), "fake has a file 0\n"));
    accel_instance_release(instance);
}
END_TEST

START_TEST(variables_of_a_plugin_that_is_not_selected_are_known_and_none_of_its_code_runs)
{
    put();
    setenv("ACCEL_BACKEND", "cuda", 1);
    setenv("ACCEL_FAKE_GEAR", "2", 1);
    setenv("ACCEL_FAKE_GEER", "2", 1);
    accel_instance *instance = stage_instance();

    ck_assert_uint_eq(row(instance, "ACCEL_FAKE_GEAR").flags, 0);
    ck_assert_uint_eq(row(instance, "ACCEL_FAKE_GEER").flags, ACCEL_CONFIG_UNKNOWN);
    ck_assert_str_eq(row(instance, "ACCEL_FAKE_GEER").meaning, "unknown variable, maybe ACCEL_FAKE_GEAR?");
    ck_assert_str_eq(stage_trace(), "");
    accel_instance_release(instance);
}
END_TEST

START_TEST(without_the_plugin_its_variable_is_unknown)
{
    stage_path(stage, NULL);
    setenv("ACCEL_FAKE_GEAR", "2", 1);
    accel_instance *instance = stage_instance();

    ck_assert_uint_eq(row(instance, "ACCEL_FAKE_GEAR").flags, ACCEL_CONFIG_UNKNOWN);
    accel_instance_release(instance);
}
END_TEST

START_TEST(a_number_out_of_range_is_an_error_before_the_plugin_is_opened)
{
    put();
    setenv("ACCEL_FAKE_GEAR", "6", 1);
    stage_refused(NULL, ACCEL_INVALID, "ACCEL_FAKE_GEAR is \"6\"", "from 1 to 5", "unset, it is 3", NULL);
    ck_assert_str_eq(stage_trace(), "");
}
END_TEST

/* What is wrong with a descriptor: bytes at a place of the plugin, or of its first variable. */
static const struct {
    bool in_variable;
    size_t offset;
    char bytes[8];
    size_t size;
    const char *words;
} wrongs[] = {
    {false, offsetof(accel_plugin, variable_count), "\3", 1, "3 variables"},
    {false, offsetof(accel_plugin, variable_count), "\xff\xff\xff\xff", 4, "4294967295 variables"},
    {false, offsetof(accel_plugin, variables_offset), "\0", 1, "begin at byte 0"},
    {false, offsetof(accel_plugin, variables_offset), "\x94", 1, "begin at byte 148"},
    {false, offsetof(accel_plugin, variables_offset), "\xf0\xff\xff\xff", 4, "begin at byte 4294967280"},
    {true, offsetof(accel_plugin_variable, struct_size), "\0", 1, "of 256 bytes each"},
    {true, offsetof(accel_plugin_variable, struct_size), "\0\2", 2, "2 variables of 512 bytes each"},
    {true, offsetof(accel_plugin_variable, flags), "\x80", 1, "flags 0x80"},
    {true, offsetof(accel_plugin_variable, name), "a", 1, "\"aCCEL_FAKE_GEAR\""},
    {true, offsetof(accel_plugin_variable, name) + 6, "\0", 1, "\"ACCEL_\""},
    {true, offsetof(accel_plugin_variable, name) + 6, "f", 1, "\"ACCEL_fAKE_GEAR\""},
};
enum { WRONGS = sizeof(wrongs) / sizeof(wrongs[0]) };

/* Name and default of the fake's first variable, as they stand in its file. The name alone stands there in a call, too. */
static const struct {
    char name[sizeof(((accel_plugin_variable *)0)->name)], value[sizeof(((accel_plugin_variable *)0)->default_value)];
} gear = {"ACCEL_FAKE_GEAR", "3"};

/* Where the bytes of the descriptor's build, or of its first variable's texts, stand in the file. */
static size_t place_of(const unsigned char *data, size_t size, const void *text, size_t text_size)
{
    for (size_t i = 0; i + text_size <= size; ++i) {
        if (memcmp(data + i, text, text_size) == 0)
            return i;
    }
    ck_abort_msg("no %s", (const char *)text);
    return 0;
}

START_TEST(a_malformed_array_of_variables_is_incompatible_before_any_code_runs)
{
    static const char build[88] = "made for tests";
    size_t size;
    unsigned char *data = stage_read(stage_variant("variables"), &size);
    size_t at = wrongs[_i].in_variable
                    ? place_of(data, size, &gear, sizeof(gear)) - offsetof(accel_plugin_variable, name)
                    : place_of(data, size, build, sizeof(build)) - offsetof(accel_plugin, build);

    stage_path(stage, NULL);
    memcpy(data + at + wrongs[_i].offset, wrongs[_i].bytes, wrongs[_i].size);
    stage_bytes(stage, "fake", data, size);
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", wrongs[_i].words, NULL);
    ck_assert_str_eq(stage_trace(), "");
    free(data);
}
END_TEST

START_TEST(a_text_without_an_end_is_incompatible)
{
    static const size_t places[][2] = {{offsetof(accel_plugin_variable, name), 48},
                                       {offsetof(accel_plugin_variable, default_value), 48},
                                       {offsetof(accel_plugin_variable, meaning), 224}};
    size_t size;

    stage_path(stage, NULL);
    for (size_t i = 0; i < 3; ++i) {
        unsigned char *data = stage_read(stage_variant("variables"), &size);
        size_t at = place_of(data, size, &gear, sizeof(gear)) - offsetof(accel_plugin_variable, name);

        memset(data + at + places[i][0], 'X', places[i][1]);
        stage_bytes(stage, "fake", data, size);
        stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "has no end", NULL);
        free(data);
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("variables");

    staged(suite, a_variable_of_a_third_partys_plugin_is_no_typo);
    staged(suite, a_plugin_gets_its_default_if_the_variable_is_unset);
    staged(suite, C3_in_a_set_uid_process_a_variable_that_names_files_is_ignored);
    staged(suite, variables_of_a_plugin_that_is_not_selected_are_known_and_none_of_its_code_runs);
    staged(suite, without_the_plugin_its_variable_is_unknown);
    staged(suite, a_number_out_of_range_is_an_error_before_the_plugin_is_opened);
    staged_loop(suite, a_malformed_array_of_variables_is_incompatible_before_any_code_runs, WRONGS);
    staged(suite, a_text_without_an_end_is_incompatible);
    return suite;
}
