/* SPDX-License-Identifier: Apache-2.0 */
/* Results to the last bit, by the manual. */
#include "rig.h"

typedef struct example {
    const char *type, *result, *body;
    uint64_t expected;
} example;

static void check(const example *examples, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const uint64_t got = rig_result(examples[i].type, examples[i].result, examples[i].body);
        ck_assert_msg(got == examples[i].expected, "%s: 0x%llx instead of 0x%llx", examples[i].body,
                      (unsigned long long)got, (unsigned long long)examples[i].expected);
    }
}
#define CHECK(examples) check(examples, sizeof(examples) / sizeof(examples[0]))

START_TEST(integers_are_extended_and_cut_as_their_types_say)
{
    static const example examples[] = {
        {"u32", "%r0", "mul.hi.u32 %r0, 0xffffffff, 0xffffffff;", 0xfffffffe},
        {"u32", "%r0", "mul.hi.s32 %r0, -2, 3;", 0xffffffff},
        {"u64", "%rd0", "mul.hi.s64 %rd0, -2, 3;", UINT64_MAX},
        {"u64", "%rd0", "mul.wide.s32 %rd0, -2, 3;", (uint64_t)-6},
        {"u64", "%rd0", "mad.wide.u32 %rd0, 0xffffffff, 2, 5;", 0x200000003},
        {"u32", "%r0", "div.s32 %r0, -7, 2;", (uint32_t)-3},
        {"u32", "%r0", "rem.s32 %r0, -7, 2;", (uint32_t)-1},
        {"u32", "%r0", "shr.s32 %r0, -8, 99;", 0xffffffff},
        {"u32", "%r0", "shl.b32 %r0, 1, 32;", 0},
        {"u32", "%r0", "shf.l.wrap.b32 %r0, 0x80000001, 0x12345678, 36;", 0x23456788},
        {"u32", "%r0", "bfe.s32 %r0, 0xf0, 4, 4;", 0xffffffff},
        {"u64", "%rd0", "bfi.b64 %rd0, 5, 0, 62, 8;", 0x4000000000000000},
        {"u32", "%r0", "bfind.u32 %r0, 0x100;", 8},
        {"u32", "%r0", "prmt.b32 %r0, 0x33a21100, 0x77665544, 0x7a50;", 0x77ff5500},
        {"u32", "%r0", "lop3.b32 %r0, 12, 10, 9, 0x80;", 8},
        {"u32", "%r0", "cvt.sat.u8.s32 %r0, 300;", 255},
        {"u64", "%rd0", "cvt.s64.s32 %rd0, -1;", UINT64_MAX},
        {"u64", "%rd0", "cvt.u64.u32 %rd0, 0xffffffff;", 0xffffffff},
    };
    CHECK(examples);
}
END_TEST

START_TEST(carries_go_from_word_to_word)
{
    static const example examples[] = {
        {"u32", "%r1", "add.cc.u32 %r0, 0xffffffff, 1; addc.u32 %r1, 5, 6;", 12},
        {"u32", "%r1", "sub.cc.u32 %r0, 0, 1; subc.u32 %r1, 5, 6;", 0xfffffffe},
        {"u32", "%r1", "mad.lo.cc.u32 %r0, 0xffffffff, 1, 1; madc.hi.u32 %r1, 0xffffffff, 2, 0;", 2},
    };
    CHECK(examples);
}
END_TEST

