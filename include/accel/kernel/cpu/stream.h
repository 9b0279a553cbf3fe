/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/stream.h - stores past the caches, for host compilers: a line is not read before it is written, and no
 * cache keeps it. Right for results that the caches could not keep anyway.
 */
#ifndef ACCEL_KERNEL_CPU_STREAM_H
#define ACCEL_KERNEL_CPU_STREAM_H

#if defined(__SSE2__) || (defined(__clang__) && defined(__aarch64__))
#define ACCEL_CAN_STREAM_ 1
#else
#define ACCEL_CAN_STREAM_ 0
#endif

#if defined(__clang__)
#define ACCEL_STREAM_STORE_(instruction, place, words) __builtin_nontemporal_store(words, place)
#else
#define ACCEL_STREAM_STORE_(instruction, place, words) instruction(place, words)
#endif

/* Copies by words of `width` bytes: both ends are multiples of them. */
#define ACCEL_STREAM_WORDS_(to, from, bytes, width, instruction)                                                       \
    for (size_t accel_at = 0; accel_at < (bytes); accel_at += (width)) {                                               \
        typedef long long accel_words __attribute__((vector_size(width)));                                             \
        accel_words accel_w;                                                                                           \
        __builtin_memcpy(&accel_w, (const char *)(from) + accel_at, sizeof accel_w);                                   \
        ACCEL_STREAM_STORE_(instruction, (accel_words *)(void *)((char *)(to) + accel_at), accel_w);                   \
    }

/* `to` and `bytes` are multiples of 16. The wider the stores, the fewer places for whole lines they take. */
ACCEL_INLINE_ void accel_cpu_stream(void *to, const void *from, size_t bytes)
{
#if ACCEL_CAN_STREAM_
#if defined(__AVX512F__)
    if (((size_t)(uintptr_t)to | bytes) % 64 == 0) {
        ACCEL_STREAM_WORDS_(to, from, bytes, 64, __builtin_ia32_movntdq512)
        return;
    }
#endif
#if defined(__AVX__)
    if (((size_t)(uintptr_t)to | bytes) % 32 == 0) {
        ACCEL_STREAM_WORDS_(to, from, bytes, 32, __builtin_ia32_movntdq256)
        return;
    }
#endif
    ACCEL_STREAM_WORDS_(to, from, bytes, 16, __builtin_ia32_movntdq)
#else
    __builtin_memcpy(to, from, bytes);
#endif
}

/* Before others are told that the results are there. */
ACCEL_INLINE_ void accel_cpu_streamed(void)
{
#if defined(__SSE2__)
    __builtin_ia32_sfence();
#elif ACCEL_CAN_STREAM_
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

#endif
