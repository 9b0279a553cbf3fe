/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes belong to known objects, where objects begin and end within a word. */
#include "plugins/cpu/check/shadow.h"
#include "run.h"

static _Alignas(8) uint32_t words[4];

static unsigned known(size_t word)
{
    return check_bytes_known(check_cell_of((uintptr_t)&words[word]));
}

static unsigned written(size_t word)
{
    return (unsigned)(check_cell_of((uintptr_t)&words[word])->write & CHECK_WRITTEN) >> CHECK_WRITTEN_SHIFT;
}

static void open_shadow(void)
{
    ck_assert(check_shadow_open());
    check_shadow_remove(words, sizeof(words));
}

START_TEST(objects_that_end_within_a_word_have_its_first_bytes)
{
    open_shadow();
    check_shadow_add(words, 6, false);
    ck_assert_uint_eq(known(0), 15);
    ck_assert_uint_eq(known(1), 3);
    ck_assert_uint_eq(known(2), 0);
    check_shadow_remove(words, 6);
    for (size_t i = 0; i < 3; ++i)
        ck_assert_uint_eq(known(i), 0);
}
END_TEST

START_TEST(objects_that_share_a_word_begin_and_end_on_their_own)
{
    char *bytes = (char *)words;
    open_shadow();
    check_shadow_add(bytes, 5, true);
    check_shadow_add(bytes + 6, 4, false);
    ck_assert_uint_eq(known(1), 1 | 4 | 8);
    ck_assert_uint_eq(written(1), 1);
    check_shadow_add(bytes, 5, false); /* as the next block does with shared memory */
    ck_assert_uint_eq(written(1), 0);
    ck_assert_uint_eq(known(1), 1 | 4 | 8);
    check_shadow_remove(bytes, 5);
    ck_assert_uint_eq(known(0), 0);
    ck_assert_uint_eq(known(1), 4 | 8);
    check_shadow_remove(bytes + 6, 4);
    ck_assert_uint_eq(known(1), 0);
    ck_assert_uint_eq(known(2), 0);
}
END_TEST

START_TEST(a_word_that_one_object_has_becomes_another_ones_in_part)
{
    open_shadow();
    check_shadow_add(words, 8, true);
    check_shadow_add(words, 6, false);
    ck_assert_uint_eq(known(1), 3);
    ck_assert_uint_eq(written(1), 0);
}
END_TEST

START_TEST(what_belongs_to_whom_outlives_a_sweep)
{
    open_shadow();
    check_shadow_add(words, 6, true);
    check_shadow_sweep();
    ck_assert_uint_eq(known(0), 15);
    ck_assert_uint_eq(known(1), 3);
    ck_assert_uint_eq(written(1), 3);
}
END_TEST

/* The last two words are accessed as one value. */
static void make_pair(void)
{
    check_cell *cell = check_cell_of((uintptr_t)&words[2]);
    check_shadow_add(&words[2], 8, true);
    cell[0].read |= CHECK_PAIR;
    cell[1] = (check_cell){0, 0};
}

START_TEST(objects_that_end_within_a_pair_leave_its_other_half)
{
    open_shadow();
    make_pair();
    check_shadow_add(words, 12, false);
    ck_assert_uint_eq(written(2), 0);
    ck_assert_uint_eq(known(3), 15);
    ck_assert_uint_eq(written(3), 15);
    make_pair();
    check_shadow_remove(&words[3], 4);
    ck_assert_uint_eq(known(2), 15);
    ck_assert_uint_eq(written(2), 15);
    ck_assert_uint_eq(known(3), 0);
}
END_TEST

START_TEST(a_pair_outlives_a_sweep)
{
    open_shadow();
    make_pair();
    check_shadow_sweep();
    ck_assert_uint_eq(known(3), 15);
    ck_assert_uint_eq(written(3), 15);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_shadow");

    add(suite, objects_that_end_within_a_word_have_its_first_bytes);
    add(suite, objects_that_share_a_word_begin_and_end_on_their_own);
    add(suite, a_word_that_one_object_has_becomes_another_ones_in_part);
    add(suite, what_belongs_to_whom_outlives_a_sweep);
    add(suite, objects_that_end_within_a_pair_leave_its_other_half);
    add(suite, a_pair_outlives_a_sweep);
    return suite;
}
