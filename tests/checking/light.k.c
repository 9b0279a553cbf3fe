/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels with one error each, in a block that the program chooses: in the share of ACCEL_CHECK_SHARE, or not. Comments name
 * lines as in planted.k.c. Also compiled as C++ (light.k.cpp).
 */
#include <accel/kernel.h>
#include <accel/kernel/debug.h>
#include <string.h>
#include "light.h"

#define IS_WRONG(acc) (accel_block_index(acc).x == args.wrong)
#define PLACE(acc, t) (accel_block_index(acc).x * accel_block_extent(acc).x + (t))

/* ---------------------------------------------------------------------------------------------------- buffers -- */

ACCEL_KERNEL(light_behind, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        const size_t i = PLACE(acc, t);
        args.y[i] = args.x[IS_WRONG(acc) && t == 5 ? args.n : i]; /* light_behind: here */
    }
}

ACCEL_KERNEL(light_before, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        float *y = IS_WRONG(acc) && t == 0 ? args.y - 5 : args.y + PLACE(acc, t);
        *y = args.x[PLACE(acc, t)]; /* light_before: here */
    }
}

/* Far from the buffer, and still in its zones. */
ACCEL_KERNEL(light_far, light_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[IS_WRONG(acc) ? i + ((size_t)3 << 20) : i]; /* light_far: here */
    }
}

/* Begins within the buffer. */
ACCEL_KERNEL(light_across, light_args, args)
{
    ACCEL_ONCE(acc) {
        const light_ten *last = (const light_ten *)(const void *)(args.x + args.n - (IS_WRONG(acc) ? 9 : 10));
        light_ten *y = (light_ten *)(void *)args.y + accel_block_index(acc).x;
        *y = *last; /* light_across: here */
    }
}

/* c has 13 bytes in the next three: its last byte stands alone in a word of 4. */
ACCEL_KERNEL(light_byte, light_args, args)
{
    ACCEL_ONCE(acc) {
        unsigned char *c = (unsigned char *)args.c;
        c[IS_WRONG(acc) ? 13 : accel_block_index(acc).x + 5] = 1; /* light_byte: here */
    }
}

ACCEL_KERNEL(light_end, light_args, args)
{
    ACCEL_ONCE(acc) {
        const unsigned char *c = (const unsigned char *)args.c;
        const light_packed *p = (const light_packed *)(const void *)(c + (IS_WRONG(acc) ? 10 : 9));
        args.y[PLACE(acc, 0)] = p->f; /* light_end: here */
    }
}

ACCEL_KERNEL(light_last, light_args, args)
{
    ACCEL_ONCE(acc) {
        const unsigned char *c = (const unsigned char *)args.c;
        args.y[PLACE(acc, 0)] = IS_WRONG(acc) ? c[12] : 0; /* light_last: here */
    }
}

#if defined(ACCEL_TARGET_CHECK) /* GPUs' compilers take it for a function of the host */
ACCEL_KERNEL(light_memcpy, light_args, args)
{
    ACCEL_ONCE(acc) {
        const size_t from = IS_WRONG(acc) ? args.n - 1 : 0;
        memcpy(args.y + 10 * accel_block_index(acc).x, args.x + from, 10 * sizeof(float)); /* light_memcpy: here */
    }
}
#endif

ACCEL_THREAD_KERNEL(light_fiber, light_args, args)
{
    const size_t i = accel_global_index(acc).x;
    accel_sync_block(acc);
    const size_t from = IS_WRONG(acc) && accel_thread_index(acc).x == 7 ? args.n + 2 : i;
    args.y[i] = args.x[from]; /* light_fiber: here */
    accel_sync_block(acc);
}

ACCEL_THREAD_KERNEL_NOSYNC(light_nosync, light_args, args)
{
    const size_t i = accel_global_index(acc).x;
    args.y[i] = args.x[IS_WRONG(acc) ? i + args.n : i]; /* light_nosync: here */
}

ACCEL_KERNEL(light_released, light_args, args)
{
    ACCEL_ONCE(acc) {
        if (IS_WRONG(acc))
            args.y[0] = args.x[0]; /* light_released: here */
    }
}

