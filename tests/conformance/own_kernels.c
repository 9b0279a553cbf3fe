/* SPDX-License-Identifier: Apache-2.0 */
/* Where libaccel finds its own kernels. */
#include "nouns.h"
#include "suite.h"

#include <accel/algorithm.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char library[] = "accel-algorithms";

typedef struct choice {
    char path[4096], file[256];
} choice;

static bool note(void *user, const accel_object_properties *object)
{
    choice *c = user;
    ck_assert_str_eq(object->library, library);
    if (object->chosen == 0)
        return true;
    snprintf(c->path, sizeof c->path, "%s", object->path);
    snprintf(c->file, sizeof c->file, "%s", strrchr(object->path, '/') + 1);
    return true;
}

static choice chosen_of(accel_device *device)
{
    choice c = {"", ""};
    ok(accel_device_visit_objects(device, library, note, &c));
    return c;
}

static void add_one_double(accel_instance *instance, accel_status expected, const char *words)
{
    accel_device *device = NULL;
    accel_queue *queue;
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), 1);
    double value = 2.5, sum = 0;
    ok(accel_instance_find_device(instance, test.properties.name, &device));
    queue = queue_new(device, 0);
    accel_buffer *in = buffer_new(device, &desc), *out = buffer_new(device, &desc);
    ok(accel_write(queue, in, &value));
    if (expected != ACCEL_OK) {
        refused(expected, accel_reduce_values(queue, in, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, out), words);
    } else {
        ok(accel_reduce_values(queue, in, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, out));
        ok(accel_read(queue, &sum, out));
    }
    ok(accel_queue_wait(queue));
    ck_assert_double_eq(sum, expected == ACCEL_OK ? value : 0);
    accel_buffer_release(in);
    accel_buffer_release(out);
    accel_queue_release(queue);
}

START_TEST(a1_no_file_on_the_kernel_path_is_taken_for_libaccels_own_kernels)
{
    const char *directory = scratch_directory();
    const choice own = chosen_of(test.device);
    char path[4096];
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    ck_assert_str_ne(own.path, "");
    snprintf(path, sizeof path, "%s/%s", directory, own.file);
    write_file(path, "no object", 9);
    desc.backends = suite_backends();
    desc.kernel_path = directory;
    ok(accel_instance_create(&desc, &instance));
    add_one_double(instance, ACCEL_OK, NULL);
    accel_instance_release(instance);
}
END_TEST

/* An instance that looks for plugins there first. */
static accel_instance *instance_with(const char *directory)
{
    char path[4096];
    const char *before = getenv("ACCEL_PLUGIN_PATH");
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    snprintf(path, sizeof path, "%s%s%s", directory, before != NULL ? ":" : "", before != NULL ? before : "");
    ck_assert_int_eq(setenv("ACCEL_PLUGIN_PATH", path, 1), 0);
    desc.backends = suite_backends();
    ok(accel_instance_create(&desc, &instance));
    return instance;
}

START_TEST(a1_they_are_found_beside_the_plugins_in_the_order_of_their_directories)
{
    const char *directory = scratch_directory();
    const choice own = chosen_of(test.device);
    char path[4096], kernels[4000];
    snprintf(kernels, sizeof kernels, "%s/kernels", directory);
    ck_assert_int_eq(mkdir(kernels, 0700), 0);
    snprintf(path, sizeof path, "%.3000s/%.200s", kernels, own.file);
    copy_file(own.path, path);
    accel_instance *instance = instance_with(directory);
    accel_device *device = NULL;
    ok(accel_instance_find_device(instance, test.properties.name, &device));
    ck_assert_str_eq(chosen_of(device).path, path);
    add_one_double(instance, ACCEL_OK, NULL);
    accel_instance_release(instance);

    /* The first object that could run decides, also if it is broken. Loaded files are replaced, not changed. */
    ck_assert_int_eq(unlink(path), 0);
    write_file(path, "no object", 9);
    instance = instance_with(directory);
    add_one_double(instance, ACCEL_INCOMPATIBLE, path);
    accel_instance_release(instance);
}
END_TEST

START_TEST(a1_a_program_that_ends_gives_them_back)
{
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.backends = suite_backends();
    for (int i = 0; i < 3; ++i) {
        ok(accel_instance_create(&desc, &instance));
        add_one_double(instance, ACCEL_OK, NULL);
        add_one_double(instance, ACCEL_OK, NULL);
        accel_instance_release(instance);
    }
}
END_TEST

static void *use(void *instance)
{
    add_one_double(instance, ACCEL_OK, NULL);
    return NULL;
}

START_TEST(a1_several_threads_may_be_the_first_to_need_them)
{
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.backends = suite_backends();
    for (int i = 0; i < 5; ++i) {
        pthread_t threads[3];
        ok(accel_instance_create(&desc, &instance));
        for (int t = 0; t < 3; ++t)
            ck_assert_int_eq(pthread_create(&threads[t], NULL, use, instance), 0);
        use(instance);
        for (int t = 0; t < 3; ++t)
            ck_assert_int_eq(pthread_join(threads[t], NULL), 0);
        accel_instance_release(instance);
    }
}
END_TEST

Suite *own_kernels_suite(void)
{
    Suite *suite = suite_create("own kernels");
    add(suite, a1_no_file_on_the_kernel_path_is_taken_for_libaccels_own_kernels);
    add(suite, a1_they_are_found_beside_the_plugins_in_the_order_of_their_directories);
    add(suite, a1_a_program_that_ends_gives_them_back);
    add(suite, a1_several_threads_may_be_the_first_to_need_them);
    return suite;
}
