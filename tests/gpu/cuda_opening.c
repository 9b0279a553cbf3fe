/* SPDX-License-Identifier: Apache-2.0 */
/* Every state in which a CUDA driver can be, and what the user is told. Most of it is the same code for HIP. */
#include "run.h"

#include "plugins/gpu/driver/cuda/cuda.h"
#include "opened.h"
#include "core/plugins/services.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

START_TEST(usable_driver_is_opened_without_a_context)
{
    fake_controls *fake = fake_load("cuda");
    opened result = open_fake(&cuda_family, "cuda");

    ck_assert_msg(result.status == ACCEL_OK, "%s", result.text);
    ck_assert_ptr_eq(result.driver, &cuda_driver);
    ck_assert_str_eq(result.driver->name, "cuda");
    ck_assert_int_eq(result.driver->driver_version, 12040);
    ck_assert_int_eq(fake->inits, 1);
    ck_assert_int_eq(fake->contexts, 0);
}
END_TEST

START_TEST(each_function_is_asked_for_with_the_version_of_its_declaration)
{
    fake_controls *fake = fake_load("cuda");
    opened result = open_fake(&cuda_family, "cuda");

    ck_assert_uint_eq(result.status, ACCEL_OK);
    ck_assert_msg(fake->wrong_query == NULL, "%s", fake->wrong_query);
}
END_TEST

START_TEST(driver_of_cuda_11_has_the_older_lookup)
{
    fake_controls *fake = fake_load("cuda-11");

    fake->version = 11080;
    opened result = open_fake(&cuda_family, "cuda-11");
    ck_assert_msg(result.status == ACCEL_OK, "%s", result.text);
    ck_assert_msg(fake->wrong_query == NULL, "%s", fake->wrong_query);
}
END_TEST

/* The minimum is the version of the newest function that is required. */
START_TEST(minimum_is_what_the_required_functions_need)
{
    enum { OPTIONAL, REQUIRED };
    int newest = 0;
    fake_controls *fake = fake_load("cuda");

#define NEWEST(member, name, exported, version, need, result, parameters)                                              \
    if ((need) == REQUIRED && (version) > newest)                                                                      \
        newest = (version);
    CUDA_FUNCTIONS(NEWEST)
#undef NEWEST
    fake->version = newest;
    ck_assert_uint_eq(open_fake(&cuda_family, "cuda").status, ACCEL_OK);
}
END_TEST

START_TEST(no_library_tells_the_names_tried)
{
    const char *names[] = {"libaccel-no-such-driver.so.1", "libaccel-no-such-driver.so.0", NULL};
    opened result = open_names(&cuda_family, names, "/there/is/no/such/directory");

    ck_assert_refused(&result, ACCEL_BACKEND_NO_DRIVER, "no driver library", "libaccel-no-such-driver.so.1",
                      "libaccel-no-such-driver.so.0", "install", NULL);
    ck_assert_ptr_null(strstr(result.text, "container"));
}
END_TEST

START_TEST(file_that_is_no_library_is_broken)
{
    char path[] = "/tmp/accel-fake-XXXXXX";
    int file = mkstemp(path);
    const char *names[] = {path, NULL};

    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, "not a library", 13), 13);
    close(file);
    opened result = open_names(&cuda_family, names, "");
    unlink(path);
    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "cannot be loaded", path, NULL);
}
END_TEST

START_TEST(library_that_lacks_another_is_broken_and_hides_no_older_one)
{
    char needy[512];
    const char *names[] = {needy, NULL, NULL};

    snprintf(needy, sizeof(needy), "%s", fake_path("needy"));
    names[1] = fake_path("cuda");
    opened result = open_names(&cuda_family, names, "");
    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "fake-libneedy", "libaccel-fake-needed.so.99", NULL);
}
END_TEST

START_TEST(old_driver_tells_what_was_found_and_what_is_needed)
{
    fake_controls *fake = fake_load("cuda-10");

    fake->version = 11020;
    opened result = open_fake(&cuda_family, "cuda-10");
    ck_assert_refused(&result, ACCEL_BACKEND_DRIVER_TOO_OLD, "too old", "found CUDA 11.2", "needed CUDA 11.4",
                      "fake-libcuda-10.so", NULL);
    ck_assert_int_eq(fake->inits, 0);
}
END_TEST

START_TEST(new_driver_without_a_lookup_is_broken)
{
    opened result = open_fake(&cuda_family, "cuda-10");

    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "lacks the function cuGetProcAddress", NULL);
}
END_TEST

START_TEST(missing_function_is_named)
{
    fake_controls *fake = fake_load("cuda");

    fake->missing = "cuMemcpyPeerAsync";
    fake->missing_how = _i;
    opened result = open_fake(&cuda_family, "cuda");
    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "lacks the function cuMemcpyPeerAsync", NULL);
    ck_assert_int_eq(fake->inits, 0);
}
END_TEST

