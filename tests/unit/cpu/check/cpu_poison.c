/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that the light version of kernels compares before an access: of short ranges, and of long ones, whose pages are others'. */
#include "plugins/cpu/check/light/poison.h"
#include "run.h"

#include <sys/mman.h>

enum { STEPS = 300, PROBES = 200, GRAIN = 8 };

static const size_t length = (size_t)256 << 20;
static char *begin; /* addresses of ours, without memory */
static uint64_t state = 1;

static size_t pick(size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 20) % n;
}

static void open_addresses(void)
{
    begin = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert(begin != MAP_FAILED);
}

static bool reserve(void)
{
    const bool reserved = check_poison_reserve();
    if (!reserved) /* a sanitizer or valgrind has the addresses */
        ck_assert_ptr_eq(check_poison_find(begin, 1), NULL);
    return reserved;
}

START_TEST(the_last_change_of_a_byte_counts)
{
    static struct {
        size_t from, size;
        bool poisoned;
    } steps[STEPS];
    if (!reserve())
        return;
    for (size_t i = 0; i < STEPS; ++i) {
        static const size_t sizes[] = {GRAIN, 4096, 100000, 1 << 20, (size_t)100 << 20};
        steps[i].size = (pick(sizes[pick(5)]) / GRAIN + 1) * GRAIN;
        steps[i].from = pick((length - steps[i].size) / GRAIN) * GRAIN;
        steps[i].poisoned = pick(2) != 0;
        (steps[i].poisoned ? check_poison_add : check_poison_remove)(begin + steps[i].from, steps[i].size);
        for (size_t k = 0; k < PROBES; ++k) {
            const size_t near = pick(i + 1), edge = steps[near].from + (pick(2) != 0 ? steps[near].size : 0);
            const size_t at = k % 2 != 0 ? pick(length) : (edge + pick(32)) % length;
            size_t last = i + 1;
            while (last != 0 && !(at >= steps[last - 1].from && at - steps[last - 1].from < steps[last - 1].size))
                --last;
            const bool expected = last != 0 && steps[last - 1].poisoned;
            ck_assert_msg((check_poison_find(begin + at, 1) != NULL) == expected, "step %zu: byte %zu", i, at);
        }
    }
    check_poison_remove(begin, length);
    ck_assert_ptr_eq(check_poison_find(begin, 4096), NULL);
}
END_TEST

START_TEST(a_range_may_begin_within_8_bytes)
{
    if (!reserve())
        return;
    check_poison_add(begin + 13, 64 - 13);
    for (size_t at = 0; at < 64; ++at)
        ck_assert_int_eq(check_poison_find(begin + at, 1) != NULL, at >= 13);
    ck_assert_ptr_eq(check_poison_find(begin, 13), NULL);
    ck_assert_ptr_eq(check_poison_find(begin, 14), begin + 13);
    ck_assert_ptr_eq(check_poison_find(begin + 9, 8), begin + 13);
    ck_assert_ptr_eq(check_poison_find(begin + 14, 1), begin + 14);
    check_poison_remove(begin + 13, 64 - 13);
    ck_assert_ptr_eq(check_poison_find(begin, 64), NULL);
}
END_TEST

/* Where the system gives no memory. */
START_TEST(null_is_poisoned)
{
    if (!reserve())
        return;
    ck_assert_ptr_eq(check_poison_find((const char *)8, 4), (const char *)8);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_poison");

    open_addresses();
    add(suite, the_last_change_of_a_byte_counts);
    add(suite, a_range_may_begin_within_8_bytes);
    add(suite, null_is_poisoned);
    return suite;
}
