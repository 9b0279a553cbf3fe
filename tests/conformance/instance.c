/* SPDX-License-Identifier: Apache-2.0 */
/* Instances: which backends are used, and what is told about them. */
#include "nouns.h"
#include "suite.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>

static unsigned system_threads(void)
{
    unsigned count = 0;
    DIR *directory = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static accel_instance *open_with(const char *backends)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    desc.backends = backends;
    ok(accel_instance_create(&desc, &instance));
    return instance;
}

static accel_backend_properties backend_of(const accel_instance *instance, const char *name)
{
    accel_backend_properties properties = ACCEL_BACKEND_PROPERTIES_INIT;
    for (size_t i = 0; i < accel_instance_backend_count(instance); ++i) {
        ok(accel_instance_backend_info(instance, i, &properties));
        if (strcmp(properties.name, name) == 0)
            return properties;
    }
    ck_abort_msg("no backend \"%s\"", name);
    return properties;
}

START_TEST(several_instances_exist_at_once)
{
    accel_instance *first = open_with(suite_backends()), *second = open_with(suite_backends());
    ck_assert_ptr_ne(first, second);
    ck_assert_uint_eq(accel_instance_device_count(first), accel_instance_device_count(second));
    accel_device *one = accel_instance_device(first, 0), *two = accel_instance_device(second, 0);
    ck_assert_ptr_ne(one, two);
    accel_buffer *a = words_new(one, 100, 7), *b = words_new(two, 100, 8);
    accel_queue *queue = queue_new(one, ACCEL_QUEUE_BLOCKING);
    accel_instance_release(second);
    words_are(queue, a, 7);
    accel_queue_release(queue);
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_instance_release(first);
}
END_TEST

START_TEST(creating_an_instance_starts_no_thread)
{
    unsigned before = system_threads();
    accel_instance *instance = open_with(suite_backends());
    ck_assert_uint_eq(system_threads(), before);
    accel_instance_release(instance);
}
END_TEST

START_TEST(c1_listed_backends_are_used_in_their_order_and_no_others)
{
    need_partner();
    char list[300];
    snprintf(list, sizeof list, "%s,%s", suite_partner_name, test.properties.backend);
    accel_instance *instance = open_with(list);
    accel_device_properties first = ACCEL_DEVICE_PROPERTIES_INIT, last = ACCEL_DEVICE_PROPERTIES_INIT;
    ok(accel_device_info(accel_instance_device(instance, 0), &first));
    ok(accel_device_info(accel_instance_device(instance, accel_instance_device_count(instance) - 1), &last));
    ck_assert_str_eq(first.backend, suite_partner_name);
    ck_assert_str_eq(last.backend, test.properties.backend);
    ck_assert_uint_eq(backend_of(instance, suite_partner_name).state, ACCEL_BACKEND_USABLE);
    accel_instance_release(instance);

    instance = open_with(test.properties.backend);
    accel_backend_properties other = backend_of(instance, suite_partner_name);
    ck_assert_uint_eq(other.state, ACCEL_BACKEND_NOT_SELECTED);
    ck_assert_uint_eq(other.device_count, 0);
    for (size_t i = 0; i < accel_instance_device_count(instance); ++i) {
        ok(accel_device_info(accel_instance_device(instance, i), &first));
        ck_assert_str_eq(first.backend, test.properties.backend);
    }
    accel_instance_release(instance);
}
END_TEST