START_TEST(missing_optional_function_leaves_its_slot_empty)
{
    fake_controls *fake = fake_load("cuda");

    fake->missing = _i == 0 ? "cuFuncLoad" : "cuMemFreeAsync";
    opened result = open_fake(&cuda_family, "cuda");
    ck_assert_msg(result.status == ACCEL_OK, "%s", result.text);
    ck_assert(_i == 0 ? result.driver->function_load == NULL
                      : result.driver->allocate_async == NULL && result.driver->free_async == NULL);
    ck_assert(_i == 0 ? result.driver->allocate_async != NULL : result.driver->function_load != NULL);
}
END_TEST

static const struct {
    int result;
    uint32_t state;
    const char *words;
} inits[] = {
    {CUDA_RESULT_NO_DEVICE, ACCEL_BACKEND_NO_DEVICE, "no device"},
    {CUDA_RESULT_INVALID_DEVICE, ACCEL_BACKEND_NO_DEVICE, "no device"},
    {CUDA_RESULT_NOT_INITIALIZED, ACCEL_BACKEND_BROKEN, "fork"},
    {CUDA_RESULT_STUB_LIBRARY, ACCEL_BACKEND_BROKEN, "LD_LIBRARY_PATH"},
    {CUDA_RESULT_SYSTEM_NOT_READY, ACCEL_BACKEND_BROKEN, "fabricmanager"},
    {CUDA_RESULT_SYSTEM_DRIVER_MISMATCH, ACCEL_BACKEND_BROKEN, "reboot"},
    {CUDA_RESULT_COMPAT_NOT_SUPPORTED_ON_DEVICE, ACCEL_BACKEND_BROKEN, "forward-compatible"},
    {CUDA_RESULT_OPERATING_SYSTEM, ACCEL_BACKEND_BROKEN, "cannot be used"},
    {CUDA_RESULT_UNKNOWN, ACCEL_BACKEND_BROKEN, "cannot be used"},
    {12345, ACCEL_BACKEND_BROKEN, "an unknown error"},
};

/* The fake has no words, so the name is our own. */
START_TEST(answer_of_init_is_told_by_name_number_and_remedy)
{
    fake_controls *fake = fake_load("cuda");
    char number[24];

    snprintf(number, sizeof(number), "(%d, ", inits[_i].result);
    fake->init_result = inits[_i].result;
    opened result = open_fake(&cuda_family, "cuda");
    ck_assert_refused(&result, inits[_i].state, "cuda: ", "cuInit of ", "fake-libcuda.so", number,
                      cuda_error_name(inits[_i].result), inits[_i].words, NULL);
}
END_TEST

START_TEST(no_devices_at_all_is_no_device)
{
    fake_controls *fake = fake_load("cuda");

    fake->devices = 0;
    opened result = open_fake(&cuda_family, "cuda");
    ck_assert_refused(&result, ACCEL_BACKEND_NO_DEVICE, "cuDeviceGetCount", "finds none", NULL);
}
END_TEST

START_TEST(count_that_fails_is_told)
{
    fake_controls *fake = fake_load("cuda");

    fake->count_result = CUDA_RESULT_NO_DEVICE;
    opened result = open_fake(&cuda_family, "cuda");
    ck_assert_refused(&result, ACCEL_BACKEND_NO_DEVICE, "cuDeviceGetCount", "CUDA_ERROR_NO_DEVICE", NULL);
}
END_TEST

/* A directory with dev/nvidiactl and dev/nvidia0 in it, removed with the test's end. */
static char root[] = "/tmp/accel-nodes-XXXXXX";

static void make_node(const char *name, mode_t mode)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/dev/%s", root, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    ck_assert_int_eq(chmod(path, mode), 0);
}

static void make_root(void)
{
    char path[128];

    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_int_eq(chmod(root, 0755), 0);
    snprintf(path, sizeof(path), "%s/dev", root);
    ck_assert_int_eq(mkdir(path, 0755), 0);
}

static void remove_root(void)
{
    static const char *const names[] = {"nvidiactl", "nvidia0", "nvidia1", "nvidia-uvm"};
    char path[128];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        snprintf(path, sizeof(path), "%s/dev/%s", root, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof(path), "%s/dev", root);
    rmdir(path);
    rmdir(root);
}

START_TEST(device_node_that_may_not_be_opened_is_no_permission)
{
    fake_controls *fake = fake_load("cuda");

    make_root();
    make_node("nvidiactl", 0666);
    make_node("nvidia0", 0666);
    make_node("nvidia1", 0600);
    fake->init_result = _i == 0 ? CUDA_RESULT_NO_DEVICE : CUDA_RESULT_UNKNOWN;
    if (getuid() == 0)
        ck_assert_int_eq(seteuid(65534), 0);
    opened result = open_fake_in(&cuda_family, "cuda", root);
    if (getuid() == 0)
        ck_assert_int_eq(seteuid(0), 0);
    remove_root();
    if (getuid() != 0)
        return; /* the owner may open what only the owner may open */
    ck_assert_refused(&result, ACCEL_BACKEND_NO_PERMISSION, "no permission", "/dev/nvidia1: Permission denied", "group",
                      NULL);
}
END_TEST

