/* SPDX-License-Identifier: Apache-2.0 */
/* Warp operations, with lanes that take different ways. */
#include "grids.h"

/* Bits of the lanes of the warp of thread t for which condition(lane) holds. */
static uint64_t lanes(const variant *v, uint32_t threads, uint32_t t, bool (*condition)(uint32_t lane))
{
    uint64_t bits = 0;
    uint32_t first = t / v->warp_size * v->warp_size;
    for (uint32_t lane = 0; lane < v->warp_size && first + lane < threads; ++lane)
        bits |= (uint64_t)condition(lane) << lane;
    return bits;
}

static bool always(uint32_t lane)
{
    (void)lane;
    return true;
}
static bool third(uint32_t lane)
{
    return lane % 3 == 0;
}
static bool odd_second(uint32_t lane)
{
    return lane % 3 == 1 && lane % 2 == 1;
}
static bool neither_two_nor_seven(uint32_t lane)
{
    return lane != 2 && lane != 7;
}

START_TEST(ballots_are_among_the_lanes_that_are_there)
{
    enum { N = 150 };
    const shape form = {.block = {N}};
    for (int v = 0; v < VARIANTS; ++v) {
        static uint64_t words[4 * N];
        memset(words, 0, sizeof(words));
        const words_args args = {.words = words};
        gpusim_image *image = image_of(variants[v].file);
        run(image, variants[v].warp_size, "accel_kernel_divergence", form, &args, sizeof(args));
        for (uint32_t t = 0; t < N; ++t) {
            const uint32_t lane = t % variants[v].warp_size;
            const uint64_t *found = words + 4 * (size_t)t;
            ck_assert_uint_eq(found[0], lane % 3 == 0   ? lanes(&variants[v], N, t, third)
                                        : lane % 3 == 1 ? lanes(&variants[v], N, t, odd_second)
                                                        : 0);
            ck_assert_uint_eq(found[1], lanes(&variants[v], N, t, always));
            ck_assert_uint_eq(found[2], lane % 5 > 3);
            ck_assert_uint_eq(found[3], lane == 7 ? 0 : lanes(&variants[v], N, t, neither_two_nor_seven));
        }
        gpusim_image_unload(image);
    }
}
END_TEST

START_TEST(shuffles_give_the_values_of_other_lanes)
{
    enum { N = 128 };
    const shape form = {.block = {N}};
    for (int v = 0; v < VARIANTS; ++v) {
        const uint32_t size = variants[v].warp_size;
        static uint64_t words[4 * N];
        const words_args args = {.words = words};
        gpusim_image *image = image_of(variants[v].file);
        run(image, size, "accel_kernel_shuffles", form, &args, sizeof(args));
        for (uint64_t t = 0; t < N; ++t) {
            const uint64_t lane = t % size, first = t - lane;
            ck_assert_uint_eq(words[4 * t], (first + (lane + 1) % size) << 33);
            ck_assert_uint_eq(words[4 * t + 1], lane == 0 ? t : t - 1);
            ck_assert_uint_eq(words[4 * t + 2], lane + 2 < size ? t + 2 : t);
            if (lane % 2 == 0) /* of a lane that does not take part: anything but its value */
                ck_assert_uint_ne(words[4 * t + 3], t + 1);
        }
        gpusim_image_unload(image);
    }
}
END_TEST

TCase *warps_tests(void)
{
    TCase *tests = tcase_create("warps");
    tcase_add_test(tests, ballots_are_among_the_lanes_that_are_there);
    tcase_add_test(tests, shuffles_give_the_values_of_other_lanes);
    return tests;
}
