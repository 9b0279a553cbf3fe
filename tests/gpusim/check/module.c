/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, functions and launches. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t word_of(cuda_device_pointer words, size_t i)
{
    uint32_t word = 0;
    cuda_ok(cu.copy((uintptr_t)&word, words + 4 * i, 4, NULL));
    cuda_ok(cu.stream_synchronize(NULL));
    return word;
}

static uint32_t *words_at(cuda_device_pointer words)
{
    return (uint32_t *)words; /* NOLINT(performance-no-int-to-ptr) */
}

START_TEST(kernels_run_on_device_memory)
{
    const char *targets[] = {"compute_75.ptx", "sm_80.cubin"};
    setenv("GPUSIM_ARCHITECTURE", "sm_86", 1);
    cuda_start();
    cuda_stream stream = cuda_new_stream(1);
    for (int i = 0; i < 2; ++i) {
        cuda_module module = cuda_load(targets[i]);
        cuda_device_pointer words = cuda_new_words(1000, 1);
        for (uint32_t k = 0; k < 10; ++k)
            ck_assert_int_eq(cuda_run(cuda_kernel(module, "add"), stream, (words_args){words_at(words), 1000, k}, 0),
                             0);
        cuda_ok(cu.stream_synchronize(stream));
        ck_assert_uint_eq(word_of(words, 0), 46);
        ck_assert_uint_eq(word_of(words, 999), 46);
        cuda_ok(cu.memory_free(words));
        cuda_ok(cu.module_unload(module));
    }
    cuda_ok(cu.stream_destroy(stream));
    cuda_stop();
}
END_TEST

START_TEST(globals_are_device_memory_of_each_module)
{
    cuda_device_pointer counters[2];
    size_t size = 0;
    uint32_t seven = 7;
    cuda_start();
    setenv("GPUSIM_ARCHITECTURE", "sm_86", 1);
    cuda_module modules[2] = {cuda_load("compute_75.ptx"), cuda_load("compute_75.ptx")};
    for (int i = 0; i < 2; ++i) {
        cuda_ok(cu.module_global(&counters[i], &size, modules[i], "counter"));
        ck_assert_uint_eq(size, 4);
        ck_assert_uint_eq(word_of(counters[i], 0), 5);
    }
    ck_assert_uint_ne(counters[0], counters[1]);
    ck_assert_int_eq(cuda_run(cuda_kernel(modules[0], "bump"), NULL, (words_args){.value = 1, .n = 0}, 0), 0);
    cuda_ok(cu.copy(counters[1], (uintptr_t)&seven, 4, NULL));
    ck_assert_int_eq(cuda_run(cuda_kernel(modules[1], "bump"), NULL, (words_args){.value = 1, .n = 0}, 0), 0);
    ck_assert_uint_eq(word_of(counters[0], 0), 6);
    ck_assert_uint_eq(word_of(counters[1], 0), 8);
    ck_assert_int_eq(cu.module_global(&counters[0], &size, modules[0], "no_such"), CUDA_RESULT_NOT_FOUND);
    cuda_ok(cu.module_unload(modules[0]));
    cuda_ok(cu.module_unload(modules[1]));
    cuda_stop();
}
END_TEST

START_TEST(objects_for_other_devices_are_refused)
{
    char log[300] = "";
    cuda_module module = NULL;
    void *ptx = object_bytes("compute_75.ptx"), *cubin = object_bytes("sm_80.cubin"),
         *hsaco = object_bytes("gfx90a.hsaco");
    cuda_jit_option options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)sizeof log}; /* NOLINT(performance-no-int-to-ptr) */
    setenv("GPUSIM_ARCHITECTURE", "sm_90", 1);
    setenv("GPUSIM_VERSION", "11080", 1);
    memcpy(strstr(ptx, ".version 7.0"), ".version 7.9", 12); /* what 11.8 does not know yet */
    cuda_start();
    ck_assert_int_eq(cu.module_load(&module, cubin, 0, NULL, NULL), CUDA_RESULT_NO_BINARY_FOR_GPU);
    ck_assert_int_eq(cu.module_load(&module, hsaco, 0, NULL, NULL), CUDA_RESULT_INVALID_IMAGE);
    ck_assert_int_eq(cu.module_load(&module, "nonsense", 0, NULL, NULL), CUDA_RESULT_INVALID_IMAGE);
    ck_assert_int_eq(cu.module_load(&module, ptx, 2, options, values), CUDA_RESULT_UNSUPPORTED_PTX_VERSION);
    ck_assert_msg(strstr(log, ".version 7.9") != NULL, "%s", log);
    cuda_stop();
    free(ptx);
    free(cubin);
    free(hsaco);
}
END_TEST

