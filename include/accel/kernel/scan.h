/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/scan.h - what a scan expands to.
 *
 * ACCEL_SCAN(offsets, keep_args, args, i, uint32_t, ACCEL_SUM) { ... } becomes
 *
 *     static inline uint32_t accel_element_offsets(const keep_args args, size_t i);
 *     static inline accel_scan_array accel_array_of_offsets(const keep_args args);  // NULL: not known
 *     ... accel_start_of_offsets, accel_join_of_offsets: reduce.h ...
 *     typedef struct { keep_args args; accel_scan_places places; } accel_all_offsets;
 *     typedef uint32_t accel_value_offsets;      // what is joined; by key: an element and whether a head is among it
 *     static inline accel_value_offsets accel_value_of_offsets(const accel_all_offsets *all, size_t i);
 *     static inline uint32_t accel_result_of_offsets(const accel_value_offsets *value, const accel_value_offsets *prefix,
 *                                                    int is_inclusive);
 *     static inline void accel_then_of_offsets(const accel_all_offsets *all, size_t i, const accel_value_offsets *value,
 *                                              const uint32_t *result);    // the final pass
 *     ... the kernel: cpu/scan.h, gpu/scan.h ...
 *     const accel_pattern_descriptor accel_descriptor_offsets = {...};
 *     static inline uint32_t accel_element_offsets(const keep_args args, size_t i)
 *     { ... }
 */
#ifndef ACCEL_KERNEL_SCAN_H
#define ACCEL_KERNEL_SCAN_H

/* Elements of a tile, and tiles of a group whose totals are there. */
ACCEL_INLINE_ size_t accel_scan_elems(const accel_scan_places *places, size_t tile)
{
    const size_t left = (size_t)places->n - tile * ACCEL_SCAN_TILE_ELEMS;
    return left < ACCEL_SCAN_TILE_ELEMS ? left : ACCEL_SCAN_TILE_ELEMS;
}
ACCEL_INLINE_ size_t accel_scan_tiles(const accel_scan_places *places, size_t group)
{
    const size_t left = (size_t)places->total_end - group * ACCEL_SCAN_RUNS;
    return left < ACCEL_SCAN_RUNS ? left : ACCEL_SCAN_RUNS;
}

/* What elements are read from, one after the other, and the bytes of one. */
typedef struct accel_scan_array {
    const char *from;
    size_t elem;
} accel_scan_array;

#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
#include <accel/kernel/gpu/scan.h>
#else
#include <accel/kernel/cpu/scan.h>
#endif

/* Macros of scans take the reducer, and behind it an array or nothing. */
#define ACCEL_SCAN_REDUCER_(...) ACCEL_SCAN_FIRST_(__VA_ARGS__, )
#define ACCEL_SCAN_FIRST_(first, ...) first
#define ACCEL_SCAN_READS_(...) ACCEL_SCAN_SECOND_(__VA_ARGS__, (const char *)NULL, )
#define ACCEL_SCAN_SECOND_(first, second, ...) second

