/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/transfer/bytes.h"
#include "plugins/cpu/engine/isa.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdatomic.h>
#endif

/* AHEAD: bytes by which reads are asked for in advance. BLOCK: of a pattern that does not repeat within a word. STRING: from
 * where on the string store, which takes a while to begin, is as fast as vectors. */
enum { LINE = 64, AHEAD = CPU_BYTES_AHEAD, BLOCK = 4096, STRING = 4096 };

#if defined(__x86_64__)

/* Up to the next line of `at`, but at most `size`. */
static size_t to_line(const void *at, size_t size)
{
    size_t head = (0 - (uintptr_t)at) % LINE;
    return head < size ? head : size;
}

/* Whole lines, by stores that bypass the caches. */
static void stream_lines(unsigned char *dst, const unsigned char *src, size_t size)
{
    for (size_t at = 0; at < size; at += LINE) {
        __m128i part[LINE / 16];
        _mm_prefetch((const char *)src + at + AHEAD, _MM_HINT_T0);
        for (size_t i = 0; i < LINE / 16; ++i)
            part[i] = _mm_loadu_si128((const __m128i *)(const void *)(src + at + 16 * i));
        for (size_t i = 0; i < LINE / 16; ++i)
            _mm_stream_si128((__m128i *)(void *)(dst + at + 16 * i), part[i]);
    }
}

/* The same by one store for each line. */
__attribute__((target("avx512f"))) static void stream_lines_512(unsigned char *dst, const unsigned char *src,
                                                                size_t size)
{
    for (size_t at = 0; at < size; at += LINE) {
        _mm_prefetch((const char *)src + at + AHEAD, _MM_HINT_T0);
        _mm512_stream_si512((__m512i *)(void *)(dst + at), _mm512_loadu_si512(src + at));
    }
}

enum { LEVEL_AVX2 = 3, LEVEL_AVX512 = 4 };

/* Asked for when it is first needed: the engine has no constructors. */
static bool has_level(uint32_t wanted)
{
    static _Atomic uint32_t level;
    uint32_t known = atomic_load_explicit(&level, memory_order_relaxed);
    if (known == 0) {
        known = cpu_isa_native_level();
        atomic_store_explicit(&level, known, memory_order_relaxed);
    }
    return known >= wanted;
}

static void copy_past_caches(unsigned char *dst, const unsigned char *src, size_t size)
{
    size_t head = to_line(dst, size), lines = (size - head) / LINE * LINE, end = head + lines;
    memcpy(dst, src, head);
    if (has_level(LEVEL_AVX512))
        stream_lines_512(dst + head, src + head, lines);
    else
        stream_lines(dst + head, src + head, lines);
    memcpy(dst + end, src + end, size - end);
}

/* As if the word stood at dst - `before` and all places 8 bytes apart. */
static uint64_t turned(uint64_t word, size_t before)
{
    unsigned shift = 8 * (unsigned)(before % sizeof(word));
    return shift != 0 ? word >> shift | word << (64 - shift) : word;
}

/* Whole lines, likewise. */
static void fill_lines(unsigned char *dst, uint64_t word, size_t size)
{
    const __m128i pair = _mm_set1_epi64x((long long)word);
    for (size_t at = 0; at < size; at += LINE)
        for (size_t i = 0; i < LINE / 16; ++i)
            _mm_stream_si128((__m128i *)(void *)(dst + at + 16 * i), pair);
}

/* The same by one store for each line. */
__attribute__((target("avx512f"))) static void fill_lines_512(unsigned char *dst, uint64_t word, size_t size)
{
    const __m512i eight = _mm512_set1_epi64((long long)word);
    for (size_t at = 0; at < size; at += LINE)
        _mm512_stream_si512((__m512i *)(void *)(dst + at), eight);
}

/* Less than a line: rows have one at their ends. */
static void fill_rest(unsigned char *dst, uint64_t word, size_t size)
{
    size_t at = 0;
    for (; size - at >= sizeof(word); at += sizeof(word))
        memcpy(dst + at, &word, sizeof(word));
    for (; at < size; ++at, word >>= 8)
        dst[at] = (unsigned char)word;
}

static void fill_past_caches(unsigned char *dst, uint64_t word, size_t size)
{
    size_t head = to_line(dst, size), lines = (size - head) / LINE * LINE, end = head + lines;
    fill_rest(dst, word, head);
    word = turned(word, head);
    if (has_level(LEVEL_AVX512))
        fill_lines_512(dst + head, word, lines);
    else
        fill_lines(dst + head, word, lines);
    fill_rest(dst + end, word, size - end);
}

/* Through the caches, in vectors, which compilers make of such loops at -O3 alone: whole lines, and then the last line's worth of
 * bytes, some of them again: the word repeats a pattern, of which the size is a multiple. */
static void fill_vectors_128(unsigned char *dst, size_t step, size_t rows, uint64_t word, size_t size)
{
    const __m128i pair = _mm_set1_epi64x((long long)word);
    for (; rows != 0; --rows, dst += step) {
        for (size_t at = 0; at < size / LINE * LINE; at += LINE)
            for (size_t i = 0; i < LINE; i += 16)
                _mm_storeu_si128((__m128i *)(void *)(dst + at + i), pair);
        for (size_t i = LINE; i != 0; i -= 16)
            _mm_storeu_si128((__m128i *)(void *)(dst + size - i), pair);
    }
}

