/* SPDX-License-Identifier: Apache-2.0 */
#include "copy.h"

#include <string.h>

enum { BLOCK = 4096, STREAM = 1 << 20 };

/* A pattern made ready: as one byte, as 8 bytes that repeat it, or as it is. */
typedef struct prepared {
    const unsigned char *pattern;
    size_t size;
    uint64_t word;
    bool is_byte, is_word;
} prepared;

static prepared prepare(const void *pattern, size_t size)
{
    prepared fill = {.pattern = pattern, .size = size};
    fill.is_byte = size == 1 || memcmp(fill.pattern, fill.pattern + 1, size - 1) == 0;
    fill.is_word = size == 2 || size == 4 || size == 8;
    if (fill.is_word)
        for (size_t at = 0; at < sizeof(fill.word); at += size)
            memcpy((unsigned char *)&fill.word + at, pattern, size);
    return fill;
}

/* `size` is a multiple of 1, 2 or 4 only: the last word may be cut. */
static void fill_words(unsigned char *dst, uint64_t word, size_t size)
{
    size_t words = size / sizeof(word);
#if defined(__x86_64__)
    /* Above the caches' size the string store writes lines without reading them first, as memset does. */
    if (size >= STREAM) {
        unsigned char *end = dst;
        size_t count = words;
        __asm__ volatile("rep stosq" : "+D"(end), "+c"(count) : "a"(word) : "memory");
    } else
#endif
        for (size_t i = 0; i < words; ++i)
            memcpy(dst + i * sizeof(word), &word, sizeof(word));
    memcpy(dst + words * sizeof(word), &word, size % sizeof(word));
}

/* The first block by doubling, the rest from the first block, which stays in the cache. */
static void fill_any(unsigned char *dst, const prepared *fill, size_t size)
{
    size_t done = fill->size < size ? fill->size : size;
    memcpy(dst, fill->pattern, done);
    while (done < size) {
        size_t step = done;
        if (step > BLOCK)
            step = fill->size * (BLOCK / fill->size);
        if (step > size - done)
            step = size - done;
        memcpy(dst + done, dst, step);
        done += step;
    }
}

static void fill_from(const accel_fill_params *params, const prepared *fill, uint32_t dim, unsigned char *dst)
{
    size_t extent = params->extent[dim];
    if (dim + 1 < params->dims)
        for (size_t i = 0; i < extent; ++i)
            fill_from(params, fill, dim + 1, dst + i * params->pitch[dim]);
    else if (fill->is_byte)
        memset(dst, fill->pattern[0], extent);
    else if (fill->is_word)
        fill_words(dst, fill->word, extent);
    else
        fill_any(dst, fill, extent);
}

void cpu_fill(const accel_fill_params *params, const void *pattern)
{
    prepared fill = prepare(pattern, params->pattern_size);
    fill_from(params, &fill, 0, params->dst);
}
