/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong names, lists and flags at the start. Bad plugins: tests/loader. */
#include "nouns.h"
#include "suite.h"

#include <stdio.h>

START_TEST(an_unknown_backend_is_answered_with_the_nearest)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    char name[80];
    snprintf(name, sizeof name, "%sx", test.properties.backend);
    desc.backends = name;
    refused(ACCEL_NOT_FOUND, accel_instance_create(&desc, &instance), name, test.properties.backend);
    desc.flags = ACCEL_INSTANCE_ALLOW_EMPTY; /* a mistyped name stays one */
    refused(ACCEL_NOT_FOUND, accel_instance_create(&desc, &instance), name);
    ck_assert_ptr_null(instance);
}
END_TEST

START_TEST(a_list_of_backends_must_be_one)
{
    static const char *const lists[] = {",", "%s,", ",%s", "%s,,%s", "%s,%s"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
        accel_instance *instance = NULL;
        char list[200] = "";
        const char *backend = test.properties.backend;
        for (const char *c = lists[i]; *c != '\0'; ++c) {
            if (c[0] == '%') {
                strcat(list, backend);
                ++c;
            } else {
                strncat(list, c, 1);
            }
        }
        desc.backends = list;
        refused(ACCEL_INVALID, accel_instance_create(&desc, &instance), list);
        ck_assert_ptr_null(instance);
    }
}
END_TEST

START_TEST(unknown_flags_and_sizes_of_descriptors_are_refused)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    desc.flags = 0x80;
    refused(ACCEL_INVALID, accel_instance_create(&desc, &instance), "0x80", "ACCEL_INSTANCE_ALLOW_EMPTY");
    memset(&desc, 0, sizeof desc);
    refused(ACCEL_INVALID, accel_instance_create(&desc, &instance), "struct_size 0", "INIT");
    ck_assert_ptr_null(instance);
    accel_device_properties properties;
    memset(&properties, 0, sizeof properties);
    refused(ACCEL_INVALID, accel_device_info(test.device, &properties), "struct_size 0", "INIT");
}
END_TEST

START_TEST(unknown_devices_are_answered_with_what_there_is)
{
    accel_device *device = NULL;
    char name[100];
    snprintf(name, sizeof name, "%s:99", test.properties.backend);
    refused(ACCEL_NOT_FOUND, accel_instance_find_device(test.instance, name, &device), name, test.properties.name);
    snprintf(name, sizeof name, "%s:", test.properties.backend);
    ck_assert_uint_eq(accel_instance_find_device(test.instance, name, &device), ACCEL_NOT_FOUND);
    snprintf(name, sizeof name, "%sx", test.properties.backend);
    refused(ACCEL_NOT_FOUND, accel_instance_find_device(test.instance, name, &device), name, test.properties.backend);
    ck_assert_uint_eq(accel_instance_find_device(test.instance, "", &device), ACCEL_NOT_FOUND);
    ck_assert_uint_eq(accel_instance_find_device(test.instance, "%s%n%s", &device), ACCEL_NOT_FOUND);
    ck_assert_ptr_null(device);
}
END_TEST

START_TEST(bad_device_lists_are_refused)
{
    static const char *const lists[] = {"x", "0,", ",0", "-1", "0;1", "local-ranks", "99999999999999999999"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
        accel_instance *instance = NULL;
        desc.backends = test.properties.backend;
        desc.devices = lists[i];
        refused(ACCEL_INVALID, accel_instance_create(&desc, &instance), lists[i]);
        ck_assert_ptr_null(instance);
    }
}
END_TEST

Suite *bad_instance_suite(void)
{
    Suite *suite = suite_create("instance");
    add(suite, an_unknown_backend_is_answered_with_the_nearest);
    add(suite, a_list_of_backends_must_be_one);
    add(suite, unknown_flags_and_sizes_of_descriptors_are_refused);
    add(suite, unknown_devices_are_answered_with_what_there_is);
    add(suite, bad_device_lists_are_refused);
    return suite;
}
