/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/cpu.h - the two handles and the primitives behind accel/kernel.h, for host compilers.
 *
 * A block kernel's body runs once per block, a thread kernel's once per thread. Both are inlined into the
 * wrapper that the engine calls (accel/kernel/cpu/entry.h), with the handle passed by value, so that the
 * compiler keeps its fields in registers and sees extents fixed at compile time as constants.
 */
#ifndef ACCEL_KERNEL_CPU_H
#define ACCEL_KERNEL_CPU_H

#define ACCEL_FN static inline __attribute__((unused))
#define ACCEL_METHOD inline __attribute__((unused))
#define ACCEL_INLINE_ static inline __attribute__((always_inline, unused))

#include <accel/kernel/cpu/check.h>
#include <accel/kernel/lock.h>

/* Tells gcc that the iterations of the loop that follows are independent. clang gets nothing: it vectorises
 * equally well with its own run-time checks, and its pragmas miscompile loops that have a local array. */
#if defined(__clang__) || defined(ACCEL_OBSERVED_)
#define ACCEL_INDEPENDENT_
#else
#define ACCEL_INDEPENDENT_ _Pragma("GCC ivdep")
#endif
#if defined(ACCEL_OBSERVED_)
#define ACCEL_OUTLINED_LOOP_ ACCEL_OUTLINED_
#else
#define ACCEL_OUTLINED_LOOP_ ACCEL_INDEPENDENT_
#endif

#if defined(__clang__)
#define ACCEL_UNROLL(n) ACCEL_PRAGMA_(clang loop unroll_count(n))
#else
#define ACCEL_UNROLL(n) ACCEL_PRAGMA_(GCC unroll n)
#endif
#define ACCEL_PRAGMA_(text) _Pragma(#text)

/* ThreadSanitizer does not model fences: there the atomics carry the order, and a fence is an atomic. cpu-check does. */
#if defined(ACCEL_TARGET_CHECK)
#elif defined(__SANITIZE_THREAD__)
#define ACCEL_TSAN_ 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ACCEL_TSAN_ 1
#endif
#endif

/* -------------------------------------------------------------------------------------------- handles -- */

/* What both handles know. `block` is the linear block index, `blocks` their number. `part` of `parts` is the
 * thread within its block; a block kernel does the whole block's work, so there it is 0 of 1. */
typedef struct accel_core {
    accel_index block_index;
    accel_index grid_extent;
    accel_index block_extent;
    accel_index elem_extent;
    accel_index part;
    accel_index parts;
    size_t block;
    size_t blocks;
    const accel_launch_context *launch;
} accel_core;

/* `acc` in a block kernel: block_kernels_only is the number of threads in the block. */
typedef struct accel_block_handle {
    accel_core core;
    size_t block_kernels_only;
} accel_block_handle;

/* `acc` in a thread kernel: thread_kernels_only is what the engine's barrier wants, NULL in NOSYNC kernels. */
typedef struct accel_thread_handle {
    accel_core core;
    const accel_thread_context *thread_kernels_only;
} accel_thread_handle;

/* -------------------------------------------------------------------------------------- index queries -- */

ACCEL_INLINE_ accel_index accel_core_block_index(const accel_core core)
{
    return core.block_index;
}
ACCEL_INLINE_ accel_index accel_core_block_extent(const accel_core core)
{
    return core.block_extent;
}
ACCEL_INLINE_ accel_index accel_core_grid_extent(const accel_core core)
{
    return core.grid_extent;
}
ACCEL_INLINE_ accel_index accel_core_elem_extent(const accel_core core)
{
    return core.elem_extent;
}
ACCEL_INLINE_ const accel_grid *accel_core_grid(const accel_core core)
{
    return core.launch->grid;
}

ACCEL_INLINE_ accel_index accel_thread_index(const accel_thread_handle acc)
{
    return acc.core.part;
}

ACCEL_INLINE_ size_t accel_region_threads(const accel_block_handle acc)
{
    return acc.block_kernels_only;
}

/* ---------------------------------------------------------------------------------------------- shares -- */

#define ACCEL_SHARE_GRAIN_ 16 /* elements: a multiple of every vector length in use */
#define ACCEL_SHARE_LONG_ 256 /* elements: a share of so many is little worse off with one grain more */

/* The length of each of `count` contiguous shares of n elements. None is larger than it has to be, because elements may
 * be heavy; but long ones have a multiple of `grain` elements, so that they begin where vectors do. */
ACCEL_INLINE_ size_t accel_cpu_share_length(size_t n, size_t count, size_t grain)
{
    const size_t each = n / count + (n % count != 0);
    return grain > 1 && each >= ACCEL_SHARE_LONG_ ? (each + (grain - 1)) / grain * grain : each;
}

