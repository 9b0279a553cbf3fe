/* SPDX-License-Identifier: Apache-2.0 */
#include "copy.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

START_TEST(M7_a_fill_repeats_patterns_of_any_size)
{
    enum { BEFORE = 3, GUARD = 0xee };
    unsigned char pattern[4096];

    for (size_t i = 0; i < sizeof(pattern); ++i)
        pattern[i] = (unsigned char)(i * 31 + 1);
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 100, 4096};
    static const size_t lengths[] = {1, 2, 3, 7, 64, 1000, 300000};
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); ++s) {
        for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); ++l) {
            size_t bytes = sizes[s] * (sizes[s] > 16 ? lengths[l] / 100 + 1 : lengths[l]);
            unsigned char *memory = malloc(bytes + 2 * BEFORE);
            ck_assert_ptr_nonnull(memory);
            memset(memory, GUARD, bytes + 2 * BEFORE);
            accel_fill_params params = {.struct_size = sizeof(params),
                                        .dims = 1,
                                        .extent = {bytes},
                                        .dst = memory + BEFORE, /* as little aligned as a byte view may be */
                                        .pitch = {1},
                                        .pattern_size = sizes[s]};
            cpu_fill(&params, pattern);
            for (size_t i = 0; i < bytes; ++i)
                if (memory[BEFORE + i] != pattern[i % sizes[s]])
                    ck_abort_msg("byte %zu of %zu, pattern of %zu", i, bytes, sizes[s]);
            for (int i = 0; i < BEFORE; ++i) {
                ck_assert_uint_eq(memory[i], GUARD);
                ck_assert_uint_eq(memory[BEFORE + bytes + (size_t)i], GUARD);
            }
            free(memory);
        }
    }
}
END_TEST

START_TEST(M7_a_fill_of_rows_leaves_the_padding_alone)
{
    enum { ROWS = 5, ROW = 12, PITCH = 20, PLANES = 2, PLANE = 128 };
    unsigned char memory[PLANES * PLANE];
    static const uint32_t value = 0x04030201;
    accel_fill_params params = {.struct_size = sizeof(params),
                                .dims = 3,
                                .extent = {PLANES, ROWS, ROW},
                                .dst = memory,
                                .pitch = {PLANE, PITCH, 1},
                                .pattern_size = 4};

    memset(memory, 0xee, sizeof(memory));
    cpu_fill(&params, &value);
    for (size_t i = 0; i < sizeof(memory); ++i) {
        size_t in_plane = i % PLANE;
        bool filled = in_plane / PITCH < ROWS && in_plane % PITCH < ROW;
        ck_assert_uint_eq(memory[i], filled ? in_plane % PITCH % 4 + 1 : 0xee);
    }
}
END_TEST

START_TEST(M6_a_copy_follows_both_pitches_in_six_dimensions)
{
    enum { N = 3, BYTES = 4 };
    static unsigned char from[2000], to[12000];
    accel_copy_params params = {.struct_size = sizeof(params), .dims = 6, .dst = to, .src = from};
    size_t src_pitch = BYTES + 1, dst_pitch = BYTES + 3;

    for (size_t i = 0; i < sizeof(from); ++i)
        from[i] = (unsigned char)(i % 251);
    params.extent[5] = BYTES;
    params.src_pitch[5] = params.dst_pitch[5] = 1;
    for (int d = 4; d >= 0; --d) {
        params.extent[d] = N;
        params.src_pitch[d] = src_pitch;
        params.dst_pitch[d] = dst_pitch;
        src_pitch = src_pitch * N + (d == 2);
        dst_pitch = dst_pitch * N + (size_t)d;
    }
    ck_assert_uint_le(src_pitch, sizeof(from));
    ck_assert_uint_le(dst_pitch, sizeof(to));
    memset(to, 0xee, sizeof(to));
    cpu_copy(&params);
    size_t copied = 0;
    for (size_t index = 0; index < N * N * N * N * N; ++index) {
        size_t rest = index, at_src = 0, at_dst = 0;
        for (int d = 4; d >= 0; --d, rest /= N) {
            at_src += rest % N * params.src_pitch[d];
            at_dst += rest % N * params.dst_pitch[d];
        }
        ck_assert_mem_eq(to + at_dst, from + at_src, BYTES);
        memset(to + at_dst, 0xee, BYTES);
        copied += BYTES;
    }
    ck_assert_uint_eq(copied, N * N * N * N * N * BYTES);
    for (size_t i = 0; i < sizeof(to); ++i)
        ck_assert_uint_eq(to[i], 0xee); /* nothing else was touched */
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_copy");

    add(suite, M7_a_fill_repeats_patterns_of_any_size);
    add(suite, M7_a_fill_of_rows_leaves_the_padding_alone);
    add(suite, M6_a_copy_follows_both_pitches_in_six_dimensions);
    return suite;
}
