/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses and texts. */
#include "nouns.h"
#include "suite.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

START_TEST(statuses_have_names)
{
    static const char *const names[] = {
        "ACCEL_OK",        "ACCEL_NOT_READY",    "ACCEL_INVALID",      "ACCEL_OUT_OF_MEMORY", "ACCEL_UNSUPPORTED",
        "ACCEL_NOT_FOUND", "ACCEL_UNAVAILABLE",  "ACCEL_INCOMPATIBLE", "ACCEL_LIMIT",         "ACCEL_IO",
        "ACCEL_FORKED",    "ACCEL_KERNEL_FAULT", "ACCEL_DEVICE_LOST",  "ACCEL_DRIVER",        "ACCEL_INTERNAL"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        ck_assert_str_eq(accel_status_name(i), names[i]);
    ck_assert_str_eq(accel_status_name(15), "ACCEL_STATUS_UNKNOWN");
    ck_assert_str_eq(accel_status_name(UINT32_MAX), "ACCEL_STATUS_UNKNOWN");
}
END_TEST

static void *other_thread(void *user)
{
    accel_device *device = NULL;
    const char **seen = user;
    seen[0] = strdup(accel_error_message());
    accel_status status = accel_instance_find_device(test.instance, "other-thread", &device);
    seen[1] = strdup(status == ACCEL_NOT_FOUND ? accel_error_message() : "");
    return NULL;
}

START_TEST(the_text_is_the_calling_threads)
{
    pthread_t thread;
    accel_device *device = NULL;
    char *seen[2] = {NULL, NULL};
    refused(ACCEL_NOT_FOUND, accel_instance_find_device(test.instance, "main-thread", &device), "main-thread");
    ck_assert_int_eq(pthread_create(&thread, NULL, other_thread, seen), 0);
    pthread_join(thread, NULL);
    ck_assert_str_eq(seen[0], "");
    ck_assert_ptr_nonnull(strstr(seen[1], "other-thread"));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "main-thread"));
    free(seen[0]);
    free(seen[1]);
}
END_TEST

START_TEST(a_successful_call_leaves_the_text)
{
    accel_device *device = NULL;
    char before[256];
    refused(ACCEL_NOT_FOUND, accel_instance_find_device(test.instance, "nothing-here", &device), "nothing-here");
    snprintf(before, sizeof before, "%s", accel_error_message());
    accel_buffer *buffer = bytes_new(test.device, 100);
    accel_buffer_release(buffer);
    ck_assert_str_eq(accel_error_message(), before);
}
END_TEST

START_TEST(nothing_is_printed_unless_asked_for)
{
    char path[400], text[16];
    snprintf(path, sizeof path, "%s/output", scratch_directory());
    fflush(NULL);
    int saved_out = dup(1), saved_error = dup(2);
    FILE *file = fopen(path, "w+");
    ck_assert_ptr_nonnull(file);
    dup2(fileno(file), 1);
    dup2(fileno(file), 2);
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.backends = "no-such-backend";
    accel_status status = accel_instance_create(&desc, &instance);
    desc.backends = test.properties.backend;
    accel_status second = accel_instance_create(&desc, &instance);
    accel_buffer *buffer = NULL;
    accel_status third = accel_buffer_create(accel_instance_device(instance, 0), NULL, &buffer);
    accel_instance_release(instance);
    fflush(NULL);
    dup2(saved_out, 1);
    dup2(saved_error, 2);
    close(saved_out);
    close(saved_error);
    rewind(file);
    size_t printed = fread(text, 1, sizeof text, file);
    fclose(file);
    ck_assert_uint_eq(status, ACCEL_NOT_FOUND);
    ck_assert_uint_eq(second, ACCEL_OK);
    ck_assert_uint_eq(third, ACCEL_INVALID);
    ck_assert_uint_eq(printed, 0);
}
END_TEST

START_TEST(outputs_are_set_on_success_only)
{
    accel_device *device = (accel_device *)16;
    accel_buffer *buffer = (accel_buffer *)16;
    accel_module *module = (accel_module *)16;
    accel_buffer_desc desc = accel_buffer_1d(0, 5);
    refused(ACCEL_NOT_FOUND, accel_instance_find_device(test.instance, "nothing", &device), "nothing");
    refused(ACCEL_INVALID, accel_buffer_create(test.device, &desc, &buffer), "element");
    refused(ACCEL_NOT_FOUND, accel_module_load(test.device, "no-such-library", &module), "no-such-library");
    ck_assert_ptr_eq(device, (accel_device *)16);
    ck_assert_ptr_eq(buffer, (accel_buffer *)16);
    ck_assert_ptr_eq(module, (accel_module *)16);
}
END_TEST

Suite *error_suite(void)
{
    Suite *suite = suite_create("error");
    add(suite, statuses_have_names);
    add(suite, the_text_is_the_calling_threads);
    add(suite, a_successful_call_leaves_the_text);
    add(suite, nothing_is_printed_unless_asked_for);
    add(suite, outputs_are_set_on_success_only);
    return suite;
}