/* What the length is if the launch was divided for so many elements or some less: `likely` is what it gives a block. The
 * answer takes no division, which would delay the first element of each block. Of eight blocks or more, each a piece, the last one has
 * the rest: so they begin where the pieces of a reduction begin. */
ACCEL_INLINE_ size_t accel_cpu_likely_length(size_t n, size_t count, size_t grain, size_t likely)
{
    size_t slack = 1; /* shares of a little less become as long */
    if (grain > 1 && likely > ACCEL_SHARE_LONG_) {
        likely = (likely + (grain - 1)) / grain * grain;
        slack = likely == ACCEL_PIECE_ELEMS ? ACCEL_PIECE_ELEMS / 8 : grain;
    }
    if (__builtin_expect(
            likely <= UINT32_MAX && count <= UINT32_MAX && n - (likely - slack) * count - 1 < slack * count, 1))
        return likely;
    return accel_cpu_share_length(n, count, grain);
}

/* Narrows [begin, *end) to share `index`. Returns the new begin. */
ACCEL_INLINE_ size_t accel_cpu_take_share(size_t begin, size_t *end, size_t index, size_t length)
{
    const size_t n = *end - begin, skip = index * length;
    begin += skip < n ? skip : n;
    *end = length < *end - begin ? begin + length : *end;
    return begin;
}

/* Narrows [begin, *end) to share `index` of `count`. */
ACCEL_INLINE_ size_t accel_cpu_share(size_t begin, size_t *end, size_t index, size_t count, size_t grain)
{
    if (count == 1)
        return begin;
    return accel_cpu_take_share(begin, end, index, accel_cpu_share_length(*end - begin, count, grain));
}

/* The same for blocks and [0, *end): a launch that was divided by default gives each block `likely` elements. */
ACCEL_INLINE_ size_t accel_cpu_block_share(size_t *end, size_t index, size_t count, size_t grain, size_t likely)
{
    if (count == 1)
        return 0;
    __asm__("" : "+r"(likely)); /* else compilers make the products for one block, too */
    return accel_cpu_take_share(0, end, index, accel_cpu_likely_length(*end, count, grain, likely));
}

/* One dimension over the whole grid; *end comes in as the number of elements. */
ACCEL_INLINE_ size_t accel_share(const accel_core core, size_t *end)
{
    const size_t begin = accel_cpu_block_share(end, core.block, core.blocks, ACCEL_SHARE_GRAIN_,
                                               core.block_extent.x * core.elem_extent.x);
    const size_t part = (core.part.z * core.parts.y + core.part.y) * core.parts.x + core.part.x;
    return accel_cpu_share(begin, end, part, core.parts.x * core.parts.y * core.parts.z, 1);
}

/* The fastest of two or three dimensions, over x. */
ACCEL_INLINE_ size_t accel_share_x(const accel_core core, size_t *end)
{
    const size_t begin = accel_cpu_block_share(end, core.block_index.x, core.grid_extent.x, ACCEL_SHARE_GRAIN_,
                                               core.block_extent.x * core.elem_extent.x);
    return accel_cpu_share(begin, end, core.part.x, core.parts.x, 1);
}

/* The slower of two dimensions, over y and z together. */
ACCEL_INLINE_ size_t accel_share_yz(const accel_core core, size_t *end)
{
    const size_t begin =
        accel_cpu_block_share(end, core.block_index.z * core.grid_extent.y + core.block_index.y,
                              core.grid_extent.y * core.grid_extent.z, 1, core.block_extent.y * core.elem_extent.y);
    return accel_cpu_share(begin, end, core.part.z * core.parts.y + core.part.y, core.parts.y * core.parts.z, 1);
}

/* The middle one of three dimensions, over y. */
ACCEL_INLINE_ size_t accel_share_y(const accel_core core, size_t *end)
{
    const size_t begin =
        accel_cpu_block_share(end, core.block_index.y, core.grid_extent.y, 1, core.block_extent.y * core.elem_extent.y);
    return accel_cpu_share(begin, end, core.part.y, core.parts.y, 1);
}

/* The slowest of three dimensions, over z. */
ACCEL_INLINE_ size_t accel_share_z(const accel_core core, size_t *end)
{
    const size_t begin =
        accel_cpu_block_share(end, core.block_index.z, core.grid_extent.z, 1, core.block_extent.z * core.elem_extent.z);
    return accel_cpu_share(begin, end, core.part.z, core.parts.z, 1);
}

