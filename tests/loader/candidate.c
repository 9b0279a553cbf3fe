/* SPDX-License-Identifier: Apache-2.0 */
/* One plugin file: what is wrong with it is seen before any of its code runs, and said. */
#include "stage.h"

#include <linux/elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A plugin of the variant under the name "fake" on the plugin path. */
static const char *put(const char *variant)
{
    stage_path(stage, NULL);
    return stage_plugin(stage, variant, "fake");
}

static void nothing_ran(void)
{
    ck_assert_str_eq(stage_trace(), "");
}

START_TEST(a_good_plugin_is_usable_with_path_and_build)
{
    const char *path = put("good");

    setenv("ACCEL_BACKEND", "fake", 1);
    accel_instance *instance = stage_instance();
    accel_backend_properties properties = stage_backend(instance, "fake");
    ck_assert_uint_eq(properties.state, ACCEL_BACKEND_USABLE);
    ck_assert_str_eq(properties.path, path);
    ck_assert_str_eq(properties.build, "made for tests");
    ck_assert_str_eq(properties.reason, "");
    ck_assert_uint_eq(properties.device_count, 1);
    accel_instance_release(instance);
}
END_TEST

START_TEST(C4_another_abi_is_incompatible_before_any_code_runs)
{
    const char *path = put("abi");

    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, path, ": descriptor: ", "ABI is 99", NULL);
    nothing_ran();
}
END_TEST

START_TEST(C4_a_descriptor_smaller_than_the_first_version_is_incompatible)
{
    put("small");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "struct_size 136", NULL);
    nothing_ran();
}
END_TEST

START_TEST(O6_a_larger_descriptor_with_zero_bytes_is_usable)
{
    put("larger-zero");
    stage_expect("fake", ACCEL_BACKEND_USABLE, NULL);
}
END_TEST

START_TEST(O6_a_larger_descriptor_with_other_bytes_is_incompatible)
{
    put("larger-nonzero");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "byte 144 is not 0", NULL);
    nothing_ran();
}
END_TEST

START_TEST(C4_a_shared_object_without_descriptor_is_no_plugin)
{
    put("no-descriptor");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "accel_plugin_descriptor", NULL);
    nothing_ran();
}
END_TEST

START_TEST(C4_a_plugin_under_another_name_is_incompatible)
{
    stage_path(stage, NULL);
    stage_plugin(stage, "good", "other");
    stage_expect("other", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "calls itself \"fake\"", "\"other\"", NULL);
    nothing_ran();
}
END_TEST

START_TEST(a_descriptor_without_open_is_incompatible)
{
    put("no-open");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "open is NULL", NULL);
    nothing_ran();
}
END_TEST

START_TEST(no_plugin_is_called_as_the_hosts_device)
{
    stage_path(stage, NULL);
    stage_plugin(stage, "host", "host");
    stage_expect("host", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "the host's own device", NULL);
    nothing_ran();
}
END_TEST

START_TEST(what_a_plugin_says_of_itself_is_checked)
{
    put("default");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "ACCEL_FAKE_GEAR takes numbers from 1 to 5",
                 "\"50\" by default", NULL);
    put("twice");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "variables 0 and 1 are both ACCEL_FAKE_GEAR",
                 NULL);
    put("control");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": descriptor: ", "build has control characters", NULL);
    nothing_ran();
}
END_TEST

START_TEST(a_name_that_no_plugin_has_is_told_with_the_directories)
{
    setenv("ACCEL_PLUGIN_PATH", "plugins:/nowhere/plugins", 1);
    setenv("ACCEL_BACKEND", "fake", 1);
    stage_refused(NULL, ACCEL_NOT_FOUND, "searched for others: /nowhere/plugins, ",
                  "skipped, because it is not absolute: \"plugins\" of ACCEL_PLUGIN_PATH", NULL);
}
END_TEST

