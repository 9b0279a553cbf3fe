/* SPDX-License-Identifier: Apache-2.0 */
/* Every state in which a CUDA driver can be, and what the user is told. Most of it is the same code for HIP. */
#include "run.h"

#include "plugins/gpu/driver/cuda/cuda.h"
#include "opened.h"
#include "core/plugins/services.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

START_TEST(usable_driver_is_opened_without_a_context)
{
    count_calls();
    setenv("GPUSIM_VERSION", "12040", 1);
    opened result = open_simulated(&cuda_family);

    ck_assert_msg(result.status == ACCEL_OK, "%s", result.text);
    ck_assert_ptr_eq(result.driver, &cuda_driver);
    ck_assert_str_eq(result.driver->name, "cuda");
    ck_assert_int_eq(result.driver->driver_version, 12040);
    ck_assert_uint_eq(calls_of("cuInit"), 1);
    ck_assert_uint_eq(calls_of("cuDevicePrimaryCtxRetain"), 0);
}
END_TEST

/* The simulated driver reports other versions, and the process then fails. */
START_TEST(each_function_is_asked_for_with_the_version_of_its_declaration)
{
    count_calls();
    opened result = open_simulated(&cuda_family);

    ck_assert_uint_eq(result.status, ACCEL_OK);
    ck_assert_uint_gt(calls_of("cuGetProcAddress_v2"), 10);
}
END_TEST

START_TEST(driver_of_cuda_11_has_the_older_lookup)
{
    count_calls();
    setenv("GPUSIM_VERSION", "11080", 1);
    setenv("GPUSIM_MISSING", "cuGetProcAddress_v2", 1);
    opened result = open_simulated(&cuda_family);
    ck_assert_msg(result.status == ACCEL_OK, "%s", result.text);
    ck_assert_uint_gt(calls_of("cuInit"), 0);
}
END_TEST

/* The minimum is the version of the newest function that is required. */
START_TEST(minimum_is_what_the_required_functions_need)
{
    enum { OPTIONAL, REQUIRED };
    int newest = 0;
    char version[16];

#define NEWEST(member, name, exported, version, need, result, parameters)                                              \
    if ((need) == REQUIRED && (version) > newest)                                                                      \
        newest = (version);
    CUDA_FUNCTIONS(NEWEST)
#undef NEWEST
    snprintf(version, sizeof(version), "%d", newest);
    setenv("GPUSIM_VERSION", version, 1);
    ck_assert_uint_eq(open_simulated(&cuda_family).status, ACCEL_OK);
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
    char path[] = "/tmp/accel-broken-XXXXXX";
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

    snprintf(needy, sizeof(needy), "%s", broken_path("needy"));
    names[1] = simulated_path(&cuda_family);
    opened result = open_names(&cuda_family, names, "");
    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "broken-libneedy", "libaccel-broken-needed.so.99", NULL);
}
END_TEST

START_TEST(old_driver_tells_what_was_found_and_what_is_needed)
{
    count_calls();
    setenv("GPUSIM_VERSION", "11020", 1);
    setenv("GPUSIM_MISSING", "cuGetProcAddress,cuGetProcAddress_v2", 1);
    opened result = open_simulated(&cuda_family);
    ck_assert_refused(&result, ACCEL_BACKEND_DRIVER_TOO_OLD, "too old", "found CUDA 11.2", "needed CUDA 11.4",
                      "libcuda.so.1", NULL);
    ck_assert_uint_eq(calls_of("cuInit"), 0);
}
END_TEST

START_TEST(new_driver_without_a_lookup_is_broken)
{
    setenv("GPUSIM_MISSING", "cuGetProcAddress,cuGetProcAddress_v2", 1);
    opened result = open_simulated(&cuda_family);

    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "lacks the function cuGetProcAddress", NULL);
}
END_TEST

/* _i: how the lookup says so: by its result, by no address, or by its status beside an address. */
START_TEST(missing_function_is_named)
{
    count_calls();
    if (_i == 2)
        setenv("GPUSIM_NEWER", "cuMemcpyPeerAsync", 1);
    else
        setenv("GPUSIM_MISSING", _i == 0 ? "cuGetProcAddress_v2,cuMemcpyPeerAsync" : "cuMemcpyPeerAsync", 1);
    opened result = open_simulated(&cuda_family);
    ck_assert_refused(&result, ACCEL_BACKEND_BROKEN, "lacks the function cuMemcpyPeerAsync", NULL);
    ck_assert_uint_eq(calls_of("cuInit"), 0);
}
END_TEST

