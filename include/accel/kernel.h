/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel.h - what a kernel sees.
 *
 *     #include <accel/kernel.h>
 *     #include "blas1.h"            // typedef struct { double a; size_t n; const double *x; double *y; } daxpy_args;
 *
 *     ACCEL_KERNEL(daxpy, daxpy_args, args)
 *     {
 *         ACCEL_FOR_EACH(acc, i, args.n)
 *             args.y[i] += args.a * args.x[i];
 *     }
 *
 * A kernel is one source, NAME.k.c, in the common subset of C11 and C++17. accelcc compiles it with gcc or clang for
 * CPUs, with nvcc or clang for NVIDIA GPUs, and with clang for AMD GPUs. `acc` is the handle through which a kernel
 * reaches everything that depends on where it runs. It is in scope in every kernel's body; pass it to helper functions
 * by value.
 *
 * Two forms of kernel
 *  - A block kernel (ACCEL_KERNEL) describes the work of a whole block. The work of its threads stands in regions,
 *    ACCEL_THREADS(acc, t) { ... }: on a CPU a loop over the block's threads, on a GPU the thread itself. The end of a
 *    region is a barrier of the block. Prefer this form: on CPUs the barrier costs nothing and the loop vectorises.
 *  - A thread kernel (ACCEL_THREAD_KERNEL) describes the work of one thread, as in CUDA. accel_sync_block(acc) may
 *    stand anywhere. On CPUs every thread is a fiber, and each barrier switches through all of them, 4 to 9 ns each: a
 *    matrix product in tiles is 17 times slower so. One that never synchronises is a plain loop on CPUs. `accelcc`
 *    finds out which do. ACCEL_THREAD_KERNEL_NOSYNC promises it, and a barrier in it is an error.
 * The forms have different types of handle, so one form's names do not compile in the other.
 *
 * Rules for authors. Breaking one is an error that only some targets notice.
 *  - Outside regions a block kernel is uniform over the block: it uses no atomics and writes only its own locals. That
 *    code runs once per block on a CPU and once per thread on a GPU. Put work for one thread into ACCEL_ONCE.
 *  - Only `continue` leaves a region or a loop of this file early, not break, return or goto. `accelcc` checks it.
 *  - No thread reads in a region what another thread wrote in the same region, except through atomics.
 *  - ACCEL_FOR_EACH divides its elements among the blocks. It stands outside regions, and its iterations are
 *    independent. To sum elements per thread use ACCEL_FOR_EACH_THREAD with a private value.
 *  - Two ACCEL_FOR_EACH loops of equal bounds give each index to the same thread. The second may read at an index what
 *    the first wrote there, without a barrier. Loops with other bounds share nothing without one.
 *  - A value that lives from one region to the next is ACCEL_PRIVATE. A local variable outside regions belongs to the
 *    block; one inside a region ends with it.
 *  - No barrier, break or return stands inside ACCEL_ATOMIC_UPDATE or _MODIFY, and no second one of these.
 *  - Shared memory starts undefined. ACCEL_SHARED and ACCEL_PRIVATE stand in the kernel's body, not in helpers.
 *  - Index with size_t: 32-bit unsigned arithmetic in subscripts stops gcc's vectoriser.
 *  - Keep frames small in thread kernels: on CPUs a thread has a stack of 16 KiB. `accelcc` reports larger frames.
 *  - Regions do not nest, and ACCEL_FOR_EACH does not stand inside one.
 *  - `accelcc` checks these rules as far as the text of one kernel shows whether they are kept.
 *  - Helpers are inlined into each kernel that calls them. Recursive ones stay calls, which cost speed in regions.
 *  - A warp has one thread on CPUs, 32 on NVIDIA GPUs, and 32 or 64 on AMD GPUs.
 *  - Kernels call no function of libaccel, and of the C library only those of docs/mathematics.md.
 */
#ifndef ACCEL_KERNEL_H
#define ACCEL_KERNEL_H

#include <accel/object.h>
#include <accel/range.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------------------- indices, handles -- */

/* x is the fastest dimension: the last extent of the host API. Dimensions above three are folded into z. */
typedef struct accel_index {
    size_t x, y, z;
} accel_index;