START_TEST(the_log_names_a_plugin_before_its_code_runs)
{
    char log[128], text[4096];
    const char *path = put("good");
    snprintf(log, sizeof(log), "debug:%s/log", stage);
    setenv("ACCEL_LOG", log, 1);
    setenv("FAKE_STATE", "8", 1);
    stage_expect("fake", ACCEL_BACKEND_BROKEN, "no luck", NULL);
    FILE *file = fopen(log + 6, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    const char *loaded = strstr(text, "is loaded now"), *called = strstr(text, "its open is called now"),
               *refused = strstr(text, "no luck");
    ck_assert_ptr_nonnull(strstr(text, path));
    ck_assert(loaded != NULL && called > loaded && refused > called);
}
END_TEST

START_TEST(a_symbol_that_nobody_defines_is_found_at_load_and_named)
{
    put("undefined");
    stage_expect("fake", ACCEL_BACKEND_BROKEN, ": load: ", "fake_is_nowhere", "linked with all", NULL);
    nothing_ran();
}
END_TEST

START_TEST(a_missing_required_slot_is_incompatible_and_named)
{
    put("no-copy");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": open: ", "slot \"copy\" of its queue vtable", NULL);
    ck_assert_str_eq(stage_trace(), "fake open 0\nfake close 0\n");
}
END_TEST

START_TEST(a_vtable_too_old_for_a_required_slot_is_incompatible)
{
    put("old-vtable");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, "slot \"timeline\" of its event vtable", "struct_size", NULL);
}
END_TEST

START_TEST(a_missing_vtable_is_incompatible)
{
    put("no-modules");
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, "no module vtable", NULL);
}
END_TEST

START_TEST(a_vtable_newer_than_ours_is_usable)
{
    put("new-vtable");
    stage_expect("fake", ACCEL_BACKEND_USABLE, NULL);
}
END_TEST

START_TEST(C4_a_plugin_for_another_machine_is_incompatible)
{
    size_t size;
    unsigned char *data = stage_read(stage_variant("good"), &size);
    Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)data;

    stage_path(stage, NULL);
    header->e_machine = header->e_machine == EM_AARCH64 ? EM_X86_64 : EM_AARCH64;
    stage_bytes(stage, "fake", data, size);
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": elf: ", "x86-64", "aarch64", NULL);
    header->e_machine = 77;
    stage_bytes(stage, "fake", data, size);
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": elf: ", "machine 77", NULL);
    nothing_ran();
    free(data);
}
END_TEST

START_TEST(C4_a_program_is_no_plugin)
{
    size_t size;
    unsigned char *data = stage_read(stage_variant("good"), &size);

    stage_path(stage, NULL);
    ((Elf64_Ehdr *)(void *)data)->e_type = ET_EXEC;
    stage_bytes(stage, "fake", data, size);
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": elf: ", "no shared object", NULL);
    free(data);
}
END_TEST

START_TEST(C4_a_truncated_plugin_is_incompatible_whatever_its_length)
{
    size_t size;
    unsigned char *data = stage_read(stage_variant("good"), &size);

    stage_path(stage, NULL);
    for (size_t length = 1; length < size; length += 1 + size / 40) {
        stage_bytes(stage, "fake", data, length);
        stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": elf: ", length < 4 ? "not an ELF file" : "truncated", NULL);
    }
    nothing_ran();
    free(data);
}
END_TEST

START_TEST(C4_a_text_file_is_no_plugin)
{
    stage_path(stage, NULL);
    stage_bytes(stage, "fake", "INPUT(libfake.so)\n", 18);
    stage_expect("fake", ACCEL_BACKEND_INCOMPATIBLE, ": elf: ", "not an ELF file", NULL);
}
END_TEST

START_TEST(an_empty_file_is_broken)
{
    stage_path(stage, NULL);
    stage_bytes(stage, "fake", "", 0);
    stage_expect("fake", ACCEL_BACKEND_BROKEN, ": search: ", "empty", NULL);
}
END_TEST

START_TEST(a_directory_and_a_pipe_are_broken)
{
    stage_path(stage, NULL);
    const char *path = stage_directory("libaccel-fake.so");
    stage_expect("fake", ACCEL_BACKEND_BROKEN, ": search: ", "directory", NULL);
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    stage_expect("fake", ACCEL_BACKEND_BROKEN, ": search: ", "pipe", NULL);
}
END_TEST

START_TEST(a_link_to_nothing_is_broken_and_not_taken_for_absent)
{
    const char *path = put("good");

    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(symlink("/nonexistent/plugin", path), 0);
    stage_expect("fake", ACCEL_BACKEND_BROKEN, path, "No such file", NULL);
}
END_TEST

