/* SPDX-License-Identifier: Apache-2.0 */
/* The list of pinned memory. */
#include "plugins/gpu/engine/pinned.h"
#include "run.h"

static char memory[1000];

START_TEST(what_lies_wholly_in_one_allocation_is_pinned)
{
    gpu_pinned pinned = {0};
    gpu_pinned_init(&pinned);
    ck_assert(!gpu_pinned_holds(&pinned, memory, 1));
    for (int i = 9; i >= 0; --i) /* tens, with gaps between them */
        ck_assert(gpu_pinned_add(&pinned, memory + 20 * i, 10));
    for (int i = 0; i < 10; ++i) {
        ck_assert(gpu_pinned_holds(&pinned, memory + 20 * i, 10));
        ck_assert(gpu_pinned_holds(&pinned, memory + 20 * i + 9, 1));
        ck_assert(!gpu_pinned_holds(&pinned, memory + 20 * i, 11));
        ck_assert(!gpu_pinned_holds(&pinned, memory + 20 * i + 10, 1));
    }
    gpu_pinned_remove(&pinned, memory + 60);
    gpu_pinned_remove(&pinned, memory + 61); /* no allocation begins there */
    ck_assert(!gpu_pinned_holds(&pinned, memory + 60, 1));
    ck_assert(gpu_pinned_holds(&pinned, memory + 80, 10));
    gpu_pinned_clear(&pinned);
}
END_TEST

START_TEST(it_grows)
{
    gpu_pinned pinned = {0};
    gpu_pinned_init(&pinned);
    for (int i = 0; i < 400; ++i)
        ck_assert(gpu_pinned_add(&pinned, memory + (i * 7 % 400) * 2, 2));
    for (int i = 0; i < 400; ++i)
        ck_assert(gpu_pinned_holds(&pinned, memory + i * 2, 2));
    ck_assert_uint_eq(pinned.count, 400);
    gpu_pinned_clear(&pinned);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("gpu_pinned");
    add(suite, what_lies_wholly_in_one_allocation_is_pinned);
    add(suite, it_grows);
    return suite;
}
