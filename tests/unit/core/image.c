/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors that PTX spells out: checked like those of other objects, before any driver reads the text. */
#include "core/objects/image.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[4096], reason[320];

/* A text with one kernel `axpy`, whose descriptor is an array of that type and ends so. */
static accel_image image_of(const accel_descriptor *descriptor, const char *type, const char *end)
{
    unsigned char bytes[sizeof(*descriptor)];
    size_t length = (size_t)snprintf(text, sizeof(text),
                                     ".version 8.0\n.target sm_80\n.address_size 64\n"
                                     ".visible .global .align 8 %s accel_descriptor_axpy[%zu] = {",
                                     type, sizeof(bytes));

    memcpy(bytes, descriptor, sizeof(bytes));
    for (size_t i = 0; i < sizeof(bytes); ++i)
        length += (size_t)snprintf(text + length, sizeof(text) - length, i == 0 ? "%u" : ", %u", bytes[i]);
    length += (size_t)snprintf(text + length, sizeof(text) - length, "%s", end);
    return (accel_image){.struct_size = sizeof(accel_image),
                         .library = "blas",
                         .target = "compute_80",
                         .format = "ptx",
                         .data = text,
                         .size = length};
}

static accel_descriptor good(void)
{
    return (accel_descriptor){.magic = ACCEL_OBJECT_MAGIC,
                              .abi = ACCEL_OBJECT_ABI,
                              .struct_size = sizeof(accel_descriptor),
                              .form = ACCEL_FORM_BLOCK,
                              .args_size = 24,
                              .args_align = 8,
                              .grid_size = sizeof(accel_grid)};
}

START_TEST(k6_a_whole_descriptor_in_ptx_is_taken)
{
    accel_descriptor descriptor = good();
    accel_image image = image_of(&descriptor, ".b8", "};\n.visible .entry x()\n");
    accel_names names = {0};

    ck_assert_msg(accel_image_valid(&image, reason, sizeof(reason)), "%s", reason);
    ck_assert_uint_eq(accel_image_kernels(&image, &names), ACCEL_OK);
    ck_assert_uint_eq(names.count, 1);
    ck_assert_str_eq(names.items[0], "axpy");
    accel_names_clear(&names);
}
END_TEST

START_TEST(k6_a_descriptor_in_ptx_of_another_version_is_refused)
{
    accel_descriptor descriptor = good();
    descriptor.abi = 99;
    accel_image image = image_of(&descriptor, ".b8", "};\n");

    ck_assert(!accel_image_valid(&image, reason, sizeof(reason)));
    ck_assert_ptr_nonnull(strstr(reason, "kernel \"axpy\""));
    ck_assert_ptr_nonnull(strstr(reason, "object ABI 99"));
    descriptor = good();
    descriptor.args_size = 5000;
    image = image_of(&descriptor, ".b8", "};\n");
    ck_assert(!accel_image_valid(&image, reason, sizeof(reason)));
    ck_assert_ptr_nonnull(strstr(reason, "5000"));
}
END_TEST

START_TEST(a_descriptor_without_values_is_zeros_which_is_none)
{
    static const char zeros[] =
        ".version 8.0\n.target sm_80\n.visible .global .align 8 .b8 accel_descriptor_axpy[72];\n";
    accel_image image = {.format = "ptx", .data = zeros, .size = sizeof(zeros) - 1};

    ck_assert(!accel_image_valid(&image, reason, sizeof(reason)));
    ck_assert_ptr_nonnull(strstr(reason, "it has 0 bytes"));
}
END_TEST

START_TEST(spellings_that_only_a_driver_reads_are_left_to_it)
{
    accel_descriptor descriptor = good();
    descriptor.abi = 99;
    accel_image image = image_of(&descriptor, ".u64", "};\n");
    ck_assert_msg(accel_image_valid(&image, reason, sizeof(reason)), "%s", reason);
    image = image_of(&descriptor, ".b8", ", name+4};\n");
    ck_assert_msg(accel_image_valid(&image, reason, sizeof(reason)), "%s", reason);
}
END_TEST

static const unsigned char *seen_bytes;
static size_t seen_size;

static void see(void *user, const char *name, const void *bytes, size_t size)
{
    (void)user;
    (void)name;
    seen_bytes = bytes;
    seen_size = size;
}

START_TEST(more_values_than_the_array_has_are_not_read)
{
    static const char four[] = ".visible .global .align 8 .b8 accel_descriptor_axpy[4] = {1, 2, 3, 4};\n",
                      five[] = ".visible .global .align 8 .b8 accel_descriptor_axpy[4] = {1, 2, 3, 4, 5};\n";
    accel_image image = {.format = "ptx", .data = four, .size = sizeof(four) - 1};

    accel_image_visit(&image, see, NULL);
    ck_assert_ptr_nonnull(seen_bytes);
    ck_assert_uint_eq(seen_size, 4);
    image.data = five;
    image.size = sizeof(five) - 1;
    accel_image_visit(&image, see, NULL);
    ck_assert_ptr_null(seen_bytes);
}
END_TEST

START_TEST(a_text_that_ends_anywhere_is_read_no_further)
{
    accel_descriptor descriptor = good();
    accel_image image = image_of(&descriptor, ".b8", "};\n");

    for (size_t size = image.size; size != 0; --size) {
        char *cut = malloc(size); /* sanitizers see every step beyond it */
        ck_assert_ptr_nonnull(cut);
        memcpy(cut, text, size);
        image.data = cut;
        image.size = size;
        accel_image_valid(&image, reason, sizeof(reason));
        free(cut);
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("image");

    add(suite, k6_a_whole_descriptor_in_ptx_is_taken);
    add(suite, k6_a_descriptor_in_ptx_of_another_version_is_refused);
    add(suite, a_descriptor_without_values_is_zeros_which_is_none);
    add(suite, spellings_that_only_a_driver_reads_are_left_to_it);
    add(suite, more_values_than_the_array_has_are_not_read);
    add(suite, a_text_that_ends_anywhere_is_read_no_further);
    return suite;
}
