/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/scatter.h - adding to cells that many threads share, without saying how: in sets of the cells on CPUs, each
 * added to by one thread at a time, and by atomics on GPUs.
 *
 *     #include <accel/kernel.h>
 *     #include <accel/kernel/scatter.h>
 *     #include "histogram.h"     // typedef struct { size_t n; const uint8_t *x; accel_scatter_view bins; } histogram_args;
 *
 *     ACCEL_SCATTER(counts, uint32_t, ACCEL_SUM)
 *
 *     ACCEL_KERNEL(histogram, histogram_args, args)
 *     {
 *         ACCEL_SCATTER_OPEN(acc, counts, bins, args.bins);
 *         ACCEL_FOR_EACH(acc, i, args.n)
 *             ACCEL_SCATTER_JOIN(counts, bins, args.x[i], 1);
 *     }
 *
 * ACCEL_SCATTER(name, T, reducer) stands outside functions. It defines a kind of scatter, and the kernel `name` that joins
 * and resets its cells: the host gives that kernel to accel_scatter_create (accel/pattern.h). T is a number of 32 or 64 bits
 * and the reducer ACCEL_SUM, ACCEL_PROD, ACCEL_MIN or ACCEL_MAX; or T is a type of plain data of at most 256 bytes, and the
 * reducer made by ACCEL_REDUCER (accel/kernel/reducer.h), commutative and associative.
 *
 * ACCEL_SCATTER_OPEN(acc, name, s, view) declares s, through which the kernel adds to the scatter until s goes out of scope.
 * It stands in the body of a kernel: of a block kernel outside regions, where it claims a set once per block; of a thread
 * kernel anywhere. A thread kernel claims for each of its threads, which on CPUs costs some 10 ns each.
 *
 * ACCEL_SCATTER_JOIN(name, s, i, v) joins v to cell i by the reducer. It stands in regions and loops of block kernels,
 * and anywhere in thread kernels; accelcc checks that. The index is not checked. Cells are read only after a contribution
 * (accel/pattern.h).
 */
#ifndef ACCEL_KERNEL_SCATTER_H
#define ACCEL_KERNEL_SCATTER_H

#include <accel/kernel.h>
#include <accel/kernel/reduce.h>
#include <accel/kernel/reducer.h>
#include <accel/kernel/scatter_task.h>

#define ACCEL_SCATTER(name, T, reducer) ACCEL_SCATTER_(name, T, reducer)
#define ACCEL_SCATTER_(name, T, reducer)                                                                               \
    ACCEL_IS_REDUCER_(reducer);                                                                                        \
    ACCEL_STATIC_ASSERT_(sizeof(T) <= ACCEL_MAX_PATTERN_ELEMENT, "the element is too large");                          \
    typedef struct {                                                                                                   \
        accel_core core;                                                                                               \
        T *cells;                                                                                                      \
        accel_scatter_claim *claim; /* NULL: by atomics */                                                             \
    } accel_scatter_of_##name;                                                                                         \
    ACCEL_INLINE_ accel_scatter_of_##name accel_scatter_open_##name(const accel_core accel_of,                         \
                                                                    const accel_scatter_view accel_view)               \
    {                                                                                                                  \
        const uint64_t accel_set = accel_scatter_set(accel_of, accel_view);                                            \
        const accel_scatter_of_##name accel_s = {                                                                      \
            accel_of, (T *)((unsigned char *)accel_view.cells + accel_set * accel_view.stride),                        \
            accel_scatter_claimed(accel_view, accel_set)};                                                             \
        return accel_s;                                                                                                \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_scatter_into_##name(const accel_scatter_of_##name accel_s, size_t accel_i, T accel_v)     \
    {                                                                                                                  \
        ACCEL_SCATTER_PICK_(ACCEL_SCATTER_BY_##reducer, ACCEL_SCATTER_MODIFY_)                                         \
        (accel_s, T, accel_s.cells + accel_i, accel_v, reducer);                                                       \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_scatter_join_##name(T *accel_a, const T *accel_b)                                         \
    {                                                                                                                  \
        accel_into_##reducer(accel_a, accel_b);                                                                        \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_scatter_start_##name(void)                                                                   \
    {                                                                                                                  \
        const T accel_start = accel_start_##reducer((T *)0);                                                           \
        return accel_start;                                                                                            \
    }                                                                                                                  \
    typedef struct {                                                                                                   \
        accel_scatter_task args;                                                                                       \
        accel_pattern_places places;                                                                                   \
    } accel_all_##name;                                                                                                \
    ACCEL_DEFINE_SCATTER_(name, T)

#if !defined(ACCEL_LINT_TEXT) /* there they keep their names */
/* The name may be made by a macro. */
#define ACCEL_SCATTER_OPEN(acc, name, s, view) ACCEL_SCATTER_OPEN_(acc, name, s, view)
#define ACCEL_SCATTER_OPEN_(acc, name, s, view)                                                                        \
    const accel_scatter_of_##name s ACCEL_SCATTER_SCOPE_(name) = accel_scatter_open_##name((acc).core, view)
#define ACCEL_SCATTER_JOIN(name, s, i, v) ACCEL_SCATTER_JOIN_(name, s, i, v)
#define ACCEL_SCATTER_JOIN_(name, s, i, v) accel_scatter_into_##name(s, i, v)
#endif

/* A second argument if there is one, which reducers with instructions of their own have. */
#define ACCEL_SCATTER_PICK_(...) ACCEL_SCATTER_SECOND_(__VA_ARGS__, , )
#define ACCEL_SCATTER_SECOND_(first, second, ...) second
#define ACCEL_SCATTER_BY_ACCEL_SUM , ACCEL_SCATTER_SUM_
#define ACCEL_SCATTER_BY_ACCEL_MIN , ACCEL_SCATTER_MIN_
#define ACCEL_SCATTER_BY_ACCEL_MAX , ACCEL_SCATTER_MAX_

#define ACCEL_SCATTER_SUM_(s, T, p, v, reducer) ACCEL_SCATTER_CALL_(s, accel_atomic_add, p, v)
#define ACCEL_SCATTER_MIN_(s, T, p, v, reducer) ACCEL_SCATTER_CALL_(s, accel_atomic_min, p, v)
#define ACCEL_SCATTER_MAX_(s, T, p, v, reducer) ACCEL_SCATTER_CALL_(s, accel_atomic_max, p, v)
#define ACCEL_SCATTER_CALL_(s, function, p, v)                                                                         \
    if ((s).claim != NULL)                                                                                             \
        (void)function##_block(s, p, v);                                                                               \
    else                                                                                                               \
        (void)function(s, p, v)
#define ACCEL_SCATTER_MODIFY_(s, T, p, v, reducer)                                                                     \
    if ((s).claim != NULL) {                                                                                           \
        ACCEL_ATOMIC_MODIFY_BLOCK(s, T, p, accel_cell)                                                                 \
        {                                                                                                              \
            accel_into_##reducer(&accel_cell, &v);                                                                     \
        }                                                                                                              \
    } else                                                                                                             \
        ACCEL_ATOMIC_MODIFY(s, T, p, accel_cell)                                                                       \
        {                                                                                                              \
            accel_into_##reducer(&accel_cell, &v);                                                                     \
        }

#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#include <accel/kernel/gpu/scatter.h>
#else
#include <accel/kernel/cpu/scatter.h>
#endif

#endif