/*
 * Types of `acc`, for the parameters of helper functions:
 *     accel_block_handle    in ACCEL_KERNEL and ACCEL_KERNEL_BLOCK
 *     accel_thread_handle   in ACCEL_THREAD_KERNEL, _BLOCK and _NOSYNC
 * ACCEL_FN declares a helper function:
 *
 *     ACCEL_FN double square(double x) { return x * x; }
 *
 * Expands to `static inline`, on GPUs `static inline __device__`. In C++, ACCEL_METHOD is the same without `static`, for
 * constructors and members of classes (docs/kernels.md).
 */
#include <accel/kernel/target.h>

/*
 * Position and extents. Each is an accel_index: accel_block_index(acc).x
 *
 *     accel_block_index(acc)     of this block in the grid, in blocks
 *     accel_grid_extent(acc)     of the grid, in blocks
 *     accel_block_extent(acc)    of a block, in threads; a constant if fixed at compile time
 *     accel_elem_extent(acc)     of a thread, in elements, from the work division
 *     accel_thread_index(acc)    of this thread in its block, in threads; thread kernels only
 *     accel_global_index(acc)    of this thread in the grid, in threads; thread kernels only
 */
#define accel_block_index(acc) accel_core_block_index((acc).core)
#define accel_grid_extent(acc) accel_core_grid_extent((acc).core)
#define accel_block_extent(acc) accel_core_block_extent((acc).core)
#define accel_elem_extent(acc) accel_core_elem_extent((acc).core)

ACCEL_INLINE_ accel_index accel_global_index(const accel_thread_handle acc)
{
    const accel_index block = accel_block_index(acc);
    const accel_index extent = accel_block_extent(acc);
    const accel_index thread = accel_thread_index(acc);
    const accel_index index = {block.x * extent.x + thread.x, block.y * extent.y + thread.y,
                               block.z * extent.z + thread.z};
    return index;
}

/*
 * The same for one dimension d, counted as on the host: 0 is the slowest, accel_grid_dims(acc) - 1 the fastest. For
 * launches of more than three dimensions. Each is a size_t.
 *
 *     accel_grid_dims(acc)                   dimensions of the launch
 *     accel_block_coordinate(acc, d)         of this block in the grid
 *     accel_thread_coordinate(acc, d)        of this thread in its block; thread kernels only
 *     accel_thread_coordinate_of(acc, t, d)  of thread t of a region
 *     accel_grid_extent_at(acc, d), accel_block_extent_at(acc, d), accel_elem_extent_at(acc, d)
 */
#include <accel/kernel/coordinate.h>

/* ------------------------------------------------------------------------------------------ kernels -- */

/*
 * These define a kernel; its body follows in braces. The host finds it by `name`: any identifier, also `copy` or
 * `free`, or a macro that expands to one: ACCEL_KERNEL(SCALE(float), scale_float_args, args). args_type is a struct of
 * plain data of at most 4096 bytes, or accel_no_args. The body sees it as the constant object `args`, the same for the
 * whole launch.
 *
 *     ACCEL_KERNEL(name, args_type, args)                 block kernel
 *     ACCEL_KERNEL_BLOCK(name, args_type, args, 16, 16)   block kernel whose block extents are fixed: one to
 *                                                         three, the last one fastest (x). Regions have constant
 *                                                         bounds; launches with other extents are refused.
 *     ACCEL_THREAD_KERNEL(name, args_type, args)          thread kernel
 *     ACCEL_THREAD_KERNEL_BLOCK(name, args_type, args, 16, 16)
 *     ACCEL_THREAD_KERNEL_NOSYNC(name, args_type, args)   thread kernel without any barrier
 *
 * On CPUs ACCEL_KERNEL(axpy, axpy_args, args) expands to a body that is inlined into a loop over blocks, and to the
 * descriptor accel_descriptor_axpy (accel/kernel/cpu/entry.h). On GPUs it expands to the function
 * accel_kernel_axpy(axpy_args, accel_grid) and the descriptor (accel/kernel/gpu/entry.h).
 */
#define ACCEL_KERNEL(name, args_type, args) ACCEL_KERNEL_(name, args_type, args)
#define ACCEL_THREAD_KERNEL(name, args_type, args) ACCEL_THREAD_KERNEL_(name, args_type, args)
#define ACCEL_THREAD_KERNEL_NOSYNC(name, args_type, args) ACCEL_THREAD_KERNEL_NOSYNC_(name, args_type, args)
#define ACCEL_KERNEL_BLOCK(name, args_type, args, ...) ACCEL_KERNEL_BLOCK_(name, args_type, args, __VA_ARGS__)
#define ACCEL_THREAD_KERNEL_BLOCK(name, args_type, args, ...)                                                          \
    ACCEL_THREAD_KERNEL_BLOCK_(name, args_type, args, __VA_ARGS__)
