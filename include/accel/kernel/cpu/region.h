/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/region.h - regions of block kernels for host compilers: loops over the block's threads.
 * The body runs on one OS thread, so the end of a loop is the barrier.
 */
#ifndef ACCEL_KERNEL_CPU_REGION_H
#define ACCEL_KERNEL_CPU_REGION_H

/* for (size_t accel_end_t = threads of the block, t = 0; t < accel_end_t; t++) */
#define ACCEL_THREADS(acc, t) ACCEL_CPU_THREADS_(acc, t, 1)
#define ACCEL_THREADS_NOSYNC(acc, t) ACCEL_CPU_THREADS_(acc, t, 0)
#define ACCEL_CPU_THREADS_(acc, t, sync)                                                                               \
    ACCEL_OUTLINED_LOOP_                                                                                               \
    for (size_t accel_end_##t = accel_region_threads(acc), ACCEL_TURN_FIRST_(t, accel_end_##t);                        \
         ACCEL_REGION_(ACCEL_TURN_AT_(t) < accel_end_##t, t, sync); ACCEL_TURN_NEXT_(t, accel_end_##t))

/* The bound is the smaller of h and the threads of the block; an `if (t < h)` inside is ten times slower with gcc. */
#define ACCEL_THREADS_FIRST(acc, t, h)                                                                                 \
    ACCEL_OUTLINED_LOOP_                                                                                               \
    for (size_t accel_end_##t = accel_smaller((h), accel_region_threads(acc)), ACCEL_TURN_FIRST_(t, accel_end_##t);    \
         ACCEL_REGION_(ACCEL_TURN_AT_(t) < accel_end_##t, t, 1); ACCEL_TURN_NEXT_(t, accel_end_##t))

/* for (size_t ty = 0; ty < y extent * z extent; ty++) for (size_t tx = 0; tx < x extent; tx++) */
#define ACCEL_THREADS_2D(acc, ty, tx)                                                                                  \
    ACCEL_OUTLINED_                                                                                                    \
    for (size_t accel_end_##ty = accel_region_rows(acc), ACCEL_ROW_FIRST_(ty, accel_end_##ty);                         \
         ACCEL_REGION_ROWS_(ACCEL_TURN_AT_(ty) < accel_end_##ty); ACCEL_ROW_NEXT_(ty, accel_end_##ty))                 \
        ACCEL_INDEPENDENT_                                                                                             \
    for (size_t accel_end_##tx = (acc).core.block_extent.x, ACCEL_TURN_FIRST_(tx, accel_end_##tx);                     \
         ACCEL_REGION_IN_ROW_(ACCEL_TURN_AT_(tx) < accel_end_##tx, ty * accel_end_##tx + tx);                          \
         ACCEL_TURN_NEXT_(tx, accel_end_##tx))

/* The block's share of [0, n) in tiles of the block's size; t runs along each tile. */
#define ACCEL_FOR_EACH_THREAD(acc, t, i, n)                                                                            \
    ACCEL_OUTLINED_                                                                                                    \
    for (size_t accel_end_##i = (n), accel_tile_##i = accel_share((acc).core, &accel_end_##i);                         \
         ACCEL_REGION_ROWS_(accel_tile_##i < accel_end_##i); accel_tile_##i += accel_region_threads(acc))              \
        ACCEL_INDEPENDENT_                                                                                             \
    for (size_t accel_end_##t = accel_smaller(accel_end_##i - accel_tile_##i, accel_region_threads(acc)),              \
                ACCEL_ALONG_(t, i, accel_end_##t, accel_tile_##i);                                                     \
         ACCEL_REGION_IN_ROW_(t < accel_end_##t, t); t++, i++)

/* for (int once = 1; once; once = 0) */
#define ACCEL_ONCE(acc)                                                                                                \
    ACCEL_OUTLINED_                                                                                                    \
    for (size_t accel_once = accel_region_threads(acc); ACCEL_REGION_(accel_once != 0, 0, 1); accel_once = 0)

/* T s[1024], or as many as the block fixed at compile time has threads */
#if defined(ACCEL_OBSERVED_)
#define ACCEL_PRIVATE(acc, T, s)                                                                                       \
    T s[ACCEL_PRIVATE_CAPACITY_(acc)] __attribute__((aligned(64), unused));                                            \
    accel_check_private(s, sizeof(T), sizeof(s))
#elif defined(ACCEL_LIGHT_) /* what is no thread's is nobody's, until the function is left */
#define ACCEL_PRIVATE(acc, T, s)                                                                                       \
    T s[ACCEL_PRIVATE_CAPACITY_(acc)] __attribute__((aligned(64), unused));                                            \
    accel_light_rest accel_rest_##s __attribute__((cleanup(accel_light_rest_end), unused)) =                           \
        accel_light_rest_of(s, sizeof(T), accel_region_threads(acc), sizeof(s))
#else
#define ACCEL_PRIVATE(acc, T, s) T s[ACCEL_PRIVATE_CAPACITY_(acc)] __attribute__((aligned(64), unused))
#endif
#define ACCEL_PRIVATE_CAPACITY_(acc)                                                                                   \
    (sizeof(*accel_private_only_in_kernel_bodies) + 0 * sizeof((acc).block_kernels_only))

/* s[t]. gcc's vectoriser forgets which array a subscript meant, so it reads everything that a region shares again after
 * every store of a private value. It keeps what it knows of a pointer, and the builtin makes one (DGEMM: a quarter
 * faster). */
#if defined(ACCEL_OBSERVED_)
#define ACCEL_MY(s, t) (*(__typeof__(&(s)[0]))accel_check_my((s), (t), sizeof((s)[0])))
#elif defined(__clang__)
#define ACCEL_MY(s, t) ((s)[t])
#else
#define ACCEL_MY(s, t) (((__typeof__(&(s)[0]))__builtin_assume_aligned((s), __alignof__((s)[0])))[t])
#endif

ACCEL_INLINE_ size_t accel_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

ACCEL_INLINE_ size_t accel_region_rows(const accel_block_handle acc)
{
    return acc.core.block_extent.y * acc.core.block_extent.z;
}

#endif
