/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a grid, and what is said then. */
#include "rig.h"

#include <string.h>

static void check(const char *body, rig_launch form, gpusim_grid_status expected, const char *text)
{
    uint64_t out[64] = {0};
    gpusim_fault fault;
    const gpusim_grid_status status = rig_try(body, form, out, &fault);
    ck_assert_msg(status == expected && strstr(fault.text, text) != NULL, "%s: %d, \"%s\"", body, (int)status,
                  fault.text);
    /* It leaves nothing behind. */
    rig_run("st.global.u64 [%mine], 7;", form, out);
    ck_assert_uint_eq(out[0], 7);
}

START_TEST(memory_that_is_not_there_ends_the_grid)
{
    check("mov.u64 %rd0, 64; ld.global.u32 %r0, [%rd0+4];", (rig_launch){.threads = 33}, GPUSIM_GRID_ILLEGAL_ADDRESS,
          "line 18 of the PTX, ld: there is no memory at 0x44");
}
END_TEST

START_TEST(misaligned_accesses_end_the_grid)
{
    check("ld.global.u32 %r0, [%out+2];", (rig_launch){0}, GPUSIM_GRID_ILLEGAL_ADDRESS, "is misaligned");
    check("ld.global.v2.f64 {%d0, %d1}, [%out+8];"
          "ld.global.v2.f64 {%d0, %d1}, [%out+16];",
          (rig_launch){0}, GPUSIM_GRID_ILLEGAL_ADDRESS, "is misaligned");
}
END_TEST

START_TEST(shared_memory_has_an_end_in_both_address_spaces)
{
    const rig_launch some = {.dynamic_shared = 16};
    uint64_t out = 0;
    rig_run("mov.u64 %rd0, dynamic; st.shared.u64 [%rd0+8], 5; cvta.shared.u64 %rd1, %rd0; ld.u64 %rd2, [%rd1+8];"
            "st.global.u64 [%out], %rd2;",
            some, &out);
    ck_assert_uint_eq(out, 5);
    check("mov.u64 %rd0, dynamic; st.shared.u64 [%rd0+16], 5;", some, GPUSIM_GRID_ILLEGAL_ADDRESS,
          "beyond the block's shared memory");
    check("mov.u64 %rd0, dynamic; cvta.shared.u64 %rd1, %rd0; st.u64 [%rd1+16], 5;", some, GPUSIM_GRID_ILLEGAL_ADDRESS,
          "beyond the block's shared memory");
}
END_TEST

START_TEST(masks_and_barriers_that_cannot_work_end_the_grid)
{
    const rig_launch warp = {.threads = 32};
    check("setp.eq.s32 %p0, %index, 3; vote.sync.any.pred %p1, %p0, 0xfffffff7;", warp, GPUSIM_GRID_TRAP,
          "the mask does not name the lane itself");
    check("setp.lt.s32 %p0, %index, 3; @%p0 bra $A; bar.sync 0; bra $B; $A: vote.sync.any.pred %p1, %p0, -1; $B:", warp,
          GPUSIM_GRID_DEADLOCK, "29 threads wait at a barrier and 3 for lanes of their warps");
    check("setp.lt.s32 %p0, %index, 3; @%p0 bra $A; bar.sync 0; bra $B; $A: bar.sync 0; $B:", warp, GPUSIM_GRID_TRAP,
          "the lanes of its warp wait at different barriers");
    check("trap;", warp, GPUSIM_GRID_TRAP, "ended itself");
}
END_TEST

TCase *fault_tests(void)
{
    TCase *tests = tcase_create("faults");
    tcase_add_test(tests, memory_that_is_not_there_ends_the_grid);
    tcase_add_test(tests, misaligned_accesses_end_the_grid);
    tcase_add_test(tests, shared_memory_has_an_end_in_both_address_spaces);
    tcase_add_test(tests, masks_and_barriers_that_cannot_work_end_the_grid);
    return tests;
}
