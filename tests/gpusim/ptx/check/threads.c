/* SPDX-License-Identifier: Apache-2.0 */
/* Threads among each other. */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 96 };

START_TEST(threads_are_preempted_between_any_two_instructions)
{
    static const char body[] = "ld.global.u64 %rd0, [%out]; add.s64 %rd0, %rd0, 1; st.global.u64 [%out], %rd0;";
    static const char atomic[] = "atom.global.add.u64 %rd0, [%out], 1;";
    uint64_t lost = 0, kept = 0;
    rig_run(body, (rig_launch){.blocks = 20, .threads = THREADS}, &lost);
    rig_run(atomic, (rig_launch){.blocks = 20, .threads = THREADS}, &kept);
    ck_assert_uint_lt(lost, 20 * THREADS);
    ck_assert_uint_eq(kept, 20 * THREADS);
}
END_TEST

START_TEST(barriers_count_and_vote)
{
    uint64_t out[THREADS] = {0};
    rig_run("setp.lt.u32 %p0, %index, 70; bar.red.popc.u32 %r0, 0, %p0; bar.red.and.pred %p1, 0, %p0;"
            "bar.red.or.pred %p2, 0, %p0; selp.u32 %r1, 1000, 0, %p1; selp.u32 %r2, 200, 0, %p2;"
            "add.s32 %r0, %r0, %r1; add.s32 %r0, %r0, %r2; st.global.u32 [%mine], %r0;",
            (rig_launch){.threads = THREADS}, out);
    for (int i = 0; i < THREADS; ++i)
        ck_assert_uint_eq(out[i], 270);
}
END_TEST

START_TEST(shuffles_take_values_as_the_manual_says)
{
    static const struct {
        const char *words;
        uint32_t of_5, of_30; /* what these lanes get */
    } shuffles[] = {{"idx.b32 %r0|%p0, %index, 3, 31, -1", 3, 3},
                    {"up.b32 %r0|%p0, %index, 6, 0, -1", 5, 24},
                    {"down.b32 %r0|%p0, %index, 2, 31, -1", 7, 30},
                    {"bfly.b32 %r0|%p0, %index, 1, 31, -1", 4, 31},
                    {"idx.b32 %r0|%p0, %index, 1, 0x181f, -1", 1, 25}};
    for (size_t i = 0; i < sizeof(shuffles) / sizeof(shuffles[0]); ++i) {
        char body[256];
        uint64_t out[32] = {0};
        snprintf(body, sizeof(body), "shfl.sync.%s; st.global.u32 [%%mine], %%r0;", shuffles[i].words);
        rig_run(body, (rig_launch){.threads = 32}, out);
        ck_assert_uint_eq(out[5], shuffles[i].of_5);
        ck_assert_uint_eq(out[30], shuffles[i].of_30);
    }
}
END_TEST

/* Half of the warp goes another way. */
static const char halves[] = "setp.lt.u32 %p0, %index, 16; @%p0 bra $A; activemask.b32 %r0; bra $B; $A: activemask.b32 "
                             "%r0; $B: st.global.u32 [%mine], %r0;";

START_TEST(activemask_names_the_lanes_that_are_at_the_same_place)
{
    uint64_t out[32] = {0};
    rig_run(halves, (rig_launch){.threads = 32}, out);
    for (int i = 0; i < 32; ++i)
        ck_assert_uint_eq(out[i], i < 16 ? 0xffffu : 0xffff0000u);
}
END_TEST

START_TEST(an_adversary_lets_activemask_name_any_of_them)
{
    uint64_t out[32] = {0};
    bool split = false;
    setenv("GPUSIM_PTX_ADVERSARY", "1", 1);
    rig_run(halves, (rig_launch){.threads = 32}, out);
    unsetenv("GPUSIM_PTX_ADVERSARY");
    for (int i = 0; i < 32; ++i) {
        const uint64_t most = i < 16 ? 0xffffu : 0xffff0000u;
        ck_assert((out[i] >> i & 1) != 0 && (out[i] & ~most) == 0);
        split |= out[i] != most;
    }
    ck_assert(split);
}
END_TEST

START_TEST(a_seed_gives_the_same_order_in_every_process)
{
    static const char body[] = "ld.global.u64 %rd0, [%out]; mul.lo.s64 %rd0, %rd0, 31; cvt.u64.u32 %rd1, %index;"
                               "add.s64 %rd0, %rd0, %rd1; st.global.u64 [%out], %rd0;";
    static const char *const seeds[] = {"7", "7", "8"};
    uint64_t *out = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(out, MAP_FAILED);
    for (int i = 0; i < 3; ++i) {
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            setenv("GPUSIM_PTX_SEED", seeds[i], 1);
            rig_run(body, (rig_launch){.threads = THREADS}, &out[i]);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    ck_assert_uint_ne(out[0], 0);
    ck_assert_uint_eq(out[0], out[1]);
    ck_assert_uint_ne(out[0], out[2]);
    munmap(out, 4096);
}
END_TEST

START_TEST(all_blocks_of_a_cooperative_grid_run_at_a_time)
{
    uint64_t out = 0;
    rig_run("atom.global.add.u64 %rd0, [%out], 1; $L: ld.volatile.global.u64 %rd0, [%out]; setp.lt.u64 %p0, %rd0, 40;"
            "@%p0 bra $L;",
            (rig_launch){.blocks = 40, .cooperative = true}, &out);
    ck_assert_uint_eq(out, 40);
}
END_TEST

START_TEST(inexact_approximations_stay_within_their_bounds)
{
    union {
        uint64_t bits;
        float value;
    } out[32] = {{0}};
    bool differ = false;
    setenv("GPUSIM_PTX_INEXACT", "1", 1);
    rig_run("ex2.approx.f32 %f0, 0f40000000; st.global.f32 [%mine], %f0;", (rig_launch){.threads = 32}, &out[0].bits);
    unsetenv("GPUSIM_PTX_INEXACT");
    for (int i = 0; i < 32; ++i) {
        ck_assert_double_le(out[i].value, 4 * (1 + 0x1p-22));
        ck_assert_double_ge(out[i].value, 4 * (1 - 0x1p-22));
        differ |= out[i].value < 4 || out[i].value > 4;
    }
    ck_assert(differ);
}
END_TEST

TCase *thread_tests(void)
{
    TCase *tests = tcase_create("threads");
    tcase_add_test(tests, threads_are_preempted_between_any_two_instructions);
    tcase_add_test(tests, barriers_count_and_vote);
    tcase_add_test(tests, shuffles_take_values_as_the_manual_says);
    tcase_add_test(tests, activemask_names_the_lanes_that_are_at_the_same_place);
    tcase_add_test(tests, an_adversary_lets_activemask_name_any_of_them);
    tcase_add_test(tests, a_seed_gives_the_same_order_in_every_process);
    tcase_add_test(tests, all_blocks_of_a_cooperative_grid_run_at_a_time);
    tcase_add_test(tests, inexact_approximations_stay_within_their_bounds);
    return tests;
}
