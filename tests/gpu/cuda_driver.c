/* SPDX-License-Identifier: Apache-2.0 */
/* What the CUDA driver table tells: devices and the meaning of results. */
#include "run.h"

#include "plugins/gpu/driver/cuda/cuda.h"
#include "opened.h"

#include <stdlib.h>
#include <string.h>

START_TEST(device_is_described)
{
    static const struct {
        const char *architecture, *version;
        size_t parameter_bytes;
    } rows[] = {{"sm_90", "12010", 32764}, {"sm_90", "12000", 4096}, {"sm_61", "12040", 4096}};
    gpu_description description;

    setenv("GPUSIM_ARCHITECTURE", rows[_i].architecture, 1);
    setenv("GPUSIM_VERSION", rows[_i].version, 1);
    setenv("GPUSIM_DEVICES", "3", 1);
    opened result = open_simulated(&cuda_family);
    ck_assert_msg(result.status == ACCEL_OK, "%s", result.text);
    ck_assert_int_eq(result.driver->device_describe(&description, 2), 0);
    ck_assert_str_eq(description.architecture, rows[_i].architecture);
    ck_assert_uint_eq(description.max_parameter_bytes, rows[_i].parameter_bytes);
    ck_assert_mem_eq(description.uuid, "cudZZZZZZZZZZZZ\3", 16); /* the simulator's third */
}
END_TEST

START_TEST(every_attribute_of_the_engine_has_a_number)
{
    int value = 0;
    setenv("GPUSIM_WARP", "16", 1);
    opened result = open_simulated(&cuda_family);

    ck_assert_uint_eq(result.status, ACCEL_OK);
    for (int i = 0; i < GPU_ATTRIBUTE_COUNT; ++i) {
        ck_assert_int_gt(result.driver->attribute_numbers[i], 0);
        for (int j = 0; j < i; ++j)
            ck_assert_int_ne(result.driver->attribute_numbers[i], result.driver->attribute_numbers[j]);
    }
    ck_assert_int_eq(result.driver->device_attribute(&value, CUDA_ATTRIBUTE_WARP_SIZE, 0), 0);
    ck_assert_int_eq(value, 16);
}
END_TEST

START_TEST(ptx_that_is_too_new_is_explained)
{
    static const char newer[] = "// made\n.version 9.0\n.target sm_80\n", older[] = ".version 7.0\n.target sm_80\n";
    accel_image image = {.format = "ptx", .data = newer, .size = sizeof(newer) - 1};
    char text[256];
    setenv("GPUSIM_VERSION", "12040", 1);
    opened result = open_simulated(&cuda_family);

    ck_assert_uint_eq(result.status, ACCEL_OK);
    result.driver->explain_refusal(CUDA_RESULT_UNSUPPORTED_PTX_VERSION, &image, text, sizeof(text));
    ck_assert_ptr_nonnull(strstr(text, "PTX 9.0"));
    ck_assert_ptr_nonnull(strstr(text, "CUDA 12.4"));
    ck_assert_ptr_nonnull(strstr(text, "8.4"));
    image.data = older;
    image.size = sizeof(older) - 1;
    result.driver->explain_refusal(CUDA_RESULT_INVALID_PTX, &image, text, sizeof(text));
    ck_assert_str_eq(text, "");
    image.format = "cubin";
    image.data = newer;
    image.size = 0;
    result.driver->explain_refusal(CUDA_RESULT_INVALID_IMAGE, &image, text, sizeof(text));
    ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(newest_ptx_of_each_driver)
{
    static const int rows[][2] = {{11040, 74}, {11080, 78}, {12000, 80}, {12050, 85}, {12060, 85},
                                  {12080, 87}, {12090, 88}, {13000, 90}, {14000, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i)
        ck_assert_int_eq(cuda_newest_ptx(rows[i][0]), rows[i][1]);
}
END_TEST

static uint32_t meaning_of(const gpu_driver *driver, gpu_result result, accel_status *status)
{
    for (size_t i = 0; i < driver->error_class_count; ++i) {
        if (driver->error_classes[i].result == result) {
            *status = driver->error_classes[i].status;
            return driver->error_classes[i].class;
        }
    }
    *status = ACCEL_DRIVER;
    return GPU_CLASS_REFUSED;
}

START_TEST(faults_and_losses_are_told_from_refusals)
{
    accel_status status;
    opened result = open_simulated(&cuda_family);

    ck_assert_uint_eq(result.status, ACCEL_OK);
    ck_assert_uint_eq(meaning_of(result.driver, CUDA_RESULT_MISALIGNED_ADDRESS, &status), GPU_CLASS_FAULT);
    ck_assert_uint_eq(status, ACCEL_KERNEL_FAULT);
    ck_assert_uint_eq(meaning_of(result.driver, CUDA_RESULT_ECC_UNCORRECTABLE, &status), GPU_CLASS_LOST);
    ck_assert_uint_eq(status, ACCEL_DEVICE_LOST);
    ck_assert_uint_eq(meaning_of(result.driver, CUDA_RESULT_DEINITIALIZED, &status), GPU_CLASS_SHUT_DOWN);
    ck_assert_uint_eq(meaning_of(result.driver, CUDA_RESULT_OUT_OF_MEMORY, &status), GPU_CLASS_REFUSED);
    ck_assert_uint_eq(status, ACCEL_OUT_OF_MEMORY);
    for (size_t i = 0; i < result.driver->error_class_count; ++i) {
        for (size_t j = 0; j < i; ++j)
            ck_assert_int_ne(result.driver->error_classes[i].result, result.driver->error_classes[j].result);
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cuda_driver");
    TCase *loops = tcase_create("loops");

    add(suite, every_attribute_of_the_engine_has_a_number);
    add(suite, ptx_that_is_too_new_is_explained);
    add(suite, newest_ptx_of_each_driver);
    add(suite, faults_and_losses_are_told_from_refusals);
    tcase_add_loop_test(loops, device_is_described, 0, 3);
    suite_add_tcase(suite, loops);
    return suite;
}
