/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of dense memory on the calling thread. */
#ifndef ACCEL_CPU_BYTES_H
#define ACCEL_CPU_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `past_caches`: lines are written without being read first, and do not stay in the caches: right for more than fits
 * there. Such stores are in memory when the call returns. */
void cpu_bytes_copy(void *dst, const void *src, size_t size, bool past_caches);

/* A pattern made ready: as one byte, as 8 bytes that repeat it, or as it is. */
typedef struct cpu_pattern {
    const unsigned char *bytes; /* the caller's */
    size_t size;
    uint64_t word;
    bool is_word; /* `word` repeats it */
} cpu_pattern;

cpu_pattern cpu_pattern_of(const void *pattern, size_t size);
/* `size` is a multiple of the pattern's. */
void cpu_bytes_fill(void *dst, const cpu_pattern *, size_t size, bool past_caches);

#endif