START_TEST(missing_optional_function_leaves_its_slot_empty)
{
    setenv("GPUSIM_MISSING", _i == 0 ? "cuFuncLoad" : "cuMemFreeAsync", 1);
    opened result = open_simulated(&cuda_family);
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

START_TEST(answer_of_init_is_told_by_name_number_and_remedy)
{
    char number[24], result_of_init[24];

    snprintf(number, sizeof(number), "(%d, ", inits[_i].result);
    snprintf(result_of_init, sizeof(result_of_init), "%d", inits[_i].result);
    setenv("GPUSIM_INIT", result_of_init, 1);
    opened result = open_simulated(&cuda_family);
    ck_assert_refused(&result, inits[_i].state, "cuda: ", "cuInit of ", "libcuda.so.1", number,
                      cuda_error_name(inits[_i].result), inits[_i].words, NULL);
}
END_TEST

START_TEST(no_devices_at_all_is_no_device)
{
    setenv("GPUSIM_COUNT", "0", 1);
    opened result = open_simulated(&cuda_family);
    ck_assert_refused(&result, ACCEL_BACKEND_NO_DEVICE, "cuDeviceGetCount", "finds none", NULL);
}
END_TEST

START_TEST(count_that_fails_is_told)
{
    setenv("GPUSIM_FAIL", "cuDeviceGetCount@1=100", 1);
    opened result = open_simulated(&cuda_family);
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
    make_root();
    make_node("nvidiactl", 0666);
    make_node("nvidia0", 0666);
    make_node("nvidia1", 0);
    setenv("GPUSIM_INIT", _i == 0 ? "100" : "999", 1); /* no device, unknown */
    /* Loaded before: a build directory need not be open to others. */
    ck_assert_ptr_nonnull(dlopen(simulated_path(&cuda_family), RTLD_NOW | RTLD_LOCAL));
    if (getuid() == 0)
        ck_assert_int_eq(seteuid(65534), 0); /* root may open anything */
    opened result = open_simulated_in(&cuda_family, root);
    if (getuid() == 0)
        ck_assert_int_eq(seteuid(0), 0);
    remove_root();
    ck_assert_refused(&result, ACCEL_BACKEND_NO_PERMISSION, "no permission", "/dev/nvidia1: Permission denied", "group",
                      NULL);
}
END_TEST

START_TEST(device_nodes_in_order_leave_the_driver_its_words)
{
    make_root();
    make_node("nvidiactl", 0666);
    make_node("nvidia0", 0666);
    setenv("GPUSIM_INIT", "100", 1);
    opened result = open_simulated_in(&cuda_family, root);
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
    setenv("GPUSIM_INIT", "100", 1);
    opened result = open_simulated(&cuda_family);
    ck_assert_refused(&result, ACCEL_BACKEND_NO_DEVICE, "/dev/nvidiactl: No such file or directory", NULL);
}
END_TEST

START_TEST(later_calls_give_the_same_answer_without_asking_again)
{
    count_calls();
    setenv("GPUSIM_INIT", _i == 0 ? "0" : "100", 1);
    opened first = open_simulated(&cuda_family);
    opened second = open_simulated(&cuda_family);
    ck_assert_uint_eq(first.status, second.status);
    ck_assert_uint_eq(first.state, second.state);
    ck_assert_ptr_eq(first.driver, second.driver);
    ck_assert_uint_eq(calls_of("cuInit"), 1);
}
END_TEST

static void *open_on_thread(void *user)
{
    *(opened *)user = open_simulated(&cuda_family);
    return NULL;
}

START_TEST(threads_that_open_at_once_get_one_answer)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    opened results[THREADS];
    count_calls();
    setenv("GPUSIM_INIT_DELAY", "20", 1);
    for (int i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, open_on_thread, &results[i]), 0);
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(results[i].status, ACCEL_OK);
        ck_assert_ptr_eq(results[i].driver, &cuda_driver);
    }
    ck_assert_uint_eq(calls_of("cuInit"), 1);
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
