/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chosen elements in their order (select.h): by flags, or the first of each run of equal ones.
 *
 * On CPUs a block is one thread that goes through its share in chunks. Whether elements are chosen is found by vector
 * instructions. Then every element is stored where the next chosen one belongs, so no branch has to be foreseen. On GPUs a
 * block goes through tiles, and a warp ranks its part of a tile by votes.
 */
#include <accel/kernel.h>
#include <accel/kernel/collective.h>
#include "kernels/select.h"

ACCEL_FN size_t end_of_share(const select_args *args, size_t block)
{
    const size_t end = (block + 1) * args->share;
    return end < args->n ? end : args->n;
}

ACCEL_FN void put_index(void *indices, size_t at, uint64_t index, uint32_t wide)
{
    if (wide != 0)
        ((uint64_t *)indices)[at] = index;
    else
        ((uint32_t *)indices)[at] = (uint32_t)index;
}

ACCEL_FN uint64_t index_at(const void *indices, size_t at, uint32_t wide)
{
    return wide != 0 ? ((const uint64_t *)indices)[at] : ((const uint32_t *)indices)[at];
}

#if defined(ACCEL_KERNEL_CPU_H)

enum { CHUNK = 256 };

/* Copies of what the arguments say: no store to a byte can change them. */
#define SELECT_FLAGGED(T)                                                                                              \
    do {                                                                                                               \
        const T *const flags = (const T *)args->flags + begin;                                                         \
        for (size_t k = 0; k < count; k++)                                                                             \
            chosen[k] = flags[k] != 0;                                                                                 \
    } while (0);                                                                                                       \
    break