/* Tiles by their numbers, and how a tile's elements are visited. */
ACCEL_INLINE_ size_t accel_tile_share(const accel_core core, size_t *end)
{
    const size_t begin =
        accel_cpu_block_share(end, core.block, core.blocks, 1, core.block_extent.x * core.elem_extent.x);
    const size_t part = (core.part.z * core.parts.y + core.part.y) * core.parts.x + core.part.x;
    return accel_cpu_share(begin, end, part, core.parts.x * core.parts.y * core.parts.z, 1);
}
#define accel_tile_step(core) ((void)(core), (size_t)1)

#if defined(ACCEL_OBSERVED_)
#define ACCEL_ELEMENTS_(tile, i, d)                                                                                    \
    for (size_t accel_end_##i = accel_tile_##tile.to[d], ACCEL_WALK_(size_t, i, accel_tile_##tile.from[d]);            \
         ACCEL_WALKS_(i); ACCEL_WALK_ON_(size_t, i, 1))
/* The innermost loop. */
#define ACCEL_ELEMENTS_IN_(tile, i, d)                                                                                 \
    for (size_t accel_end_##i = accel_tile_##tile.to[d], ACCEL_WALK_(size_t, i, accel_tile_##tile.from[d]);            \
         ACCEL_EACH_(ACCEL_WALKS_(i)); ACCEL_WALK_ON_(size_t, i, 1))
