/* SPDX-License-Identifier: Apache-2.0 */
#include "scanning.h"

#include <string.h>

enum { RUN = 16, RUNS = 128, LANES = 32, TILE = RUN * RUNS, LARGEST = 64 };

/* A value: an element, and whether a head is among what was joined. */
typedef struct value {
    unsigned char element[LARGEST];
    bool head;
} value;

static value start_of(const scanning *what)
{
    value v = {{0}, false};
    memcpy(v.element, what->start, what->size);
    return v;
}

static value value_at(const scanning *what, const scans_args *args, size_t i)
{
    value v = start_of(what);
    what->element(v.element, args, i);
    v.head = what->is_head != NULL && what->is_head(args, i);
    return v;
}

static value joined(const scanning *what, value a, value b)
{
    if (!b.head)
        what->join(a.element, b.element);
    else
        memcpy(a.element, b.element, what->size);
    a.head = a.head || b.head;
    return a;
}

/* What precedes each of 128 values; returns what all make. */
static value spread(const scanning *what, value v[RUNS])
{
    value x = start_of(what);
    for (size_t w = 0; w < RUNS; w += LANES) {
        value lanes[LANES], before[LANES];
        memcpy(lanes, v + w, sizeof lanes);
        for (size_t h = 1; h < LANES; h *= 2) {
            memcpy(before, lanes, sizeof lanes);
            for (size_t k = h; k < LANES; ++k)
                lanes[k] = joined(what, before[k - h], before[k]);
        }
        for (size_t k = 0; k < LANES; ++k)
            v[w + k] = joined(what, x, k == 0 ? start_of(what) : lanes[k - 1]);
        x = joined(what, x, lanes[LANES - 1]);
    }
    return x;
}

/* What precedes each run of a tile; returns what the tile makes. */
static value runs_of(const scanning *what, const scans_args *args, size_t begin, size_t n, value runs[RUNS])
{
    for (size_t r = 0; r < RUNS; ++r) {
        runs[r] = start_of(what);
        for (size_t i = begin + r * RUN; i < begin + (r + 1) * RUN && i < n; ++i)
            runs[r] = joined(what, runs[r], value_at(what, args, i));
    }
    return spread(what, runs);
}

void scan_all(const scanning *what, const scans_args *args, size_t n, bool inclusive, unsigned char *results)
{
    value carry = start_of(what), tiles[RUNS], runs[RUNS], total;
    for (size_t group = 0; group < n; group += RUNS * TILE) {
        for (size_t t = 0; t < RUNS; ++t)
            tiles[t] = group + t * TILE < n ? runs_of(what, args, group + t * TILE, n, runs) : start_of(what);
        total = spread(what, tiles);
        for (size_t t = 0; t < RUNS && group + t * TILE < n; ++t) {
            (void)runs_of(what, args, group + t * TILE, n, runs);
            for (size_t r = 0; r < RUNS; ++r) {
                value s = joined(what, joined(what, carry, tiles[t]), runs[r]);
                const size_t begin = group + t * TILE + r * RUN;
                for (size_t i = begin; i < begin + RUN && i < n; ++i) {
                    const value element = value_at(what, args, i), before = element.head ? start_of(what) : s;
                    s = joined(what, s, element);
                    memcpy(results + i * what->size, inclusive ? s.element : before.element, what->size);
                }
            }
        }
        carry = joined(what, carry, total);
    }
}
