/* SPDX-License-Identifier: Apache-2.0 */
/* to[cell[i]] += value[i], where many i have the same cell: by atomics, and in a copy of the cells for each block. */
#include <accel/kernel.h>
#include "bench_kernels.h"
#include "scatter_data.h"

/* Half of the cells' lines are in the other core's cache. The kernel asks for the line of the update after the next
 * while it waits for the next one. If it asked earlier, the other core would take some lines back. */
enum { AHEAD = 2 };
#define FETCH_AHEAD(acc, to, i) accel_prefetch_write(acc, &to[args.cell[i + AHEAD < args.n ? i + AHEAD : i]])

/* Distance, in updates, of the prefetch of what is read from memory: no load begins before a locked instruction has
 * ended. Integers gain. Where a core computes between load and store, that wait is not what costs. */
enum { READ_AHEAD = 1024, COPY_AHEAD = 512 };

ACCEL_KERNEL(scatter_int, scatter_args, args)
{
    int *to = (int *)args.to;
    const int *value = (const int *)args.value;
    ACCEL_FOR_EACH(acc, i, args.n) {
        accel_prefetch_l1(acc, &args.cell[i + READ_AHEAD]);
        accel_prefetch_l1(acc, &value[i + READ_AHEAD]);
        FETCH_AHEAD(acc, to, i);
        accel_atomic_add(acc, &to[args.cell[i]], value[i]);
    }
}

ACCEL_KERNEL(scatter_double, scatter_args, args)
{
    double *to = (double *)args.to;
    const double *value = (const double *)args.value;
    ACCEL_FOR_EACH(acc, i, args.n) {
        FETCH_AHEAD(acc, to, i);
        accel_atomic_add(acc, &to[args.cell[i]], value[i]);
    }
}

/* Both parts in one step. */
#define SCATTER_COMPLEX(name, T)                                                                                       \
    ACCEL_KERNEL(name, scatter_args, args)                                                                             \
    {                                                                                                                  \
        T *to = (T *)args.to;                                                                                          \
        const T *value = (const T *)args.value;                                                                        \
        ACCEL_FOR_EACH(acc, i, args.n) {                                                                               \
            const T own = value[i];                                                                                    \
            FETCH_AHEAD(acc, to, i);                                                                                   \
            ACCEL_ATOMIC_MODIFY(acc, T, &to[args.cell[i]], sum)                                                        \
            {                                                                                                          \
                sum.re += own.re;                                                                                      \
                sum.im += own.im;                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }
SCATTER_COMPLEX(scatter_complex_float, complex_float)
SCATTER_COMPLEX(scatter_complex_double, complex_double)

/* Into copies: whether it pays depends on the processor, as two prefetches are as many loads as the update has. So there are
 * kernels that do it, and kernels that do not. */
#define FETCH_NOTHING
#define FETCH_LINES                                                                                                    \
    accel_prefetch_l1(acc, &args.cell[i + COPY_AHEAD]);                                                                \
    accel_prefetch_l1(acc, &value[i + COPY_AHEAD]);
/* Clears the block's own copy first. N numbers of type V make a T. */
#define FILL_COPY(name, T, V, N, FETCH, STATEMENT)                                                                     \
    ACCEL_KERNEL(name, scatter_args, args)                                                                             \
    {                                                                                                                  \
        const size_t numbers = N * args.cells, threads = accel_block_extent(acc).x;                                    \
        T *to = (T *)args.copies + accel_block_index(acc).x * args.copy_stride;                                        \
        V *number = (V *)to;                                                                                           \
        const T *value = (const T *)args.value;                                                                        \
        ACCEL_THREADS(acc, t)                                                                                          \
            for (size_t k = t; k < numbers; k += threads)                                                              \
                number[k] = 0;                                                                                         \
        ACCEL_FOR_EACH(acc, i, args.n) {                                                                               \
            FETCH                                                                                                      \
            T *target = &to[args.cell[i]];                                                                             \
            STATEMENT                                                                                                  \
        }                                                                                                              \
    }
#define COPIES(name, T, V, N, STATEMENT)                                                                               \
    FILL_COPY(name, T, V, N, FETCH_NOTHING, STATEMENT)                                                                 \
    FILL_COPY(name##_ahead, T, V, N, FETCH_LINES, STATEMENT)                                                           \
    ACCEL_KERNEL(name##_together, scatter_args, args)                                                                  \
    {                                                                                                                  \
        V *to = (V *)args.to;                                                                                          \
        const V *copy = (const V *)args.copies;                                                                        \
        const size_t numbers = N * args.cells, stride = N * args.copy_stride;                                          \
        ACCEL_FOR_EACH(acc, k, numbers) {                                                                              \
            V sum = to[k];                                                                                             \
            for (size_t c = 0; c < args.copy_count; ++c)                                                               \
                sum += copy[c * stride + k];                                                                           \
            to[k] = sum;                                                                                               \
        }                                                                                                              \
    }
#define ADD_NUMBER accel_atomic_add_block(acc, target, value[i]);
#define ADD_COMPLEX(T)                                                                                                 \
    const T own = value[i];                                                                                            \
    ACCEL_ATOMIC_MODIFY_BLOCK(acc, T, target, sum)                                                                     \
    {                                                                                                                  \
        sum.re += own.re;                                                                                              \
        sum.im += own.im;                                                                                              \
    }
COPIES(copies_int, int, int, 1, ADD_NUMBER)
COPIES(copies_double, double, double, 1, ADD_NUMBER)
COPIES(copies_complex_float, complex_float, float, 2, ADD_COMPLEX(complex_float))
COPIES(copies_complex_double, complex_double, double, 2, ADD_COMPLEX(complex_double))
