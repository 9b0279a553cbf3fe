/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/serial/serial.h"
#include "plugins/cpu/transfer/copy.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* Several threads in one: the blocks of a launch in uneven ranges, the last ones first. */
static uint32_t launches;

static uint32_t two(const cpu_executor *self)
{
    (void)self;
    return 2;
}

static accel_status run_backwards(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch)
{
    (void)self;
    ++launches;
    for (size_t end = launch->blocks, count = 1; end != 0; end -= count, count = count % 3 + 1) {
        count = count < end ? count : end;
        ck_assert_uint_eq(cpu_blocks_run(launch, scratch, end - count, count), ACCEL_OK);
    }
    return ACCEL_OK;
}

static const cpu_executor backwards = {.name = "backwards", .compute_units = two, .run = run_backwards};
static cpu_scratch scratch;
static const cpu_settings settings = {.spin_ns = 0};
/* With caches of a byte everything that is not tiny goes past them. */
static accel_impl_device large_caches = {.caches_state = CPU_CACHES_READ,
                                         .caches = {.first = 1 << 15, .second = 1 << 30}},
                         tiny_caches = {.caches_state = CPU_CACHES_READ,
                                        .caches = {.first = 1, .second = 1, .third = 2}};
static const cpu_transfer_site sites[] = {{&cpu_executor_serial, &scratch, &settings, &large_caches},
                                          {&cpu_executor_serial, &scratch, &settings, &tiny_caches},
                                          {&backwards, &scratch, &settings, &large_caches},
                                          {&backwards, &scratch, &settings, &tiny_caches}};
enum { SITES = sizeof(sites) / sizeof(sites[0]) };

