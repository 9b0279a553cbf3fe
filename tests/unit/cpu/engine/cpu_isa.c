/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/isa.h"
#include "run.h"
#include "plugins/cpu/engine/isa.h"

#include <string.h>

/* CPUID of processors of each level, and what an operating system enables. */
enum { XMM = 0x3, YMM = 0x7, ZMM = 0xe7, LAHF = 1, LZCNT = 1 << 5 };
static const uint32_t v2_leaf1 = 1u | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23;
static const uint32_t v3_leaf1 = 1u << 12 | 1u << 22 | 1u << 28 | 1u << 29;
static const uint32_t os_saves = 1u << 27;
static const uint32_t v3_leaf7 = 1u << 3 | 1u << 5 | 1u << 8;
static const uint32_t v4_leaf7 = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;

static cpu_isa_words processor(int level, uint32_t xcr0)
{
    cpu_isa_words words = {0};

    if (level >= 2) {
        words.leaf1_ecx = v2_leaf1;
        words.leaf80000001_ecx = LAHF;
    }
    if (level >= 3) {
        words.leaf1_ecx |= v3_leaf1;
        words.leaf7_ebx |= v3_leaf7;
        words.leaf80000001_ecx |= LZCNT;
    }
    if (level >= 4)
        words.leaf7_ebx |= v4_leaf7;
    if (xcr0 != 0) {
        words.leaf1_ecx |= os_saves;
        words.xcr0 = xcr0;
    }
    return words;
}

static uint32_t level_of(int level, uint32_t xcr0)
{
    cpu_isa_words words = processor(level, xcr0);

    return cpu_isa_level(&words);
}

START_TEST(a_level_needs_processor_and_system)
{
    ck_assert_uint_eq(level_of(1, XMM), 1);
    ck_assert_uint_eq(level_of(2, XMM), 2);
    ck_assert_uint_eq(level_of(3, YMM), 3);
    ck_assert_uint_eq(level_of(4, ZMM), 4);
}
END_TEST

START_TEST(a_system_that_does_not_save_registers_lowers_the_level)
{
    ck_assert_uint_eq(level_of(4, YMM), 3);
    ck_assert_uint_eq(level_of(4, XMM), 2);
    ck_assert_uint_eq(level_of(4, 0), 2);
    ck_assert_uint_eq(level_of(3, 0), 2);
    ck_assert_uint_eq(level_of(4, ZMM & ~0x20u), 3); /* masks missing */
}
END_TEST

START_TEST(one_missing_instruction_lowers_the_level)
{
    for (int bit = 0; bit < 32; ++bit) {
        cpu_isa_words words = processor(4, ZMM);
        uint32_t mask = ~(1u << bit);

        words.leaf7_ebx &= mask;
        ck_assert_uint_eq(cpu_isa_level(&words), (v3_leaf7 & ~mask) != 0 ? 2 : (v4_leaf7 & ~mask) != 0 ? 3 : 4);
        words = processor(4, ZMM);
        words.leaf1_ecx &= mask;
        ck_assert_uint_eq(cpu_isa_level(&words), (v2_leaf1 & ~mask) != 0                ? 1
                                                 : ((v3_leaf1 | os_saves) & ~mask) != 0 ? 2
                                                                                        : 4);
    }
}
END_TEST

START_TEST(this_machine_has_a_level_with_a_name)
{
    uint32_t level = cpu_isa_native_level();

    ck_assert_uint_ge(level, 1);
    ck_assert_uint_gt(strlen(cpu_isa_name(level)), 0);
}
END_TEST

static uint32_t rank(uint32_t level, const cpu_isa_words *words, const char *target, const char *format,
                     char reason[128])
{
    reason[0] = '\0';
    uint32_t result = cpu_target_rank(level, words, target, format, reason, 128);

    ck_assert_uint_gt(strlen(reason), 0);
    return result;
}

#if defined(__x86_64__)
START_TEST(a_higher_level_ranks_higher_and_an_absent_one_is_refused)
{
    static const char *const targets[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
    char reason[128];

    for (uint32_t level = 1; level <= 4; ++level) {
        cpu_isa_words words = processor((int)level, ZMM);
        for (uint32_t wanted = 1; wanted <= 4; ++wanted)
            ck_assert_uint_eq(rank(level, &words, targets[wanted - 1], "so", reason), wanted <= level ? wanted : 0);
    }
}
END_TEST

START_TEST(the_reason_tells_processor_from_system)
{
    char reason[128];
    cpu_isa_words words = processor(4, YMM);

    ck_assert_uint_eq(rank(3, &words, "x86-64-v4", "so", reason), 0);
    ck_assert_str_eq(reason, "needs AVX-512, which the CPU has but the system has not enabled");
    words = processor(3, YMM);
    ck_assert_uint_eq(rank(3, &words, "x86-64-v4", "so", reason), 0);
    ck_assert_str_eq(reason, "needs AVX-512, which this CPU (x86-64-v3) does not have");
}
END_TEST
#endif

START_TEST(other_machines_targets_and_formats_are_refused)
{
    static const char *const targets[] = {"compute_80",    "x86-64-v5", "x86-64-v33", "x86-64-", "x86",
                                          "gfx90a:xnack+", ""};
    cpu_isa_words words = processor(4, ZMM);
    char reason[128];

    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); ++i)
        ck_assert_uint_eq(rank(4, &words, targets[i], "so", reason), 0);
    ck_assert_uint_eq(rank(4, &words, "x86-64", "ptx", reason), 0);
#if defined(__x86_64__)
    ck_assert_uint_eq(rank(4, &words, "aarch64", "so", reason), 0);
    ck_assert_str_eq(reason, "is for aarch64 CPUs");
#endif
}
END_TEST

START_TEST(a_small_reason_buffer_is_not_overrun)
{
    cpu_isa_words words = processor(4, YMM);
    char reason[8];

    memset(reason, 'x', sizeof(reason));
    cpu_target_rank(3, &words, "x86-64-v4", "so", reason, sizeof(reason) - 1);
    ck_assert_int_eq(reason[6], '\0');
    ck_assert_int_eq(reason[7], 'x');
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_isa");

    add(suite, a_level_needs_processor_and_system);
    add(suite, a_system_that_does_not_save_registers_lowers_the_level);
    add(suite, one_missing_instruction_lowers_the_level);
    add(suite, this_machine_has_a_level_with_a_name);
#if defined(__x86_64__)
    add(suite, a_higher_level_ranks_higher_and_an_absent_one_is_refused);
    add(suite, the_reason_tells_processor_from_system);
#endif
    add(suite, other_machines_targets_and_formats_are_refused);
    add(suite, a_small_reason_buffer_is_not_overrun);
    return suite;
}