#else
#define ACCEL_ELEMENTS_(tile, i, d)                                                                                    \
    for (size_t i = accel_tile_##tile.from[d], accel_end_##i = accel_tile_##tile.to[d]; i < accel_end_##i; i++)
#define ACCEL_ELEMENTS_IN_(tile, i, d) ACCEL_ELEMENTS_(tile, i, d)
#endif
#define ACCEL_ELEMENTS_2D_(acc, tile, i, di, j, dj)                                                                    \
    ACCEL_ELEMENTS_(tile, i, di) ACCEL_INDEPENDENT_ ACCEL_ELEMENTS_IN_(tile, j, dj)
#define ACCEL_ELEMENTS_3D_(acc, tile, i, di, j, k, dk)                                                                 \
    ACCEL_ELEMENTS_(tile, i, di) ACCEL_ELEMENTS_2D_(acc, tile, j, 1, k, dk)

/* Distance between consecutive elements of a share. */
#define accel_step(core) ((size_t)1)
#define accel_step_x(core) ((size_t)1)
#define accel_step_yz(core) ((size_t)1)
#define accel_step_y(core) ((size_t)1)
#define accel_step_z(core) ((size_t)1)

/* The 32-bit form; *end is at most 2^31. */
ACCEL_INLINE_ uint32_t accel_share_32(const accel_core core, uint32_t *end)
{
    size_t last = *end;
    const size_t begin = accel_share(core, &last);
    *end = (uint32_t)last;
    return (uint32_t)begin;
}
#define accel_step_32(core) 1u

/* ----------------------------------------------------------------------------------- shared memory -- */

/* Thread-local: all threads of a block run on one OS thread, and a block ends before the next begins. */
#define ACCEL_SHARED(acc, T, ...)                                                                                      \
    ACCEL_CHECK_GAP_                                                                                                   \
    static __thread T __VA_ARGS__ __attribute__((aligned(64), unused));                                                \
    (void)(acc).core

/* An access to the object's thread-local memory. A thread's first one is special:
 *  - It may take much stack: glibc from 2.40 saves all registers there, which are 11 kB with AMX, and others allocate
 *    memory. So an engine asks for it, by the run_blocks of thread kernels, before fibers run them.
 *  - gcc reaches thread-local arrays at full speed with -mtls-dialect=gnu2 only, and in glibc before 2.40 the first access
 *    of that kind clobbers vector registers (bug 31372). So every wrapper begins with one (accel_cpu_prepare), where no
 *    vector register lives.
 * Its alignment is that of all thread-local memory of the object: the LeakSanitizer of gcc 12 takes it for another C
 * library's where it begins 16 bytes behind a page's begin, as the heap may choose, and crashes. */
static __thread unsigned char accel_cpu_first_access __attribute__((aligned(64)));
#if defined(__clang__)
static __attribute__((noinline, unused)) void accel_cpu_access(void)
#else
static __attribute__((noipa, unused)) void accel_cpu_access(void)
#endif
{
    __asm__ volatile("" : : "r"(&accel_cpu_first_access) : "memory");
}
#if defined(__x86_64__) && !defined(__clang__)
#define accel_cpu_prepare() accel_cpu_access()
#else
#define accel_cpu_prepare() ((void)0)
#endif

/* The run_blocks of thread kernels. */
static __attribute__((unused)) void accel_cpu_ready(const accel_launch_context *launch, const void *args, size_t first,
                                                    size_t count)
{
    (void)launch;
    (void)args;
    (void)first;
    (void)count;
    accel_cpu_access();
}

ACCEL_INLINE_ void *accel_core_shared_dynamic(const accel_core core)
{
    return __builtin_assume_aligned(core.launch->shared, 64);
}

/* Into the second level: the first is small, and lines that lie a power of two apart evict each other there. */
ACCEL_INLINE_ void accel_core_prefetch(const accel_core core, const void *p)
{
    (void)core;
    __builtin_prefetch(p, 0, 2);
}

ACCEL_INLINE_ void accel_core_prefetch_l1(const accel_core core, const void *p)
{
    (void)core;
    __builtin_prefetch(p, 0, 3);
}

/* Into this core's first level, exclusively. */
ACCEL_INLINE_ void accel_core_prefetch_write(const accel_core core, const void *p)
{
    (void)core;
#if defined(__x86_64__) /* without -mprfchw the builtin would ask for a line to read */
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
#else
    __builtin_prefetch(p, 1, 3);
#endif
}

/* --------------------------------------------------------------------------------- barriers and fences -- */

#if defined(__OPTIMIZE__)
extern void accel_barrier_in_a_nosync_kernel(void)
    __attribute__((error("this kernel was declared with ACCEL_THREAD_KERNEL_NOSYNC: it must not synchronise")));
#endif

/* accelcc asks which kernels call it. */
#if defined(ACCEL_FIND_BARRIERS)
extern void accel_cpu_barrier_found(void);
#else
#define accel_cpu_barrier_found() ((void)0)
#endif

ACCEL_INLINE_ uint32_t accel_cpu_sync(const accel_thread_handle acc, uint32_t mode, int predicate)
{
    accel_cpu_barrier_found();
#if defined(__OPTIMIZE__)
    if (__builtin_constant_p(acc.thread_kernels_only == NULL) && acc.thread_kernels_only == NULL)
        accel_barrier_in_a_nosync_kernel();
#endif
    ACCEL_CHECK_(accel_check_arrive(acc.thread_kernels_only));
    const uint32_t result = acc.core.launch->sync(acc.thread_kernels_only, mode, predicate != 0);
    ACCEL_CHECK_(accel_check_pass(acc.thread_kernels_only));
    return result;
}

ACCEL_INLINE_ void accel_sync_block(const accel_thread_handle acc)
{
    (void)accel_cpu_sync(acc, ACCEL_SYNC_PLAIN, 0);
}
ACCEL_INLINE_ int accel_sync_block_count(const accel_thread_handle acc, int predicate)
{
    return (int)accel_cpu_sync(acc, ACCEL_SYNC_COUNT, predicate);
}
ACCEL_INLINE_ int accel_sync_block_and(const accel_thread_handle acc, int predicate)
{
    return accel_cpu_sync(acc, ACCEL_SYNC_AND, predicate) != 0;
}
ACCEL_INLINE_ int accel_sync_block_or(const accel_thread_handle acc, int predicate)
{
    return accel_cpu_sync(acc, ACCEL_SYNC_OR, predicate) != 0;
}

/* The block's threads share an OS thread: only the compiler must keep the order. */
ACCEL_INLINE_ void accel_core_fence_block(const accel_core core)
{
    (void)core;
    ACCEL_CHECK_(accel_check_fence(0));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#if defined(ACCEL_TSAN_)
static uint32_t accel_cpu_fence_word; /* shared by all threads; atomic, sequentially consistent */
#endif

ACCEL_INLINE_ void accel_core_fence_device(const accel_core core)
{
    (void)core;
    ACCEL_CHECK_(accel_check_fence(1));
#if defined(ACCEL_TSAN_)
    (void)__atomic_fetch_add(&accel_cpu_fence_word, 0u, __ATOMIC_SEQ_CST);
#elif !defined(ACCEL_OBSERVED_)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
#define accel_core_fence_grid(core) accel_core_fence_device(core)

/* --------------------------------------------------------------------------------------- device data -- */

/* Protected: the loader finds the symbol, and no variable of the same name in another library replaces it. */
#define ACCEL_GLOBAL(T, ...) __attribute__((visibility("protected"))) T __VA_ARGS__
#if defined(ACCEL_TARGET_CHECK)
#define ACCEL_CONSTANT(T, ...) __attribute__((visibility("protected"), section("accel_constants"))) T __VA_ARGS__
#else
#define ACCEL_CONSTANT(T, ...) __attribute__((visibility("protected"))) T __VA_ARGS__
#endif

/* ------------------------------------------------------------------------------------- atomic primitives -- */

#if defined(ACCEL_TSAN_)
#define ACCEL_ORDER_ __ATOMIC_ACQ_REL
#define ACCEL_ORDER_LOAD_ __ATOMIC_ACQUIRE
#else
#define ACCEL_ORDER_ __ATOMIC_RELAXED
#define ACCEL_ORDER_LOAD_ __ATOMIC_RELAXED
#endif

#define ACCEL_RAW_ADD_(p, v) __atomic_fetch_add(p, v, ACCEL_ORDER_)
#define ACCEL_RAW_SUB_(p, v) __atomic_fetch_sub(p, v, ACCEL_ORDER_)
#define ACCEL_RAW_AND_(p, v) __atomic_fetch_and(p, v, ACCEL_ORDER_)
#define ACCEL_RAW_OR_(p, v) __atomic_fetch_or(p, v, ACCEL_ORDER_)
#define ACCEL_RAW_XOR_(p, v) __atomic_fetch_xor(p, v, ACCEL_ORDER_)
/* The other three take pointers to locals, as the builtins do, so they work on floating-point types, too. */
#define ACCEL_RAW_LOAD_(p, result) __atomic_load(p, result, ACCEL_ORDER_LOAD_)
#define ACCEL_RAW_EXCH_(p, value, result) __atomic_exchange(p, value, result, ACCEL_ORDER_)
#define ACCEL_RAW_CAS_(p, expected, desired)                                                                           \
    __atomic_compare_exchange(p, expected, desired, 0, ACCEL_ORDER_, ACCEL_ORDER_LOAD_)

typedef uint32_t __attribute__((may_alias)) accel_cpu_word_4;
typedef uint64_t __attribute__((may_alias)) accel_cpu_word_8;

/* Compared as a word, which stays in a register. For the address of a floating-point local gcc would use the stack. */
#define ACCEL_ATOMIC_FLOAT_ADD_(T, p, v)                                                                               \
    if (sizeof(T) == sizeof(accel_cpu_word_8))                                                                         \
        ACCEL_CPU_FLOAT_ADD_(T, accel_cpu_word_8, p, v)                                                                \
    else                                                                                                               \
        ACCEL_CPU_FLOAT_ADD_(T, accel_cpu_word_4, p, v)
#define ACCEL_CPU_FLOAT_ADD_(T, word, p, v)                                                                            \
    for (word seen = __atomic_load_n((word *)(p), ACCEL_ORDER_LOAD_);;) {                                              \
        T old, sum;                                                                                                    \
        word desired;                                                                                                  \
        __builtin_memcpy(&old, &seen, sizeof(word));                                                                   \
        sum = old + (v);                                                                                               \
        __builtin_memcpy(&desired, &sum, sizeof(word));                                                                \
        if (__atomic_compare_exchange_n((word *)(p), &seen, desired, 0, ACCEL_ORDER_, ACCEL_ORDER_LOAD_))              \
            return old;                                                                                                \
    }

/* for (lock = taken; lock != NULL; lock = released, which is NULL) { body } */
#define ACCEL_ATOMIC_UPDATE(acc, p)                                                                                    \
    for (uint32_t *accel_lock = accel_cpu_lock(accel_core_grid((acc).core), ACCEL_CHECK_LOCKED_((p), sizeof(*(p))));   \
         accel_lock != NULL; accel_lock = accel_cpu_unlock(accel_lock))

ACCEL_INLINE_ void accel_cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

ACCEL_INLINE_ uint32_t *accel_cpu_lock(const accel_grid *grid, const void *p)
{
    uint32_t *lock = grid->locks + accel_lock_index(p, grid->lock_mask);
    while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) != 0)
        while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0)
            accel_cpu_pause();
    __asm__ volatile("" : : : "memory"); /* also inside loops whose iterations were declared independent */
    return lock;
}

ACCEL_INLINE_ uint32_t *accel_cpu_unlock(uint32_t *lock)
{
    ACCEL_CHECK_(accel_check_unlock());
    __asm__ volatile("" : : : "memory");
    __atomic_store_n(lock, 0u, __ATOMIC_RELEASE);
    return NULL;
}

/* All threads of a block run on one OS thread, and none leaves it within an operation, so plain operations are atomic
 * among them. The barrier separates iterations that were declared independent. */
#define ACCEL_BLOCK_ATOMICS_ARE_PLAIN_ __asm__ volatile("" : : : "memory")

#include <accel/kernel/cpu/modify.h>

/* --------------------------------------------------------------------------------------------- warps -- */

#include <accel/kernel/cpu/warp.h>

#endif
