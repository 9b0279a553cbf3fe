/* SPDX-License-Identifier: Apache-2.0 */
/* What is read, and what is refused. */
#include "rig.h"

#include <stdio.h>
#include <string.h>

START_TEST(what_is_not_known_is_refused_with_its_line)
{
    static const struct {
        const char *line, *text;
    } refused[] = {
        {"dp4a.s32.s32 %r1, %r1, %r1, %r1;", "line 5 of the PTX: \"dp4a.s32.s32\" is not executed here"},
        {"add.s32.never %r1, %r1, %r1;", "\"add.s32.never\" is not executed here"},
        {"add.s32 %r1, %r1, %r9;", "there is no %r9"},
        {"add.s32 %r1, %r1;", "add with 2 operands"},
        {"add.s32 %r1, %r1, 0q12;", "0q12 is no number"},
        {"bra $nowhere;", "there is no label $nowhere"},
        {"call other;", "function other has no body"},
        {"add.s32 %r1, %r1, %r1", "\";\" is missing before \"ret\""},
        {"{", "an instruction is missing"},
        {".reg .b128 %q;", "registers of type \".b128\""},
    };
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); ++i) {
        char text[512], reason[256] = "";
        snprintf(text, sizeof(text), ".version 6.3\n.target sm_75\n.entry k()\n{ .reg .b32 %%r<3>;\n%s\nret;\n}\n",
                 refused[i].line);
        ck_assert_ptr_null(gpusim_image_load(text, strlen(text), reason, sizeof(reason)));
        ck_assert_msg(strstr(reason, refused[i].text) != NULL, "%s: \"%s\"", refused[i].line, reason);
    }
}
END_TEST

START_TEST(globals_have_their_values_and_each_loading_its_own)
{
    static const char before[] = ".visible .global .align 4 .u32 words[4] = {1, 2, 0xfffffffe};\n"
                                 ".const .align 8 .f64 real = 0d3FF0000000000000;";
    gpusim_image *images[] = {rig_image(before, ""), rig_image(before, "")};
    void *first = NULL, *second = NULL, *real = NULL;
    size_t size = 0;
    ck_assert(gpusim_image_global(images[0], "words", &first, &size) && size == 16);
    ck_assert(gpusim_image_global(images[1], "words", &second, &size) && first != second);
    ck_assert(gpusim_image_global(images[0], "real", &real, &size) && *(double *)real == 1);
    ck_assert(!gpusim_image_global(images[0], "kernel", &real, &size));
    ck_assert_uint_eq(((uint32_t *)first)[2], 0xfffffffe);
    ck_assert_uint_eq(((uint32_t *)second)[3], 0);
    gpusim_image_unload(images[0]);
    gpusim_image_unload(images[1]);
}
END_TEST

START_TEST(a_kernel_says_what_it_needs)
{
    static const char text[] = ".version 6.3\n.target sm_75\n"
                               ".visible .entry k(.param .align 8 .b8 a[12], .param .u64 b) .maxntid 16, 4, 1\n"
                               "{ .shared .align 4 .b8 s[20]; ret; }\n.visible .entry l() { ret; }";
    char reason[256] = "";
    gpusim_kernel_properties properties;
    gpusim_object object;
    ck_assert(gpusim_object_read(text, sizeof(text) - 1, &object, reason, sizeof(reason)));
    ck_assert(object.form == GPUSIM_PTX && object.is_interpreted && object.ptx_version == 63);
    gpusim_image *image = gpusim_image_load(text, sizeof(text) - 1, reason, sizeof(reason));
    ck_assert_msg(image != NULL, "%s", reason);
    gpusim_kernel_info(gpusim_image_kernel(image, "k"), &properties);
    ck_assert_uint_eq(properties.max_threads, 64);
    ck_assert_uint_eq(properties.parameter_offset[1], 16);
    ck_assert_uint_eq(properties.parameter_bytes, 24);
    ck_assert_uint_eq(properties.static_shared_bytes, 20);
    gpusim_kernel_info(gpusim_image_kernel(image, "l"), &properties);
    ck_assert_uint_eq(properties.static_shared_bytes, 0);
    ck_assert_ptr_null(gpusim_image_kernel(image, "m"));
    gpusim_image_unload(image);
}
END_TEST

START_TEST(functions_get_parameters_and_give_results)
{
    static const char before[] = ".func (.param .b64 result) twice(.param .b64 given)\n"
                                 "{ .reg .b64 %v; ld.param.u64 %v, [given]; add.s64 %v, %v, %v;\n"
                                 "st.param.b64 [result], %v; ret; }";
    static const char body[] = "{ .param .b64 param0; .param .b64 retval0; st.param.u64 [param0+0], 21;\n"
                               "call.uni (retval0), twice, (param0); ld.param.u64 %rd0, [retval0+0]; }\n"
                               "st.global.u64 [%out], %rd0;";
    uint64_t out = 0, *parameter = &out;
    gpusim_image *image = rig_image(before, body);
    gpusim_launch launch = {.kernel = gpusim_image_kernel(image, "kernel"),
                            .grid = {1, 1, 1},
                            .block = {1, 1, 1},
                            .warp_size = 32,
                            .parameters = &parameter,
                            .parameter_bytes = sizeof(parameter)};
    ck_assert_int_eq(gpusim_grid_run(&launch, NULL), GPUSIM_GRID_OK);
    ck_assert_uint_eq(out, 42);
    gpusim_image_unload(image);
}
END_TEST

TCase *text_tests(void)
{
    TCase *tests = tcase_create("texts");
    tcase_add_test(tests, what_is_not_known_is_refused_with_its_line);
    tcase_add_test(tests, globals_have_their_values_and_each_loading_its_own);
    tcase_add_test(tests, a_kernel_says_what_it_needs);
    tcase_add_test(tests, functions_get_parameters_and_give_results);
    return tests;
}
