/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/reduce.h - what a reduction expands to.
 *
 * ACCEL_REDUCE(ddot, ddot_args, args, i, double, ACCEL_SUM) { ... } becomes
 *
 *     static inline double accel_element_ddot(const ddot_args args, size_t i);
 *     static inline double accel_start_of_ddot(void) { const double start = 0; return start; }
 *     static inline void accel_join_of_ddot(double *a, const double *b) { *a = *a + *b; }
 *     typedef struct { ddot_args args; accel_pattern_places places; } accel_all_ddot;
 *     ... the kernel: cpu/reduce.h, gpu/reduce.h ...
 *     const accel_pattern_descriptor accel_descriptor_ddot = {...};
 *     static inline double accel_element_ddot(const ddot_args args, size_t i)
 *     { ... }
 */
#ifndef ACCEL_KERNEL_REDUCE_H
#define ACCEL_KERNEL_REDUCE_H

#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#include <accel/kernel/gpu/reduce.h>
#else
#include <accel/kernel/cpu/reduce.h>
#endif

/* In C++ without a copy for each element. */
#if defined(__cplusplus)
#define ACCEL_ELEMENT_ARGS_(args_type, args_name) const args_type &args_name __attribute__((unused))
#else
#define ACCEL_ELEMENT_ARGS_(args_type, args_name) const args_type args_name __attribute__((unused))
#endif

/* The reducer's two parts for values of the pattern. */
#define ACCEL_REDUCER_OF_(name, T, reducer)                                                                            \
    ACCEL_IS_REDUCER_(reducer);                                                                                        \
    ACCEL_INLINE_ T accel_start_of_##name(void)                                                                        \
    {                                                                                                                  \
        const T accel_start = accel_start_##reducer((T *)0);                                                           \
        return accel_start;                                                                                            \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_join_of_##name(T *accel_a, const T *accel_b)                                              \
    {                                                                                                                  \
        accel_into_##reducer(accel_a, accel_b);                                                                        \
    }

/* What follows the comma are the indices. */
#define ACCEL_REDUCE_(name, args_type, args_name, T, reducer, dims, ...)                                               \
    ACCEL_INLINE_ T accel_element_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name), __VA_ARGS__);                      \
    ACCEL_REDUCER_OF_(name, T, reducer)                                                                                \
    typedef struct {                                                                                                   \
        args_type args;                                                                                                \
        accel_pattern_places places;                                                                                   \
    } accel_all_##name;                                                                                                \
    ACCEL_STATIC_ASSERT_(sizeof(T) <= ACCEL_MAX_PATTERN_ELEMENT, "the element is too large");                          \
    ACCEL_STATIC_ASSERT_(sizeof(accel_all_##name) <= ACCEL_MAX_ARGS_SIZE, "the argument struct is too large");         \
    ACCEL_STATIC_ASSERT_(offsetof(accel_all_##name, places) == (sizeof(args_type) + 7) / 8 * 8,                        \
                         "the places follow the arguments");                                                           \
    ACCEL_DEFINE_REDUCE_(name, args_type, T, dims)                                                                     \
    ACCEL_INLINE_ T accel_element_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name), __VA_ARGS__)

/* The initialiser of an accel_pattern_descriptor. */
#define ACCEL_PATTERN_DESCRIPTOR_(all_type, args_type, T, pattern_kind, dims, name, run_blocks)                        \
    {                                                                                                                  \
        {ACCEL_OBJECT_MAGIC,                                                                                           \
         ACCEL_OBJECT_ABI,                                                                                             \
         (uint32_t)sizeof(accel_pattern_descriptor),                                                                   \
         ACCEL_FORM_BLOCK,                                                                                             \
         ACCEL_ARGS_FLAGS_(args_type) | ACCEL_KERNEL_PATTERN,                                                          \
         (uint32_t)sizeof(all_type),                                                                                   \
         (uint32_t)ACCEL_ALIGNOF_(all_type),                                                                           \
         {ACCEL_TILE_LANES * ACCEL_TILE_PIECES, 1, 1},                                                                 \
         0,                                                                                                            \
         (uint32_t)sizeof(accel_grid),                                                                                 \
         name,                                                                                                         \
         run_blocks,                                                                                                   \
         0},                                                                                                           \
            pattern_kind, dims, (uint32_t)sizeof(args_type), (uint32_t)sizeof(T)                                       \
    }

#endif
