/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_engine.h"
#include "plugins/cpu/engine/module.h"

#include <string.h>

static cpu_engine engine;
static accel_descriptor descriptor;

static void run_blocks(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    (void)launch;
    (void)args;
    (void)first;
    (void)count;
}

static void setup(void)
{
    engine = cpu_engine_open(&cpu_executor_serial);
    descriptor = cpu_block_kernel(run_blocks, 8, 8);
}

static void teardown(void)
{
    cpu_engine_close(&engine);
}

static void is_refused(const char *because)
{
    ck_assert_uint_eq(cpu_descriptor_check(&descriptor, sizeof(descriptor), "test"), ACCEL_INCOMPATIBLE);
    ck_assert_msg(strstr(accel_error_message(), because) != NULL, "\"%s\" does not say \"%s\"", accel_error_message(),
                  because);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "kernel \"test\""));
    descriptor = cpu_block_kernel(run_blocks, 8, 8);
}

START_TEST(K6_a_whole_descriptor_is_taken)
{
    setup();
    ck_assert_uint_eq(cpu_descriptor_check(&descriptor, sizeof(descriptor), "test"), ACCEL_OK);
    descriptor.struct_size += 8; /* of a later version of the same ABI */
    ck_assert_uint_eq(cpu_descriptor_check(&descriptor, sizeof(descriptor) + 8, "test"), ACCEL_OK);
    teardown();
}
END_TEST

static accel_pattern_descriptor reduction(void)
{
    accel_pattern_descriptor made = {.kernel = cpu_block_kernel(run_blocks, 8 + sizeof(accel_pattern_places), 8),
                                     .kind = ACCEL_KIND_REDUCE,
                                     .dims = 1,
                                     .args_size = 8,
                                     .element_size = 8};
    made.kernel.struct_size = sizeof(made);
    made.kernel.flags = ACCEL_KERNEL_PATTERN;
    made.kernel.block[0] = ACCEL_TILE_LANES * ACCEL_TILE_PIECES;
    made.kernel.block[1] = made.kernel.block[2] = 1;
    return made;
}

static void pattern_is_refused(const accel_pattern_descriptor *pattern, size_t size, const char *because)
{
    ck_assert_uint_eq(cpu_descriptor_check(&pattern->kernel, size, "test"), ACCEL_INCOMPATIBLE);
    ck_assert_msg(strstr(accel_error_message(), because) != NULL, "\"%s\" does not say \"%s\"", accel_error_message(),
                  because);
}

START_TEST(K6_so_is_every_field_of_a_pattern)
{
    setup();
    accel_pattern_descriptor p = reduction();
    ck_assert_uint_eq(cpu_descriptor_check(&p.kernel, sizeof(p), "test"), ACCEL_OK);
    pattern_is_refused(&p, sizeof(accel_descriptor), "72 bytes");
    p.kernel.struct_size = sizeof(p.kernel);
    pattern_is_refused(&p, sizeof(p), "72 bytes");
    p = reduction();
    p.kind = 99;
    pattern_is_refused(&p, sizeof(p), "pattern is 99");
    p = reduction();
    p.dims = 4;
    pattern_is_refused(&p, sizeof(p), "4 dimensions");
    p = reduction();
    p.element_size = 257;
    pattern_is_refused(&p, sizeof(p), "257 bytes");
    p = reduction();
    p.args_size = 9;
    pattern_is_refused(&p, sizeof(p), "places");
    p = reduction();
    p.kernel.block[0] = 64;
    pattern_is_refused(&p, sizeof(p), "128 threads");
    p = reduction();
    p.kind = ACCEL_KIND_SCAN;
    pattern_is_refused(&p, sizeof(p), "112 bytes of a pattern's places");
    p.kernel.args_size = 8 + sizeof(accel_scan_places);
    ck_assert_uint_eq(cpu_descriptor_check(&p.kernel, sizeof(p), "test"), ACCEL_OK);
    p.dims = 2;
    pattern_is_refused(&p, sizeof(p), "2 dimensions, not 1 to 1");
    teardown();
}
END_TEST

START_TEST(K6_every_field_that_cannot_be_right_is_refused_with_its_reason)
{
    setup();
    descriptor.magic ^= 1;
    is_refused("begins with");
    descriptor.abi++;
    is_refused("object ABI");
    descriptor.struct_size = 8;
    is_refused("bytes");
    descriptor.grid_size = sizeof(accel_grid) + 8;
    is_refused("newer accel_grid");
    descriptor.form = 9;
    is_refused("form");
    descriptor.run_blocks = NULL;
    is_refused("entry");
    descriptor.form = ACCEL_FORM_THREAD;
    is_refused("entry");
    descriptor.args_size = 0;
    is_refused("size of its arguments");
    descriptor.args_size = ACCEL_MAX_ARGS_SIZE + 1;
    is_refused("size of its arguments");
    descriptor.args_align = 24;
    is_refused("alignment");
    descriptor.args_align = 1u << 20;
    is_refused("alignment");
    descriptor.block[1] = 16;
    is_refused("block");
    for (int i = 0; i < 3; ++i)
        descriptor.block[i] = 32;
    is_refused("block");
    for (int i = 0; i < 3; ++i)
        descriptor.block[i] = 1u << 31; /* whose product overflows */
    is_refused("block");
    descriptor.shared_bytes = UINT32_MAX;
    is_refused("shared memory");
    descriptor.name = NULL;
    is_refused("name");
    descriptor.name = "other";
    is_refused("name");
    teardown();
}
END_TEST

START_TEST(a_symbol_shorter_than_a_descriptor_is_not_read_past_its_end)
{
    setup();
    ck_assert_uint_eq(cpu_descriptor_check(&descriptor, 4, "test"), ACCEL_INCOMPATIBLE);
    teardown();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_descriptor");

    add(suite, K6_a_whole_descriptor_is_taken);
    add(suite, K6_so_is_every_field_of_a_pattern);
    add(suite, K6_every_field_that_cannot_be_right_is_refused_with_its_reason);
    add(suite, a_symbol_shorter_than_a_descriptor_is_not_read_past_its_end);
    return suite;
}
