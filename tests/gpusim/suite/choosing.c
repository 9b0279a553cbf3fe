/* SPDX-License-Identifier: Apache-2.0 */
/* Which of several objects is loaded: for CUDA, whose drivers are older or newer than the PTX they are given. For HIP it is
 * processors.c. */
#include "rig.h"

#include <accel/object.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The suite's PTX, of the kernel path's first directory. */
static char *read_ptx(size_t *size)
{
    const char *path = getenv("ACCEL_KERNEL_PATH");
    char name[512], *text = malloc(64 << 20);
    ck_assert_ptr_nonnull(path);
    snprintf(name, sizeof(name), "%.*s/conformance.compute_75.ptx", (int)strcspn(path, ":"), path);
    FILE *file = fopen(name, "rb");
    ck_assert_msg(file != NULL && text != NULL, "%s", name);
    *size = fread(text, 1, (64 << 20) - 1, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

static void replace(char *text, const char *old, const char *new)
{
    char *at = strstr(text, old);
    ck_assert_msg(at != NULL && strlen(old) == strlen(new), "%s", old);
    memcpy(at, new, strlen(new));
}

/* "choice.compute_80.ptx" of this version in the directory. */
static void write_ptx(const char *directory, const char *capability, const char *version)
{
    size_t size;
    char path[512], word[32], *text = read_ptx(&size);
    snprintf(word, sizeof(word), ".version %s", version);
    replace(text, ".version 7.0", word);
    snprintf(word, sizeof(word), ".target sm_%s", capability);
    replace(text, ".target sm_75", word);
    snprintf(path, sizeof(path), "%s/choice.compute_%s.ptx", directory, capability);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    free(text);
}

/* A directory with PTX 7.0 for compute_75 and a newer one for compute_80, and the driver of this version. */
static accel_instance *open_with(const char *driver, const char *old, const char *new)
{
    char directory[128];
    accel_instance *instance = NULL;
    snprintf(directory, sizeof(directory), "%s", rig_scratch("objects"));
    ck_assert_int_eq(mkdir(directory, 0700), 0);
    write_ptx(directory, "75", old);
    write_ptx(directory, "80", new);
    setenv("ACCEL_KERNEL_PATH", directory, 1);
    setenv("GPUSIM_VERSION_CUDA", driver, 1);
    ok(accel_instance_create(NULL, &instance));
    return instance;
}

static void is_loaded(accel_module *module, const char *target)
{
    accel_kernel *kernel = NULL;
    accel_kernel_properties p = ACCEL_KERNEL_PROPERTIES_INIT;
    ok(accel_module_kernel(module, "add", &kernel));
    ok(accel_kernel_info(kernel, &p));
    ck_assert_str_eq(p.target, target);
}

static void loads(const char *driver, const char *target)
{
    accel_instance *instance = open_with(driver, "7.0", "9.0");
    accel_module *module = NULL;
    ok(accel_module_load(accel_instance_device(instance, 0), "choice", &module));
    is_loaded(module, target);
    accel_module_release(module);
    accel_instance_release(instance);
}

START_TEST(the_newest_ptx_that_an_older_driver_accepts_is_loaded)
{
    loads("12080", "compute_75");
}
END_TEST

START_TEST(a_newer_driver_gets_the_newer_ptx)
{
    loads("13000", "compute_80");
}
END_TEST

/* A driver of which nothing is known yet is taken to accept what there is. */
START_TEST(a_driver_from_the_future_gets_the_newer_ptx)
{
    loads("14010", "compute_80");
}
END_TEST

START_TEST(the_error_lists_the_versions_the_device_and_the_target_that_helps)
{
    accel_instance *instance = open_with("12020", "8.4", "9.0");
    accel_module *module = NULL;
    refused(ACCEL_NOT_FOUND, accel_module_load(accel_instance_device(instance, 0), "choice", &module),
            "choice.compute_75.ptx (it is PTX 8.4, the driver (CUDA 12.2) takes up to 8.2)",
            "choice.compute_80.ptx (it is PTX 9.0", "sm_80 of \"cuda:0\"", "--targets=sm_80");
    accel_instance_release(instance);
}
END_TEST

/* Not even when it is given by its name. */
START_TEST(a_driver_is_never_given_what_it_does_not_take)
{
    char path[512];
    const char *trace = strdup(rig_scratch("trace"));
    setenv("GPUSIM_TRACE", trace, 1);
    accel_instance *instance = open_with("12020", "8.4", "9.0");
    accel_module *module = NULL;
    snprintf(path, sizeof(path), "%s/choice.compute_80.ptx", getenv("ACCEL_KERNEL_PATH"));
    refused(ACCEL_INCOMPATIBLE, accel_module_load_file(accel_instance_device(instance, 0), path, &module),
            "choice.compute_80.ptx", "it is PTX 9.0, the driver (CUDA 12.2) takes up to 8.2");
    ck_assert_uint_eq(rig_calls(trace, "cuModuleLoadDataEx"), 0);
    accel_instance_release(instance);
}
END_TEST

static bool note_chosen(void *user, const accel_object_properties *object)
{
    char *text = user;
    size_t length = strlen(text);
    snprintf(text + length, 1024 - length, "%s %u %s\n", object->target, object->chosen, object->reason);
    return true;
}

START_TEST(accel_info_tells_why_an_object_is_not_taken)
{
    char text[1024] = "";
    accel_instance *instance = open_with("12080", "7.0", "9.0");
    ok(accel_device_visit_objects(accel_instance_device(instance, 0), "choice", note_chosen, text));
    ck_assert_msg(strstr(text, "compute_75 1 best here") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "compute_80 0 cannot run here: it is PTX 9.0") != NULL, "%s", text);
    accel_instance_release(instance);
}
END_TEST

START_TEST(bundles_are_chosen_from_alike)
{
    size_t size;
    char *old = read_ptx(&size), *new = read_ptx(&size);
    replace(new, ".version 7.0", ".version 9.0");
    replace(new, ".target sm_75", ".target sm_80");
    accel_bundle_entry entries[] = {{"compute_80", "ptx", new, size}, {"compute_75", "ptx", old, size}};
    accel_bundle bundle = {
        ACCEL_BUNDLE_MAGIC, ACCEL_OBJECT_ABI, sizeof(bundle), sizeof(entries[0]), "choice", 2, entries};
    accel_instance *instance = NULL;
    accel_module *module = NULL;
    setenv("GPUSIM_VERSION_CUDA", "12080", 1);
    ok(accel_instance_create(NULL, &instance));
    accel_device *device = accel_instance_device(instance, 0);
    ok(accel_module_load_bundle(device, &bundle, &module));
    is_loaded(module, "compute_75");
    accel_module_release(module);
    bundle.count = 1;
    refused(ACCEL_NOT_FOUND, accel_module_load_bundle(device, &bundle, &module), "choice", "it is PTX 9.0",
            "--targets=sm_80");
    accel_instance_release(instance);
    free(old);
    free(new);
}
END_TEST

TCase *choosing_tests(void)
{
    TCase *tests = tcase_create("choosing");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_newest_ptx_that_an_older_driver_accepts_is_loaded);
    tcase_add_test(tests, a_newer_driver_gets_the_newer_ptx);
    tcase_add_test(tests, a_driver_from_the_future_gets_the_newer_ptx);
    tcase_add_test(tests, the_error_lists_the_versions_the_device_and_the_target_that_helps);
    tcase_add_test(tests, a_driver_is_never_given_what_it_does_not_take);
    tcase_add_test(tests, accel_info_tells_why_an_object_is_not_taken);
    tcase_add_test(tests, bundles_are_chosen_from_alike);
    return tests;
}