START_TEST(an_unreadable_file_is_broken_and_says_why)
{
    bool root = geteuid() == 0;

    ck_assert_int_eq(chmod(put("good"), 0), 0);
    if (root) /* whom nothing is forbidden */
        ck_assert_int_eq(seteuid(65534), 0);
    stage_expect("fake", ACCEL_BACKEND_BROKEN, ": search: ", "Permission denied", NULL);
    if (root)
        ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

static const struct {
    uint32_t given, expected;
} states[] = {
    {ACCEL_BACKEND_NO_DRIVER, ACCEL_BACKEND_NO_DRIVER},
    {ACCEL_BACKEND_DRIVER_TOO_OLD, ACCEL_BACKEND_DRIVER_TOO_OLD},
    {ACCEL_BACKEND_NO_DEVICE, ACCEL_BACKEND_NO_DEVICE},
    {ACCEL_BACKEND_NO_PERMISSION, ACCEL_BACKEND_NO_PERMISSION},
    {ACCEL_BACKEND_INCOMPATIBLE, ACCEL_BACKEND_INCOMPATIBLE},
    {ACCEL_BACKEND_BROKEN, ACCEL_BACKEND_BROKEN},
    {ACCEL_BACKEND_USABLE, ACCEL_BACKEND_BROKEN}, /* unset */
    {ACCEL_BACKEND_NOT_SELECTED, ACCEL_BACKEND_BROKEN},
    {99, ACCEL_BACKEND_BROKEN},
};
enum { STATES = sizeof(states) / sizeof(states[0]) };

START_TEST(open_says_what_its_failure_means)
{
    char number[16], text[64];

    put("good");
    snprintf(number, sizeof(number), "%u", states[_i].given);
    snprintf(text, sizeof(text), ": open: no luck with state %u", states[_i].given);
    setenv("FAKE_STATE", number, 1);
    stage_expect("fake", states[_i].expected, text, NULL);
    ck_assert_str_eq(stage_trace(), "fake open 0\n");
}
END_TEST

START_TEST(an_open_that_fails_without_a_text_does_not_borrow_an_older_one)
{
    put("good");
    stage_refused(&(accel_instance_desc){.struct_size = 1}, ACCEL_INVALID, NULL); /* leaves a text */
    setenv("FAKE_STATE", "4", 1);
    setenv("FAKE_SILENT", "1", 1);
    stage_expect("fake", ACCEL_BACKEND_NO_DRIVER, ": open: its open failed and does not say why", "host->error", NULL);
}
END_TEST

/* The creation of the instance fails as the plugin's open does. */
static void open_fails_with(const char *number, accel_status status)
{
    put("good");
    setenv("ACCEL_BACKEND", "fake", 1);
    setenv("FAKE_STATE", "8", 1);
    setenv("FAKE_STATUS", number, 1);
    stage_refused(NULL, status, "libaccel-fake.so: open: no luck with state 8", NULL);
}

START_TEST(an_open_without_memory_is_out_of_memory)
{
    open_fails_with("3", ACCEL_OUT_OF_MEMORY);
}
END_TEST

START_TEST(an_open_that_refuses_a_setting_fails_the_instance)
{
    open_fails_with("2", ACCEL_INVALID);
}
END_TEST

START_TEST(more_devices_than_a_machine_has_are_a_fault_of_the_plugin)
{
    put("good");
    setenv("FAKE_DEVICES", "3000000000", 1);
    stage_expect("fake", ACCEL_BACKEND_BROKEN, ": devices: ", "lists 3000000000 devices", NULL);
    ck_assert_str_eq(stage_trace(), "fake open 0\nfake close 0\n");
}
END_TEST

START_TEST(a_slot_that_makes_nothing_has_failed)
{
    accel_instance *instance;
    accel_device *device;
    accel_queue *queue = NULL;
    accel_event *event = NULL;
    accel_buffer *buffer = NULL;
    accel_buffer_desc desc = accel_buffer_1d(8, 8);
    put("good");
    setenv("ACCEL_BACKEND", "fake", 1);
    setenv("FAKE_DEVICES", "2", 1);
    setenv("FAKE_NOTHING", "1", 1);
    instance = stage_instance();
    ck_assert_ptr_nonnull(
        strstr(stage_backend(instance, "fake").reason, "fake:1: the plugin's device_open succeeded but gave nothing"));
    ck_assert_uint_eq(accel_instance_find_device(instance, "fake", &device), ACCEL_OK);
    ck_assert_uint_eq(accel_queue_create(device, NULL, &queue), ACCEL_INTERNAL);
    ck_assert_ptr_nonnull(
        strstr(accel_error_message(), "\"fake:0\": the plugin's queue_create succeeded but gave nothing"));
    ck_assert_uint_eq(accel_event_create(device, NULL, &event), ACCEL_INTERNAL);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "event_create"));
    ck_assert_uint_eq(accel_buffer_create(device, &desc, &buffer), ACCEL_INTERNAL);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "allocate"));
    ck_assert(queue == NULL && event == NULL && buffer == NULL);
    accel_instance_release(instance);
}
END_TEST