START_TEST(c1_creation_fails_only_if_no_listed_backend_can_be_used)
{
    need_partner();
    char list[300];
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    setenv("FAULTY_OPEN", suite_partner_name, 1);
    snprintf(list, sizeof list, "%s,%s", suite_partner_name, test.properties.backend);
    instance = open_with(list);
    accel_backend_properties broken = backend_of(instance, suite_partner_name);
    ck_assert_uint_eq(broken.state, ACCEL_BACKEND_NO_DEVICE);
    ck_assert_ptr_nonnull(strstr(broken.reason, "FAULTY_OPEN asked for a failure"));
    ck_assert_uint_eq(broken.device_count, 0);
    ck_assert_uint_gt(accel_instance_device_count(instance), 0);
    accel_instance_release(instance);

    instance = NULL;
    desc.backends = suite_partner_name;
    refused(ACCEL_UNAVAILABLE, accel_instance_create(&desc, &instance), suite_partner_name,
            "FAULTY_OPEN asked for a failure");
    ck_assert_ptr_null(instance);

    desc.flags = ACCEL_INSTANCE_ALLOW_EMPTY;
    ok(accel_instance_create(&desc, &instance));
    ck_assert_uint_eq(accel_instance_device_count(instance), 0);
    ck_assert_ptr_null(accel_instance_device(instance, 0));
    ck_assert_ptr_nonnull(accel_instance_host(instance));
    ck_assert_uint_eq(backend_of(instance, suite_partner_name).state, ACCEL_BACKEND_NO_DEVICE);
    accel_instance_release(instance);
    unsetenv("FAULTY_OPEN");
}
END_TEST

START_TEST(c1_the_programs_descriptor_beats_the_environment)
{
    char *saved = getenv("ACCEL_BACKEND") == NULL ? NULL : strdup(getenv("ACCEL_BACKEND"));
    accel_instance *instance = NULL;
    setenv("ACCEL_BACKEND", "no-such-backend", 1);
    accel_instance *chosen = open_with(test.properties.backend);
    accel_status status = accel_instance_create(NULL, &instance);
    if (saved != NULL)
        setenv("ACCEL_BACKEND", saved, 1);
    else
        unsetenv("ACCEL_BACKEND");
    free(saved);
    ck_assert_uint_eq(status, ACCEL_NOT_FOUND);
    ck_assert_uint_gt(accel_instance_device_count(chosen), 0);
    accel_instance_release(chosen);
}
END_TEST

START_TEST(every_backend_tells_its_state_and_the_reason)
{
    accel_backend_properties properties = ACCEL_BACKEND_PROPERTIES_INIT;
    size_t count = accel_instance_backend_count(test.instance), devices = 0;
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; ++i) {
        ok(accel_instance_backend_info(test.instance, i, &properties));
        ck_assert(properties.name != NULL && properties.path != NULL && properties.build != NULL &&
                  properties.reason != NULL);
        ck_assert_str_ne(properties.name, "");
        if (properties.state == ACCEL_BACKEND_USABLE) {
            ck_assert_str_ne(properties.path, "");
            ck_assert_uint_gt(properties.device_count, 0);
        } else {
            ck_assert_str_ne(properties.reason, "");
            ck_assert_uint_eq(properties.device_count, 0);
        }
        devices += properties.device_count;
    }
    ck_assert_uint_eq(devices, accel_instance_device_count(test.instance));
    refused(ACCEL_NOT_FOUND, accel_instance_backend_info(test.instance, count, &properties), "");
}
END_TEST

START_TEST(devices_are_found_by_name)
{
    accel_device *device = NULL;
    ok(accel_instance_find_device(test.instance, NULL, &device));
    ck_assert_ptr_eq(device, test.device);
    device = NULL;
    ok(accel_instance_find_device(test.instance, test.properties.backend, &device));
    ck_assert_ptr_eq(device, test.device);
    ok(accel_instance_find_device(test.instance, "host", &device));
    ck_assert_ptr_eq(device, test.host);
    for (size_t i = 0; i < accel_instance_device_count(test.instance); ++i) {
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        ok(accel_device_info(accel_instance_device(test.instance, i), &properties));
        ok(accel_instance_find_device(test.instance, properties.name, &device));
        ck_assert_ptr_eq(device, accel_instance_device(test.instance, i));
    }
    ck_assert_ptr_null(accel_instance_device(test.instance, accel_instance_device_count(test.instance)));
}
END_TEST

