/* SPDX-License-Identifier: Apache-2.0 */
/* Objects: their forms, symbols and loadings. */
#include "grids.h"

#include "../base64.h"

#include <accel/object.h>
#include <stdio.h>

static size_t read_object(const char *name, unsigned char *data, size_t most)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s", objects_directory, name);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(data, 1, most, file);
    fclose(file);
    return size;
}

START_TEST(each_form_says_what_it_is)
{
    static const struct {
        const char *file, *target;
        gpusim_form form;
        uint32_t version;
    } forms[] = {
        {"grid.compute_75.ptx", "sm_75", GPUSIM_PTX, 70},
        {"grid.sm_80.cubin", "sm_80", GPUSIM_CUBIN, 0},
        {"grid.gfx90a.hsaco", "gfx90a", GPUSIM_HSACO, 0},
        {"grid.gfx1030.hsaco", "gfx1030", GPUSIM_HSACO, 0},
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); ++i) {
        char reason[256];
        static unsigned char data[4 << 20];
        gpusim_object object;
        size_t size = read_object(forms[i].file, data, sizeof(data));
        ck_assert_msg(gpusim_object_read(data, size, &object, reason, sizeof(reason)), "%s", reason);
        ck_assert_int_eq((int)object.form, (int)forms[i].form);
        ck_assert_str_eq(object.target, forms[i].target);
        ck_assert_uint_eq(object.ptx_version, forms[i].version);
        gpusim_image_unload(image_of(forms[i].file));
    }
}
END_TEST

START_TEST(other_bytes_are_refused_with_a_reason)
{
    static const char *const texts[] = {"", "x", ".version 7.0\n.target sm_75\n",
                                        ".version 7.0\n.target sm_75\n// gpusim AAAA\n",
                                        ".version 7.0\n.target sm_75\n// gpusim A?AA\n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        char reason[256] = "";
        ck_assert_ptr_null(gpusim_image_load(texts[i], strlen(texts[i]), reason, sizeof(reason)));
        ck_assert_str_ne(reason, "");
    }
    gpusim_image_unload(NULL);
}
END_TEST

START_TEST(cut_and_damaged_objects_are_refused_with_a_reason)
{
    static const char *const files[] = {"grid.compute_75.ptx", "grid.sm_80.cubin", "grid.gfx90a.hsaco"};
    static const unsigned percents[] = {1, 30, 60, 90, 99};
    static unsigned char data[4 << 20];
    for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); ++f) {
        size_t size = read_object(files[f], data, sizeof(data));
        for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); ++i) {
            char reason[256] = "";
            ck_assert_ptr_null(gpusim_image_load(data, size * percents[i] / 100, reason, sizeof(reason)));
            ck_assert_str_ne(reason, "");
        }
        for (size_t at = 16; at < 64 && f > 0; ++at) {
            char reason[256] = "";
            data[at] ^= 0x41;
            ck_assert_ptr_null(gpusim_image_load(data, size, reason, sizeof(reason)));
            ck_assert_str_ne(reason, "");
            data[at] ^= 0x41;
        }
    }
}
END_TEST

START_TEST(base64_gives_back_every_length)
{
    for (size_t size = 0; size < 70; ++size) {
        uint8_t in[72], out[72];
        char text[100];
        size_t found = 99;
        for (size_t i = 0; i < size; ++i)
            in[i] = (uint8_t)(i * 151 + size);
        size_t length = gpusim_base64_encode(in, size, text);
        ck_assert(gpusim_base64_decode(text, length, out, &found));
        ck_assert_uint_eq(found, size);
        ck_assert_mem_eq(in, out, size);
    }
}
END_TEST

START_TEST(a_descriptor_and_its_kernel_are_found_by_symbol)
{
    gpusim_image *image = image_of("grid.sm_80.cubin");
    gpusim_kernel_properties properties;
    void *address = NULL;
    size_t size = 0;
    ck_assert(gpusim_image_global(image, "accel_descriptor_fixed", &address, &size));
    ck_assert_uint_eq(size, sizeof(accel_descriptor));
    ck_assert_uint_eq(((accel_descriptor *)address)->block[0], 16);
    gpusim_kernel *kernel = gpusim_image_kernel(image, "accel_kernel_fixed");
    ck_assert_ptr_nonnull(kernel);
    ck_assert_ptr_eq(gpusim_image_kernel(image, "accel_kernel_fixed"), kernel);
    gpusim_kernel_info(kernel, &properties);
    ck_assert_str_eq(properties.symbol, "accel_kernel_fixed");
    ck_assert_uint_eq(properties.max_threads, 64);
    ck_assert_uint_eq(properties.parameter_bytes, sizeof(words_args) + sizeof(accel_grid));
    gpusim_kernel_info(gpusim_image_kernel(image, "accel_kernel_neighbour"), &properties);
    ck_assert_uint_eq(properties.static_shared_bytes, 1024 * sizeof(uint64_t));
    gpusim_kernel_info(gpusim_image_kernel(image, "accel_kernel_count"), &properties);
    ck_assert_uint_eq(properties.parameter_offset[1], 8);
    ck_assert_ptr_null(gpusim_image_kernel(image, "fixed"));
    ck_assert(!gpusim_image_global(image, "printf", &address, &size));
    gpusim_image_unload(image);
}
END_TEST

START_TEST(each_loading_has_its_own_globals)
{
    const accel_no_args none = {0};
    const shape one = {.block = {32}};
    gpusim_image *image[2] = {image_of("grid.compute_75.ptx"), image_of("grid.compute_75.ptx")};
    uint64_t *counter[2];
    for (int i = 0; i < 2; ++i) {
        size_t size = 0;
        void *address = NULL;
        ck_assert(gpusim_image_global(image[i], "counter", &address, &size));
        ck_assert_uint_eq(size, 8);
        counter[i] = address;
    }
    run(image[0], 32, "accel_kernel_count", one, &none, sizeof(none));
    ck_assert_uint_eq(*counter[0], 6);
    ck_assert_uint_eq(*counter[1], 5);
    gpusim_image_unload(image[0]);
    run(image[1], 32, "accel_kernel_count", one, &none, sizeof(none));
    ck_assert_uint_eq(*counter[1], 6);
    gpusim_image_unload(image[1]);
}
END_TEST

TCase *objects_tests(void)
{
    TCase *tests = tcase_create("objects");
    tcase_add_test(tests, each_form_says_what_it_is);
    tcase_add_test(tests, other_bytes_are_refused_with_a_reason);
    tcase_add_test(tests, cut_and_damaged_objects_are_refused_with_a_reason);
    tcase_add_test(tests, base64_gives_back_every_length);
    tcase_add_test(tests, a_descriptor_and_its_kernel_are_found_by_symbol);
    tcase_add_test(tests, each_loading_has_its_own_globals);
    return tests;
}