#define ACCEL_SCAN_BEGIN_(name, args_type, args_name, i, T, V, array)                                                  \
    ACCEL_INLINE_ T accel_element_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name), size_t i);                         \
    ACCEL_INLINE_ accel_scan_array accel_array_of_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name))                    \
    {                                                                                                                  \
        const accel_scan_array accel_array = {(const char *)(array), sizeof *(array)};                                 \
        return accel_array;                                                                                            \
    }                                                                                                                  \
    typedef V accel_value_##name;                                                                                      \
    typedef struct {                                                                                                   \
        args_type args;                                                                                                \
        accel_scan_places places;                                                                                      \
    } accel_all_##name;                                                                                                \
    ACCEL_STATIC_ASSERT_(sizeof(V) <= ACCEL_MAX_PATTERN_ELEMENT && sizeof(V) <= sizeof(T) + ACCEL_SCAN_HEAD_BYTES,     \
                         "the element is too large");                                                                  \
    ACCEL_STATIC_ASSERT_(sizeof(accel_all_##name) <= ACCEL_MAX_ARGS_SIZE, "the argument struct is too large");         \
    ACCEL_STATIC_ASSERT_(offsetof(accel_all_##name, places) == (sizeof(args_type) + 7) / 8 * 8,                        \
                         "the places follow the arguments");

#define ACCEL_SCAN_VALUE_OF_(name, ...)                                                                                \
    ACCEL_INLINE_ accel_value_##name accel_value_of_##name(const accel_all_##name *accel_all, size_t accel_i)          \
    {                                                                                                                  \
        const accel_value_##name accel_value = __VA_ARGS__;                                                            \
        return accel_value;                                                                                            \
    }

/* What an index gets. */
#define ACCEL_SCAN_RESULT_OF_(name, T)                                                                                 \
    ACCEL_INLINE_ T accel_result_of_##name(const accel_value_##name *accel_value __attribute__((unused)),              \
                                           const accel_value_##name *accel_prefix,                                     \
                                           int accel_inclusive __attribute__((unused)))

/* What is done with it then, besides being stored. */
#define ACCEL_SCAN_THEN_OF_(name, T)                                                                                   \
    ACCEL_INLINE_ void accel_then_of_##name(                                                                           \
        const accel_all_##name *accel_all __attribute__((unused)), size_t accel_i __attribute__((unused)),             \
        const accel_value_##name *accel_value __attribute__((unused)), const T *accel_result __attribute__((unused)))

/* Elements as they are. */
#define ACCEL_SCAN_PLAIN_(name, args_type, args_name, i, T, reducer, array)                                            \
    ACCEL_SCAN_BEGIN_(name, args_type, args_name, i, T, T, array)                                                      \
    ACCEL_REDUCER_OF_(name, T, reducer)                                                                                \
    ACCEL_SCAN_VALUE_OF_(name, accel_element_##name(accel_all->args, accel_i))                                         \
    ACCEL_SCAN_RESULT_OF_(name, T)                                                                                     \
    {                                                                                                                  \
        return *accel_prefix;                                                                                          \
    }

/* Elements with their heads. b joined to a is b alone if a head is among b. */
#define ACCEL_SCAN_HEADED_(name, args_type, args_name, i, T, reducer, array)                                           \
    ACCEL_IS_REDUCER_(reducer);                                                                                        \
    typedef struct {                                                                                                   \
        T value;                                                                                                       \
        uint32_t head;                                                                                                 \
    } accel_headed_##name;                                                                                             \
    ACCEL_INLINE_ int accel_head_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name), size_t i);                          \
    ACCEL_SCAN_BEGIN_(name, args_type, args_name, i, T, accel_headed_##name, array)                                    \
    ACCEL_INLINE_ accel_headed_##name accel_start_of_##name(void)                                                      \
    {                                                                                                                  \
        const T accel_start = accel_start_##reducer((T *)0);                                                           \
        const accel_headed_##name accel_headed = {accel_start, 0};                                                     \
        return accel_headed;                                                                                           \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_join_of_##name(accel_headed_##name *accel_a, const accel_headed_##name *accel_b)          \
    {                                                                                                                  \
        T accel_joined = accel_a->value;                                                                               \
        accel_into_##reducer(&accel_joined, &accel_b->value);                                                          \
        accel_a->value = accel_b->head != 0 ? accel_b->value : accel_joined;                                           \
        accel_a->head |= accel_b->head;                                                                                \
    }                                                                                                                  \
    ACCEL_SCAN_VALUE_OF_(                                                                                              \
        name, {accel_element_##name(accel_all->args, accel_i), accel_head_##name(accel_all->args, accel_i) != 0})      \
    ACCEL_SCAN_RESULT_OF_(name, T)                                                                                     \
    {                                                                                                                  \
        const accel_headed_##name accel_start = accel_start_of_##name();                                               \
        return accel_inclusive || accel_value->head == 0 ? accel_prefix->value : accel_start.value;                    \
    }

/* Behind either: nothing is done with results, or the final pass, which is given `element`. */
#define ACCEL_SCAN_END_(name, args_type, args_name, i, T)                                                              \
    ACCEL_SCAN_THEN_OF_(name, T)                                                                                       \
    {                                                                                                                  \
    }                                                                                                                  \
    ACCEL_DEFINE_SCAN_(name, args_type, T, ACCEL_KIND_SCAN)                                                            \
    ACCEL_INLINE_ T accel_element_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name), size_t i)
#define ACCEL_SCAN_FINAL_END_(name, args_type, args_name, i, T, element)                                               \
    ACCEL_INLINE_ void accel_final_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name), size_t i, const T accel_value,    \
                                          const T accel_prefix);                                                       \
    ACCEL_SCAN_THEN_OF_(name, T)                                                                                       \
    {                                                                                                                  \
        accel_final_##name(accel_all->args, accel_i, element, *accel_result);                                          \
    }                                                                                                                  \
    ACCEL_DEFINE_SCAN_(name, args_type, T, ACCEL_KIND_SCAN_FINAL)                                                      \
    ACCEL_INLINE_ T accel_element_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name), size_t i)

/* The reducer is expanded by now. */
#define ACCEL_SCAN_(name, args_type, args_name, i, T, reducer, array)                                                  \
    ACCEL_SCAN_PLAIN_(name, args_type, args_name, i, T, reducer, array)                                                \
    ACCEL_SCAN_END_(name, args_type, args_name, i, T)
#define ACCEL_SCAN_FINAL_(name, args_type, args_name, i, T, reducer, array)                                            \
    ACCEL_SCAN_PLAIN_(name, args_type, args_name, i, T, reducer, array)                                                \
    ACCEL_SCAN_FINAL_END_(name, args_type, args_name, i, T, *accel_value)
#define ACCEL_SCAN_BY_KEY_(name, args_type, args_name, i, T, reducer, array)                                           \
    ACCEL_SCAN_HEADED_(name, args_type, args_name, i, T, reducer, array)                                               \
    ACCEL_SCAN_END_(name, args_type, args_name, i, T)
#define ACCEL_SCAN_BY_KEY_FINAL_(name, args_type, args_name, i, T, reducer, array)                                     \
    ACCEL_SCAN_HEADED_(name, args_type, args_name, i, T, reducer, array)                                               \
    ACCEL_SCAN_FINAL_END_(name, args_type, args_name, i, T, accel_value->value)

#define ACCEL_FINAL_PASS_(name, args_type, args_name, i, T, element, prefix)                                           \
    ACCEL_INLINE_ void accel_final_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name), size_t i __attribute__((unused)), \
                                          const T element __attribute__((unused)),                                     \
                                          const T prefix __attribute__((unused)))

#define ACCEL_SCAN_HEAD_(name, args_type, args_name, i)                                                                \
    ACCEL_INLINE_ int accel_head_##name(ACCEL_ELEMENT_ARGS_(args_type, args_name), size_t i __attribute__((unused)))

#endif
