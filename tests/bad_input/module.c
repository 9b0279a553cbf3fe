/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries, files and kernels that are not there, or cannot be read. */
#include "nouns.h"
#include "suite.h"

#include <accel/object.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* What objects are called that the device can run. */
typedef struct kind {
    char target[64], format[16];
} kind;

static bool note_kind(void *user, const accel_object_properties *properties)
{
    kind *found = user;
    if (properties->chosen) {
        snprintf(found->target, sizeof found->target, "%s", properties->target);
        snprintf(found->format, sizeof found->format, "%s", properties->format);
    }
    return !properties->chosen;
}

static kind kind_here(void)
{
    kind found = {.target = ""};
    ok(accel_device_visit_objects(test.device, "conformance", note_kind, &found));
    ck_assert_str_ne(found.target, "");
    return found;
}

START_TEST(a_missing_kernel_is_answered_with_the_nearest_names)
{
    accel_kernel *kernel = NULL;
    (void)kernel_named("set");
    refused(ACCEL_NOT_FOUND, accel_module_kernel(test.module, "region_barier", &kernel), "\"region_barier\"",
            "\"region_barrier\"", "conformance");
    refused(ACCEL_NOT_FOUND, accel_module_kernel(test.module, "sett", &kernel), "\"sett\"", "\"set\"");
    refused(ACCEL_NOT_FOUND, accel_module_kernel(test.module, "entirely-different", &kernel), "entirely-different",
            "atomic_bits");
    refused(ACCEL_NOT_FOUND, accel_module_kernel(test.module, "", &kernel), "conformance");
    refused(ACCEL_NOT_FOUND, accel_module_kernel(test.module, "%s%n", &kernel), "%s%n");
    ck_assert_ptr_null(kernel);
    (void)kernel_named("set"); /* the module is as good as before */
}
END_TEST

START_TEST(a_very_long_kernel_name_is_only_not_found)
{
    accel_kernel *kernel = NULL;
    (void)kernel_named("set");
    char *name = malloc(100001);
    memset(name, 'k', 100000);
    name[100000] = '\0';
    refused(ACCEL_NOT_FOUND, accel_module_kernel(test.module, name, &kernel), "kkk\"", "atomic_bits");
    ck_assert_ptr_null(kernel);
    free(name);
}
END_TEST

START_TEST(a_missing_global_is_not_found)
{
    accel_buffer *buffer = NULL;
    (void)kernel_named("set");
    refused(ACCEL_NOT_FOUND, accel_module_global(test.module, "global_wordz", &buffer), "\"global_wordz\"",
            "\"conformance\"", test.properties.name, "ACCEL_GLOBAL");
    ck_assert_ptr_null(buffer);
}
END_TEST

START_TEST(a_missing_library_tells_where_it_was_searched_and_what_would_help)
{
    accel_module *module = NULL;
    const char *paths = getenv("ACCEL_KERNEL_PATH");
    char path[512];
    snprintf(path, sizeof path, "%.*s", paths == NULL ? 0 : (int)strcspn(paths, ":"), paths == NULL ? "" : paths);
    refused(ACCEL_NOT_FOUND, accel_module_load(test.device, "conformanse", &module), "\"conformanse\"",
            "\"conformance\"", "accelcc", path);
    refused(ACCEL_INVALID, accel_module_load(test.device, "../conformance", &module), "../conformance",
            "accel_module_load_file");
    refused(ACCEL_INVALID, accel_module_load(test.device, "", &module), "accel_module_load_file");
    ck_assert_ptr_null(module);
}
END_TEST