START_TEST(device_nodes_in_order_leave_the_driver_its_words)
{
    fake_controls *fake = fake_load("cuda");

    make_root();
    make_node("nvidiactl", 0666);
    make_node("nvidia0", 0666);
    fake->init_result = CUDA_RESULT_NO_DEVICE;
    opened result = open_fake_in(&cuda_family, "cuda", root);
    remove_root();
    ck_assert_refused(&result, ACCEL_BACKEND_NO_DEVICE, "CUDA_VISIBLE_DEVICES", NULL);
    ck_assert_ptr_null(strstr(result.text, "nvidiactl"));
}
END_TEST

/* As in a container that was given the devices, but not the library. */
START_TEST(no_library_beside_a_device_node_is_told)
{
    const char *names[] = {"libaccel-no-such-driver.so.1", NULL};

    make_root();
    make_node("nvidiactl", 0666);
    opened result = open_names(&cuda_family, names, root);
    remove_root();
    ck_assert_refused(&result, ACCEL_BACKEND_NO_DRIVER, "no driver library", "container", "/dev/nvidiactl", NULL);
}
END_TEST

START_TEST(missing_device_node_is_told)
{
    fake_controls *fake = fake_load("cuda");

    fake->init_result = CUDA_RESULT_NO_DEVICE;
    opened result = open_fake(&cuda_family, "cuda");
    ck_assert_refused(&result, ACCEL_BACKEND_NO_DEVICE, "/dev/nvidiactl: No such file or directory", NULL);
}
END_TEST

START_TEST(later_calls_give_the_same_answer_without_asking_again)
{
    fake_controls *fake = fake_load("cuda");

    fake->init_result = _i == 0 ? 0 : CUDA_RESULT_NO_DEVICE;
    opened first = open_fake(&cuda_family, "cuda");
    fake->init_result = CUDA_RESULT_UNKNOWN;
    opened second = open_fake(&cuda_family, "cuda");
    ck_assert_uint_eq(first.status, second.status);
    ck_assert_uint_eq(first.state, second.state);
    ck_assert_ptr_eq(first.driver, second.driver);
    ck_assert_int_eq(fake->inits, 1);
}
END_TEST

static void *open_on_thread(void *user)
{
    *(opened *)user = open_fake(&cuda_family, "cuda");
    return NULL;
}

START_TEST(threads_that_open_at_once_get_one_answer)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    opened results[THREADS];
    fake_controls *fake = fake_load("cuda");

    fake->init_milliseconds = 20;
    for (int i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, open_on_thread, &results[i]), 0);
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(results[i].status, ACCEL_OK);
        ck_assert_ptr_eq(results[i].driver, &cuda_driver);
    }
    ck_assert_int_eq(fake->inits, 1);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cuda_opening");
    TCase *loops = tcase_create("loops");

    add(suite, usable_driver_is_opened_without_a_context);
    add(suite, each_function_is_asked_for_with_the_version_of_its_declaration);
    add(suite, driver_of_cuda_11_has_the_older_lookup);
    add(suite, minimum_is_what_the_required_functions_need);
    add(suite, no_library_tells_the_names_tried);
    add(suite, file_that_is_no_library_is_broken);
    add(suite, library_that_lacks_another_is_broken_and_hides_no_older_one);
    add(suite, old_driver_tells_what_was_found_and_what_is_needed);
    add(suite, new_driver_without_a_lookup_is_broken);
    add(suite, no_devices_at_all_is_no_device);
    add(suite, count_that_fails_is_told);
    add(suite, device_nodes_in_order_leave_the_driver_its_words);
    add(suite, no_library_beside_a_device_node_is_told);
    add(suite, missing_device_node_is_told);
    add(suite, threads_that_open_at_once_get_one_answer);
    tcase_add_loop_test(loops, missing_function_is_named, 0, 3);
    tcase_add_loop_test(loops, missing_optional_function_leaves_its_slot_empty, 0, 2);
    tcase_add_loop_test(loops, answer_of_init_is_told_by_name_number_and_remedy, 0,
                        (int)(sizeof(inits) / sizeof(inits[0])));
    tcase_add_loop_test(loops, device_node_that_may_not_be_opened_is_no_permission, 0, 2);
    tcase_add_loop_test(loops, later_calls_give_the_same_answer_without_asking_again, 0, 2);
    suite_add_tcase(suite, loops);
    return suite;
}
