/* SPDX-License-Identifier: Apache-2.0 */
/* The rows that nobody has computed yet, and how many of them a device gets next. */
#ifndef SHARES_H
#define SHARES_H

#include <stdbool.h>
#include <stddef.h>

/* Places in the order of the rows. */
typedef struct range {
    size_t first, count;
} range;

typedef struct shares {
    size_t rows, next; /* of all; from `next` on none was given out */
    range *returned;   /* those of devices that failed */
    size_t returned_count;
} shares;

/* Room for so many ranges that come back. false: no memory. */
bool shares_open(shares *, size_t rows, size_t returns);
void shares_close(shares *);
/* Rows that wait for a device. */
size_t shares_left(const shares *);
/* The most that a device ever gets at once: speeds may change. */
size_t shares_most(size_t rows);
/* How many rows a device should get that computes `rate` of the `all` rows per second, and got `last` rows before. 0 only if
 * none is left. A rate of 0 is not known yet. */
size_t shares_size(const shares *, double rate, double all, size_t last);
/* So many rows, or fewer: they stand together. */
range shares_take(shares *, size_t count);
void shares_return(shares *, range);

#endif
