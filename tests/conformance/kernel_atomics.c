/* SPDX-License-Identifier: Apache-2.0 */
/* Every atomic operation on every type: m threads leave what one thread would, in any order. */
#include "../kernels/atomics.h"
#include "trial.h"

/* What the operations on the values 1 to m leave, in numbers that every type holds; see atomics.h. */
typedef struct expectation {
    uint64_t m, sum, inc, dec, bits_and, bits_or, bits_xor;
} expectation;

static expectation expect(uint64_t m)
{
    expectation e = {.m = m, .sum = m * (m + 1) / 2, .inc = m % 7, .dec = (7 - m % 7) % 7};
    e.bits_or = m < 16 ? ((uint64_t)1 << m) - 1 : 0xffff;
    e.bits_and = 0xffff & ~e.bits_or;
    for (uint64_t k = 1; k <= m; ++k)
        e.bits_xor ^= k;
    return e;
}

#define EQUAL(t, type, part, found, expected)                                                                          \
    trial_assert(t, (found) == (expected), "%s: %s is not %s", type, part, #expected)

#define FLOATS_HOLD(t, T, type, v, e)                                                                                  \
    do {                                                                                                               \
        EQUAL(t, type, "add", (v)->add, (T)(e).sum);                                                                   \
        EQUAL(t, type, "sub", (v)->sub, (T)(0 - (T)(e).sum));                                                          \
        EQUAL(t, type, "min", (v)->min, 1);                                                                            \
        EQUAL(t, type, "max", (v)->max, (T)(e).m);                                                                     \
        trial_assert(t, (v)->exch >= 1 && (v)->exch <= (T)(e).m, "%s: exch is no thread's value", type);               \
        trial_assert(t, (v)->cas >= 1 && (v)->cas <= (T)(e).m, "%s: cas is no thread's value", type);                  \
    } while (0)

#define INTEGERS_HOLD(t, T, type, v, e)                                                                                \
    do {                                                                                                               \
        FLOATS_HOLD(t, T, type, v, e);                                                                                 \
        EQUAL(t, type, "inc", (v)->inc, (T)(e).inc);                                                                   \
        EQUAL(t, type, "dec", (v)->dec, (T)(e).dec);                                                                   \
        EQUAL(t, type, "and", (v)->bits_and, (T)(e).bits_and);                                                         \
        EQUAL(t, type, "or", (v)->bits_or, (T)(e).bits_or);                                                            \
        EQUAL(t, type, "xor", (v)->bits_xor, (T)(e).bits_xor);                                                         \
    } while (0)

#define BEFORE(v) ((v).min = 100, (v).bits_and = 0xffff)

static void check(trial *t, bool draws_tickets)
{
    const size_t m = trial_threads(t);
    const expectation e = expect(m);
    uint32_t ticket = 0, wins = 0, *old = host_memory(m * sizeof *old);
    bool *seen = calloc(m, sizeof *seen);
    atomics_values *v = calloc(1, sizeof *v);
    ck_assert(seen != NULL && v != NULL);
    BEFORE(v->i32), BEFORE(v->u32), BEFORE(v->i64), BEFORE(v->u64);
    BEFORE(v->l), BEFORE(v->ul), BEFORE(v->ll), BEFORE(v->ull);
    v->f32.min = 100;
    v->f64.min = 100;
    atomics_args args = {.values = trial_memory(t, v, sizeof *v),
                         .ticket = trial_memory(t, NULL, sizeof ticket),
                         .old = trial_memory(t, NULL, m * sizeof *old),
                         .wins = trial_memory(t, NULL, sizeof wins)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.values, v, sizeof *v);
    trial_read(t, args.ticket, &ticket, sizeof ticket);
    trial_read(t, args.old, old, m * sizeof *old);
    trial_read(t, args.wins, &wins, sizeof wins);
    INTEGERS_HOLD(t, int32_t, "int32_t", &v->i32, e);
    INTEGERS_HOLD(t, uint32_t, "uint32_t", &v->u32, e);
    INTEGERS_HOLD(t, int64_t, "int64_t", &v->i64, e);
    INTEGERS_HOLD(t, uint64_t, "uint64_t", &v->u64, e);
    INTEGERS_HOLD(t, long, "long", &v->l, e);
    INTEGERS_HOLD(t, unsigned long, "unsigned long", &v->ul, e);
    INTEGERS_HOLD(t, long long, "long long", &v->ll, e);
    INTEGERS_HOLD(t, unsigned long long, "unsigned long long", &v->ull, e);
    FLOATS_HOLD(t, float, "float", &v->f32, e); /* all sums of the trials are below 2^24, and so exact */
    FLOATS_HOLD(t, double, "double", &v->f64, e);
    for (size_t i = 0; i < m; ++i) {
        trial_assert(t, old[i] < m && !seen[old[i]], "thread %zu drew %u, which is not its own", i, old[i]);
        seen[old[i]] = true;
    }
    trial_words_equal(t, 0, ticket, draws_tickets ? m : 0);
    trial_words_equal(t, 0, wins, 1);
    free(old);
    free(seen);
    free(v);
}

static void in_a_block_kernel(trial *t)
{
    check(t, false);
}

static void in_a_thread_kernel(trial *t)
{
    check(t, true);
}

START_TEST(every_atomic_on_every_type_in_block_kernels)
{
    try_kernel("atomics_block", TRIAL_SIZES(1), trial_line_shapes, in_a_block_kernel);
}
END_TEST

START_TEST(every_atomic_on_every_type_in_thread_kernels)
{
    try_kernel("atomics_thread", TRIAL_SIZES(1), trial_line_shapes, in_a_thread_kernel);
}
END_TEST

void atomics_tests(Suite *suite)
{
    add(suite, every_atomic_on_every_type_in_block_kernels);
    add(suite, every_atomic_on_every_type_in_thread_kernels);
}