START_TEST(M7_a_fill_repeats_patterns_of_any_size)
{
    enum { BEFORE = 3, GUARD = 0xee };
    unsigned char pattern[4096];

    for (size_t i = 0; i < sizeof(pattern); ++i)
        pattern[i] = (unsigned char)(i * 31 + 1);
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 100, 4096};
    static const size_t lengths[] = {1, 2, 3, 7, 64, 1000, 300000};
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); ++s) {
        for (size_t l = 0; l < SITES * (sizeof(lengths) / sizeof(lengths[0])); ++l) {
            size_t length = lengths[l / SITES], bytes = sizes[s] * (sizes[s] > 16 ? length / 100 + 1 : length);
            unsigned char *memory = malloc(bytes + 2 * BEFORE);
            ck_assert_ptr_nonnull(memory);
            memset(memory, GUARD, bytes + 2 * BEFORE);
            accel_fill_params params = {.struct_size = sizeof(params),
                                        .dims = 1,
                                        .extent = {bytes},
                                        .dst = memory + BEFORE, /* as little aligned as a byte view may be */
                                        .pitch = {1},
                                        .pattern_size = sizes[s]};
            cpu_fill(&sites[l % SITES], &params, pattern);
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

static uint32_t uses_of(const accel_impl_device *device, unsigned kind)
{
    uint32_t uses = 0;
    for (size_t s = 0; s < CPU_ROUTES_SIZES; ++s)
        uses += device->routes.size[kind][s].uses;
    return uses;
}

/* Past the caches zeros may be written faster than other numbers. */
START_TEST(fills_by_0_learn_a_route_of_their_own)
{
    enum { BYTES = 1 << 20 };
    accel_impl_device device = {.caches_state = CPU_CACHES_READ, .caches = {.first = 1 << 12, .second = 1 << 16}};
    const cpu_transfer_site site = {&cpu_executor_serial, &scratch, &settings, &device};
    unsigned char *memory = malloc(BYTES);
    ck_assert_ptr_nonnull(memory);
    accel_fill_params params = {.struct_size = sizeof(params),
                                .dims = 1,
                                .extent = {BYTES},
                                .dst = memory,
                                .pitch = {1},
                                .pattern_size = sizeof(double)};
    for (int turn = 0; turn < 4; ++turn) {
        const double number = turn == 0 ? 1.5 : 0;
        cpu_fill(&site, &params, &number);
        for (size_t i = 0; i < BYTES / sizeof(number); ++i)
            ck_assert_mem_eq(memory + i * sizeof(number), &number, sizeof(number));
    }
    ck_assert_uint_eq(uses_of(&device, CPU_FILL), 1);
    ck_assert_uint_eq(uses_of(&device, CPU_CLEAR), 3);
    free(memory);
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
    cpu_fill(&sites[0], &params, &value);
    for (size_t i = 0; i < sizeof(memory); ++i) {
        size_t in_plane = i % PLANE;
        bool filled = in_plane / PITCH < ROWS && in_plane % PITCH < ROW;
        ck_assert_uint_eq(memory[i], filled ? in_plane % PITCH % 4 + 1 : 0xee);
    }
}
END_TEST

/* Rows that end anywhere in a vector, begin anywhere, and go past the caches or not. */
START_TEST(rows_of_any_length_are_written_and_nothing_else)
{
    enum { ROWS = 7, MOST = 4400, GUARD = 0xee, ROOM = ROWS * (MOST + 100) + 64 };
    static unsigned char from[ROOM], to[ROOM];
    unsigned char pattern[24];
    static const size_t sizes[] = {1, 2, 4, 8, 24};

    for (size_t i = 0; i < sizeof(from); ++i)
        from[i] = (unsigned char)(i * 13 + i / 256);
    for (size_t i = 0; i < sizeof(pattern); ++i)
        pattern[i] = (unsigned char)(i * 31 + 1);
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); ++s)
        for (size_t row = sizes[s]; row <= MOST; row += row < 600 ? sizes[s] : 24 * 17) {
            const cpu_transfer_site *site = &sites[row % SITES];
            const size_t step = row + row % 97, shift = row % 41;
            accel_fill_params fill = {.struct_size = sizeof(fill),
                                      .dims = 2,
                                      .extent = {ROWS, row},
                                      .dst = to + shift,
                                      .pitch = {step, 1},
                                      .pattern_size = sizes[s]};
            memset(to, GUARD, sizeof(to));
            cpu_fill(site, &fill, pattern);
            for (size_t i = 0; i < sizeof(to); ++i) {
                const size_t at = i - shift;
                const bool written = i >= shift && at / step < ROWS && at % step < row;
                if (to[i] != (written ? pattern[at % step % sizes[s]] : GUARD))
                    ck_abort_msg("fill: byte %zu of rows of %zu, pattern of %zu", i, row, sizes[s]);
            }
            if (s != 0)
                continue;
            accel_copy_params copy = {.struct_size = sizeof(copy),
                                      .dims = 2,
                                      .extent = {ROWS, row},
                                      .dst = to + shift,
                                      .src = from + row % 29,
                                      .dst_pitch = {step, 1},
                                      .src_pitch = {row, 1}};
            memset(to, GUARD, sizeof(to));
            cpu_copy(site, &copy);
            for (size_t i = 0; i < sizeof(to); ++i) {
                const size_t at = i - shift;
                const bool written = i >= shift && at / step < ROWS && at % step < row;
                if (to[i] != (written ? from[row % 29 + at / step * row + at % step] : GUARD))
                    ck_abort_msg("copy: byte %zu of rows of %zu", i, row);
            }
        }
}
END_TEST

/* Each row has a head and a tail, so the same bytes in one row may go another way. */
START_TEST(short_rows_learn_routes_of_their_own)
{
    enum { BYTES = 1 << 20, ROW = 1024 };
    accel_impl_device device = {.caches_state = CPU_CACHES_READ, .caches = {.first = 1 << 12, .second = 1 << 16}};
    const cpu_transfer_site site = {&cpu_executor_serial, &scratch, &settings, &device};
    unsigned char *from = calloc(1, BYTES), *to = calloc(1, BYTES);
    ck_assert(from != NULL && to != NULL);
    accel_copy_params params = {.struct_size = sizeof(params),
                                .dims = 2,
                                .extent = {BYTES / ROW / 2, ROW},
                                .dst = to,
                                .src = from,
                                .dst_pitch = {2 * ROW, 1},
                                .src_pitch = {2 * ROW, 1}};
    cpu_copy(&site, &params);
    ck_assert_uint_eq(uses_of(&device, CPU_COPY), 0);
    ck_assert_uint_eq(uses_of(&device, CPU_CLEAR + 1 + CPU_COPY), 1);
    free(to);
    free(from);
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
    cpu_copy(&sites[0], &params);
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

START_TEST(a_copy_of_any_alignment_and_size_is_whole)
{
    enum { ROOM = 200000, GUARD = 0xee };
    static unsigned char from[ROOM + 64], to[ROOM + 256];
    static const size_t sizes[] = {1, 63, 64, 65, 4096, 32768, 32769, 100003, ROOM};
    for (size_t i = 0; i < sizeof(from); ++i)
        from[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t site = 0; site < SITES; ++site)
        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); ++s)
            for (size_t shift = 0; shift < 64; shift += 13) {
                accel_copy_params params = {.struct_size = sizeof(params),
                                            .dims = 1,
                                            .extent = {sizes[s]},
                                            .dst = to + 1 + shift,
                                            .src = from + shift / 3,
                                            .dst_pitch = {1},
                                            .src_pitch = {1}};
                memset(to, GUARD, sizeof(to));
                launches = 0;
                cpu_copy(&sites[site], &params);
                ck_assert(launches == (site >= 2 && sizes[s] > 98304));
                ck_assert_mem_eq(to + 1 + shift, from + shift / 3, sizes[s]);
                ck_assert_uint_eq(to[shift], GUARD);
                ck_assert_uint_eq(to[1 + shift + sizes[s]], GUARD);
            }
}
END_TEST

