/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: the same bits on every backend. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

/* Philox 4x32-10 written from the paper (Salmon et al., SC 2011), independently of accel/kernel/philox.h. */
static void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t x[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; ++round) {
        uint64_t a = (uint64_t)x[0] * 0xD2511F53u, b = (uint64_t)x[2] * 0xCD9E8D57u;
        uint32_t y[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ x[3] ^ k[1], (uint32_t)a};
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
                 {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                 {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (int i = 0; i < 3; ++i) {
        uint32_t out[4];
        philox(known[i].counter, known[i].key, out);
        ck_assert_int_eq(memcmp(out, known[i].expected, sizeof out), 0);
    }
}
END_TEST

START_TEST(philox_has_the_same_bits_on_every_backend)
{
    enum { N = 1000 };
    static const uint64_t seeds[][2] = {{0, 0}, {1, 2}, {0xa4093822299f31d0u, 0x0370734413198a2eu}, {UINT64_MAX, UINT64_MAX}};
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *words = bytes_new(test.device, N * 16), *floats = bytes_new(test.device, N * 4), *doubles = bytes_new(test.device, N * 8);
    static uint32_t w[4 * N];
    static float f[N];
    static double d[N];
    for (int s = 0; s < 4; ++s) {
        random_args args = {.seed = seeds[s][0], .stream = seeds[s][1], .words = accel_buffer_ptr(words),
                            .floats = accel_buffer_ptr(floats), .doubles = accel_buffer_ptr(doubles), .n = N};
        accel_work work = work_of(4, 8);
        ok(accel_launch(queue, kernel_named("random"), &work, &args, sizeof args));
        ok(accel_read(queue, w, words));
        ok(accel_read(queue, f, floats));
        ok(accel_read(queue, d, doubles));
        ok(accel_queue_wait(queue));
        for (uint32_t i = 0; i < N; ++i) {
            uint32_t counter[4] = {i, 0, (uint32_t)seeds[s][1], (uint32_t)(seeds[s][1] >> 32)};
            uint32_t key[2] = {(uint32_t)seeds[s][0], (uint32_t)(seeds[s][0] >> 32)}, expected[4];
            philox(counter, key, expected);
            ck_assert_int_eq(memcmp(w + 4 * i, expected, sizeof expected), 0);
            ck_assert_float_eq(f[i], (float)(expected[0] >> 8) * 0x1p-24f);
            ck_assert_double_eq(d[i], (double)(((uint64_t)expected[1] << 32 | expected[2]) >> 11) * 0x1p-53);
        }
    }
    accel_buffer_release(words);
    accel_buffer_release(floats);
    accel_buffer_release(doubles);
    accel_queue_release(queue);
}
END_TEST

Suite *random_suite(void)
{
    Suite *suite = suite_create("random");
    add(suite, the_reference_gives_the_published_vectors);
    add(suite, philox_has_the_same_bits_on_every_backend);
    return suite;
}
