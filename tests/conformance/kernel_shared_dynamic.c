/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic shared memory: its alignment, and that a block has it for itself. */
#include "../kernels/shared_dynamic.h"
#include "trial.h"

static void check(trial *t)
{
    const size_t m = trial_block_threads(t), blocks = trial_blocks(t), count = trial_threads(t);
    uint32_t *x = host_memory(count * sizeof *x), *y = host_memory(count * sizeof *y);
    uint64_t *address = host_memory(blocks * sizeof *address);
    for (uint32_t i = 0; i < count; ++i)
        x[i] = i * 3 + 1;
    memset(address, 0xff, blocks * sizeof *address);
    shared_dynamic_args args = {.x = trial_memory(t, x, count * sizeof *x),
                                .y = trial_memory(t, NULL, count * sizeof *y),
                                .address = trial_memory(t, address, blocks * sizeof *address)};
    t->work.shared_bytes = m * sizeof(uint32_t);
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.y, y, count * sizeof *y);
    trial_read(t, args.address, address, blocks * sizeof *address);
    for (size_t i = 0; i < count; ++i)
        trial_words_equal(t, i, y[i], x[i / m * m + (m - 1 - i % m)]);
    for (size_t b = 0; b < blocks; ++b)
        trial_assert(t, address[b] < 64 && address[b] % (test.properties.kind == ACCEL_DEVICE_CPU ? 64 : 16) == 0,
                     "block %zu: the address is %llu above a multiple of 64", b, (unsigned long long)address[b]);
    free(x);
    free(y);
    free(address);
}

START_TEST(k7_block_kernels_reverse_in_dynamic_shared_memory)
{
    try_kernel("reverse_block", TRIAL_SIZES(1), trial_line_shapes, check);
}
END_TEST

START_TEST(k7_thread_kernels_reverse_in_dynamic_shared_memory)
{
    try_kernel("reverse_thread", TRIAL_SIZES(1), trial_line_shapes, check);
}
END_TEST

void shared_dynamic_tests(Suite *suite)
{
    add(suite, k7_block_kernels_reverse_in_dynamic_shared_memory);
    add(suite, k7_thread_kernels_reverse_in_dynamic_shared_memory);
}
