/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/philox.h - counter-based random numbers, the same bits on every target.
 *
 * Philox 4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
 */
#ifndef ACCEL_KERNEL_PHILOX_H
#define ACCEL_KERNEL_PHILOX_H

typedef struct accel_philox_words {
    uint32_t v[4];
} accel_philox_words;

/* Returns four words for each (seed, stream, counter). The key is the seed. The words of the counter are, from the
 * first, counter low, counter high, stream low, stream high. There is no state: any counter may be asked for in any
 * order. */
ACCEL_INLINE_ accel_philox_words accel_philox(uint64_t seed, uint64_t stream, uint64_t counter)
{
    uint32_t key0 = (uint32_t)seed;
    uint32_t key1 = (uint32_t)(seed >> 32);
    accel_philox_words c = {{(uint32_t)counter, (uint32_t)(counter >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)}};
    for (int round = 0; round < 10; round++) {
        const uint64_t product0 = (uint64_t)0xd2511f53u * c.v[0];
        const uint64_t product1 = (uint64_t)0xcd9e8d57u * c.v[2];
        const accel_philox_words next = {{(uint32_t)(product1 >> 32) ^ c.v[1] ^ key0, (uint32_t)product1,
                                          (uint32_t)(product0 >> 32) ^ c.v[3] ^ key1, (uint32_t)product0}};
        c = next;
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    return c;
}

/* A word as a float in [0, 1): the upper 24 bits, all values exact. */
ACCEL_INLINE_ float accel_uniform_float(uint32_t word)
{
    return (float)(word >> 8) * 0x1p-24f;
}

/* Two words as a double in [0, 1): 53 bits, all values exact. */
ACCEL_INLINE_ double accel_uniform_double(uint32_t high, uint32_t low)
{
    return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}

#endif
