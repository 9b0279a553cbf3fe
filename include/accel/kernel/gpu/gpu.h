/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/gpu.h - handles, queries, shares and atomics that CUDA and HIP share; C++17.
 */
#ifndef ACCEL_KERNEL_GPU_H
#define ACCEL_KERNEL_GPU_H

#include <accel/kernel/lock.h>

#define ACCEL_INDEPENDENT_

/* -------------------------------------------------------------------------------------------- handles -- */

/* What both handles know: the grid parameter, and the block's extents, constants if fixed at compile time. */
struct accel_core {
    const accel_grid *grid;
    accel_index block_extent;
};

struct accel_only_here {
};

struct accel_block_handle {
    accel_core core;
    accel_only_here block_kernels_only;
};

struct accel_thread_handle {
    accel_core core;
    accel_only_here thread_kernels_only;
};

/* -------------------------------------------------------------------------------------- index queries -- */

/* An extent of six dimensions as x, y and the others folded into z. */
#define ACCEL_GPU_FOLD_(e)                                                                                             \
    {                                                                                                                  \
        (e)[0], (e)[1], static_cast<size_t>((e)[2]) * (e)[3] * (e)[4] * (e)[5]                                         \
    }

ACCEL_INLINE_ accel_index accel_core_block_index(const accel_core)
{
    return {accel_gpu_block_x(), accel_gpu_block_y(), accel_gpu_block_z()};
}
ACCEL_INLINE_ accel_index accel_core_block_extent(const accel_core core)
{
    return core.block_extent;
}
ACCEL_INLINE_ accel_index accel_core_grid_extent(const accel_core core)
{
    (void)core;
    return ACCEL_GPU_GRID_EXTENT_(core.grid);
}
ACCEL_INLINE_ accel_index accel_core_elem_extent(const accel_core core)
{
    return ACCEL_GPU_FOLD_(core.grid->elems);
}
ACCEL_INLINE_ const accel_grid *accel_core_grid(const accel_core core)
{
    return core.grid;
}

ACCEL_INLINE_ accel_index accel_gpu_thread()
{
    return {accel_gpu_thread_x(), accel_gpu_thread_y(), accel_gpu_thread_z()};
}
ACCEL_INLINE_ accel_index accel_thread_index(const accel_thread_handle)
{
    return accel_gpu_thread();
}

/* This thread in its block, and the threads of a block. Blocks have at most 1024 threads. */
ACCEL_INLINE_ size_t accel_gpu_thread_linear(const accel_core core)
{
    const uint32_t x = static_cast<uint32_t>(core.block_extent.x);
    const uint32_t y = static_cast<uint32_t>(core.block_extent.y);
    return (accel_gpu_thread_z() * y + accel_gpu_thread_y()) * x + accel_gpu_thread_x();
}
ACCEL_INLINE_ size_t accel_gpu_threads(const accel_core core)
{
    return core.block_extent.x * core.block_extent.y * core.block_extent.z;
}

/* ---------------------------------------------------------------------------------------------- shares -- */

/* A thread's share begins at its index in the grid and proceeds in steps of the number of threads. */
ACCEL_INLINE_ size_t accel_share(const accel_core core, size_t *)
{
    const accel_index block = accel_core_block_index(core);
    const accel_index grid = accel_core_grid_extent(core);
    return ((block.z * grid.y + block.y) * grid.x + block.x) * accel_gpu_threads(core) + accel_gpu_thread_linear(core);
}
ACCEL_INLINE_ size_t accel_step(const accel_core core)
{
    const accel_index grid = accel_core_grid_extent(core);
    return grid.x * grid.y * grid.z * accel_gpu_threads(core);
}

ACCEL_INLINE_ size_t accel_share_x(const accel_core core, size_t *)
{
    return accel_gpu_block_x() * core.block_extent.x + accel_gpu_thread_x();
}
ACCEL_INLINE_ size_t accel_step_x(const accel_core core)
{
    return accel_core_grid_extent(core).x * core.block_extent.x;
}
ACCEL_INLINE_ size_t accel_share_y(const accel_core core, size_t *)
{
    return accel_gpu_block_y() * core.block_extent.y + accel_gpu_thread_y();
}
ACCEL_INLINE_ size_t accel_step_y(const accel_core core)
{
    return accel_core_grid_extent(core).y * core.block_extent.y;
}
ACCEL_INLINE_ size_t accel_share_z(const accel_core core, size_t *)
{
    return accel_gpu_block_z() * core.block_extent.z + accel_gpu_thread_z();
}
ACCEL_INLINE_ size_t accel_step_z(const accel_core core)
{
    return accel_core_grid_extent(core).z * core.block_extent.z;
}
ACCEL_INLINE_ size_t accel_share_yz(const accel_core core, size_t *end)
{
    return accel_share_z(core, end) * accel_step_y(core) + accel_share_y(core, end);
}
ACCEL_INLINE_ size_t accel_step_yz(const accel_core core)
{
    return accel_step_y(core) * accel_step_z(core);
}

