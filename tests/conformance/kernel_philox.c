/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: the same bits on every backend. */
#include "../kernels/philox.h"
#include "trial.h"

/* Philox 4x32-10 written from the paper (Salmon et al., SC 2011), independently of accel/kernel/philox.h. */
static void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t x[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; ++round) {
        uint64_t a = (uint64_t)x[0] * 0xD2511F53u, b = (uint64_t)x[2] * 0xCD9E8D57u;
        uint32_t y[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ x[3] ^ k[1],
                         (uint32_t)a};
        memcpy(x, y, sizeof x);
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    memcpy(out, x, sizeof x);
}

START_TEST(the_reference_gives_the_published_vectors)
{
    /* kat_vectors of Random123: philox4x32 10 */
    static const struct {
        uint32_t counter[4], key[2], expected[4];
    } known[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                 {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                  {0xffffffff, 0xffffffff},
                  {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                 {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                  {0xa4093822, 0x299f31d0},
                  {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (int i = 0; i < 3; ++i) {
        uint32_t out[4];
        philox(known[i].counter, known[i].key, out);
        ck_assert_int_eq(memcmp(out, known[i].expected, sizeof out), 0);
    }
}
END_TEST

/* Entries from `first` on, of this seed and stream. */
static void check(trial *t, uint64_t seed, uint64_t stream, uint64_t first)
{
    const size_t n = t->n;
    uint32_t *word = host_memory(4 * n * sizeof *word);
    float *uniform = host_memory(n * sizeof *uniform);
    double *uniform2 = host_memory(n * sizeof *uniform2);
    philox_args args = {.n = n,
                        .seed = seed,
                        .stream = stream,
                        .first = first,
                        .word = trial_memory(t, NULL, 4 * n * sizeof *word),
                        .uniform = trial_memory(t, NULL, n * sizeof *uniform),
                        .uniform2 = trial_memory(t, NULL, n * sizeof *uniform2)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.word, word, 4 * n * sizeof *word);
    trial_read(t, args.uniform, uniform, n * sizeof *uniform);
    trial_read(t, args.uniform2, uniform2, n * sizeof *uniform2);
    for (size_t i = 0; i < n; ++i) {
        const uint64_t number = first + i;
        const uint32_t counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), (uint32_t)stream,
                                     (uint32_t)(stream >> 32)};
        const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
        uint32_t right[4];
        philox(counter, key, right);
        for (size_t k = 0; k < 4; ++k)
            trial_words_equal(t, 4 * i + k, word[4 * i + k], right[k]);
        trial_doubles_equal(t, i, (double)uniform[i], (double)(right[0] >> 8) * 0x1p-24);
        trial_doubles_equal(t, i, uniform2[i], (double)(((uint64_t)right[0] << 32 | right[1]) >> 11) * 0x1p-53);
    }
    free(word);
    free(uniform);
    free(uniform2);
}

static void check_zero(trial *t)
{
    check(t, 0, 0, 0);
}

static void check_largest(trial *t)
{
    check(t, UINT64_MAX, UINT64_MAX, UINT64_MAX); /* the counter starts again after its last value */
}

static void check_mixed(trial *t)
{
    check(t, 0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u);
    check(t, 1, 2, 0xfffffff0u); /* the counter goes over 32 bits */
}

START_TEST(philox_has_the_same_bits_on_every_backend)
{
    try_kernel("philox", TRIAL_SIZES(0, 1, 7, 1000), trial_any_shape, check_zero);
    try_kernel("philox", TRIAL_SIZES(1, 40), trial_any_shape, check_largest);
    try_kernel("philox", TRIAL_SIZES(1, 3, 501), trial_any_shape, check_mixed);
}
END_TEST

void philox_tests(Suite *suite)
{
    add(suite, the_reference_gives_the_published_vectors);
    add(suite, philox_has_the_same_bits_on_every_backend);
}
