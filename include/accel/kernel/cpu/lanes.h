/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/lanes.h - values of any type, one per lane, stored so that loops over lanes vectorise.
 *
 * A struct of three doubles in 32 lanes is three arrays of 32 words, not 32 structs: compilers read and write such arrays
 * in whole vectors, where structs would be shuffled (a third of the speed). A word is as long as the type's alignment, so
 * that each member is in words of its own. For a plain number this is an array of it.
 *
 * gcc chooses the instruction for `b < a ? b : a` by the type of what is stored: of doubles that are kept as integers it makes
 * a comparison and a selection instead of a minimum. So words are floating-point numbers there, integers too: copies keep bits.
 *
 *     ACCEL_LANES_(lanes, T, count)        defines the struct `lanes`, and
 *     T lanes_get(const lanes *, size_t k)
 *     void lanes_set(lanes *, size_t k, T)
 */
#ifndef ACCEL_KERNEL_CPU_LANES_H
#define ACCEL_KERNEL_CPU_LANES_H

#if defined(__clang__)
#define ACCEL_WORD_4_ uint32_t
#define ACCEL_WORD_8_ uint64_t
#else
#define ACCEL_WORD_4_ float
#define ACCEL_WORD_8_ double
#endif

#if defined(__cplusplus)
template <size_t bytes> struct accel_lane_word {
    typedef ACCEL_WORD_8_ type;
};
template <> struct accel_lane_word<4> {
    typedef ACCEL_WORD_4_ type;
};
template <> struct accel_lane_word<2> {
    typedef uint16_t type;
};
template <> struct accel_lane_word<1> {
    typedef uint8_t type;
};
#define ACCEL_LANE_WORD_(T) accel_lane_word<alignof(T)>::type
#else
#define ACCEL_LANE_WORD_IF_(bytes, T, word, other) __builtin_choose_expr(_Alignof(T) == (bytes), (word)0, (other))
#define ACCEL_LANE_WORD_(T)                                                                                            \
    __typeof__(ACCEL_LANE_WORD_IF_(                                                                                    \
        1, T, uint8_t,                                                                                                 \
        ACCEL_LANE_WORD_IF_(2, T, uint16_t, ACCEL_LANE_WORD_IF_(4, T, ACCEL_WORD_4_, (ACCEL_WORD_8_)0))))
#endif

/* Sanitizers check each access, which nothing vectorises: patterns are made one element after the other then. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ACCEL_ONE_BY_ONE_ 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ACCEL_ONE_BY_ONE_ 1
#endif
#endif

/* A loop over the words of a value must be gone when loops over lanes are vectorised. */
#if defined(__clang__)
#define ACCEL_ALL_UNROLLED_ _Pragma("clang loop unroll(full)")
#else
#define ACCEL_ALL_UNROLLED_ _Pragma("GCC unroll 256")
#endif

/* gcc would unroll a loop of one vector before it makes vectors. */
#if defined(__clang__)
#define ACCEL_NOT_UNROLLED_
#else
#define ACCEL_NOT_UNROLLED_ _Pragma("GCC unroll 1")
#endif

/* clang would take several rows at a time where the order does not matter to the result, and gather each lane's elements. */
#if defined(__clang__)
#define ACCEL_ROW_AFTER_ROW_ _Pragma("clang loop vectorize(disable)")
#else
#define ACCEL_ROW_AFTER_ROW_
#endif

/* gcc is given one word after the other: a copy of a whole value it makes through one wide register, of which nothing
 * vectorises. clang is given whole values: of words it does not see that they make one. */
#define ACCEL_EACH_WORD_(T, m)                                                                                         \
    ACCEL_ALL_UNROLLED_                                                                                                \
    for (size_t m = 0; m < sizeof(T) / sizeof(ACCEL_LANE_WORD_(T)); m++)
#if defined(__clang__)
#define ACCEL_LANE_GET_(T, value, words, k)                                                                            \
    ACCEL_LANE_WORD_(T) accel_words[sizeof(T) / sizeof(ACCEL_LANE_WORD_(T))];                                          \
    ACCEL_EACH_WORD_(T, accel_m) accel_words[accel_m] = (words)[accel_m][k];                                           \
    __builtin_memcpy(&(value), accel_words, sizeof(T));
#define ACCEL_LANE_SET_(T, value, words, k)                                                                            \
    ACCEL_LANE_WORD_(T) accel_words[sizeof(T) / sizeof(ACCEL_LANE_WORD_(T))];                                          \
    __builtin_memcpy(accel_words, &(value), sizeof(T));                                                                \
    ACCEL_EACH_WORD_(T, accel_m)(words)[accel_m][k] = accel_words[accel_m];
#else
#define ACCEL_LANE_GET_(T, value, words, k)                                                                            \
    typedef ACCEL_LANE_WORD_(T) accel_word __attribute__((may_alias));                                                 \
    ACCEL_EACH_WORD_(T, accel_m)((accel_word *)(void *)&(value))[accel_m] = (words)[accel_m][k];
#define ACCEL_LANE_SET_(T, value, words, k)                                                                            \
    typedef ACCEL_LANE_WORD_(T) accel_word __attribute__((may_alias));                                                 \
    ACCEL_EACH_WORD_(T, accel_m)(words)[accel_m][k] = ((const accel_word *)(const void *)&(value))[accel_m];
#endif

#define ACCEL_LANES_(lanes, T, count)                                                                                  \
    typedef struct {                                                                                                   \
        ACCEL_LANE_WORD_(T) word[sizeof(T) / sizeof(ACCEL_LANE_WORD_(T))][count] __attribute__((aligned(64)));         \
    } lanes;                                                                                                           \
    ACCEL_INLINE_ T lanes##_get(const lanes *accel_lanes, size_t accel_k)                                              \
    {                                                                                                                  \
        T accel_value;                                                                                                 \
        ACCEL_LANE_GET_(T, accel_value, accel_lanes->word, accel_k)                                                    \
        return accel_value;                                                                                            \
    }                                                                                                                  \
    ACCEL_INLINE_ void lanes##_set(lanes *accel_lanes, size_t accel_k, T accel_value)                                  \
    {                                                                                                                  \
        ACCEL_LANE_SET_(T, accel_value, accel_lanes->word, accel_k)                                                    \
    }

#endif