START_TEST(functions_have_attributes_and_limits)
{
    int value = 0, blocks = 0, threads = 0;
    uint32_t result = 0;
    cuda_start();
    cuda_module module = cuda_load("compute_75.ptx");
    cuda_function function = NULL, share = cuda_kernel(module, "share");
    cuda_device_pointer words = cuda_new_words(1, 0);
    words_args last = {words_at(words), 100 * 1024 / 4 - 1, 77};
    ck_assert_int_eq(cu.module_function(&function, module, "no_such"), CUDA_RESULT_NOT_FOUND);
    cuda_ok(cu.function_attribute(&value, CUDA_FUNCTION_MAX_THREADS, share));
    ck_assert_int_eq(value, 1024);
    cuda_ok(cu.function_attribute(&value, CUDA_FUNCTION_MAX_DYNAMIC_SHARED, share));
    ck_assert_int_eq(value, 48 * 1024);
    ck_assert_int_eq(cuda_run(share, NULL, last, 100 * 1024), CUDA_RESULT_INVALID_VALUE);
    ck_assert_int_eq(cu.function_set_attribute(share, CUDA_FUNCTION_MAX_DYNAMIC_SHARED, 300 * 1024),
                     CUDA_RESULT_INVALID_VALUE);
    cuda_ok(cu.function_set_attribute(share, CUDA_FUNCTION_MAX_DYNAMIC_SHARED, 100 * 1024));
    ck_assert_int_eq(cuda_run(share, NULL, last, 100 * 1024), CUDA_RESULT_SUCCESS);
    result = word_of(words, 0);
    ck_assert_uint_eq(result, 77);
    cuda_ok(cu.occupancy_blocks(&blocks, share, 256, 0));
    ck_assert_int_eq(blocks, 8);
    cuda_ok(cu.occupancy_blocks(&blocks, share, 256, 100 * 1024));
    ck_assert_int_eq(blocks, 2);
    cuda_ok(cu.occupancy_threads(&blocks, &threads, share, NULL, 0, 0));
    ck_assert_int_eq(blocks * threads, 8 * 2048);
    cuda_ok(cu.memory_free(words));
    cuda_ok(cu.module_unload(module));
    cuda_stop();
}
END_TEST

START_TEST(launches_over_a_limit_are_refused)
{
    cuda_start();
    cuda_module module = cuda_load("compute_75.ptx");
    cuda_function add_words = cuda_kernel(module, "add");
    words_args args = {NULL, 0, 0};
    accel_grid grid = grid_of(1, 1);
    void *parameters[] = {&args, &grid};
    ck_assert_int_eq(cu.launch(add_words, 1, 1, 1, 1025, 1, 1, 0, NULL, parameters, NULL), CUDA_RESULT_INVALID_VALUE);
    ck_assert_int_eq(cu.launch(add_words, 1, 1, 1, 1, 1, 65, 0, NULL, parameters, NULL), CUDA_RESULT_INVALID_VALUE);
    ck_assert_int_eq(cu.launch(add_words, 1, 65536, 1, 1, 1, 1, 0, NULL, parameters, NULL), CUDA_RESULT_INVALID_VALUE);
    ck_assert_int_eq(cu.launch(add_words, 0, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL), CUDA_RESULT_INVALID_VALUE);
    ck_assert_int_eq(cu.launch_cooperative(add_words, 17, 1, 1, 1024, 1, 1, 0, NULL, parameters),
                     CUDA_RESULT_COOPERATIVE_LAUNCH_TOO_LARGE);
    cuda_ok(cu.launch_cooperative(add_words, 16, 1, 1, 1024, 1, 1, 0, NULL, parameters));
    cuda_ok(cu.stream_synchronize(NULL));
    cuda_ok(cu.module_unload(module));
    cuda_stop();
}
END_TEST

/* Where the kernel would put the object into the device's process, this one has an arena: layouts without randomness are
 * known. Without the right to them this is one more loading. */
START_TEST(an_object_is_loaded_where_the_program_has_nothing)
{
    const size_t arena = (size_t)1 << 30;
    const uintptr_t usual = 0x7ffff7fff000;
    cuda_device_pointer address = 0;
    size_t size = 0;
    personality(ADDR_NO_RANDOMIZE);
    syscall(SYS_mmap, usual - arena, arena, PROT_NONE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0L);
    cuda_start();
    cuda_module module = cuda_load("compute_75.ptx");
    cuda_ok(cu.module_global(&address, &size, module, ACCEL_DESCRIPTOR_PREFIX "add"));
    ck_assert_uint_gt(size, 0);
    cuda_ok(cu.module_unload(module));
    cuda_stop();
}
END_TEST

Suite *module_suite(void)
{
    Suite *suite = suite_create("module");
    add_test(suite, kernels_run_on_device_memory);
    add_test(suite, globals_are_device_memory_of_each_module);
    add_test(suite, objects_for_other_devices_are_refused);
    add_test(suite, functions_have_attributes_and_limits);
    add_test(suite, launches_over_a_limit_are_refused);
    add_test(suite, an_object_is_loaded_where_the_program_has_nothing);
    return suite;
}