/* `name` has been expanded here. */
#define ACCEL_KERNEL_(name, args_type, args)                                                                           \
    ACCEL_DEFINE_KERNEL_(#name, accel_body_##name, accel_run_##name, accel_descriptor_##name, accel_kernel_##name,     \
                         args_type, args, ANY_, 0, 0, 0, ACCEL_MAX_BLOCK_THREADS)
#define ACCEL_THREAD_KERNEL_(name, args_type, args)                                                                    \
    ACCEL_IF_LOOP_(accel_loop_##name, ACCEL_DEFINE_NOSYNC_KERNEL_, ACCEL_DEFINE_THREAD_KERNEL_, ~)                     \
    (#name, accel_body_##name, ACCEL_IF_LOOP_(accel_loop_##name, accel_run_##name, accel_fiber_##name, ~),             \
     accel_descriptor_##name, accel_kernel_##name, args_type, args, ANY_, 0, 0, 0, ACCEL_MAX_BLOCK_THREADS)
#define ACCEL_THREAD_KERNEL_NOSYNC_(name, args_type, args)                                                             \
    ACCEL_DEFINE_NOSYNC_KERNEL_(#name, accel_body_##name, accel_run_##name, accel_descriptor_##name,                   \
                                accel_kernel_##name, args_type, args, ANY_, 0, 0, 0, ACCEL_MAX_BLOCK_THREADS)
#define ACCEL_KERNEL_BLOCK_(name, args_type, args, ...)                                                                \
    ACCEL_DEFINE_KERNEL_(#name, accel_body_##name, accel_run_##name, accel_descriptor_##name, accel_kernel_##name,     \
                         args_type, args, FIXED_, ACCEL_EXTENT_X_(__VA_ARGS__), ACCEL_EXTENT_Y_(__VA_ARGS__),          \
                         ACCEL_EXTENT_Z_(__VA_ARGS__), ACCEL_PRODUCT_(__VA_ARGS__))
#define ACCEL_THREAD_KERNEL_BLOCK_(name, args_type, args, ...)                                                         \
    ACCEL_IF_LOOP_(accel_loop_##name, ACCEL_DEFINE_NOSYNC_KERNEL_, ACCEL_DEFINE_THREAD_KERNEL_, ~)                     \
    (#name, accel_body_##name, ACCEL_IF_LOOP_(accel_loop_##name, accel_run_##name, accel_fiber_##name, ~),             \
     accel_descriptor_##name, accel_kernel_##name, args_type, args, FIXED_, ACCEL_EXTENT_X_(__VA_ARGS__),              \
     ACCEL_EXTENT_Y_(__VA_ARGS__), ACCEL_EXTENT_Z_(__VA_ARGS__), ACCEL_PRODUCT_(__VA_ARGS__))

/* ---------------------------------------------------------------------------------- element loops -- */

/*
 * These distribute [0, n) over the whole grid. Every element is visited once, whatever the work division. The order is
 * undefined and iterations are independent. `continue` skips to the next one. n is evaluated once.
 *
 *     ACCEL_FOR_EACH(acc, i, n)                        i is a size_t
 *     ACCEL_FOR_EACH_32(acc, i, n)                     i is a uint32_t; n at most 2^31
 *     ACCEL_FOR_EACH_2D(acc, i, j, ni, nj)             j the fastest, over x; i over y
 *     ACCEL_FOR_EACH_3D(acc, i, j, k, ni, nj, nk)      k the fastest, over x; j over y; i over z
 *
 * In a block kernel they stand outside regions: the loop runs over the block's share. On CPUs the share is contiguous.
 * Where blocks have 256 elements or more in the fastest dimension, its boundaries are multiples of 16; smaller shares
 * are no larger than they have to be. In a thread kernel the threads of the block divide it once more. On GPUs each
 * thread takes every m-th element, where m is the number of threads in the grid.
 *
 *     for (size_t accel_end_i = n, i = begin of the share; i < accel_end_i; i += 1 or m)
 *
 * Loops in loops, such as the rows of a sparse matrix, which several threads share, are in accel/kernel/row.h.
 *
 * The last index is the fastest. For arrays whose first index is contiguous, reverse the order of the indices here and
 * of the extents that the host divides.
 *
 * These visit the elements in tiles, for loops in which neighbours in two or three dimensions use the same memory:
 *
 *     ACCEL_FOR_EACH_2D_TILED(acc, order, i, j, ni, nj, ti, tj)
 *     ACCEL_FOR_EACH_3D_TILED(acc, order, i, j, k, ni, nj, nk, ti, tj, tk)
 *
 * A tile has ti * tj * tk elements, fewer at the ends; 0 stands for the whole extent. A block takes whole tiles. On
 * CPUs it takes a contiguous range of them. On GPUs it takes every m-th, where m is the number of blocks, with its
 * threads side by side along the tile's fastest index. Any work division works. Divide as many elements as there are
 * tiles, and wish what a tile takes (accel_divide_desc.elem_ns): without, each CPU gets one range of tiles. `order` is
 * RIGHT (the last index is the fastest, for tiles and inside them), LEFT (the first is), RIGHT_LEFT (the last for
 * tiles, the first for elements) or LEFT_RIGHT. On CPUs the loops have the order of the elements and the innermost loop
 * is vectorised: it should run along contiguous memory and be long (64 or more, or 0).
 *
 * These visit the elements of an accel_range, which the host gave to accel_range_divide and passes as a member of the
 * arguments: up to six dimensions, from any index to any other, in tiles, whose sizes may be the device's.
 *
 *     ACCEL_FOR_EACH_RANGE_1D(acc, args.range, i)
 *     ACCEL_FOR_EACH_RANGE_2D(acc, args.range, i, j)
 *     ...
 *     ACCEL_FOR_EACH_RANGE_6D(acc, args.range, i, j, k, l, m, n)
 *
 * Tiles are divided as above. The order is the device's; the last index is the fastest on all of today's. These say it:
 *
 *     ACCEL_FOR_EACH_RANGE_2D_ORDERED(acc, order, args.range, i, j)
 *     ...
 *     ACCEL_FOR_EACH_RANGE_6D_ORDERED(acc, order, args.range, i, j, k, l, m, n)
 *
 * RIGHT: the last index is the fastest, for tiles and inside them; LEFT: the first is, as in Fortran. Set the range's order
 * to the same, so that its tiles are long there. Any work division works; that of accel_range_divide suits the device. A
 * range of another number of dimensions has no elements.
 */
/* ---------------------------------------------------------------------------------------- regions -- */

/*
 * Block kernels only. t is the linear index of a thread in its block, x fastest, a size_t.
 *
 *     ACCEL_THREADS(acc, t) { ... }             every thread; the end is a barrier of the block
 *     ACCEL_THREADS_2D(acc, ty, tx) { ... }     the same by two indices; t is ty * accel_block_extent(acc).x + tx
 *     ACCEL_THREADS_FIRST(acc, t, h) { ... }    threads 0 to h - 1; all threads take part in the barrier. Use it
 *                                               instead of `if (t < h)`, which is ten times slower with gcc
 *     ACCEL_THREADS_NOSYNC(acc, t) { ... }      without the barrier, where the next region needs none of its results
 *     ACCEL_ONCE(acc) { ... }                   one thread; the end is a barrier of the block
 *     ACCEL_FOR_EACH_THREAD(acc, t, i, n) { }   the block's share of [0, n), element i by thread t, for sums per
 *                                               thread in a private value; the end is a barrier of the block
 *
 * On CPUs a region is `for (size_t t = 0; t < threads of the block; t++)`, on GPUs
 * `for (size_t t = my index, once = 1; once; once = 0, barrier())`.
 *
 *     ACCEL_PRIVATE(acc, T, s);                 declares one T per thread that lives across regions. s is a name
 *                                               alone: an array has a type of its own, as typedef float four[4];
 *     ACCEL_MY(s, t)                            is the one of thread t. On CPUs these are `T s[1024]` on the stack, or
 *                                               as many as the fixed block has threads, and `s[t]`; on GPUs `T s[1]`
 *                                               and `s[0]`. Declare it in the kernel's body and keep it small. It
 *                                               starts undefined.
 *
 *     accel/kernel/collective.h                 has what a block's threads compute together: reductions, scans,
 *                                               broadcasts and sorts, in both forms of kernel
 *
 *     ACCEL_UNROLL(n) for (...)                 unrolls an ordinary loop n times; n is a literal. Try it around
 *                                               regions: compilers do not unroll these themselves.
 */
#if defined(ACCEL_LINT)
#include <accel/kernel/lint.h>
#else
#include <accel/kernel/loop.h>
#include <accel/kernel/tile.h>
#include <accel/kernel/range.h>
#include <accel/kernel/region.h>
#endif

/* ------------------------------------------------------------------------------------------- packs -- */

/*
 * A pack is as many numbers as a register of the target holds. Packs are for loops that are to use vector instructions for
 * certain, and that keep sums in registers: a matrix product that computes several rows and packs of its result at a time
 * reads less. A mask is a truth for each number of a pack.
 *
 *     accel_pack_double, _int64, _uint64      2 to 8 numbers on CPUs, 1 on GPUs: ACCEL_PACK_DOUBLES
 *     accel_pack_float, _int32, _uint32       4 to 16 numbers on CPUs, 1 on GPUs: ACCEL_PACK_FLOATS
 *     accel_mask_64, accel_mask_32            masks of the first line's packs and of the second's
 *     ACCEL_PACK_REGISTERS                    registers for packs, an integer constant: 16 or 32 on CPUs, 64 on GPUs
 *
 *     accel_pack_double sum[4][2];            stays in registers if all its subscripts are constant after unrolling
 *
 * + - * / work on packs, also with a number on one side; % & | ^ ~ << >> on packs of integers. In what follows a, b, v and c
 * are packs, x is a number, p points to numbers, which need no alignment, m and n are masks, T is double, float, int32,
 * uint32, int64 or uint64.
 *
 *     accel_pack_all(x)                       x in all places
 *     accel_pack_from(x)                      x, x + 1, x + 2, ...
 *     accel_pack_load(p), accel_pack_store(p, v)
 *     accel_pack_load_as(T, p)                numbers at p of any type of 8 to 64 bits, converted to T
 *     accel_pack_store_as(p, v)               converted to the type of p's numbers
 *     accel_pack_convert(T, v)                to a pack of as many numbers: among float, int32, uint32, and among double,
 *                                             int64, uint64. Values must fit; fractions are cut off.
 *     accel_pack_gather(p, index)             p[index] for each; index is a pack of as many integers
 *     accel_pack_scatter(p, index, v)         p[index] = v for each, in order
 *     accel_pack_lane(v, k)                   number k
 *
 *     accel_pack_equal(a, b), _not_equal, _less, _less_equal, _greater, _greater_equal     masks; a or b may be a number
 *     accel_mask_and(m, n), accel_mask_or(m, n), accel_mask_not(m)
 *     int accel_mask_any(m), accel_mask_all(m)
 *     uint32_t accel_mask_count(m)            how many are true
 *     uint32_t accel_mask_bits(m)             bit k is that of number k
 *     accel_mask_first(T, n)                  true for the first n numbers, a size_t, of a pack of T
 *     accel_pack_select(m, a, b)              a where m is true, else b
 *     accel_pack_load_masked(m, p, v)         v where m is false; there nothing is read
 *     accel_pack_store_masked(m, p, v)        nothing is written where m is false
 *     accel_pack_gather_masked(m, p, index, v), accel_pack_scatter_masked(m, p, index, v)
 *
 *     accel_pack_min(a, b), accel_pack_max(a, b)   of floating-point numbers the other one if one is a NaN; a if equal
 *     accel_pack_abs(v), accel_pack_fma(a, b, c)   fma of floating-point numbers, rounded once
 *     accel_pack_exp(v), ...                  these functions below of floats and doubles, number by number: acos, acosh,
 *                                             asin, asinh, atan, atan2, atanh, cbrt, ceil, copysign, cos, cosh, erf, erfc,
 *                                             exp, exp2, expm1, floor, fmod, hypot, log, log10, log1p, log2, pow, rint,
 *                                             round, rsqrt, sin, sinh, sqrt, tan, tanh, trunc
 *
 *     accel_pack_sum(v)                       the sum of the numbers
 *     accel_pack_lowest(v), accel_pack_highest(v)  the least and the greatest number
 *     accel_pack_sum_of(packs, count)         the sum of an array of 1, 2, 4, ... 64 packs, which it overwrites
 *     accel_pack_transpose(packs)             of an array of as many packs as a pack has numbers: number k of packs[i] and
 *                                             number i of packs[k] change places, so rows become columns (Eklundh 1972)
 *
 * Sums have one order: the upper half of the numbers is added to the lower half, until one is left. It does not depend on
 * how many numbers a pack holds, so accel_pack_sum_of(sum, 32 / ACCEL_PACK_DOUBLES) has the same bits on every target.
 */
#include <accel/kernel/pack.h>

/* --------------------------------------------------------------------------------- shared memory -- */

/*
 * Both forms of kernel. The contents are undefined at first, and what threads of the block write is visible to the others
 * after a barrier.
 *
 *     ACCEL_SHARED(acc, T, name[16][16]);       declares an array of the block with constant extents. On CPUs
 *                                               `static __thread T name[16][16]`, on GPUs `__shared__`.
 *     void *accel_shared_dynamic(acc)           memory of the size given at the launch, aligned to 64 bytes on
 *                                               CPUs, 16 on GPUs; every call in a block returns the same address
 */
#define accel_shared_dynamic(acc) accel_core_shared_dynamic((acc).core)

/*
 *     void accel_prefetch(acc, p)               the line at p (64 bytes, on some CPUs 128) will be read soon. It pays
 *                                               where rows that are far apart are copied into a tile: ask for the
 *                                               next tile's rows, outside regions, before the work on this one. The
 *                                               line comes into the second level of the caches: in the first, lines
 *                                               a power of two apart evict each other. Any address is allowed. On
 *                                               GPUs it does nothing: other warps hide the latency.
 */
#define accel_prefetch(acc, p) accel_core_prefetch((acc).core, (p))

/*
 *     void accel_prefetch_l1(acc, p)            the same, into the first level: for what a loop reads in a row and soon,
 *                                               some hundred elements ahead, where each iteration waits for others
 */
#define accel_prefetch_l1(acc, p) accel_core_prefetch_l1((acc).core, (p))

/*
 *     void accel_prefetch_write(acc, p)         the same for a line that will be written, for example by an atomic;
 *                                               also inside loops and regions. It takes the line from other cores at
 *                                               once.
 */
#define accel_prefetch_write(acc, p) accel_core_prefetch_write((acc).core, (p))

/* ------------------------------------------------------------------------------ barriers and fences -- */

/*
 * Thread kernels only. Every thread of the block that has not returned takes part.
 *
 *     void accel_sync_block(acc)                wait for the others; their earlier writes are visible afterwards
 *     int  accel_sync_block_count(acc, p)       also: the number of threads whose p is not 0
 *     int  accel_sync_block_and(acc, p)         also: 1 if p is non-zero for all of them, else 0
 *     int  accel_sync_block_or(acc, p)          also: 1 if p is non-zero for any of them, else 0
 *
 * Both forms of kernel. This thread's writes before the fence are seen before its writes after it,
 *
 *     void accel_fence_block(acc)               by the threads of the block
 *     void accel_fence_grid(acc)                by the threads of the grid
 *     void accel_fence_device(acc)              by all threads of the device
 */
#define accel_fence_block(acc) accel_core_fence_block((acc).core)
#define accel_fence_grid(acc) accel_core_fence_grid((acc).core)
#define accel_fence_device(acc) accel_core_fence_device((acc).core)

/* ---------------------------------------------------------------------------------------- clock -- */

/*
 *     uint64_t accel_clock(acc)                 a counter that grows with time. The difference of two calls of a thread
 *                                               says what lies between them, in ticks: on x86-64 of the time-stamp
 *                                               counter, on ARM of the virtual counter, on GPUs of the multiprocessor's
 *                                               clock (RDNA 3: of a constant one). Counters of different threads are
 *                                               not comparable, and neither are those of different devices.
 */
#include <accel/kernel/clock.h>
#define accel_clock(acc) accel_core_clock((acc).core)

/* -------------------------------------------------------------------------------------- atomics -- */

/*
 * Atomics work on global and shared memory, across the device, with relaxed order: they order no other access (use
 * fences). p points to a 32- or 64-bit integer, a float or a double. Each returns the old value. In block kernels they
 * stand inside regions only.
 *
 *     accel_atomic_add(acc, p, v), _sub, _min, _max, _exch     integers, float, double
 *     accel_atomic_cas(acc, p, expected, desired)              the same; compares bits, so -0.0 is not 0.0
 *     accel_atomic_and(acc, p, v), _or, _xor                   integers
 *     accel_atomic_inc(acc, p, v)                              integers: old >= v ? 0 : old + 1
 *     accel_atomic_dec(acc, p, v)                              integers: old == 0 || old > v ? v : old - 1
 *
 * min and max of floating-point values leave *p unchanged if either is a NaN. To read a cell that
 * others change, use accel_atomic_or(acc, p, 0), and for floating-point values _add of -0.0; to write it, use _exch.
 *
 *     accel_atomic_add_block(acc, p, v), _sub_block, _min_block, _max_block
 *
 * are atomic among the threads of the block only. They are for data that no other block touches meanwhile: shared
 * memory, or one copy per block of the cells that all add to. On CPUs the threads of a block share an OS thread, so
 * these are plain operations.
 */
#include <accel/kernel/atomic.h>

/*
 * ACCEL_ATOMIC_UPDATE(acc, p) { ... } reads and writes the object at p, of any size, as one step with respect to every
 * other update of the same p. Meanwhile it holds one lock of a table, chosen by the address. Updates do not nest, and
 * only `continue` leaves the braces. The lock does not guard against plain accesses.
 *
 *     on CPUs:  for (uint32_t *lock = take(p); lock != NULL; lock = give(lock)) { ... }
 *     on GPUs:  for (state = begin(p); any thread of the warp waits; )
 *                   for (int mine = try(&state); mine; mine = end(&state)) { ... }
 *
 * ACCEL_ATOMIC_MODIFY(acc, T, p, v) { v.re += x; } copies the T at p to v, runs the braces, and replaces the T by v, as
 * one step. The same rules hold. It is cheaper for small objects: those of 4 and 8 bytes that are aligned to their size
 * are compared and exchanged. The braces run again if another thread was faster, so they must write only v. Other
 * objects take the lock. While kernels run, change an object in only one of these two ways.
 * ACCEL_ATOMIC_MODIFY_BLOCK(acc, T, p, v) is the same among the threads of the block only, like accel_atomic_add_block.
 *
 *     on CPUs:  for (T v = *p; not done; exchange(p, v)) { ... }
 */

/* ---------------------------------------------------------------------------------------- warps -- */

/*
 * On CPUs a warp has one thread. In block kernels these stand inside regions only.
 *
 *     size_t   accel_warp_size(acc)
 *     size_t   accel_warp_lane(acc)                   this thread in its warp
 *
 * The names below work among the lanes that happen to make the call together. On AMD GPUs these are the lanes that took
 * the same branches. NVIDIA GPUs promise less since Volta: lanes that took the same branches may arrive apart, and then
 * the call is made by several groups. Use them where any group will do, for example to add up before an atomic.
 *
 *     uint64_t accel_warp_ballot(acc, predicate)      bit k: predicate of lane k; 0 for lanes that do not take part
 *     int      accel_warp_any(acc, predicate)         1 if it is non-zero for any of them, else 0
 *     int      accel_warp_all(acc, predicate)         1 if it is non-zero for all of them, else 0
 *     T        accel_warp_shuffle(acc, v, lane)       v of that lane, which must take part
 *     T        accel_warp_up(acc, v, delta)           v of the lane delta below; this lane's v where there is none
 *     T        accel_warp_down(acc, v, delta)         v of the lane delta above; this lane's v where there is none
 *     T        accel_warp_xor(acc, v, mask)           v of lane (this lane ^ mask); this lane's v where there is none
 *
 * The lane that _up, _down or _xor reads must take part, if the warp has so many. T is an integer of 32 or 64 bits, float or
 * double. (accel/kernel/cpu/warp.h, gpu/warp.h)
 *
 * Two forms of each of the seven say who takes part, and wait for them:
 *
 *     accel_warp_ballot_full(acc, predicate), _any_full, _all_full, _shuffle_full, _up_full, _down_full, _xor_full
 *         the whole warp: every thread of it that has not returned makes this call
 *     accel_warp_ballot_masked(acc, mask, predicate), _any_masked, ... _xor_masked(acc, mask, v, other)
 *         the lanes whose bits are 1 in mask, a uint64_t: each of them makes this call, with the same mask, in the same
 *         branch, and so does no other. A lane that a shuffle reads is one of them.
 */

/* ------------------------------------------------------------------------------- random numbers -- */

/*
 *     accel_philox_words accel_philox(uint64_t seed, uint64_t stream, uint64_t counter)   .v[0] to .v[3]
 *     float  accel_uniform_float(uint32_t word)                      in [0, 1)
 *     double accel_uniform_double(uint32_t high, uint32_t low)       in [0, 1)
 *
 * What four words become. accel/kernel/distribution.h says how, and which values are possible.
 *
 *     accel_normal_floats  accel_normal_float(accel_philox_words)    .v[0] to .v[3], of mean 0 and deviation 1
 *     accel_normal_doubles accel_normal_double(accel_philox_words)   .v[0] and .v[1]
 *     float  accel_exponential_float(uint32_t word)                  of mean 1, at least 0
 *     double accel_exponential_double(uint32_t high, uint32_t low)
 *     uint32_t accel_range_32(uint32_t high, uint32_t low, uint32_t n)   an integer in [0, n); all of them if n is 0
 *     uint64_t accel_range_64(accel_philox_words, uint64_t n)
 */
#include <accel/kernel/philox.h>
#include <accel/kernel/distribution.h>

/* ------------------------------------------------------------------------------------ mathematics -- */

/*
 * The functions of <math.h> by their C names, with the types that C++ gives them. exp(x) is a float if x is one, a
 * double if x is a double or an integer. pow(x, y) and others of several arguments are a float if all are floats.
 * expf(x) and the like are always floats. docs/mathematics.md lists them, and how exact each is. Besides:
 *
 *     abs(x)                                   int, long, long long, float, double: of the same type
 *     rsqrt(x), rsqrtf(x)                      1 / sqrt(x)
 *     min(a, b), max(a, b)                     integers, float, double: of the type of a + b
 *     clamp(x, low, high)                      min(max(x, low), high)
 *     uint32_t accel_popcount(x)               bits that are 1. x here and below: any integer of 32 or 64 bits
 *     uint32_t accel_leading_zeros(x)          bits above the highest 1; all bits if x is 0
 *     uint32_t accel_trailing_zeros(x)         bits below the lowest 1; all bits if x is 0
 *     T accel_reverse_bits(x)                  the lowest bit becomes the highest
 *     T accel_rotate_left(x, n), _right        n is taken modulo the number of bits
 *
 * Of two floating-point values, min and max return the other one if one is a NaN, as fmin does. The lower-case names
 * are macros in C. Include other headers that define or declare such names first.
 */
#include <accel/kernel/mathematics.h>
#include <accel/kernel/bits.h>
#include <accel/kernel/pack_mathematics.h>

/* --------------------------------------------------------------------------------- device data -- */

/*
 * These define, at file scope, a variable in the device's memory. The host finds it by accel_module_global. There is
 * one per module and device; on CPUs there is one per object file, and modules that loaded the same file share it.
 * Kernels must not write to an ACCEL_CONSTANT; the host may between launches.
 *
 *     ACCEL_GLOBAL(uint32_t, counter);
 *     ACCEL_GLOBAL(double, table[3]) = {1.0, 2.0, 3.0};
 *     ACCEL_CONSTANT(float, weights[64]);
 *
 * On CPUs a variable of protected visibility; on GPUs `__device__` and `__constant__`.
 */

/* ---------------------------------------------------------------------------- behind the macros -- */

/* The second argument if the first is a macro that stands for two, else the third. accelcc defines accel_loop_NAME as
 * `~,~` on CPUs for each thread kernel that turned out never to synchronise. */
#define ACCEL_IF_LOOP_(...) ACCEL_IF_TWO_(__VA_ARGS__)
#define ACCEL_IF_TWO_(a, b, picked, ...) picked

/* ACCEL_EXTENT_X_(16, 8) is 8, _Y_ is 16, _Z_ is 1. */
#define ACCEL_EXTENT_X_(...)                                                                                           \
    ACCEL_PICK_(__VA_ARGS__, ACCEL_THIRD_, ACCEL_SECOND_, ACCEL_FIRST_, 0)(__VA_ARGS__, 1, 1, 0)
#define ACCEL_EXTENT_Y_(...)                                                                                           \
    ACCEL_PICK_(__VA_ARGS__, ACCEL_SECOND_, ACCEL_FIRST_, ACCEL_SECOND_, 0)(__VA_ARGS__, 1, 1, 0)
#define ACCEL_EXTENT_Z_(...) ACCEL_PICK_(__VA_ARGS__, ACCEL_FIRST_, ACCEL_THIRD_, ACCEL_THIRD_, 0)(__VA_ARGS__, 1, 1, 0)
#define ACCEL_PRODUCT_(...) (ACCEL_EXTENT_X_(__VA_ARGS__) * ACCEL_EXTENT_Y_(__VA_ARGS__) * ACCEL_EXTENT_Z_(__VA_ARGS__))
#define ACCEL_PICK_(a, b, c, picked, ...) picked
#define ACCEL_FIRST_(a, ...) (a)
#define ACCEL_SECOND_(a, b, ...) (b)
#define ACCEL_THIRD_(a, b, c, ...) (c)

#if defined(ACCEL_LINT_TEXT)
#include <accel/kernel/lint_text.h>
#endif

#endif
