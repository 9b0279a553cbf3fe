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

Suite *noun_suite(void)
{
    Suite *suite = suite_create("share");

    add(suite, k12_shares_of_few_elements_are_no_larger_than_they_have_to_be);
    add(suite, k12_shares_of_many_elements_are_whole_vectors);
    add(suite, a_share_is_divided_like_the_whole);
    return suite;
}