/* Rows that are cut, rows that are taken together, and rows between; every byte of both regions is looked at. */
START_TEST(a_large_region_is_copied_and_filled_in_pieces)
{
    static const size_t extents[][3] = {{3, 5, 70001}, {7, 300, 33}, {2, 9, 32768}, {40, 41, 100}, {1, 1, 200000}};
    for (size_t e = 0; e < sizeof(extents) / sizeof(extents[0]); ++e) {
        const size_t *n = extents[e];
        size_t dst_row = n[2] + 3, src_row = n[2] + 5, dst_plane = dst_row * n[1] + 7, src_plane = src_row * n[1] + 1;
        unsigned char *from = malloc(src_plane * n[0]), *to = malloc(dst_plane * n[0]);
        ck_assert(from != NULL && to != NULL);
        for (size_t i = 0; i < src_plane * n[0]; ++i)
            from[i] = (unsigned char)(i % 249);
        accel_copy_params copy = {.struct_size = sizeof(copy),
                                  .dims = 3,
                                  .extent = {n[0], n[1], n[2]},
                                  .dst = to,
                                  .src = from,
                                  .dst_pitch = {dst_plane, dst_row, 1},
                                  .src_pitch = {src_plane, src_row, 1}};
        accel_fill_params fill = {.struct_size = sizeof(fill),
                                  .dims = 3,
                                  .extent = {n[0], n[1], n[2]},
                                  .dst = to,
                                  .pitch = {dst_plane, dst_row, 1},
                                  .pattern_size = 1};
        for (size_t site = 0; site < SITES; ++site) {
            memset(to, 0xee, dst_plane * n[0]);
            cpu_copy(&sites[site], &copy);
            for (size_t i = 0; i < dst_plane * n[0]; ++i) {
                size_t plane = i / dst_plane, row = i % dst_plane / dst_row, at = i % dst_plane % dst_row;
                bool inside = row < n[1] && at < n[2];
                if (to[i] != (inside ? from[plane * src_plane + row * src_row + at] : 0xee))
                    ck_abort_msg("site %zu, extents %zu: byte %zu of the copy", site, e, i);
            }
            unsigned char value = (unsigned char)site;
            cpu_fill(&sites[site], &fill, &value);
            for (size_t i = 0; i < dst_plane * n[0]; ++i) {
                bool inside = i % dst_plane / dst_row < n[1] && i % dst_plane % dst_row < n[2];
                if (to[i] != (inside ? value : 0xee))
                    ck_abort_msg("site %zu, extents %zu: byte %zu of the fill", site, e, i);
            }
        }
        free(from);
        free(to);
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_copy");

    add(suite, rows_of_any_length_are_written_and_nothing_else);
    add(suite, short_rows_learn_routes_of_their_own);
    add(suite, M7_a_fill_repeats_patterns_of_any_size);
    add(suite, fills_by_0_learn_a_route_of_their_own);
    add(suite, M7_a_fill_of_rows_leaves_the_padding_alone);
    add(suite, M6_a_copy_follows_both_pitches_in_six_dimensions);
    add(suite, a_copy_of_any_alignment_and_size_is_whole);
    add(suite, a_large_region_is_copied_and_filled_in_pieces);
    return suite;
}
