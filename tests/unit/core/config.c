/* SPDX-License-Identifier: Apache-2.0 */
#include "core/config/config.h"
#include "core/config/plugin_values.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The hook of environment.c. */
static bool pretend_secure;
bool accel_environment_pretend_secure(void);
bool accel_environment_pretend_secure(void)
{
    return pretend_secure;
}

static accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
static accel_config *config;

/* What plugins bring. */
static const accel_plugin_variable speed = {.flags = ACCEL_VARIABLE_NUMBER,
                                            .minimum = 1,
                                            .maximum = 1000000,
                                            .name = "ACCEL_FAKE_SPEED",
                                            .default_value = "20",
                                            .meaning = "how fast the fake is"};
static const accel_plugin_variable library = {
    .flags = ACCEL_VARIABLE_FILE, .name = "ACCEL_FAKE_LIBRARY", .meaning = "what the fake loads"};

/* Tests run in processes of their own: nothing has to be set back. */
static accel_status try_to_create(void)
{
    accel_status status = accel_config_create(&desc, &config);

    if (status != ACCEL_OK)
        return status;
    status = accel_config_add(config, "fast", &speed);
    if (status == ACCEL_OK)
        status = accel_config_add(config, "fast", &library);
    if (status == ACCEL_OK)
        status = accel_config_add(config, "slow", &speed);
    if (status == ACCEL_OK)
        status = accel_config_complete(config);
    if (status != ACCEL_OK)
        accel_config_destroy(config);
    return status;
}

static void create(void)
{
    ck_assert_msg(try_to_create() == ACCEL_OK, "%s", accel_error_message());
}

static accel_config_properties row(const char *name)
{
    accel_config_properties properties = {0};

    for (size_t i = 0; accel_config_row(config, i, &properties) == ACCEL_OK; ++i) {
        if (strcmp(properties.name, name) == 0)
            return properties;
    }
    ck_abort_msg("no row %s", name);
    return properties;
}

START_TEST(the_table_has_every_variable_with_default_and_meaning)
{
    accel_config_properties properties;
    size_t count = 0;

    create();
    while (accel_config_row(config, count, &properties) == ACCEL_OK) {
        ck_assert_int_eq(strncmp(properties.name, "ACCEL_", 6), 0);
        ck_assert_ptr_nonnull(properties.default_value);
        ck_assert_uint_gt(strlen(properties.meaning), 10);
        ck_assert_str_eq(properties.source, "default");
        ck_assert_str_eq(properties.value, "");
        ck_assert_uint_eq(properties.flags, 0);
        ++count;
    }
    ck_assert_uint_eq(count, 9 + 2);
    ck_assert_str_eq(row("ACCEL_BACKEND").plugins, "");
    ck_assert_uint_eq(accel_config_row(config, count, &properties), ACCEL_NOT_FOUND);
    accel_config_destroy(config);
}
END_TEST

START_TEST(a_variable_of_several_plugins_has_one_row_that_names_them)
{
    create();
    ck_assert_str_eq(row("ACCEL_FAKE_SPEED").default_value, "20");
    ck_assert_str_eq(row("ACCEL_FAKE_SPEED").plugins, "fast, slow");
    ck_assert_str_eq(row("ACCEL_FAKE_LIBRARY").default_value, "");
    ck_assert_str_eq(row("ACCEL_FAKE_LIBRARY").plugins, "fast");
    accel_config_destroy(config);
}
END_TEST

START_TEST(of_two_plugins_that_disagree_the_first_ones_meaning_stands)
{
    accel_plugin_variable other = speed;

    snprintf(other.default_value, sizeof(other.default_value), "30");
    snprintf(other.meaning, sizeof(other.meaning), "another meaning");
    create();
    ck_assert_uint_eq(accel_config_add(config, "other", &other), ACCEL_OK);
    ck_assert_str_eq(row("ACCEL_FAKE_SPEED").default_value, "20");
    ck_assert_str_eq(row("ACCEL_FAKE_SPEED").meaning, speed.meaning);
    ck_assert_str_eq(row("ACCEL_FAKE_SPEED").plugins, "fast, slow, other");
    accel_config_destroy(config);
}
END_TEST

START_TEST(a_plugin_does_not_take_a_variable_of_libaccel)
{
    accel_plugin_variable backend = speed;

    snprintf(backend.name, sizeof(backend.name), "ACCEL_BACKEND");
    setenv("ACCEL_BACKEND", "cpu-serial", 1);
    create();
    ck_assert_uint_eq(accel_config_add(config, "greedy", &backend), ACCEL_OK);
    ck_assert_str_eq(row("ACCEL_BACKEND").default_value, "");
    ck_assert_str_eq(row("ACCEL_BACKEND").plugins, "");
    ck_assert_str_eq(accel_config_value(config, "ACCEL_BACKEND"), "cpu-serial");
    ck_assert_ptr_null(accel_plugin_value("ACCEL_BACKEND"));
    accel_config_destroy(config);
}
END_TEST

