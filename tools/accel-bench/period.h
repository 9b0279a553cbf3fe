/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes by which copies are checked: they repeat after a prime number of them, so that misplaced pages and lines show. */
#ifndef BENCH_PERIOD_H
#define BENCH_PERIOD_H

#include <stdbool.h>
#include <stddef.h>

/* `seed` tells the bytes of one copy from those of another. `size` is at least a period, 251. */
void period_write(unsigned char *bytes, size_t size, unsigned seed);
/* Are they all there? Fast enough for a gigabyte. Prints the first wrong one, with `what` in front. */
bool period_is_right(const unsigned char *bytes, size_t size, unsigned seed, const char *what);

#endif
