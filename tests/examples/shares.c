/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows the devices of the example multi get. */
#include "../../examples/multi/shares.h"

#include <check.h>
#include <stdlib.h>

START_TEST(no_share_is_larger_than_what_is_left_or_zero)
{
    shares s;
    size_t last = 1, given = 0;
    ck_assert(shares_open(&s, 1000, 1));
    while (shares_left(&s) > 0) {
        const size_t size = shares_size(&s, 1, 1000, last);
        ck_assert_uint_ge(size, 1);
        ck_assert_uint_le(size, shares_left(&s));
        const range rows = shares_take(&s, size);
        ck_assert_uint_eq(rows.first, given);
        ck_assert_uint_eq(rows.count, size);
        given += size;
        last = size;
    }
    ck_assert_uint_eq(given, 1000);
    ck_assert_uint_eq(shares_size(&s, 1, 1000, last), 0);
    ck_assert_uint_eq(shares_size(&s, 0, 0, 0), 0);
    shares_close(&s);
}
END_TEST

START_TEST(a_faster_device_gets_more_and_nobody_much_more_than_before)
{
    shares s;
    ck_assert(shares_open(&s, 100000, 1));
    const size_t fast = shares_size(&s, 3000, 4000, 100000), slow = shares_size(&s, 1000, 4000, 100000);
    ck_assert_uint_eq(fast, 3 * slow);
    ck_assert_uint_eq(shares_size(&s, 3000, 4000, 10), 40);
    ck_assert_uint_eq(shares_size(&s, 4000, 4000, 100000), shares_most(100000));
    shares_close(&s);
}
END_TEST

START_TEST(rows_that_come_back_are_given_out_again_once_each)
{
    shares s;
    ck_assert(shares_open(&s, 20, 2));
    const range early = shares_take(&s, 8), late = shares_take(&s, 2);
    shares_return(&s, early);
    shares_return(&s, late);
    ck_assert_uint_eq(shares_left(&s), 20);
    bool seen[20] = {false};
    for (size_t left = 20; left > 0; left = shares_left(&s)) {
        const range rows = shares_take(&s, 3);
        ck_assert(rows.count >= 1 && rows.count <= 3);
        for (size_t i = 0; i < rows.count; ++i) {
            ck_assert(!seen[rows.first + i]);
            seen[rows.first + i] = true;
        }
        ck_assert_uint_eq(shares_left(&s), left - rows.count);
    }
    for (size_t i = 0; i < 20; ++i)
        ck_assert(seen[i]);
    shares_close(&s);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("shares");
    TCase *const all = tcase_create("shares");
    tcase_add_test(all, no_share_is_larger_than_what_is_left_or_zero);
    tcase_add_test(all, a_faster_device_gets_more_and_nobody_much_more_than_before);
    tcase_add_test(all, rows_that_come_back_are_given_out_again_once_each);
    suite_add_tcase(suite, all);
    SRunner *const runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
