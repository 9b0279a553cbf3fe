/* SPDX-License-Identifier: Apache-2.0 */
/* Grids: extents, barriers, shared memory, blocks beside each other. */
#include "grids.h"

START_TEST(every_thread_of_every_block_runs_once)
{
    enum { N = 3 * 5 * 2 * 33 * 2 * 3 };
    const shape form = {.grid = {3, 5, 2}, .block = {33, 2, 3}};
    for (int v = 0; v < VARIANTS; ++v) {
        static uint64_t words[N];
        memset(words, 0, sizeof(words));
        const words_args args = {.words = words};
        gpusim_image *image = image_of(variants[v].file);
        run(image, variants[v].warp_size, "accel_kernel_each", form, &args, sizeof(args));
        for (int i = 0; i < N; ++i)
            ck_assert_uint_eq(words[i], 1);
        gpusim_image_unload(image);
    }
}
END_TEST

START_TEST(threads_that_returned_are_not_waited_for)
{
    enum { N = 200 };
    const shape form = {.block = {N}};
    for (int v = 0; v < VARIANTS; ++v) {
        uint64_t words[N] = {0};
        const words_args args = {.words = words, .n = N};
        gpusim_image *image = image_of(variants[v].file);
        run(image, variants[v].warp_size, "accel_kernel_leaving", form, &args, sizeof(args));
        for (uint64_t i = 0; i < N; ++i)
            ck_assert_uint_eq(words[i], (N - i) | (uint64_t)3 << 32);
        gpusim_image_unload(image);
    }
}
END_TEST

/* The order of threads changes, so that one direction or the other reads what was not written yet. */
START_TEST(a_missing_barrier_shows)
{
    enum { N = 256, BLOCKS = 8 };
    const shape form = {.grid = {BLOCKS}, .block = {N}};
    for (int v = 0; v < VARIANTS; ++v) {
        gpusim_image *image = image_of(variants[v].file);
        for (uint8_t missing = 0; missing < 2; ++missing) {
            static uint64_t words[N * BLOCKS];
            const words_args args = {.words = words, .choice = missing};
            unsigned wrong = 0;
            run(image, variants[v].warp_size, "accel_kernel_neighbour", form, &args, sizeof(args));
            for (uint64_t i = 0; i < N * BLOCKS; ++i)
                wrong += words[i] != (i + 1) % N;
            ck_assert(missing ? wrong != 0 : wrong == 0);
        }
        gpusim_image_unload(image);
    }
}
END_TEST

START_TEST(shared_memory_starts_undefined_in_every_block)
{
    const shape form = {.grid = {20}, .block = {64}, .shared = GPUSIM_DYNAMIC_SHARED_MAX};
    for (int v = 0; v < VARIANTS; ++v) {
        uint64_t words[2] = {0};
        const words_args args = {.words = words};
        gpusim_image *image = image_of(variants[v].file);
        run(image, variants[v].warp_size, "accel_kernel_fresh", form, &args, sizeof(args));
        ck_assert_uint_eq(words[0], 0xa5a5a5a5a5a5a5a5u);
        ck_assert_uint_eq(words[1], 0xa5a5a5a5a5a5a5a5u);
        gpusim_image_unload(image);
    }
}
END_TEST

START_TEST(updates_of_structs_under_contention_are_whole)
{
    enum { OBJECTS = 3, BLOCKS = 40, THREADS = 160, EACH = BLOCKS * THREADS / OBJECTS };
    const shape form = {.grid = {BLOCKS}, .block = {THREADS}};
    for (int v = 0; v < VARIANTS; ++v) {
        bulky objects[OBJECTS] = {{0}};
        const bulky_args args = {.objects = objects, .n = OBJECTS};
        uint64_t sum = 0, count = 0;
        gpusim_image *image = image_of(variants[v].file);
        run(image, variants[v].warp_size, "accel_kernel_update", form, &args, sizeof(args));
        for (int i = 0; i < OBJECTS; ++i) {
            sum += objects[i].sum;
            count += objects[i].count;
            ck_assert_uint_ge(objects[i].count, EACH);
            for (uint64_t k = 0; k < 7; ++k)
                ck_assert_uint_eq(objects[i].more[k], objects[i].count * (k + 1));
        }
        ck_assert_uint_eq(count, BLOCKS * THREADS);
        ck_assert_uint_eq(sum, (uint64_t)BLOCKS * THREADS * (BLOCKS * THREADS - 1) / 2);
        gpusim_image_unload(image);
    }
}
END_TEST

