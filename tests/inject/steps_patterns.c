/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns while memory is short: kernels of the conformance suite, and libaccel's steps around them. */
#include "steps.h"

#include "../kernels/scans.h"
#include "../kernels/scatters.h"

#include <accel/pattern.h>

enum { REDUCED = 20000, FEW = 5000, CELLS = 300 };

static accel_kernel *kernel_named(const site *s, const char *name, accel_module **module)
{
    accel_kernel *kernel;
    ck_assert_msg(accel_module_load(s->device, "kernels", module) == ACCEL_OK, "%s", accel_error_message());
    ck_assert_msg(accel_module_kernel(*module, name, &kernel) == ACCEL_OK, "%s", accel_error_message());
    return kernel;
}

/* So many elements take two launches. */
START_TEST(elements_are_reduced_or_the_result_is_as_it_was)
{
    site s = begin();
    accel_module *module;
    accel_kernel *count = kernel_named(&s, "reduce_count", &module);
    accel_buffer *results[ROUNDS], *other = make(&s, 4, KEYS);
    const size_t n = REDUCED;
    bool done[ROUNDS];
    for (int round = 0; round < ROUNDS; ++round) {
        results[round] = make(&s, 8, 1);
        set(&s, results[round], 77);
    }
    ck_assert_int_eq(accel_reduce(s.queue, count, 1, &n, NULL, 0, results[0]), ACCEL_OK); /* makes scratch memory */
    ck_assert_int_eq(accel_queue_wait(s.queue), ACCEL_OK);
    set(&s, results[0], 77);
    close_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        done[round] = SHORT_OF_MEMORY(accel_reduce(s.queue, count, 1, &n, NULL, 0, results[round]));
        pad(&s, other, round, _i);
    }
    open_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        const uint64_t before = UINT64_C(77) << 32 | 77;
        ck_assert_uint_eq(*(const uint64_t *)accel_buffer_ptr(results[round]), done[round] ? n : before);
        accel_buffer_release(results[round]);
    }
    check_both(done);
    accel_buffer_release(other);
    accel_module_release(module);
    end(&s);
}
END_TEST

/* Each pass adds to what the passes before have written. Few elements and many take different steps. */
START_TEST(a_final_pass_runs_for_all_elements_or_for_none)
{
    site s = begin();
    accel_module *module;
    accel_kernel *select = kernel_named(&s, "scan_select", &module);
    const size_t n = _i % 2 == 0 ? FEW : SCANNED;
    accel_buffer *x = make(&s, 8, n), *kept = make(&s, 8, n), *prefix = make(&s, 4, n), *other = make(&s, 4, KEYS);
    const scans_args args = {
        .x = accel_buffer_ptr(x), .kept = accel_buffer_ptr(kept), .prefix = accel_buffer_ptr(prefix)};
    const double one = 1;
    bool done[ROUNDS];
    ck_assert_int_eq(accel_fill(s.blocking, x, &one, sizeof(one), NULL), ACCEL_OK);
    ck_assert_int_eq(accel_scan(s.queue, select, n, &args, sizeof(args), NULL, ACCEL_SCAN_EXCLUSIVE), ACCEL_OK);
    ck_assert_int_eq(accel_queue_wait(s.queue), ACCEL_OK);
    set(&s, prefix, 0);
    close_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        done[round] = SHORT_OF_MEMORY(accel_scan(s.queue, select, n, &args, sizeof(args), NULL, ACCEL_SCAN_EXCLUSIVE));
        pad(&s, other, round, _i);
    }
    open_gate(&s);
    uint32_t times = 0;
    for (int round = 0; round < ROUNDS; ++round)
        times += done[round];
    for (uint32_t i = 0; i < n; ++i)
        ck_assert_msg(args.prefix[i] == times * (i + 1), "element %u: %u instead of %u", i, args.prefix[i],
                      times * (i + 1));
    check_both(done);
    accel_buffer_release(other);
    accel_buffer_release(prefix);
    accel_buffer_release(kept);
    accel_buffer_release(x);
    accel_module_release(module);
    end(&s);
}
END_TEST

/* What a failed contribution leaves in the cells the next one adds. */
START_TEST(cells_are_contributed_once_or_stay)
{
    site s = begin();
    accel_module *module, *same;
    accel_kernel *sums = kernel_named(&s, "scatter_sum_u32", &module);
    accel_kernel *into = kernel_named(&s, "scatter_sum_u32_into", &same);
    accel_scatter_properties about = ACCEL_SCATTER_PROPERTIES_INIT;
    accel_buffer *cells = make(&s, 4, CELLS), *values = make(&s, 4, CELLS), *targets[ROUNDS];
    accel_buffer *other = make(&s, 4, KEYS);
    accel_scatter *scatter;
    uint32_t cell[CELLS];
    bool done[ROUNDS];
    for (uint32_t i = 0; i < CELLS; ++i)
        cell[i] = i;
    ck_assert_int_eq(accel_write(s.blocking, cells, cell), ACCEL_OK);
    ck_assert_int_eq(accel_scatter_create(s.queue, sums, CELLS, NULL, &scatter), ACCEL_OK);
    ck_assert_int_eq(accel_scatter_info(scatter, &about), ACCEL_OK);
    for (int round = 0; round < ROUNDS; ++round) {
        targets[round] = make(&s, 4, CELLS);
        set(&s, targets[round], 77);
    }
    const scatters_args args = {
        .n = CELLS, .cell = accel_buffer_ptr(cells), .value = accel_buffer_ptr(values), .view = about.view};
    const size_t n = CELLS;
    close_gate(&s);
    for (int round = 0; round < ROUNDS; ++round) {
        ck_assert_int_eq(accel_launch_over(s.queue, into, 1, &n, &args, sizeof(args)), ACCEL_OK);
        done[round] = SHORT_OF_MEMORY(accel_scatter_contribute(s.queue, scatter, targets[round]));
        pad(&s, other, round, _i);
    }
    open_gate(&s);
    uint32_t added = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        const uint32_t *found = accel_buffer_ptr(targets[round]);
        added++;
        for (int i = 0; i < CELLS; ++i)
            ck_assert_uint_eq(found[i], 77 + (done[round] ? added : 0));
        if (done[round])
            added = 0;
        accel_buffer_release(targets[round]);
    }
    check_both(done);
    accel_scatter_release(scatter);
    accel_buffer_release(other);
    accel_buffer_release(values);
    accel_buffer_release(cells);
    accel_module_release(same);
    accel_module_release(module);
    end(&s);
}
END_TEST

void add_patterns(TCase *tests)
{
    tcase_add_loop_test(tests, elements_are_reduced_or_the_result_is_as_it_was, 1, TURNS);
    tcase_add_loop_test(tests, a_final_pass_runs_for_all_elements_or_for_none, 1, TURNS);
    tcase_add_loop_test(tests, cells_are_contributed_once_or_stay, 1, TURNS);
}
