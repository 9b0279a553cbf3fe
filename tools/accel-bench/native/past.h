/* SPDX-License-Identifier: Apache-2.0 */
/* Stores that bypass the caches, of whole lines: a line is not read before it is written, and does not stay. A thread waits for
 * its own with _mm_sfence. */
#ifndef NATIVE_PAST_H
#define NATIVE_PAST_H

#if defined(__x86_64__)
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* AHEAD: bytes between what is read and what is asked for. PATTERN: what fills write, as the rows say; memset knows bytes alone. */
enum { PAST_LINE = 64, PAST_AHEAD = 4096, PAST_PATTERN = 0x5eed1234 };

/* `to` begins a line. */
static inline void past_write_line(void *to, const void *from)
{
#if defined(__AVX512F__)
    _mm512_stream_si512((__m512i *)to, _mm512_loadu_si512(from));
#elif defined(__AVX__)
    const __m256i low = _mm256_loadu_si256((const __m256i *)from), high = _mm256_loadu_si256((const __m256i *)from + 1);
    _mm256_stream_si256((__m256i *)to, low);
    _mm256_stream_si256((__m256i *)to + 1, high);
#else
    for (size_t k = 0; k < PAST_LINE / sizeof(__m128i); ++k)
        _mm_stream_si128((__m128i *)to + k, _mm_loadu_si128((const __m128i *)from + k));
#endif
}

/* The same, and asks for what follows. */
static inline void past_copy_line(void *to, const void *from)
{
    _mm_prefetch((const char *)from + PAST_AHEAD, _MM_HINT_T0);
    past_write_line(to, from);
}

/* Less than a line, through the caches. */
static inline void past_fill_rest(void *to, size_t size)
{
    for (size_t i = 0; i < size / sizeof(uint32_t); ++i)
        ((uint32_t *)to)[i] = PAST_PATTERN;
}

static inline void past_fill_line(void *to)
{
#if defined(__AVX512F__)
    _mm512_stream_si512((__m512i *)to, _mm512_set1_epi32(PAST_PATTERN));
#elif defined(__AVX__)
    const __m256i words = _mm256_set1_epi32(PAST_PATTERN);
    _mm256_stream_si256((__m256i *)to, words);
    _mm256_stream_si256((__m256i *)to + 1, words);
#else
    const __m128i words = _mm_set1_epi32(PAST_PATTERN);
    for (size_t k = 0; k < PAST_LINE / sizeof(__m128i); ++k)
        _mm_stream_si128((__m128i *)to + k, words);
#endif
}

#endif
#endif
