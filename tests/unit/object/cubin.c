/* SPDX-License-Identifier: Apache-2.0 */
/* What NVIDIA's code objects say of their kernels, whole, cut off and changed. tests/checking/cubin.py has made the
 * sample: kernel "one" with 10 registers, and "two" with 255. */
#include "object/cubin.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char bytes[4096];
static size_t size;

typedef struct seen {
    size_t count;
    uint32_t one, two;
} seen;

static void look(void *user, const char *name, uint32_t registers)
{
    seen *found = user;
    ++found->count;
    if (strcmp(name, "accel_kernel_one") == 0)
        found->one = registers;
    if (strcmp(name, "accel_kernel_two") == 0)
        found->two = registers;
}

static void read_sample(void)
{
    FILE *file = fopen(CUBIN_SAMPLE, "rb");
    ck_assert_ptr_nonnull(file);
    size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    ck_assert_uint_gt(size, 0);
    ck_assert_uint_lt(size, sizeof(bytes));
}

START_TEST(registers_of_each_kernel_are_read)
{
    seen found = {0};
    read_sample();
    ck_assert(cubin_read(bytes, size, look, &found));
    ck_assert_uint_eq(found.count, 2);
    ck_assert_uint_eq(found.one, 10);
    ck_assert_uint_eq(found.two, 255);
}
END_TEST

START_TEST(a_file_that_is_cut_off_is_none)
{
    read_sample();
    for (size_t length = 0; length < size; ++length) {
        seen found = {0};
        unsigned char *cut = malloc(length + 1); /* so that sanitizers see what is read behind it */
        memcpy(cut, bytes, length);
        ck_assert(!cubin_read(cut, length, look, &found));
        ck_assert_uint_eq(found.count, 0);
        free(cut);
    }
}
END_TEST

START_TEST(any_byte_may_be_another)
{
    read_sample();
    for (size_t at = 0; at < size; ++at) {
        for (unsigned value = 0; value < 256; value += 15) {
            seen found = {0};
            unsigned char *changed = malloc(size);
            memcpy(changed, bytes, size);
            changed[at] = (unsigned char)value;
            (void)cubin_read(changed, size, look, &found);
            ck_assert_uint_le(found.count, 4);
            free(changed);
        }
    }
}
END_TEST

START_TEST(objects_of_another_machine_are_none)
{
    seen found = {0};
    read_sample();
    bytes[18] = 62; /* x86-64 */
    ck_assert(!cubin_read(bytes, size, look, &found));
    ck_assert_uint_eq(found.count, 0);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cubin");

    add(suite, registers_of_each_kernel_are_read);
    add(suite, a_file_that_is_cut_off_is_none);
    add(suite, any_byte_may_be_another);
    add(suite, objects_of_another_machine_are_none);
    return suite;
}