__attribute__((target("avx2"))) static void fill_vectors_256(unsigned char *dst, size_t step, size_t rows,
                                                             uint64_t word, size_t size)
{
    const __m256i four = _mm256_set1_epi64x((long long)word);
    for (; rows != 0; --rows, dst += step) {
        for (size_t at = 0; at < size / LINE * LINE; at += LINE) {
            _mm256_storeu_si256((__m256i *)(void *)(dst + at), four);
            _mm256_storeu_si256((__m256i *)(void *)(dst + at + 32), four);
        }
        _mm256_storeu_si256((__m256i *)(void *)(dst + size - LINE), four);
        _mm256_storeu_si256((__m256i *)(void *)(dst + size - 32), four);
    }
}

/* False: rows are too short for it, or so long that another way is faster. */
static bool fill_vectors(unsigned char *dst, size_t step, size_t rows, uint64_t word, size_t size)
{
    if (size < LINE || size >= STRING)
        return false;
    if (has_level(LEVEL_AVX2))
        fill_vectors_256(dst, step, rows, word, size);
    else
        fill_vectors_128(dst, step, rows, word, size);
    return true;
}

void cpu_bytes_arrive(void)
{
    _mm_sfence();
}

#else /* the C library knows its machine */

static void copy_past_caches(unsigned char *dst, const unsigned char *src, size_t size)
{
    memcpy(dst, src, size);
}

static void fill_past_caches(unsigned char *dst, uint64_t word, size_t size)
{
    for (; size >= sizeof(word); dst += sizeof(word), size -= sizeof(word))
        memcpy(dst, &word, sizeof(word));
    memcpy(dst, &word, size);
}

static bool fill_vectors(unsigned char *dst, size_t step, size_t rows, uint64_t word, size_t size)
{
    (void)dst;
    (void)step;
    (void)rows;
    (void)word;
    (void)size;
    return false;
}

void cpu_bytes_arrive(void)
{
}

#endif

void cpu_bytes_ask(const void *at, size_t size)
{
    for (size_t i = 0; i < size; i += LINE)
        __builtin_prefetch((const unsigned char *)at + i);
}

void cpu_bytes_copy(void *dst, const void *src, size_t size, bool past_caches)
{
    if (past_caches)
        copy_past_caches(dst, src, size);
    else
        memcpy(dst, src, size);
}

/* Eight bytes of a pattern of 1, 2, 4 or 8; false: of another size. */
static inline bool repeat(const void *pattern, size_t size, uint64_t *word)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    switch (size) {
    case 1:
        memcpy(&one, pattern, sizeof(one));
        *word = one * UINT64_C(0x0101010101010101);
        return true;
    case 2:
        memcpy(&two, pattern, sizeof(two));
        *word = two * UINT64_C(0x0001000100010001);
        return true;
    case 4:
        memcpy(&four, pattern, sizeof(four));
        *word = four * UINT64_C(0x0000000100000001);
        return true;
    case 8:
        memcpy(word, pattern, sizeof(*word));
        return true;
    default:
        return false;
    }
}

cpu_pattern cpu_pattern_of(const void *pattern, size_t size)
{
    cpu_pattern made = {.bytes = pattern, .size = size};
    made.is_word = repeat(pattern, size, &made.word);
    bool is_byte = made.is_word ? made.word == (made.word >> 8 | made.word << 56)
                                : memcmp(made.bytes, made.bytes + 1, size - 1) == 0;
    if (is_byte) {
        made.size = 1;
        made.is_word = repeat(pattern, 1, &made.word);
    }
    return made;
}

/* A word at a time; the last may be cut. */
static void fill_words(unsigned char *dst, uint64_t word, size_t size)
{
    size_t words = size / sizeof(word), i = 0;
#if defined(__x86_64__)
    if (size >= STRING) {
        void *end = dst;
        size_t left = words;
        __asm__ volatile("rep stosq" : "+D"(end), "+c"(left) : "a"(word) : "memory");
        i = words;
    }
#endif
    for (; i < words; ++i)
        memcpy(dst + i * sizeof(word), &word, sizeof(word));
    memcpy(dst + words * sizeof(word), &word, size % sizeof(word));
}

/* The first block by doubling, the rest from the first block, which stays in the cache. */
static void fill_any(unsigned char *dst, const cpu_pattern *pattern, size_t size)
{
    size_t done = pattern->size < size ? pattern->size : size;
    memcpy(dst, pattern->bytes, done);
    while (done < size) {
        size_t step = done;
        if (step > BLOCK)
            step = pattern->size * (BLOCK / pattern->size);
        if (step > size - done)
            step = size - done;
        memcpy(dst + done, dst, step);
        done += step;
    }
}

void cpu_bytes_fill(void *to, size_t step, size_t rows, const cpu_pattern *pattern, size_t size, bool past_caches)
{
    unsigned char *dst = to;
    if (pattern->is_word && !past_caches && fill_vectors(dst, step, rows, pattern->word, size))
        return;
    for (; rows != 0; --rows, dst += step) {
        if (!pattern->is_word)
            fill_any(dst, pattern, size);
        else if (past_caches)
            fill_past_caches(dst, pattern->word, size);
        else if (pattern->size == 1)
            memset(dst, pattern->bytes[0], size);
        else
            fill_words(dst, pattern->word, size);
    }
}
