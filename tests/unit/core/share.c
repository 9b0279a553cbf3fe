/* SPDX-License-Identifier: Apache-2.0 */
/* How the blocks of a CPU kernel divide a loop: ACCEL_FOR_EACH of accel/kernel.h. */
#include <accel/kernel.h>

#include "run.h"

enum { VECTOR = 16, LONG = 256 };

/* Counts elements of the smallest and the largest share; each begins where the one before ends. */
static void divide(size_t n, size_t count, size_t *least, size_t *most)
{
    size_t covered = 0;

    *least = SIZE_MAX;
    *most = 0;
    for (size_t index = 0; index < count; ++index) {
        size_t end = n, begin = accel_cpu_share(0, &end, index, count, ACCEL_SHARE_VECTOR_);
        ck_assert_msg(begin == covered && end >= begin && end <= n, "%zu in %zu: share %zu is %zu to %zu", n, count,
                      index, begin, end);
        if (n / count >= LONG)
            ck_assert_uint_eq(begin % VECTOR, 0);
        *least = end - begin < *least ? end - begin : *least;
        *most = end - begin > *most ? end - begin : *most;
        covered = end;
    }
    ck_assert_uint_eq(covered, n);
}

START_TEST(k12_shares_of_few_elements_differ_by_one_at_most)
{
    size_t least, most;

    for (size_t count = 1; count <= 130; ++count) {
        for (size_t n = 0; n < count * LONG; n += 1 + n / 16) {
            divide(n, count, &least, &most);
            ck_assert_msg(most - least <= 1, "%zu in %zu: %zu to %zu", n, count, least, most);
        }
    }
}
END_TEST

START_TEST(k12_shares_of_many_elements_are_whole_vectors_and_all_have_some)
{
    size_t least, most;

    for (size_t count = 2; count <= 130; ++count) {
        for (size_t n = count * LONG; n < 1000000; n += 1 + n / 4) {
            divide(n, count, &least, &most);
            ck_assert_msg(most - least < 2 * VECTOR && least > 0, "%zu in %zu: %zu to %zu", n, count, least, most);
        }
    }
}
END_TEST

START_TEST(a_share_is_divided_like_the_whole)
{
    size_t end = 1000, begin = accel_cpu_share(900, &end, 3, 7, ACCEL_SHARE_VECTOR_);

    ck_assert_uint_eq(begin, 900 + 15 + 15 + 14); /* 100 in 7: two of 15, five of 14 */
    ck_assert_uint_eq(end - begin, 14);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("share");

    add(suite, k12_shares_of_few_elements_differ_by_one_at_most);
    add(suite, k12_shares_of_many_elements_are_whole_vectors_and_all_have_some);
    add(suite, a_share_is_divided_like_the_whole);
    return suite;
}