/* The 32-bit form: *end is at most 2^31, so with a step of at most 2^31 the index cannot wrap. */
ACCEL_INLINE_ uint32_t accel_share_32(const accel_core core, uint32_t *end)
{
    const size_t begin = accel_share(core, nullptr);
    return begin < *end ? static_cast<uint32_t>(begin) : *end;
}
ACCEL_INLINE_ uint32_t accel_step_32(const accel_core core)
{
    const size_t step = accel_step(core);
    return step < 0x80000000u ? static_cast<uint32_t>(step) : 0x80000000u;
}

/* Block b takes tiles b, b + blocks, ...; thread t of it elements t, t + threads, ... of each, the fastest index
 * first. */
ACCEL_INLINE_ size_t accel_tile_share(const accel_core core, size_t *)
{
    const accel_index block = accel_core_block_index(core);
    const accel_index grid = accel_core_grid_extent(core);
    return (block.z * grid.y + block.y) * grid.x + block.x;
}
ACCEL_INLINE_ size_t accel_tile_step(const accel_core core)
{
    const accel_index grid = accel_core_grid_extent(core);
    return grid.x * grid.y * grid.z;
}
#define ACCEL_TILE_WIDTH_(tile, d) (accel_tile_##tile.to[d] - accel_tile_##tile.from[d])
#define ACCEL_ELEMENTS_IN_(acc, tile, count)                                                                           \
    for (size_t accel_element_##tile = accel_gpu_thread_linear((acc).core), accel_elements_##tile = (count);           \
         accel_element_##tile < accel_elements_##tile; accel_element_##tile += accel_gpu_threads((acc).core))
#define ACCEL_ELEMENTS_2D_(acc, tile, i, di, j, dj)                                                                    \
    ACCEL_ELEMENTS_IN_(acc, tile, ACCEL_TILE_WIDTH_(tile, di) * ACCEL_TILE_WIDTH_(tile, dj))                           \
    for (size_t j = accel_tile_##tile.from[dj] + accel_element_##tile % ACCEL_TILE_WIDTH_(tile, dj),                   \
                i = accel_tile_##tile.from[di] + accel_element_##tile / ACCEL_TILE_WIDTH_(tile, dj), accel_trip = 1;   \
         accel_trip != 0; accel_trip = 0)
#define ACCEL_ELEMENTS_3D_(acc, tile, i, di, j, k, dk)                                                                 \
    ACCEL_ELEMENTS_IN_(acc, tile,                                                                                      \
                       ACCEL_TILE_WIDTH_(tile, di) * ACCEL_TILE_WIDTH_(tile, 1) * ACCEL_TILE_WIDTH_(tile, dk))         \
    for (size_t k = accel_tile_##tile.from[dk] + accel_element_##tile % ACCEL_TILE_WIDTH_(tile, dk),                   \
                j = accel_tile_##tile.from[1] +                                                                        \
                    accel_element_##tile / ACCEL_TILE_WIDTH_(tile, dk) % ACCEL_TILE_WIDTH_(tile, 1),                   \
                i = accel_tile_##tile.from[di] +                                                                       \
                    accel_element_##tile / (ACCEL_TILE_WIDTH_(tile, dk) * ACCEL_TILE_WIDTH_(tile, 1)),                 \
                accel_trip = 1;                                                                                        \
         accel_trip != 0; accel_trip = 0)

/* -------------------------------------------------------------------------------------- shared memory -- */

#define ACCEL_SHARED(acc, T, ...)                                                                                      \
    ACCEL_SHARED_STORAGE_ static T __VA_ARGS__ __attribute__((aligned(16), unused));                                   \
    (void)(acc).core

ACCEL_INLINE_ void *accel_core_shared_dynamic(const accel_core)
{
    extern ACCEL_SHARED_STORAGE_ __attribute__((aligned(16))) unsigned char accel_dynamic[];
    return accel_dynamic;
}

#define ACCEL_UNROLL(n) ACCEL_PRAGMA_(unroll n)
#define ACCEL_PRAGMA_(text) _Pragma(#text)

ACCEL_INLINE_ void accel_core_prefetch(const accel_core, const void *)
{
}
ACCEL_INLINE_ void accel_core_prefetch_l1(const accel_core, const void *)
{
}
ACCEL_INLINE_ void accel_core_prefetch_write(const accel_core, const void *)
{
}

#define ACCEL_GLOBAL(T, ...) ACCEL_DEVICE_ T __VA_ARGS__
#define ACCEL_CONSTANT(T, ...) ACCEL_CONSTANT_STORAGE_ T __VA_ARGS__

/* --------------------------------------------------------------------------------------------- fences -- */

ACCEL_INLINE_ void accel_core_fence_block(const accel_core)
{
    accel_gpu_fence_block();
}
ACCEL_INLINE_ void accel_core_fence_grid(const accel_core)
{
    accel_gpu_fence_device();
}
ACCEL_INLINE_ void accel_core_fence_device(const accel_core)
{
    accel_gpu_fence_device();
}

/* ------------------------------------------------------------------------------------ atomic primitives -- */

template <size_t bytes> struct accel_word;
template <> struct accel_word<4> {
    using type = accel_u32;
    using integer = int;
};
template <> struct accel_word<8> {
    using type = accel_u64;
    using integer = long long;
};
template <class T_> using accel_word_of = typename accel_word<sizeof(T_)>::type;

/* The overloads for words know only unsigned int, unsigned long long and their signed forms; long is one of these. */
template <class T_> struct accel_same_size {
    using type = accel_word_of<T_>;
};
template <> struct accel_same_size<int> {
    using type = int;
};
template <> struct accel_same_size<long> {
    using type = accel_word<sizeof(long)>::integer;
};
template <> struct accel_same_size<long long> {
    using type = long long;
};

template <class T_, class V_> ACCEL_INLINE_ V_ *accel_overlay(T_ *p)
{
    return reinterpret_cast<V_ *>(p);
}

#define ACCEL_RAW_OPERATION_(name)                                                                                     \
    template <class T_> ACCEL_INLINE_ T_ accel_raw_##name(T_ *p, T_ v)                                                 \
    {                                                                                                                  \
        using word = accel_word_of<T_>;                                                                                \
        return static_cast<T_>(accel_word_##name(accel_overlay<T_, word>(p), static_cast<word>(v)));                   \
    }
#define ACCEL_RAW_ORDER_(name)                                                                                         \
    template <class T_> ACCEL_INLINE_ T_ accel_raw_##name(T_ *p, T_ v)                                                 \
    {                                                                                                                  \
        using word = typename accel_same_size<T_>::type;                                                               \
        return static_cast<T_>(accel_word_##name(accel_overlay<T_, word>(p), static_cast<word>(v)));                   \
    }
ACCEL_RAW_OPERATION_(add)
ACCEL_RAW_OPERATION_(and)
ACCEL_RAW_OPERATION_(or)
ACCEL_RAW_OPERATION_(xor)
ACCEL_RAW_ORDER_(min)
ACCEL_RAW_ORDER_(max)

template <class To, class From> ACCEL_INLINE_ To accel_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    __builtin_memcpy(&to, &from, sizeof(To));
    return to;
}
template <class T_> ACCEL_INLINE_ void accel_raw_load(T_ *p, T_ *result)
{
    *result = accel_bits<T_>(accel_word_load(accel_overlay<T_, accel_word_of<T_>>(p)));
}
template <class T_> ACCEL_INLINE_ void accel_raw_exch(T_ *p, const T_ *v, T_ *result)
{
    using word = accel_word_of<T_>;
    *result = accel_bits<T_>(accel_word_exch(accel_overlay<T_, word>(p), accel_bits<word>(*v)));
}
template <class T_> ACCEL_INLINE_ bool accel_raw_cas(T_ *p, T_ *expected, const T_ *desired)
{
    using word = accel_word_of<T_>;
    const word wanted = accel_bits<word>(*expected);
    const word seen = accel_word_cas(accel_overlay<T_, word>(p), wanted, accel_bits<word>(*desired));
    *expected = accel_bits<T_>(seen);
    return seen == wanted;
}

#define ACCEL_RAW_ADD_(p, v) accel_raw_add(p, v)
#define ACCEL_RAW_SUB_(p, v) accel_raw_add(p, static_cast<decltype(v)>(0 - v))
#define ACCEL_RAW_AND_(p, v) accel_raw_and(p, v)
#define ACCEL_RAW_OR_(p, v) accel_raw_or(p, v)
#define ACCEL_RAW_XOR_(p, v) accel_raw_xor(p, v)
#define ACCEL_RAW_LOAD_(p, result) accel_raw_load(p, result)
#define ACCEL_RAW_EXCH_(p, value, result) accel_raw_exch(p, value, result)
#define ACCEL_RAW_CAS_(p, expected, desired) accel_raw_cas(p, expected, desired)
#define ACCEL_ATOMIC_MIN_(T, p, v) return accel_raw_min(p, v);
#define ACCEL_ATOMIC_MAX_(T, p, v) return accel_raw_max(p, v);
#define ACCEL_ATOMIC_FLOAT_ADD_(T, p, v) return accel_word_add(p, v);

#include <accel/kernel/gpu/entry.h>
#include <accel/kernel/gpu/warp.h>

#endif