START_TEST(files_that_cannot_be_read_tell_path_and_reason)
{
    accel_module *module = NULL;
    char path[500];
    const char *directory = scratch_directory();
    const kind here = kind_here();
    snprintf(path, sizeof path, "/nowhere/x.%s.%s", here.target, here.format);
    refused(ACCEL_NOT_FOUND, accel_module_load_file(test.device, path, &module), path, "No such file", "name a file");
    refused(ACCEL_IO, accel_module_load_file(test.device, directory, &module), directory, "directory", "name a file");
    snprintf(path, sizeof path, "%s/empty.%s.%s", directory, here.target, here.format);
    write_file(path, "", 0);
    refused(ACCEL_IO, accel_module_load_file(test.device, path, &module), path, "empty", "make it again");
    if (geteuid() != 0) {
        snprintf(path, sizeof path, "%s/secret.%s.%s", directory, here.target, here.format);
        write_file(path, "x", 1);
        ck_assert_int_eq(chmod(path, 0), 0);
        refused(ACCEL_IO, accel_module_load_file(test.device, path, &module), path, "Permission denied",
                "let this user");
    }
    snprintf(path, sizeof path, "%s/fifo.%s.%s", directory, here.target, here.format);
    ck_assert_int_eq(mkfifo(path, 0600), 0); /* must not wait for a writer */
    refused(ACCEL_IO, accel_module_load_file(test.device, path, &module), path);
    refused(ACCEL_NOT_FOUND, accel_module_load_file(test.device, "", &module), "\"\"", "name a file");
    ck_assert_ptr_null(module);
}
END_TEST

START_TEST(bundles_that_are_none_are_refused)
{
    accel_module *module = NULL;
    static const char text[] =
        "no object at all, but long enough to be looked at as one: .......................................";
    accel_bundle_entry entry = {.target = "no-such-target", .format = "so", .data = text, .size = sizeof text};
    accel_bundle good = {.magic = ACCEL_BUNDLE_MAGIC,
                         .abi = ACCEL_OBJECT_ABI,
                         .struct_size = sizeof good,
                         .entry_size = sizeof entry,
                         .name = "bundled",
                         .count = 1,
                         .entries = &entry};
    accel_bundle bad = good;
    bad.magic = 1;
    refused(ACCEL_INCOMPATIBLE, accel_module_load_bundle(test.device, &bad, &module), "0x00000001", "accel_bundle");
    bad = good;
    bad.abi = 77;
    refused(ACCEL_INCOMPATIBLE, accel_module_load_bundle(test.device, &bad, &module), "77");
    bad = good;
    bad.struct_size = 8;
    refused(ACCEL_INCOMPATIBLE, accel_module_load_bundle(test.device, &bad, &module), "struct_size", "8");
    bad = good;
    bad.entry_size = 8;
    refused(ACCEL_INCOMPATIBLE, accel_module_load_bundle(test.device, &bad, &module), "entry_size", "8");
    refused(ACCEL_NOT_FOUND, accel_module_load_bundle(test.device, &good, &module), "bundled", "no-such-target",
            "accelcc");
    bad = good;
    bad.count = 0;
    refused(ACCEL_NOT_FOUND, accel_module_load_bundle(test.device, &bad, &module), "bundled");
    const kind here = kind_here();
    entry.target = here.target; /* the right target, but not an object */
    entry.format = here.format;
    refused(ACCEL_INCOMPATIBLE, accel_module_load_bundle(test.device, &good, &module), "bundled", here.target);
    entry.data = NULL;
    refused(ACCEL_INCOMPATIBLE, accel_module_load_bundle(test.device, &good, &module), "bundled", "entry 0");
    ck_assert_ptr_null(module);
}
END_TEST

Suite *bad_module_suite(void)
{
    Suite *suite = suite_create("module");
    add(suite, a_missing_kernel_is_answered_with_the_nearest_names);
    add(suite, a_very_long_kernel_name_is_only_not_found);
    add(suite, a_missing_global_is_not_found);
    add(suite, a_missing_library_tells_where_it_was_searched_and_what_would_help);
    add(suite, files_that_cannot_be_read_tell_path_and_reason);
    add(suite, bundles_that_are_none_are_refused);
    return suite;
}
