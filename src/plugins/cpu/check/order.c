/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/order.h"
#include "plugins/cpu/check/common/divisor.h"
#include "plugins/cpu/check/common/index.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static enum { FORWARDS, BACKWARDS, SHUFFLED } order;
static uint64_t seed;

/* The last shuffle: number k is (k * factor + shift) mod n, where factor and n have no common divisor. */
static struct {
    size_t n;
    uint64_t factor, shift;
} shuffle;

bool check_order_choose(const char *text)
{
    char *end = NULL;
    shuffle.n = 0;
    if (text == NULL || strcmp(text, "forwards") == 0) {
        order = FORWARDS;
    } else if (strcmp(text, "backwards") == 0) {
        order = BACKWARDS;
    } else {
        errno = 0;
        uint64_t number = strtoull(text, &end, 10);
        if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
            return false;
        order = SHUFFLED;
        seed = number;
    }
    return true;
}

bool check_order_is_plain(void)
{
    return order == FORWARDS;
}

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void make_shuffle(size_t n)
{
    enum { FACTOR_BITS = 20 };
    const uint64_t number = mixed(seed + 0x9e3779b97f4a7c15u * (uint64_t)n);
    shuffle.n = n;
    shuffle.shift = number % n;
    shuffle.factor = number >> (64 - FACTOR_BITS) | 1;
    while (check_common_divisor(shuffle.factor, n) != 1)
        shuffle.factor += 2;
}

size_t check_order_of(size_t k, size_t n)
{
    const size_t most = (size_t)1 << 42; /* so that nothing overflows */
    if (order == FORWARDS || k >= n || (order == SHUFFLED && n > most))
        return k;
    if (order == BACKWARDS)
        return n - 1 - k;
    if (shuffle.n != n)
        make_shuffle(n);
    return (size_t)((k * shuffle.factor + shuffle.shift) % n);
}

size_t check_order_walk(size_t what, size_t n)
{
    const size_t first = check_order_of(0, n), second = check_order_of(1, n);
    return what == 0 ? first : second >= first ? second - first : second + n - first;
}

static void (*run_thread)(const accel_thread_context *, const void *args); /* the kernel's */

/* A thread begins with the number that the engine counts. The context is the engine's, which fills it for each thread. */
static void run_in_order(const accel_thread_context *thread, const void *args)
{
    const size_t *extent = thread->launch->block_extent;
    size_t *index = ((accel_thread_context *)(uintptr_t)thread)->thread_index;
    const size_t k = check_number_of(index, extent);
    check_index_of(check_order_of(k, extent[0] * extent[1] * extent[2]), extent, index);
    run_thread(thread, args);
}

const accel_descriptor *check_order_threads(const accel_descriptor *kernel)
{
    static accel_descriptor ordered;
    if (check_order_is_plain() || kernel->form != ACCEL_FORM_THREAD)
        return kernel;
    ordered = *kernel;
    run_thread = kernel->run_thread;
    ordered.run_thread = run_in_order;
    return &ordered;
}