ACCEL_KERNEL(light_atomic, light_args, args)
{
    ACCEL_ONCE(acc) {
        accel_atomic_add(acc, &args.y[IS_WRONG(acc) ? args.n : 0], 1.0f); /* light_atomic: here */
    }
}

#if defined(ACCEL_TARGET_CHECK)
/* In a function that is no part of the kernel's: the library has that twice, too. */
__attribute__((noinline)) float light_read(const float *x, size_t i);
__attribute__((noinline)) float light_read(const float *x, size_t i)
{
    return x[i]; /* light_function: here */
}

ACCEL_KERNEL(light_function, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = light_read(args.x, IS_WRONG(acc) ? args.n : t);
    }
}
#endif

/* --------------------------------------------------------------------------------- shared memory and locals -- */

ACCEL_KERNEL(light_shared, light_args, args)
{
    ACCEL_SHARED(acc, float, first[32]);
    ACCEL_SHARED(acc, float, second[64]);
    ACCEL_THREADS(acc, t) {
        second[t] = args.x[t];
        if (t < 32 || (IS_WRONG(acc) && t == 32))
            first[t] = args.x[t]; /* light_shared: here */
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = first[t / 2] + second[t];
    }
}

ACCEL_KERNEL(light_shared_before, light_args, args)
{
    ACCEL_SHARED(acc, float, s[64]);
    ACCEL_THREADS(acc, t) {
        s[t] = args.x[t];
    }
    ACCEL_THREADS(acc, t) {
        const size_t from = IS_WRONG(acc) ? 1 : 0;
        args.y[PLACE(acc, t)] = s[t - from]; /* light_shared_before: here */
    }
}

/* Arrays that share words of 4 bytes. */
ACCEL_KERNEL(light_bytes, light_args, args)
{
    ACCEL_SHARED(acc, unsigned char, first[13]);
    ACCEL_SHARED(acc, unsigned char, second[7]);
    ACCEL_THREADS(acc, t) {
        if (t < (IS_WRONG(acc) ? 14 : 13))
            first[t] = (unsigned char)t; /* light_bytes: here */
        if (t < 7)
            second[t] = (unsigned char)t;
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = (float)(first[t % 13] + second[t % 7]);
    }
}

ACCEL_KERNEL(light_locked, light_args, args)
{
    ACCEL_ONCE(acc) {
        const light_ten *one_lock = (const light_ten *)(uintptr_t)128; /* of every launch */
        ACCEL_ATOMIC_UPDATE(acc, one_lock) {
            args.y[PLACE(acc, 0)] = IS_WRONG(acc) ? *(float *)args.far : 0; /* light_locked: here */
        }
    }
}

ACCEL_KERNEL(light_dynamic, light_args, args)
{
    float *s = (float *)accel_shared_dynamic(acc);
    ACCEL_THREADS(acc, t) {
        s[t] = args.x[t];
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = s[IS_WRONG(acc) ? t + 1 : t]; /* light_dynamic: here */
    }
}

ACCEL_KERNEL(light_private, light_args, args)
{
    ACCEL_PRIVATE(acc, float, s);
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(s, t) = args.x[t];
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = ACCEL_MY(s, IS_WRONG(acc) ? t + 1 : t); /* light_private: here */
    }
}

ACCEL_KERNEL(light_local, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        float v[10];
        for (size_t k = 0; k < 10; k++)
            v[(k + t) % 10] = args.x[k];
        args.y[PLACE(acc, t)] = v[IS_WRONG(acc) ? 10 + t % 2 : t % 10]; /* light_local: here */
    }
}

ACCEL_THREAD_KERNEL(light_local_fiber, light_args, args)
{
    float v[10];
    const size_t t = accel_thread_index(acc).x;
    for (size_t k = 0; k < 10; k++)
        v[(k + t) % 10] = args.x[k];
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = v[IS_WRONG(acc) && t == 3 ? 10 : t % 10]; /* light_local_fiber: here */
}

/* ---------------------------------------------------------------------------------------------------- crashes -- */

ACCEL_KERNEL(light_nowhere, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        float *y = IS_WRONG(acc) ? (float *)args.far : args.y + PLACE(acc, t);
        *y = args.x[t]; /* light_nowhere: here */
    }
}