START_TEST(a_value_comes_from_the_environment)
{
    setenv("ACCEL_BACKEND", "cpu-serial", 1);
    create();
    ck_assert_str_eq(accel_config_value(config, "ACCEL_BACKEND"), "cpu-serial");
    ck_assert_str_eq(row("ACCEL_BACKEND").source, "environment");
    ck_assert_uint_eq(row("ACCEL_BACKEND").flags, 0);
    accel_config_destroy(config);
}
END_TEST

START_TEST(C1_the_program_beats_the_environment_and_the_row_says_so)
{
    setenv("ACCEL_BACKEND", "cuda", 1);
    desc.backends = "cpu-serial";
    create();
    ck_assert_str_eq(accel_config_value(config, "ACCEL_BACKEND"), "cpu-serial");
    ck_assert_str_eq(row("ACCEL_BACKEND").source, "program");
    ck_assert_uint_eq(row("ACCEL_BACKEND").flags, ACCEL_CONFIG_IGNORED);
    accel_config_destroy(config);
}
END_TEST

START_TEST(values_are_copies)
{
    char backends[] = "cpu-serial";

    setenv("ACCEL_DEVICES", "0", 1);
    desc.backends = backends;
    create();
    backends[0] = 'X';
    setenv("ACCEL_DEVICES", "1", 1);
    ck_assert_str_eq(accel_config_value(config, "ACCEL_BACKEND"), "cpu-serial");
    ck_assert_str_eq(accel_config_value(config, "ACCEL_DEVICES"), "0");
    accel_config_destroy(config);
}
END_TEST

START_TEST(a_mistyped_variable_has_a_row_with_the_nearest_name)
{
    setenv("ACCEL_BACKENDS", "cuda", 1);
    setenv("ACCEL_FAKE_SPED", "3", 1);
    create();
    ck_assert_uint_eq(row("ACCEL_BACKENDS").flags, ACCEL_CONFIG_UNKNOWN);
    ck_assert_str_eq(row("ACCEL_BACKENDS").value, "cuda");
    ck_assert_str_eq(row("ACCEL_BACKENDS").meaning, "unknown variable, maybe ACCEL_BACKEND?");
    ck_assert_str_eq(row("ACCEL_BACKENDS").plugins, "");
    ck_assert_str_eq(accel_config_value(config, "ACCEL_BACKEND"), "");
    ck_assert_str_eq(row("ACCEL_FAKE_SPED").meaning, "unknown variable, maybe ACCEL_FAKE_SPEED?");
    accel_config_destroy(config);
}
END_TEST

START_TEST(an_unknown_variable_far_from_all_has_a_row_without_a_guess)
{
    setenv("ACCEL_SOMETHING_QUITE_DIFFERENT_WITH_A_NAME_LONGER_THAN_ANY_OF_OURS_COULD_EVER_BE", "", 1);
    create();
    ck_assert_str_eq(row("ACCEL_SOMETHING_QUITE_DIFFERENT_WITH_A_NAME_LONGER_THAN_ANY_OF_OURS_COULD_EVER_BE").meaning,
                     "unknown variable");
    accel_config_destroy(config);
}
END_TEST

START_TEST(a_mistyped_variable_is_logged)
{
    char path[] = "/tmp/accel-config-XXXXXX", value[64], line[256] = "";

    close(mkstemp(path));
    snprintf(value, sizeof(value), "warning:%s", path);
    setenv("ACCEL_LOG", value, 1);
    setenv("ACCEL_DEVICE", "0", 1);
    create();
    FILE *stream = fopen(path, "r");
    ck_assert_ptr_nonnull(stream);
    ck_assert_ptr_nonnull(fgets(line, sizeof(line), stream));
    ck_assert_ptr_nonnull(strstr(line, "warning: ACCEL_DEVICE: unknown variable, maybe ACCEL_DEVICES?"));
    fclose(stream);
    unlink(path);
    accel_config_destroy(config);
}
END_TEST