#define SELECT_HEADS(T)                                                                                                \
    do {                                                                                                               \
        const T *const x = (const T *)args->from + begin * units;                                                      \
        if (units == 1) {                                                                                              \
            for (size_t k = first; k < count; k++)                                                                     \
                chosen[k] = x[k] != *(x + k - 1);                                                                      \
        } else {                                                                                                       \
            for (size_t k = first; k < count; k++) {                                                                   \
                uint8_t differs = 0;                                                                                   \
                for (size_t u = k * units; u < (k + 1) * units && differs == 0; u++)                                   \
                    differs = x[u] != *(x + u - units);                                                                \
                chosen[k] = differs;                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    } while (0);                                                                                                       \
    break

/* Which of `count` elements are chosen, and how many are. */
static __attribute__((noinline)) size_t find_chosen(const select_args *args, size_t begin, size_t count,
                                                    uint8_t *__restrict chosen)
{
    const size_t first = begin == 0, units = args->units;
    uint32_t sum = 0;
    if (args->flags != NULL) {
        switch (args->flag_size) {
        case 1:
            SELECT_FLAGGED(uint8_t);
        case 2:
            SELECT_FLAGGED(uint16_t);
        case 4:
            SELECT_FLAGGED(uint32_t);
        default:
            SELECT_FLAGGED(uint64_t);
        }
    } else {
        chosen[0] = 1;
        switch (args->unit) {
        case 1:
            SELECT_HEADS(uint8_t);
        case 2:
            SELECT_HEADS(uint16_t);
        case 4:
            SELECT_HEADS(uint32_t);
        default:
            SELECT_HEADS(uint64_t);
        }
    }
    for (size_t k = 0; k < count; k++)
        sum += chosen[k];
    return sum;
}

/* A part of a share: `count` elements from `begin` on. The chosen ones go from `at` on and end before `last`; the others, if
 * they are kept, from `rest` on. */
typedef struct select_part {
    const uint8_t *chosen;
    size_t begin, count, at, last, rest;
} select_part;

/* Stores behind `last` would be another block's, or outside. */
#define SELECT_COMPACT(T, value)                                                                                       \
    if (at + count <= last) {                                                                                          \
        for (size_t k = 0; k < count; k++) {                                                                           \
            to[at] = (T)(value);                                                                                       \
            at += chosen[k];                                                                                           \
        }                                                                                                              \
    } else {                                                                                                           \
        for (size_t k = 0; k < count && at < last; k++) {                                                              \
            to[at] = (T)(value);                                                                                       \
            at += chosen[k];                                                                                           \
        }                                                                                                              \
    }
#define SELECT_PART                                                                                                    \
    const uint8_t *const chosen = p->chosen;                                                                           \
    const size_t begin = p->begin, count = p->count, last = p->last;                                                   \
    size_t at = p->at;                                                                                                 \
    (void)begin
#define SELECT_MOVE(T)                                                                                                 \
    do {                                                                                                               \
        T *const __restrict to = (T *)args->to;                                                                        \
        const T *const __restrict x = (const T *)args->from + begin * units;                                           \
        if (args->keeps_rest == 0 && units == 1) {                                                                     \
            SELECT_COMPACT(T, x[k])                                                                                    \
        } else if (units == 1) {                                                                                       \
            for (size_t k = 0; k < count; k++) {                                                                       \
                const size_t mask = (size_t)0 - chosen[k];                                                             \
                to[rest ^ ((at ^ rest) & mask)] = x[k];                                                                \
                at -= mask;                                                                                            \
                rest += 1 + mask;                                                                                      \
            }                                                                                                          \
        } else {                                                                                                       \
            for (size_t k = 0; k < count; k++) {                                                                       \
                const size_t place = chosen[k] != 0 ? at++ : rest++;                                                   \
                if (chosen[k] != 0 ? place < last : args->keeps_rest != 0)                                             \
                    for (size_t u = 0; u < units; u++)                                                                 \
                        to[place * units + u] = x[k * units + u];                                                      \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

static __attribute__((noinline)) void move_part(const select_args *args, const select_part *p)
{
    SELECT_PART;
    const size_t units = args->units;
    size_t rest = p->rest;
    if (args->unit == 1)
        SELECT_MOVE(uint8_t);
    else if (args->unit == 2)
        SELECT_MOVE(uint16_t);
    else if (args->unit == 4)
        SELECT_MOVE(uint32_t);
    else
        SELECT_MOVE(uint64_t);
}

static __attribute__((noinline)) void put_starts(const select_args *args, const select_part *p)
{
    SELECT_PART;
    if (args->wide_starts != 0) {
        uint64_t *const __restrict to = (uint64_t *)args->starts;
        SELECT_COMPACT(uint64_t, begin + k)
    } else {
        uint32_t *const __restrict to = (uint32_t *)args->starts;
        SELECT_COMPACT(uint32_t, begin + k)
    }
}

ACCEL_KERNEL_BLOCK(select_count, select_args, args, SELECT_THREADS)
{
    ACCEL_ONCE(acc) {
        uint8_t chosen[CHUNK];
        const size_t block = accel_block_index(acc).x, end = end_of_share(&args, block);
        uint64_t sum = 0;
        for (size_t i = block * args.share; i < end; i += CHUNK)
            sum += find_chosen(&args, i, end - i < CHUNK ? end - i : (size_t)CHUNK, chosen);
        args.counts[block] = sum;
    }
}

ACCEL_KERNEL_BLOCK(select_move, select_args, args, SELECT_THREADS)
{
    ACCEL_ONCE(acc) {
        uint8_t chosen[CHUNK];
        const size_t block = accel_block_index(acc).x, begin = block * args.share, end = end_of_share(&args, block);
        uint64_t before = 0, all = 0;
        for (size_t b = 0; b < args.blocks; b++) {
            before += b < block ? args.counts[b] : 0;
            all += args.counts[b];
        }
        select_part p = {chosen, begin, 0, (size_t)before, 0, (size_t)all + begin - (size_t)before};
        const size_t last = (size_t)(before + args.counts[block]);
        if (block == 0)
            put_index(args.count, 0, all, args.wide_count);
        for (; p.begin < end; p.begin += p.count) {
            p.count = end - p.begin < CHUNK ? end - p.begin : (size_t)CHUNK;
            const size_t found = find_chosen(&args, p.begin, p.count, chosen);
            p.last = last < args.room ? last : args.room;
            if (found != 0 || args.keeps_rest != 0)
                move_part(&args, &p);
            p.last = last < args.starts_room ? last : args.starts_room;
            if (found != 0 && args.starts_room != 0)
                put_starts(&args, &p);
            p.at += found;
            p.rest += p.count - found;
        }
    }
}

#else

ACCEL_FN uint64_t word_at(const void *words, size_t i, uint32_t size)
{
    switch (size) {
    case 1:
        return ((const uint8_t *)words)[i];
    case 2:
        return ((const uint16_t *)words)[i];
    case 4:
        return ((const uint32_t *)words)[i];
    default:
        return ((const uint64_t *)words)[i];
    }
}

ACCEL_FN int is_chosen(const select_args *args, size_t i)
{
    if (args->flags != NULL)
        return word_at(args->flags, i, args->flag_size) != 0;
    int differs = i == 0;
    for (size_t u = i * args->units; u < (i + 1) * args->units && differs == 0; u++)
        differs = word_at(args->from, u, args->unit) != word_at(args->from, u - args->units, args->unit);
    return differs;
}

ACCEL_FN void move_element(const select_args *args, size_t to, size_t from)
{
    for (size_t u = 0; u < args->units; u++) {
        const uint64_t word = word_at(args->from, from * args->units + u, args->unit);
        const size_t at = to * args->units + u;
        if (args->unit == 1)
            ((uint8_t *)args->to)[at] = (uint8_t)word;
        else if (args->unit == 2)
            ((uint16_t *)args->to)[at] = (uint16_t)word;
        else
            put_index(args->to, at, word, args->unit == 8);
    }
}

ACCEL_KERNEL_BLOCK(select_count, select_args, args, SELECT_THREADS)
{
    ACCEL_PRIVATE(acc, uint64_t, mine);
    const size_t block = accel_block_index(acc).x, end = end_of_share(&args, block);
    ACCEL_THREADS(acc, t) {
        uint64_t sum = 0;
        for (size_t i = block * args.share + t; i < end; i += SELECT_THREADS)
            sum += (uint64_t)is_chosen(&args, i);
        ACCEL_MY(mine, t) = sum;
    }
    const uint64_t all = accel_block_reduce(acc, uint64_t, ACCEL_SUM, mine);
    ACCEL_ONCE(acc) {
        args.counts[block] = all;
    }
}

/* The tile's item r of a thread: a warp has SELECT_ITEMS rows of as many items as it has lanes. */
ACCEL_FN size_t item_of(size_t warp, size_t lane, size_t lanes, size_t r)
{
    return (warp * SELECT_ITEMS + r) * lanes + lane;
}

ACCEL_KERNEL_BLOCK(select_move, select_args, args, SELECT_THREADS)
{
    ACCEL_SHARED(acc, uint32_t, counts[SELECT_THREADS / 32]); /* of each warp */
    ACCEL_PRIVATE(acc, uint64_t, lower);
    ACCEL_PRIVATE(acc, uint64_t, any);
    ACCEL_PRIVATE(acc, uint64_t, at);     /* where the tile's first goes */
    ACCEL_PRIVATE(acc, uint32_t, chosen); /* bit r: item r of the tile is */
    const size_t block = accel_block_index(acc).x, begin = block * args.share, end = end_of_share(&args, block);
    const size_t lanes = accel_warp_size(acc), tile_items = (size_t)SELECT_THREADS * SELECT_ITEMS;
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(lower, t) = ACCEL_MY(any, t) = 0;
        for (size_t b = t; b < args.blocks; b += SELECT_THREADS) {
            ACCEL_MY(lower, t) += b < block ? args.counts[b] : 0;
            ACCEL_MY(any, t) += args.counts[b];
        }
    }
    const uint64_t before = accel_block_reduce(acc, uint64_t, ACCEL_SUM, lower);
    const uint64_t all = accel_block_reduce(acc, uint64_t, ACCEL_SUM, any);
    ACCEL_THREADS(acc, t) {
        if (block == 0 && t == 0)
            put_index(args.count, 0, all, args.wide_count);
        ACCEL_MY(at, t) = before;
        ACCEL_MY(chosen, t) = 0;
    }
    for (size_t tile = begin; tile < end; tile += tile_items) {
        ACCEL_THREADS(acc, t) {
            const size_t warp = t / lanes, lane = accel_warp_lane(acc);
            uint32_t sum = 0, mine = 0;
            for (uint32_t r = 0; r < SELECT_ITEMS; r++) {
                const size_t i = tile + item_of(warp, lane, lanes, r);
                const int is = i < end && is_chosen(&args, i);
                mine |= (uint32_t)is << r;
                sum += accel_popcount(accel_warp_ballot_full(acc, is));
            }
            ACCEL_MY(chosen, t) = mine;
            if (lane == 0)
                counts[warp] = sum;
        }
        ACCEL_THREADS(acc, t) {
            const size_t warp = t / lanes, lane = accel_warp_lane(acc);
            size_t first = (size_t)ACCEL_MY(at, t);
            for (size_t w = 0; w < SELECT_THREADS / lanes; w++) {
                first += w < warp ? counts[w] : 0;
                ACCEL_MY(at, t) += counts[w];
            }
            for (uint32_t r = 0; r < SELECT_ITEMS; r++) {
                const size_t i = tile + item_of(warp, lane, lanes, r);
                const int is = (int)(ACCEL_MY(chosen, t) >> r & 1);
                const uint64_t votes = accel_warp_ballot_full(acc, is);
                const size_t rank = first + accel_popcount(votes & (((uint64_t)1 << lane) - 1));
                const size_t to = is ? rank : (size_t)all + i - rank;
                if (i < end && (is ? to < args.room : args.keeps_rest != 0))
                    move_element(&args, to, i);
                if (is && to < args.starts_room)
                    put_index(args.starts, to, i, args.wide_starts);
                first += accel_popcount(votes);
            }
        }
    }
}

#endif

ACCEL_KERNEL(select_lengths, select_lengths_args, args)
{
    const size_t all = (size_t)index_at(args.count, 0, args.wide_count), n = all < args.room ? all : args.room;
    ACCEL_FOR_EACH(acc, k, n) {
        const uint64_t next = k + 1 < all ? index_at(args.starts, k + 1, args.wide_starts) : args.n;
        put_index(args.lengths, k, next - index_at(args.starts, k, args.wide_starts), args.wide_lengths);
    }
}