ACCEL_THREAD_KERNEL(light_nowhere_fiber, light_args, args)
{
    const size_t i = accel_global_index(acc).x;
    accel_sync_block(acc);
    float *y = IS_WRONG(acc) && accel_thread_index(acc).x == 9 ? (float *)args.far : args.y + i;
    *y = args.x[i]; /* light_nowhere_fiber: here */
    accel_sync_block(acc);
}

ACCEL_KERNEL(light_division, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        const size_t quotient = args.n / (IS_WRONG(acc) && t == 1 ? args.n - 64 * 8 : 1); /* light_division: here */
        args.y[PLACE(acc, t)] = (float)quotient;
    }
}

ACCEL_KERNEL(light_assert, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        float v[10];
        for (size_t k = 0; k < 10; k++)
            v[(k + t) % 10] = args.x[k];
        ACCEL_ASSERT(acc, !IS_WRONG(acc) || t != 6);
        args.y[PLACE(acc, t)] = v[t % 10];
    }
}

ACCEL_THREAD_KERNEL(light_assert_fiber, light_args, args)
{
    float v[10];
    const size_t t = accel_thread_index(acc).x;
    for (size_t k = 0; k < 10; k++)
        v[(k + t) % 10] = args.x[k];
    ACCEL_ASSERT(acc, !IS_WRONG(acc) || t != 6);
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = v[t % 10];
}

/* ---------------------------------------------------------------------------------------------- without errors -- */

/* Locals where frames of other kernels have been. */
ACCEL_KERNEL(light_large, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        float large[1024];
        for (size_t k = 0; k < 1024; k++)
            large[(k * 17 + t) % 1024] = args.x[k % args.n];
        args.y[PLACE(acc, t)] = large[t * 31 % 1024];
    }
}

ACCEL_THREAD_KERNEL(light_large_fiber, light_args, args)
{
    float large[1024];
    const size_t t = accel_thread_index(acc).x;
    for (size_t k = 0; k < 1024; k++)
        large[(k * 17 + t) % 1024] = args.x[k % args.n];
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = large[t * 31 % 1024];
}

/* Writes what was there: also what new memory has. */
ACCEL_KERNEL(light_rewrite, light_args, args)
{
    ACCEL_ONCE(acc) {
        volatile uint16_t *c = (volatile uint16_t *)(void *)args.c;
        if (accel_block_index(acc).x == 3)
            *c = *c;
    }
}

ACCEL_KERNEL(light_reread, light_args, args)
{
    ACCEL_ONCE(acc) {
        if (accel_block_index(acc).x == 0)
            args.y[0] = (float)*(const uint16_t *)(const void *)args.c;
    }
}

ACCEL_GLOBAL(uint32_t, light_count[8]);
ACCEL_CONSTANT(float, light_weights[4]) = {1, 2, 3, 4};

/* What the two versions have together, and what each has. */
ACCEL_KERNEL(light_right, light_args, args)
{
    ACCEL_SHARED(acc, float, s[64]);
    ACCEL_PRIVATE(acc, float, before);
    ACCEL_THREADS(acc, t) {
        s[t] = args.x[PLACE(acc, t)];
        accel_atomic_add(acc, &light_count[t % 8], 1u);
        ACCEL_ATOMIC_UPDATE(acc, &args.c[t % 2]) {
            args.c[t % 2] += 1;
        }
    }
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(before, t) = t != 0 ? s[t - 1] : 0;
    }
    ACCEL_THREADS(acc, t) {
        light_ten copy;
        for (size_t k = 0; k < 10; k++)
            copy.v[(k + t) % 10] = light_weights[k % 4];
        ACCEL_ASSERT(acc, t < 64);
        args.y[PLACE(acc, t)] = s[t] - ACCEL_MY(before, t) + copy.v[t % 10] * 0;
    }
}

ACCEL_THREAD_KERNEL(light_right_fiber, light_args, args)
{
    const size_t i = accel_global_index(acc).x;
    const float mine = args.x[i];
    accel_sync_block(acc);
    args.y[i] = mine;
}

ACCEL_KERNEL(light_counts, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        if (t < 8 && accel_block_index(acc).x == 0)
            args.c[2 + t] = light_count[t];
    }
}