START_TEST(C3_in_a_set_uid_process_paths_are_ignored_and_flagged)
{
    static const char *const paths[] = {"ACCEL_PLUGIN_PATH", "ACCEL_KERNEL_PATH", "ACCEL_LOG", "ACCEL_FAKE_LIBRARY"};
    char path[] = "/tmp/accel-config-XXXXXX", value[64];

    close(mkstemp(path));
    unlink(path); /* it must not appear again */
    snprintf(value, sizeof(value), "debug:%s", path);
    pretend_secure = true;
    setenv("ACCEL_PLUGIN_PATH", "/evil", 1);
    setenv("ACCEL_KERNEL_PATH", "/evil", 1);
    setenv("ACCEL_FAKE_LIBRARY", "/evil", 1);
    setenv("ACCEL_FAKE_SPEED", "7", 1);
    setenv("ACCEL_LOG", value, 1);
    setenv("ACCEL_BACKEND", "cpu-serial", 1);
    create();
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); ++i) {
        ck_assert_str_eq(accel_config_value(config, paths[i]), "");
        ck_assert_uint_eq(row(paths[i]).flags, ACCEL_CONFIG_IGNORED);
        ck_assert_ptr_null(accel_plugin_value(paths[i]));
    }
    ck_assert_str_eq(accel_plugin_value("ACCEL_FAKE_SPEED"), "7");
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_str_eq(accel_config_value(config, "ACCEL_BACKEND"), "cpu-serial");
    accel_config_destroy(config);
}
END_TEST

START_TEST(numbers_are_checked)
{
    static const char *const bad[] = {"x", "12k", "-1", " 20", "0", "1000001", "99999999999999999999999"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        setenv("ACCEL_FAKE_SPEED", bad[i], 1);
        ck_assert_uint_eq(try_to_create(), ACCEL_INVALID);
        ck_assert_ptr_nonnull(strstr(accel_error_message(), "ACCEL_FAKE_SPEED is \""));
        ck_assert_ptr_nonnull(strstr(accel_error_message(), bad[i]));
    }
    setenv("ACCEL_FAKE_SPEED", "1", 1);
    create();
    ck_assert_str_eq(row("ACCEL_FAKE_SPEED").value, "1");
    accel_config_destroy(config);
}
END_TEST

START_TEST(an_unknown_log_level_is_refused_with_the_nearest)
{
    setenv("ACCEL_LOG", "warnings", 1);
    ck_assert_uint_eq(accel_config_create(&desc, &config), ACCEL_INVALID);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "maybe \"warning\""));
}
END_TEST

START_TEST(plugins_get_the_environments_value_for_as_long_as_the_process)
{
    setenv("ACCEL_FAKE_SPEED", "50", 1);
    create();
    const char *first = accel_plugin_value("ACCEL_FAKE_SPEED");
    accel_config_destroy(config);
    ck_assert_str_eq(first, "50");
    setenv("ACCEL_FAKE_SPEED", "60", 1);
    create();
    ck_assert_str_eq(accel_plugin_value("ACCEL_FAKE_SPEED"), "60");
    ck_assert_str_eq(first, "50");
    accel_config_destroy(config);
    unsetenv("ACCEL_FAKE_SPEED");
    create();
    ck_assert_str_eq(accel_plugin_value("ACCEL_FAKE_SPEED"), "20"); /* the default */
    ck_assert_ptr_null(accel_plugin_value("ACCEL_FAKE_LIBRARY"));
    ck_assert_ptr_null(accel_plugin_value("ACCEL_NO_SUCH"));
    accel_config_destroy(config);
}
END_TEST

START_TEST(without_memory_at_any_allocation_nothing_is_left_behind)
{
    accel_status status = ACCEL_OUT_OF_MEMORY;
    size_t n = 0;

    setenv("ACCEL_BACKEND", "cuda", 1);
    setenv("ACCEL_BACKENDS", "cuda", 1);
    desc.devices = "0";
    do {
        run_fail_allocation(++n);
        status = try_to_create();
        ck_assert_uint_eq(status, run_allocation_failed() ? ACCEL_OUT_OF_MEMORY : ACCEL_OK);
    } while (status != ACCEL_OK);
    ck_assert_uint_gt(n, 8);
    run_fail_allocation(0);
    accel_config_destroy(config);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("config");

    add(suite, the_table_has_every_variable_with_default_and_meaning);
    add(suite, a_variable_of_several_plugins_has_one_row_that_names_them);
    add(suite, of_two_plugins_that_disagree_the_first_ones_meaning_stands);
    add(suite, a_plugin_does_not_take_a_variable_of_libaccel);
    add(suite, a_value_comes_from_the_environment);
    add(suite, C1_the_program_beats_the_environment_and_the_row_says_so);
    add(suite, values_are_copies);
    add(suite, a_mistyped_variable_has_a_row_with_the_nearest_name);
    add(suite, an_unknown_variable_far_from_all_has_a_row_without_a_guess);
    add(suite, a_mistyped_variable_is_logged);
    add(suite, C3_in_a_set_uid_process_paths_are_ignored_and_flagged);
    add(suite, numbers_are_checked);
    add(suite, an_unknown_log_level_is_refused_with_the_nearest);
    add(suite, plugins_get_the_environments_value_for_as_long_as_the_process);
    add(suite, without_memory_at_any_allocation_nothing_is_left_behind);
    return suite;
}