START_TEST(c2_device_names_keep_the_drivers_ordinal_and_cpus_ignore_the_list)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_instance *instance = NULL;
    char name[130];
    for (size_t i = 0; i < accel_instance_device_count(test.instance); ++i) {
        ok(accel_device_info(accel_instance_device(test.instance, i), &properties));
        snprintf(name, sizeof name, "%s:%u", properties.backend, properties.ordinal);
        ck_assert_str_eq(properties.name, name);
    }
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("the device under test is no CPU");
    desc.backends = test.properties.backend;
    desc.devices = "7";
    ok(accel_instance_create(&desc, &instance));
    ok(accel_device_info(accel_instance_device(instance, 0), &properties));
    ck_assert_str_eq(properties.name, test.properties.name);
    accel_instance_release(instance);
    desc.devices = "local-rank";
    setenv("OMPI_COMM_WORLD_LOCAL_RANK", "3", 1);
    ok(accel_instance_create(&desc, &instance));
    unsetenv("OMPI_COMM_WORLD_LOCAL_RANK");
    ok(accel_device_info(accel_instance_device(instance, 0), &properties));
    ck_assert_str_eq(properties.name, test.properties.name);
    accel_instance_release(instance);
}
END_TEST

START_TEST(the_configuration_is_a_table_of_every_variable_and_its_source)
{
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    bool backend = false, mistyped = false, kernels = false;
    setenv("ACCEL_BAKEND", "cpu", 1);
    setenv("ACCEL_KERNEL_PATH", "/some/where", 1);
    desc.backends = test.properties.backend;
    ok(accel_instance_create(&desc, &instance));
    unsetenv("ACCEL_BAKEND");
    size_t index = 0;
    for (;; ++index) {
        accel_config_properties row = ACCEL_CONFIG_PROPERTIES_INIT;
        accel_status status = accel_instance_config(instance, index, &row);
        if (status != ACCEL_OK) {
            ck_assert_uint_eq(status, ACCEL_NOT_FOUND);
            break;
        }
        ck_assert_int_eq(strncmp(row.name, "ACCEL_", 6), 0);
        ck_assert(row.value != NULL && row.default_value != NULL && row.source != NULL);
        ck_assert_str_ne(row.meaning, "");
        if (strcmp(row.name, "ACCEL_BACKEND") == 0) {
            backend = true;
            ck_assert_str_eq(row.value, test.properties.backend);
            ck_assert_str_eq(row.source, "program");
        } else if (strcmp(row.name, "ACCEL_KERNEL_PATH") == 0) {
            kernels = true;
            ck_assert_str_eq(row.value, "/some/where");
            ck_assert_str_eq(row.source, "environment");
            ck_assert_uint_eq(row.flags & ACCEL_CONFIG_UNKNOWN, 0);
        } else if (strcmp(row.name, "ACCEL_BAKEND") == 0) {
            mistyped = true;
            ck_assert_uint_ne(row.flags & ACCEL_CONFIG_UNKNOWN, 0);
            ck_assert_ptr_nonnull(strstr(row.meaning, "ACCEL_BACKEND"));
        }
    }
    ck_assert(backend && mistyped && kernels);
    ck_assert_uint_gt(index, 5);
    accel_instance_release(instance);
}
END_TEST

START_TEST(c4_a_plugin_of_another_abi_is_refused_before_its_code_runs)
{
    need_partner();
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    char path[400];
    const char *directory = scratch_directory();
    size_t size, at = 0;
    accel_backend_properties good = backend_of(test.instance, suite_partner_name);
    unsigned char *image = read_file(good.path, &size);
    /* The descriptor begins with abi and struct_size, and the name follows. */
    for (size_t i = 8; i + strlen(suite_partner_name) < size; ++i)
        if (memcmp(image + i, suite_partner_name, strlen(suite_partner_name) + 1) == 0 && image[i - 8] == 1 &&
            image[i - 3] == 0 && image[i - 2] == 0 && image[i - 1] == 0)
            at = i - 8;
    ck_assert_uint_ne(at, 0);
    image[at] = 77;
    snprintf(path, sizeof path, "%s/libaccel-alien.so", directory);
    memcpy(image + at + 8, "alien\0", 6);
    write_file(path, image, size);
    free(image);
    desc.backends = "alien";
    desc.plugin_path = directory;
    setenv("FAULTY_OPEN", suite_partner_name, 1); /* its code would say so */
    refused(ACCEL_UNAVAILABLE, accel_instance_create(&desc, &instance), "alien", "77", path);
    ck_assert_ptr_null(strstr(accel_error_message(), "FAULTY_OPEN"));
    unsetenv("FAULTY_OPEN");
    desc.flags = ACCEL_INSTANCE_ALLOW_EMPTY;
    ok(accel_instance_create(&desc, &instance));
    accel_backend_properties alien = backend_of(instance, "alien");
    ck_assert_uint_eq(alien.state, ACCEL_BACKEND_INCOMPATIBLE);
    ck_assert_ptr_nonnull(strstr(alien.reason, "77"));
    accel_instance_release(instance);
}
END_TEST

