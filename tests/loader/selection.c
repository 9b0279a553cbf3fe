/* SPDX-License-Identifier: Apache-2.0 */
/* ACCEL_BACKEND and the descriptor's list: strict. */
#include "stage.h"

#include <stdlib.h>
#include <string.h>

/* Three backends: cuda with four GPUs, hip with two, fake. */
static void put_all(void)
{
    stage_plugin(stage, "cuda", "cuda");
    stage_plugin(stage, "hip", "hip");
    stage_plugin(stage, "good", "fake");
    stage_path(stage, NULL);
}

static const char *device_name(const accel_instance *instance, size_t index)
{
    static accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;

    ck_assert_uint_eq(accel_device_info(accel_instance_device(instance, index), &properties), ACCEL_OK);
    return properties.name;
}

START_TEST(unset_every_backend_is_tried_gpus_first)
{
    put_all();
    accel_instance *instance = stage_instance();
    ck_assert_uint_ge(accel_instance_device_count(instance), 7);
    ck_assert_str_eq(device_name(instance, 0), "cuda:0");
    ck_assert_str_eq(device_name(instance, 4), "hip:0");
    ck_assert_uint_eq(stage_backend(instance, "fake").state, ACCEL_BACKEND_USABLE);
    accel_instance_release(instance);
}
END_TEST

START_TEST(C1_the_list_gives_the_order)
{
    put_all();
    setenv("ACCEL_BACKEND", " fake ,\thip", 1);
    accel_instance *instance = stage_instance();
    accel_backend_properties first = ACCEL_BACKEND_PROPERTIES_INIT;
    ck_assert_uint_eq(accel_instance_device_count(instance), 3);
    ck_assert_str_eq(device_name(instance, 0), "fake:0");
    ck_assert_str_eq(device_name(instance, 1), "hip:0");
    ck_assert_uint_eq(accel_instance_backend_info(instance, 0, &first), ACCEL_OK);
    ck_assert_str_eq(first.name, "fake");
    accel_instance_release(instance);
}
END_TEST

START_TEST(C1_listed_or_not_each_backend_is_told_once)
{
    accel_backend_properties all[16];
    put_all();
    setenv("ACCEL_BACKEND", "fake,hip,cuda", 1);
    accel_instance *instance = stage_instance();
    size_t count = accel_instance_backend_count(instance);
    ck_assert_uint_le(count, 16);
    for (size_t i = 0; i < count; ++i) {
        all[i] = (accel_backend_properties)ACCEL_BACKEND_PROPERTIES_INIT;
        ck_assert_uint_eq(accel_instance_backend_info(instance, i, &all[i]), ACCEL_OK);
        for (size_t j = 0; j < i; ++j)
            ck_assert_str_ne(all[i].name, all[j].name);
    }
    accel_instance_release(instance);
}
END_TEST

START_TEST(C1_unlisted_backends_are_never_opened)
{
    put_all();
    setenv("ACCEL_BACKEND", "hip", 1);
    accel_instance *instance = stage_instance();
    accel_backend_properties properties = stage_backend(instance, "cuda");
    ck_assert_uint_eq(properties.state, ACCEL_BACKEND_NOT_SELECTED);
    ck_assert_ptr_nonnull(strstr(properties.path, "libaccel-cuda.so"));
    ck_assert_str_eq(properties.reason, "ACCEL_BACKEND is \"hip\", which does not name it");
    ck_assert_uint_eq(stage_backend(instance, "cpu-omp").state, ACCEL_BACKEND_NOT_INSTALLED);
    ck_assert_ptr_null(strstr(stage_trace(), "cuda"));
    ck_assert_ptr_null(strstr(stage_trace(), "fake"));
    accel_instance_release(instance);
}
END_TEST

START_TEST(C1_of_the_listed_the_usable_ones_are_used)
{
    put_all();
    setenv("ACCEL_BACKEND", "cpu-omp,fake", 1);
    accel_instance *instance = NULL;
    ck_assert_uint_eq(accel_instance_create(NULL, &instance), ACCEL_OK);
    ck_assert_uint_eq(accel_instance_device_count(instance), 1);
    ck_assert_str_eq(device_name(instance, 0), "fake:0");
    accel_instance_release(instance);
}
END_TEST

