/* SPDX-License-Identifier: Apache-2.0 */
/* How the blocks of a CPU kernel divide a loop: ACCEL_FOR_EACH of accel/kernel.h. */
#include <accel/kernel.h>

#include "run.h"

enum { VECTOR = 16, LONG = 256 };

/* Elements of the largest share. Each begins where the one before ends. */
static size_t largest_share(size_t n, size_t count)
{
    size_t covered = 0, most = 0;

    for (size_t index = 0; index < count; ++index) {
        size_t end = n, begin = accel_cpu_share(0, &end, index, count, VECTOR);
        ck_assert_msg(begin == covered && end >= begin && end <= n, "%zu in %zu: share %zu is %zu to %zu", n, count,
                      index, begin, end);
        if (n / count >= LONG && begin != n)
            ck_assert_uint_eq(begin % VECTOR, 0);
        most = end - begin > most ? end - begin : most;
        covered = end;
    }
    ck_assert_uint_eq(covered, n);
    return most;
}

START_TEST(k12_shares_of_few_elements_are_no_larger_than_they_have_to_be)
{
    for (size_t count = 1; count <= 130; ++count) {
        for (size_t n = 0; n < count * (LONG - 1); n += 1 + n / 16)
            ck_assert_uint_eq(largest_share(n, count), (n + count - 1) / count);
    }
}
END_TEST

START_TEST(k12_shares_of_many_elements_are_whole_vectors)
{
    for (size_t count = 2; count <= 130; ++count) {
        for (size_t n = count * LONG; n < 1000000; n += 1 + n / 4)
            ck_assert_uint_lt(largest_share(n, count), (n + count - 1) / count + VECTOR);
    }
}
END_TEST

START_TEST(a_share_is_divided_like_the_whole)
{
    size_t end = 1000, begin = accel_cpu_share(900, &end, 3, 7, VECTOR);

    ck_assert_uint_eq(begin, 900 + 3 * 15); /* 100 in 7: six of 15, one of 10 */
    ck_assert_uint_eq(end - begin, 15);
}
END_TEST

/* What a launch was divided for is only a guess. */
START_TEST(k12_the_elements_that_a_launch_names_change_no_share)
{
    static const size_t far[] = {0, 1, (size_t)1 << 31, (size_t)1 << 32, (size_t)1 << 40, SIZE_MAX / 16, SIZE_MAX};

    for (size_t count = 1; count <= 33; ++count) {
        for (size_t n = 0; n < 20000; n += 1 + n / 64) {
            for (size_t index = 0; index < count; index += 1 + count / 4) {
                size_t end = n, begin = accel_cpu_share(0, &end, index, count, VECTOR);
                const size_t each = n / count;
                for (size_t i = 0; i < 40 + sizeof far / sizeof *far; ++i) {
                    const size_t likely = i < 40 ? each + i - 20 : far[i - 40];
                    if ((likely + VECTOR - 1) / VECTOR * VECTOR == ACCEL_PIECE_ELEMS)
                        continue;
                    size_t to = n, from = accel_cpu_block_share(&to, index, count, VECTOR, likely);
                    ck_assert_msg(from == begin && to == end, "%zu in %zu by %zu: share %zu is %zu to %zu", n, count,
                                  likely, index, from, to);
                }
            }
        }
    }
}
END_TEST

/* The last block has the rest. Where the elements are much fewer all blocks have as many. */
START_TEST(blocks_of_a_piece_begin_where_pieces_of_reductions_begin)
{
    for (size_t count = 8; count <= 40; ++count) {
        for (size_t n = (count - 1) * ACCEL_PIECE_ELEMS + 1; n <= count * ACCEL_PIECE_ELEMS; n += 1 + count * 31) {
            for (size_t index = 0; index < count; ++index) {
                size_t end = n, begin = accel_cpu_block_share(&end, index, count, VECTOR, ACCEL_PIECE_ELEMS);
                ck_assert_uint_eq(begin, index * ACCEL_PIECE_ELEMS);
                ck_assert_uint_eq(end, index + 1 < count ? begin + ACCEL_PIECE_ELEMS : n);
            }
        }
    }
    size_t end = 4096, begin = accel_cpu_block_share(&end, 7, 8, VECTOR, ACCEL_PIECE_ELEMS);
    ck_assert_uint_eq(begin, 3584);
    ck_assert_uint_eq(end, 4096);
}
END_TEST

START_TEST(k12_elements_without_number_are_shared_as_if_nothing_were_named)
{
    static const size_t many[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, (size_t)1 << 63, ((size_t)1 << 32) - 1};
    static const size_t counts[] = {2, 3, 1000, (size_t)1 << 32, ((size_t)1 << 32) + 1, (size_t)1 << 40};

    for (size_t i = 0; i < sizeof many / sizeof *many; ++i) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
            const size_t n = many[i], each = n / counts[c];
            const size_t likely[] = {each, each + 1, (each + VECTOR) / VECTOR * VECTOR, UINT32_MAX, 1};
            for (size_t l = 0; l < sizeof likely / sizeof *likely; ++l) {
                size_t end = n, begin = accel_cpu_share(0, &end, 1, counts[c], VECTOR);
                size_t to = n, from = accel_cpu_block_share(&to, 1, counts[c], VECTOR, likely[l]);
                ck_assert_msg(from == begin && to == end, "%zu in %zu by %zu: %zu to %zu", n, counts[c], likely[l],
                              from, to);
            }
        }
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("share");

    add(suite, k12_shares_of_few_elements_are_no_larger_than_they_have_to_be);
    add(suite, k12_shares_of_many_elements_are_whole_vectors);
    add(suite, k12_the_elements_that_a_launch_names_change_no_share);
    add(suite, blocks_of_a_piece_begin_where_pieces_of_reductions_begin);
    add(suite, k12_elements_without_number_are_shared_as_if_nothing_were_named);
    add(suite, a_share_is_divided_like_the_whole);
    return suite;
}