START_TEST(a_backend_without_devices_has_no_device_and_is_closed)
{
    put("good");
    setenv("FAKE_DEVICES", "0", 1);
    stage_expect("fake", ACCEL_BACKEND_NO_DEVICE, ": devices: ", NULL);
    ck_assert_str_eq(stage_trace(), "fake open 0\nfake close 0\n");
}
END_TEST

START_TEST(a_success_leaves_the_callers_error_text_alone)
{
    char text[256];

    put("abi");
    stage_refused(&(accel_instance_desc){.struct_size = 1}, ACCEL_INVALID, NULL);
    snprintf(text, sizeof(text), "%s", accel_error_message());
    accel_instance_release(stage_instance());
    ck_assert_str_eq(accel_error_message(), text);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("candidate");

    staged(suite, a_good_plugin_is_usable_with_path_and_build);
    staged(suite, C4_another_abi_is_incompatible_before_any_code_runs);
    staged(suite, C4_a_descriptor_smaller_than_the_first_version_is_incompatible);
    staged(suite, O6_a_larger_descriptor_with_zero_bytes_is_usable);
    staged(suite, O6_a_larger_descriptor_with_other_bytes_is_incompatible);
    staged(suite, C4_a_shared_object_without_descriptor_is_no_plugin);
    staged(suite, C4_a_plugin_under_another_name_is_incompatible);
    staged(suite, a_descriptor_without_open_is_incompatible);
    staged(suite, no_plugin_is_called_as_the_hosts_device);
    staged(suite, what_a_plugin_says_of_itself_is_checked);
    staged(suite, a_name_that_no_plugin_has_is_told_with_the_directories);
    staged(suite, the_log_names_a_plugin_before_its_code_runs);
    staged(suite, more_devices_than_a_machine_has_are_a_fault_of_the_plugin);
    staged(suite, a_slot_that_makes_nothing_has_failed);
    staged(suite, a_symbol_that_nobody_defines_is_found_at_load_and_named);
    staged(suite, a_missing_required_slot_is_incompatible_and_named);
    staged(suite, a_vtable_too_old_for_a_required_slot_is_incompatible);
    staged(suite, a_missing_vtable_is_incompatible);
    staged(suite, a_vtable_newer_than_ours_is_usable);
    staged(suite, C4_a_plugin_for_another_machine_is_incompatible);
    staged(suite, C4_a_program_is_no_plugin);
    staged(suite, C4_a_truncated_plugin_is_incompatible_whatever_its_length);
    staged(suite, C4_a_text_file_is_no_plugin);
    staged(suite, an_empty_file_is_broken);
    staged(suite, a_directory_and_a_pipe_are_broken);
    staged(suite, a_link_to_nothing_is_broken_and_not_taken_for_absent);
    staged(suite, an_unreadable_file_is_broken_and_says_why);
    staged_loop(suite, open_says_what_its_failure_means, STATES);
    staged(suite, an_open_that_fails_without_a_text_does_not_borrow_an_older_one);
    staged(suite, an_open_without_memory_is_out_of_memory);
    staged(suite, an_open_that_refuses_a_setting_fails_the_instance);
    staged(suite, a_backend_without_devices_has_no_device_and_is_closed);
    staged(suite, a_success_leaves_the_callers_error_text_alone);
    return suite;
}
