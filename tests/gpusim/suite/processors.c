/* SPDX-License-Identifier: Apache-2.0 */
/* Which of several objects is loaded: for HIP, whose processors have features that an object may ask for. */
#include "machine.h"
#include "rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "choice.TARGET.hsaco" in the directory: the suite's object with another target's header. */
static void write_object(const char *directory, const char *target)
{
    enum { ROOM = 16 << 20 };
    const char *from = getenv("ACCEL_KERNEL_PATH");
    char path[512], *bytes = malloc(ROOM);
    Elf64_Ehdr header;
    ck_assert_ptr_nonnull(from);
    snprintf(path, sizeof(path), "%.*s/conformance.gfx90a.hsaco", (int)strcspn(from, ":"), from);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL && bytes != NULL, "%s", path);
    size_t size = fread(bytes, 1, ROOM, file);
    fclose(file);
    ck_assert_uint_gt(size, sizeof(header));
    ck_assert_uint_lt(size, ROOM);
    memcpy(&header, bytes, sizeof(header));
    ck_assert_msg(gpusim_machine_stamp(&header, target), "%s", target);
    memcpy(bytes, &header, sizeof(header));
    ck_assert(gpusim_machine_seal(bytes, size));
    snprintf(path, sizeof(path), "%s/choice.%s.hsaco", directory, target);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    free(bytes);
}

/* A device of the architecture, and objects for the targets; NULL ends them. */
static accel_instance *open_with(const char *architecture, ...)
{
    char directory[128];
    accel_instance *instance = NULL;
    va_list targets;
    snprintf(directory, sizeof(directory), "%s", rig_scratch("objects"));
    ck_assert_int_eq(mkdir(directory, 0700), 0);
    va_start(targets, architecture);
    for (const char *target; (target = va_arg(targets, const char *)) != NULL;)
        write_object(directory, target);
    va_end(targets);
    setenv("ACCEL_KERNEL_PATH", directory, 1);
    setenv("GPUSIM_ARCHITECTURE_HIP", architecture, 1);
    ok(accel_instance_create(NULL, &instance));
    return instance;
}

/* It is loaded and runs; ends the instance. */
static void loads(accel_instance *instance, const char *target)
{
    accel_device *device = accel_instance_device(instance, 0);
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_queue *queue = NULL;
    accel_kernel_properties p = ACCEL_KERNEL_PROPERTIES_INIT;
    words_args args = {0};
    accel_work work = accel_work_1d(1, 64, 1);
    ok(accel_module_load(device, "choice", &module));
    ok(accel_module_kernel(module, "add", &kernel));
    ok(accel_kernel_info(kernel, &p));
    ck_assert_str_eq(p.target, target);
    ok(accel_queue_create(device, NULL, &queue));
    ok(accel_launch(queue, kernel, &work, &args, sizeof(args)));
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
    accel_module_release(module);
    accel_instance_release(instance);
}

/* None is; the text has the pieces. Ends the instance. */
#define finds_none(instance, ...)                                                                                      \
    do {                                                                                                               \
        accel_instance *none_ = (instance);                                                                            \
        accel_module *module_ = NULL;                                                                                  \
        refused(ACCEL_NOT_FOUND, accel_module_load(accel_instance_device(none_, 0), "choice", &module_), "choice",     \
                __VA_ARGS__);                                                                                          \
        accel_instance_release(none_);                                                                                 \
    } while (0)

static const char mi210[] = "gfx90a:sramecc+:xnack-", vega20[] = "gfx906:sramecc+:xnack-";

START_TEST(the_object_with_the_devices_own_features_is_loaded)
{
    loads(open_with(mi210, "gfx90a", "gfx90a:xnack+", "gfx90a:xnack-", mi210, "gfx1030", NULL), mi210);
}
END_TEST

START_TEST(an_object_that_names_more_of_the_features_comes_first)
{
    loads(open_with(mi210, "gfx90a", "gfx90a:xnack-", "gfx90a:sramecc-", NULL), "gfx90a:xnack-");
}
END_TEST

START_TEST(an_object_that_leaves_the_features_open_fits_either_way)
{
    loads(open_with(_i == 0 ? mi210 : "gfx90a:sramecc+:xnack+", "gfx90a", "gfx1030", NULL), "gfx90a");
}
END_TEST

START_TEST(an_object_for_the_other_xnack_is_refused)
{
    finds_none(open_with(mi210, "gfx90a:xnack+", "gfx90a:sramecc-", NULL), "choice.gfx90a:xnack+.hsaco",
               "needs xnack+, the device runs with xnack-", "needs sramecc-, the device runs with sramecc+",
               "gfx90a:sramecc+:xnack- of \"hip:0\"", "--targets=gfx90a");
}
END_TEST

START_TEST(an_object_for_another_processor_is_refused)
{
    finds_none(open_with(mi210, "gfx1030", "gfx9-generic", NULL), "choice.gfx1030.hsaco",
               "is for gfx1030, the device is a gfx90a", "is for gfx9-generic, the device is a gfx90a",
               "gfx90a:sramecc+:xnack- of \"hip:0\"", "--targets=gfx90a");
}
END_TEST

START_TEST(the_exact_processor_comes_before_a_generic_one)
{
    loads(open_with(vega20, "gfx9-generic", "gfx9-generic:xnack-", "gfx906", NULL), "gfx906");
}
END_TEST

START_TEST(a_generic_object_is_loaded_where_there_is_no_exact_one)
{
    loads(open_with(vega20, "gfx9-generic", "gfx900", "gfx906:xnack+", NULL), "gfx9-generic");
}
END_TEST

START_TEST(older_runtimes_get_no_generic_object)
{
    setenv("GPUSIM_RUNTIME_VERSION", "60200000", 1);
    finds_none(open_with(vega20, "gfx9-generic", NULL), "generic objects need HIP 6.3 or later", "--targets=gfx906");
}
END_TEST

TCase *processors_tests(void)
{
    TCase *tests = tcase_create("processors");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_object_with_the_devices_own_features_is_loaded);
    tcase_add_test(tests, an_object_that_names_more_of_the_features_comes_first);
    tcase_add_loop_test(tests, an_object_that_leaves_the_features_open_fits_either_way, 0, 2);
    tcase_add_test(tests, an_object_for_the_other_xnack_is_refused);
    tcase_add_test(tests, an_object_for_another_processor_is_refused);
    tcase_add_test(tests, the_exact_processor_comes_before_a_generic_one);
    tcase_add_test(tests, a_generic_object_is_loaded_where_there_is_no_exact_one);
    tcase_add_test(tests, older_runtimes_get_no_generic_object);
    return tests;
}