START_TEST(floats_round_as_the_instruction_says)
{
    static const example examples[] = {
        {"f32", "%f0", "add.rn.f32 %f0, 0f3F800000, 0f33800000;", 0x3f800000},
        {"f32", "%f0", "add.rp.f32 %f0, 0f3F800000, 0f33000000;", 0x3f800001},
        {"f32", "%f0", "add.rm.f32 %f0, 0fBF800000, 0fB3000000;", 0xbf800001},
        {"f64", "%d0", "div.rz.f64 %d0, 0d3FF0000000000000, 0d4008000000000000;", 0x3fd5555555555555},
        {"f64", "%d0", "div.rp.f64 %d0, 0d3FF0000000000000, 0d4008000000000000;", 0x3fd5555555555556},
        {"f32", "%f0", "fma.rn.f32 %f0, 0f3F800001, 0f3F800001, 0fBF800002;", 0x28800000},
        {"f32", "%f0", "mul.ftz.f32 %f0, 0f00800000, 0fBF000000;", 0x80000000},
        {"f32", "%f0", "mul.sat.f32 %f0, 0f40000000, 0f40000000;", 0x3f800000},
        {"f32", "%f0", "sqrt.rm.f32 %f0, 0f40000000;", 0x3fb504f3},
        {"f32", "%f0", "sqrt.rp.f32 %f0, 0f40000000;", 0x3fb504f4},
        {"f32", "%f0", "min.f32 %f0, 0f7FC00000, 0f3F800000;", 0x3f800000},
        {"f32", "%f0", "max.f32 %f0, 0f80000000, 0f00000000;", 0},
        {"f32", "%f0", "copysign.f32 %f0, 0f80000000, 0f3F800000;", 0xbf800000},
    };
    CHECK(examples);
}
END_TEST

START_TEST(conversions_clamp_and_round_once)
{
    static const example examples[] = {
        {"u32", "%r0", "cvt.rni.s32.f32 %r0, 0f40200000;", 2},
        {"u32", "%r0", "cvt.rzi.s32.f32 %r0, 0f7F800000;", 0x7fffffff},
        {"u32", "%r0", "cvt.rzi.u32.f64 %r0, 0dBFF0000000000000;", 0},
        {"u64", "%rd0", "cvt.rzi.s64.f64 %rd0, 0d7FF8000000000000;", 0},
        {"f32", "%f0", "cvt.rn.f32.u64 %f0, 0x8000008000000001;", 0x5f000001},
        {"f32", "%f0", "cvt.rz.f32.s32 %f0, 0x7fffffff;", 0x4effffff},
        {"f32", "%f0", "cvt.rp.f32.f64 %f0, 0d3FF0000000000001;", 0x3f800001},
        {"f64", "%d0", "cvt.rmi.f64.f64 %d0, 0dBFE0000000000000;", 0xbff0000000000000},
    };
    CHECK(examples);
}
END_TEST

START_TEST(comparisons_know_not_a_number)
{
    static const example examples[] = {
        {"u32", "%r0", "setp.lt.f32 %p0, 0f7FC00000, 0f3F800000; selp.u32 %r0, 1, 0, %p0;", 0},
        {"u32", "%r0", "setp.ltu.f32 %p0, 0f7FC00000, 0f3F800000; selp.u32 %r0, 1, 0, %p0;", 1},
        {"u32", "%r0", "setp.ne.f32 %p0, 0f7FC00000, 0f3F800000; selp.u32 %r0, 1, 0, %p0;", 0},
        {"u32", "%r0", "setp.neu.f32 %p0, 0f7FC00000, 0f3F800000; selp.u32 %r0, 1, 0, %p0;", 1},
        {"u32", "%r0", "setp.lt.s32 %p0|%p1, -1, 1; @%p1 bra $L; selp.u32 %r0, 1, 0, %p0; $L:", 1},
        {"u32", "%r0", "setp.hi.u32 %p0, -1, 1; setp.eq.and.s32 %p1, 1, 1, !%p0; selp.u32 %r0, 1, 0, %p1;", 0},
        {"u32", "%r0", "testp.subnormal.f32 %p0, 0f00000001; selp.u32 %r0, 1, 0, %p0;", 1},
    };
    CHECK(examples);
}
END_TEST

TCase *arithmetic_tests(void)
{
    TCase *tests = tcase_create("arithmetic");
    tcase_add_test(tests, integers_are_extended_and_cut_as_their_types_say);
    tcase_add_test(tests, carries_go_from_word_to_word);
    tcase_add_test(tests, floats_round_as_the_instruction_says);
    tcase_add_test(tests, conversions_clamp_and_round_once);
    tcase_add_test(tests, comparisons_know_not_a_number);
    return tests;
}
