/* SPDX-License-Identifier: Apache-2.0 */
/* The sparse matrix of the case `rows`, here and for its native ways: rows of 5 to 500 entries, small whole numbers. */
#ifndef ROWS_VALUES_H
#define ROWS_VALUES_H

#include <stddef.h>
#include <stdint.h>

enum { ROWS_LEAST = 5, ROWS_MOST = 500 };

static inline uint32_t rows_word(uint64_t i)
{
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    return (uint32_t)((i ^ i >> 30) * 0xbf58476d1ce4e5b9u >> 32);
}

static inline uint32_t rows_length(size_t row)
{
    return ROWS_LEAST + rows_word(row) % (ROWS_MOST - ROWS_LEAST + 1);
}

static inline size_t rows_entries(size_t rows)
{
    size_t entries = 0;
    for (size_t row = 0; row < rows; ++row)
        entries += rows_length(row);
    return entries;
}

/* Entries of a row stand near each other, as in a band. */
static inline uint32_t rows_column(size_t row, size_t entry, size_t rows)
{
    return (uint32_t)((row + rows_word(entry) % (4 * ROWS_MOST)) % rows);
}

static inline double rows_value(size_t entry)
{
    return (double)(entry % 7) - 3;
}

static inline double rows_x(size_t column)
{
    return (double)(column % 5) - 1;
}

#endif
