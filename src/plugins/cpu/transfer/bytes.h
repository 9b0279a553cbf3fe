/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of dense memory on the calling thread. */
#ifndef ACCEL_CPU_BYTES_H
#define ACCEL_CPU_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `past_caches`: lines are written without being read first, and do not stay in the caches: right for more than fits
 * there. What such stores wrote others see after cpu_bytes_arrive, which the thread calls behind the last of them. */
void cpu_bytes_copy(void *dst, const void *src, size_t size, bool past_caches);
void cpu_bytes_arrive(void);
/* Asks for these bytes, which are used soon. */
void cpu_bytes_ask(const void *at, size_t size);
enum { CPU_BYTES_AHEAD = 4096 /* between what is used and what is asked for */ };

/* A pattern made ready: as one byte, as 8 bytes that repeat it, or as it is. */
typedef struct cpu_pattern {
    const unsigned char *bytes; /* the caller's */
    size_t size;
    uint64_t word;
    bool is_word; /* `word` repeats it */
} cpu_pattern;

cpu_pattern cpu_pattern_of(const void *pattern, size_t size);
/* Rows of `size` bytes, a multiple of the pattern's, that begin `step` bytes apart. */
void cpu_bytes_fill(void *dst, size_t step, size_t rows, const cpu_pattern *, size_t size, bool past_caches);

#endif