START_TEST(c6_without_descriptors_creation_fails_and_can_be_repeated)
{
    accel_instance *instance = NULL;
    struct rlimit before, none;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0; /* files that are open stay open */
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    accel_status status = accel_instance_create(NULL, &instance);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    refused(ACCEL_IO, status, "/", "Too many open files", "ulimit -n");
    ck_assert_ptr_null(instance);
    ok(accel_instance_create(NULL, &instance));
    accel_instance_release(instance);
}
END_TEST

START_TEST(o6_structs_of_older_and_newer_programs_are_understood)
{
    struct {
        accel_instance_desc desc;
        uint64_t later;
    } newer = {.desc = {.struct_size = sizeof newer, .backends = test.properties.backend}, .later = 0};
    accel_instance_desc older = {.struct_size = offsetof(accel_instance_desc, devices),
                                 .backends = test.properties.backend,
                                 .devices = (const char *)16,
                                 .plugin_path = (const char *)16,
                                 .kernel_path = (const char *)16};
    accel_instance *instance = NULL;
    ok(accel_instance_create(&newer.desc, &instance));
    accel_instance_release(instance);
    instance = NULL;
    newer.later = 1;
    refused(ACCEL_INVALID, accel_instance_create(&newer.desc, &instance), "accel_instance_desc", "48", "newer");
    ck_assert_ptr_null(instance);
    ok(accel_instance_create(&older, &instance)); /* what lies behind struct_size is not looked at */
    accel_instance_release(instance);

    struct {
        accel_backend_properties properties;
        uint64_t later, guard;
    } out = {.properties = {.struct_size = offsetof(accel_backend_properties, path)}, .later = 5, .guard = 6};
    out.properties.path = (const char *)16;
    ok(accel_instance_backend_info(test.instance, 0, &out.properties));
    ck_assert_str_eq(out.properties.name, test.properties.backend);
    ck_assert_ptr_eq(out.properties.path, (const char *)16);
    out.properties.struct_size = offsetof(__typeof__(out), guard);
    ok(accel_instance_backend_info(test.instance, 0, &out.properties));
    ck_assert_ptr_ne(out.properties.path, (const char *)16);
    ck_assert_uint_eq(out.properties.struct_size, offsetof(__typeof__(out), guard));
    ck_assert_uint_eq(out.later, 0);
    ck_assert_uint_eq(out.guard, 6);
}
END_TEST

Suite *instance_suite(void)
{
    Suite *suite = suite_create("instance");
    add(suite, several_instances_exist_at_once);
    add(suite, creating_an_instance_starts_no_thread);
    add(suite, c1_listed_backends_are_used_in_their_order_and_no_others);
    add(suite, c1_creation_fails_only_if_no_listed_backend_can_be_used);
    add(suite, c1_the_programs_descriptor_beats_the_environment);
    add(suite, every_backend_tells_its_state_and_the_reason);
    add(suite, devices_are_found_by_name);
    add(suite, c2_device_names_keep_the_drivers_ordinal_and_cpus_ignore_the_list);
    add(suite, the_configuration_is_a_table_of_every_variable_and_its_source);
    add(suite, c4_a_plugin_of_another_abi_is_refused_before_its_code_runs);
    add(suite, c6_without_descriptors_creation_fails_and_can_be_repeated);
    add(suite, o6_structs_of_older_and_newer_programs_are_understood);
    return suite;
}