START_TEST(C1_if_none_of_the_list_can_be_used_the_text_has_the_reason_for_each)
{
    put_all();
    setenv("ACCEL_BACKEND", "cpu-omp,fake", 1);
    setenv("FAKE_STATE", "4", 1);
    stage_refused(NULL, ACCEL_UNAVAILABLE, "ACCEL_BACKEND=\"cpu-omp,fake\"",
                  "\ncpu-omp: not installed: ", "\nfake: no driver: ", "no luck with state 4", NULL);
    accel_instance_release(stage_instance()); /* for diagnosis it is allowed */
}
END_TEST

START_TEST(C1_the_program_beats_the_environment)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;

    put_all();
    setenv("ACCEL_BACKEND", "no-such-backend", 1);
    desc.backends = "hip";
    ck_assert_uint_eq(accel_instance_create(&desc, &instance), ACCEL_OK);
    ck_assert_uint_eq(accel_instance_device_count(instance), 2);
    accel_instance_release(instance);
}
END_TEST

START_TEST(C1_an_unknown_name_is_an_error_with_the_nearest_and_all_known)
{
    put_all();
    setenv("ACCEL_BACKEND", "fake,cudda", 1);
    stage_refused(NULL, ACCEL_NOT_FOUND, "ACCEL_BACKEND is \"fake,cudda\"", "no backend \"cudda\", maybe \"cuda\"?",
                  "cpu-threads", "fake", NULL);
    setenv("ACCEL_BACKEND", "level-zero", 1);
    stage_refused(NULL, ACCEL_NOT_FOUND, "no backend \"level-zero\"; known: ", NULL);
    ck_assert_str_eq(stage_trace(), "");
}
END_TEST

START_TEST(C1_names_are_exact)
{
    put_all();
    setenv("ACCEL_BACKEND", "CUDA", 1);
    stage_refused(NULL, ACCEL_NOT_FOUND, "maybe \"cuda\"", NULL);
    setenv("ACCEL_BACKEND", "cpu", 1);
    stage_refused(NULL, ACCEL_NOT_FOUND, "no backend \"cpu\"", NULL);
}
END_TEST

static const char *const malformed[] = {",",          "fake,", ",fake",         "fake,,hip",
                                        "fake, ,hip", " ",     "fake,hip,fake", "fake,fake"};
enum { MALFORMED = sizeof(malformed) / sizeof(malformed[0]) };

START_TEST(C1_empty_and_repeated_entries_are_errors)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;

    put_all();
    setenv("ACCEL_BACKEND", malformed[_i], 1);
    stage_refused(NULL, ACCEL_INVALID, "ACCEL_BACKEND", malformed[_i], NULL);
    desc.backends = malformed[_i];
    stage_refused(&desc, ACCEL_INVALID, "the descriptor's backends", malformed[_i], NULL);
    ck_assert_str_eq(stage_trace(), "");
}
END_TEST

START_TEST(an_empty_variable_is_an_unset_one_but_an_empty_descriptor_is_an_error)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;

    put_all();
    setenv("ACCEL_BACKEND", "", 1);
    accel_instance *instance = stage_instance();
    ck_assert_uint_ge(accel_instance_device_count(instance), 7);
    accel_instance_release(instance);
    desc.backends = "";
    stage_refused(&desc, ACCEL_INVALID, "the descriptor's backends", NULL);
}
END_TEST

START_TEST(unknown_flags_are_refused)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;

    desc.flags = 2;
    stage_refused(&desc, ACCEL_INVALID, "0x2", NULL);
    ck_assert_uint_eq(accel_instance_create(NULL, NULL), ACCEL_INVALID);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("selection");

    staged(suite, unset_every_backend_is_tried_gpus_first);
    staged(suite, C1_the_list_gives_the_order);
    staged(suite, C1_listed_or_not_each_backend_is_told_once);
    staged(suite, C1_unlisted_backends_are_never_opened);
    staged(suite, C1_of_the_listed_the_usable_ones_are_used);
    staged(suite, C1_if_none_of_the_list_can_be_used_the_text_has_the_reason_for_each);
    staged(suite, C1_the_program_beats_the_environment);
    staged(suite, C1_an_unknown_name_is_an_error_with_the_nearest_and_all_known);
    staged(suite, C1_names_are_exact);
    staged_loop(suite, C1_empty_and_repeated_entries_are_errors, MALFORMED);
    staged(suite, an_empty_variable_is_an_unset_one_but_an_empty_descriptor_is_an_error);
    staged(suite, unknown_flags_are_refused);
    return suite;
}