START_TEST(a_lock_may_be_taken_by_one_lane_of_each_warp)
{
    const shape form = {.grid = {12}, .block = {512}};
    for (int v = 0; v < VARIANTS; ++v) {
        uint64_t words[2] = {0};
        const words_args args = {.words = words};
        gpusim_image *image = image_of(variants[v].file);
        run(image, variants[v].warp_size, "accel_kernel_spin_by_warp", form, &args, sizeof(args));
        ck_assert_uint_eq(words[1], 12u * 512u / variants[v].warp_size);
        gpusim_image_unload(image);
    }
}
END_TEST

START_TEST(the_blocks_of_a_cooperative_grid_are_all_resident)
{
    const shape form = {.grid = {10}, .block = {4}, .flags = GPUSIM_GRID_COOPERATIVE};
    for (int v = 0; v < VARIANTS; ++v) {
        uint64_t words[1] = {0};
        const words_args args = {.words = words, .n = 40};
        gpusim_image *image = image_of(variants[v].file);
        run(image, variants[v].warp_size, "accel_kernel_resident", form, &args, sizeof(args));
        ck_assert_uint_eq(words[0], 40);
        gpusim_image_unload(image);
    }
}
END_TEST

START_TEST(what_does_not_fit_the_kernel_is_refused)
{
    uint64_t words[64];
    const words_args args = {.words = words};
    gpusim_image *image = image_of("grid.sm_80.cubin");
    const shape forms[] = {{.block = {1025}},
                           {.block = {64, 64}},
                           {.block = {1, 1, 2000}},
                           {.shared = GPUSIM_DYNAMIC_SHARED_MAX + 1},
                           {.flags = 4},
                           {.grid = {300}, .flags = GPUSIM_GRID_COOPERATIVE}};
    gpusim_fault fault;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); ++i) {
        ck_assert_uint_eq(try_run(image, 32, "accel_kernel_each", forms[i], &args, sizeof(args), &fault),
                          GPUSIM_GRID_INVALID);
        ck_assert_str_ne(fault.text, "");
    }
    const shape wide = {.block = {65}}, right = {.block = {16, 4}};
    ck_assert_uint_eq(try_run(image, 32, "accel_kernel_fixed", wide, &args, sizeof(args), NULL), GPUSIM_GRID_INVALID);
    ck_assert_uint_eq(try_run(image, 64, "accel_kernel_fixed", right, &args, sizeof(args), NULL), GPUSIM_GRID_INVALID);
    run(image, 32, "accel_kernel_fixed", right, &args, sizeof(args));
    gpusim_image_unload(image);
}
END_TEST

TCase *grids_tests(void)
{
    TCase *tests = tcase_create("grids");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, every_thread_of_every_block_runs_once);
    tcase_add_test(tests, threads_that_returned_are_not_waited_for);
    tcase_add_test(tests, a_missing_barrier_shows);
    tcase_add_test(tests, shared_memory_starts_undefined_in_every_block);
    tcase_add_test(tests, updates_of_structs_under_contention_are_whole);
    tcase_add_test(tests, a_lock_may_be_taken_by_one_lane_of_each_warp);
    tcase_add_test(tests, the_blocks_of_a_cooperative_grid_are_all_resident);
    tcase_add_test(tests, what_does_not_fit_the_kernel_is_refused);
    return tests;
}
