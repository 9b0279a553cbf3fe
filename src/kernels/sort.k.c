/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The passes of a sort (sort.h). Each block has a share of the keys. It counts their digits; the counts become places; it
 * moves its keys there in their order, so equal digits keep it.
 *
 * On CPUs a block is one thread that goes through its share. On GPUs a block goes through tiles. There a warp ranks its part
 * of the tile by asking for each bit of the digit which lanes have it.
 */
#include <accel/kernel.h>
#include <accel/kernel/collective.h>
#include <accel/kernel/pattern.h>
#include "kernels/sort.h"

ACCEL_FN uint64_t key_at(const void *keys, size_t i, int key_bytes)
{
    return key_bytes == 4 ? ((const uint32_t *)keys)[i] : ((const uint64_t *)keys)[i];
}

ACCEL_FN void copy_to(void *to, size_t at, const void *from, size_t i, int bytes)
{
    if (bytes == 4)
        ((uint32_t *)to)[at] = ((const uint32_t *)from)[i];
    else if (bytes == 8)
        ((uint64_t *)to)[at] = ((const uint64_t *)from)[i];
}

ACCEL_FN uint32_t digit_of(uint64_t key, int key_bytes, uint64_t sign_mask, uint64_t flip, uint32_t shift,
                           uint32_t mask)
{
    const uint64_t sign = (uint64_t)((int64_t)(key << (64 - 8 * key_bytes)) >> 63);
    return (uint32_t)((key ^ (sign & sign_mask) ^ flip) >> shift) & mask;
}

/* The place that a pass starts from. */
ACCEL_FN uint32_t place_of(const uint32_t *moves, uint32_t pass)
{
    uint32_t place = 0;
    for (uint32_t p = 0; p < pass; p++)
        place ^= moves[p];
    return place;
}

/* The counts of a digit from block `begin` to before `end` become how many there are before, of which `sum` are before all. */
ACCEL_FN uint64_t scan_row(uint64_t *row, size_t begin, size_t end, uint64_t sum)
{
    for (size_t b = begin; b < end; b++) {
        const uint64_t count = row[b];
        row[b] = sum;
        sum += count;
    }
    return sum;
}

/* The digit has so many keys. */
ACCEL_FN void end_row(const sort_args args, size_t digit, uint64_t sum)
{
    args.totals[digit] = sum;
    if (sum == args.n)
        args.moves[args.pass] = 0;
}

#if defined(ACCEL_KERNEL_CPU_H)

/* Four counters of each digit, so that equal neighbours do not wait for each other. */
ACCEL_FN void count_share(const sort_args args, size_t block, int key_bytes)
{
    const void *const keys = args.keys[place_of(args.moves, args.pass)];
    const size_t begin = block * args.share, end = begin + args.share < args.n ? begin + args.share : args.n;
    uint32_t counts[4][SORT_DIGITS];
    for (size_t d = 0; d < SORT_DIGITS; d++)
        counts[0][d] = counts[1][d] = counts[2][d] = counts[3][d] = 0;
    size_t i = begin;
    for (; i + 4 <= end; i += 4)
        for (size_t k = 0; k < 4; k++)
            counts[k][digit_of(key_at(keys, i + k, key_bytes), key_bytes, args.sign_mask, args.flip, args.shift,
                               args.mask)]++;
    for (; i < end; i++)
        counts[0][digit_of(key_at(keys, i, key_bytes), key_bytes, args.sign_mask, args.flip, args.shift, args.mask)]++;
    for (size_t d = 0; d < SORT_DIGITS; d++)
        args.counts[d * args.blocks + block] = (uint64_t)counts[0][d] + counts[1][d] + counts[2][d] + counts[3][d];
}

/* Where the block's first key of each digit goes. */
ACCEL_FN void set_places(const sort_args args, size_t block, size_t at[SORT_DIGITS])
{
    size_t before = 0;
    for (size_t d = 0; d < SORT_DIGITS; d++) {
        at[d] = before + (size_t)args.counts[d * args.blocks + block];
        before += (size_t)args.totals[d];
    }
}

/* What a block moves in a pass: elements `begin` to before `end`. */
typedef struct sort_move {
    const void *keys, *carried;
    void *to_keys, *to_carried;
    size_t begin, end;
} sort_move;

ACCEL_FN sort_move move_of(const sort_args args, size_t block)
{
    const uint32_t place = place_of(args.moves, args.pass);
    sort_move move;
    move.keys = args.keys[place];
    move.carried = args.carried[place];
    move.to_keys = args.keys[1 - place];
    move.to_carried = args.carried[1 - place];
    move.begin = block * args.share;
    move.end = move.begin + args.share < args.n ? move.begin + args.share : args.n;
    return move;
}

ACCEL_FN void scatter_share(const sort_args args, size_t block, int key_bytes, int carried_bytes)
{
    const sort_move move = move_of(args, block);
    size_t at[SORT_DIGITS];
    set_places(args, block, at);
    for (size_t i = move.begin; i < move.end; i++) {
        const size_t to = at[digit_of(key_at(move.keys, i, key_bytes), key_bytes, args.sign_mask, args.flip, args.shift,
                                      args.mask)]++;
        copy_to(move.to_keys, to, move.keys, i, key_bytes);
        copy_to(move.to_carried, to, move.carried, i, carried_bytes);
    }
}

/* What waits for the places of a digit, SORT_GROUP elements of so many bytes. */
ACCEL_FN char *group_of(char *waiting, size_t digit, int bytes)
{
    return waiting + digit * SORT_GROUP * (size_t)bytes;
}

/* Writes what a digit has waiting to the places `from` to before `end`, which are in one group: past the caches if the group
 * is whole. Where other digits have places in it, other blocks may write them. */
ACCEL_FN void write_group(void *to, const char *group, size_t from, size_t end, int bytes)
{
    char *const place = (char *)to + from * (size_t)bytes;
    const char *const start = group + from % SORT_GROUP * (size_t)bytes;
    if (end - from == SORT_GROUP)
        accel_cpu_stream(place, start, (size_t)SORT_GROUP * (size_t)bytes);
    else
        __builtin_memcpy(place, start, (end - from) * (size_t)bytes);
}

/* Keys of a digit wait until they fill whole lines. Moved one by one, each line would be read before it is written, and a
 * core waits for that: it has more digits than lines that it can wait for at a time. */
ACCEL_FN void scatter_groups(const sort_args args, size_t block, int key_bytes, int carried_bytes)
{
    enum { BYTES = SORT_DIGITS * SORT_GROUP * 8 };
    const sort_move move = move_of(args, block);
    char keys[BYTES] __attribute__((aligned(64))), carried[BYTES] __attribute__((aligned(64)));
    size_t at[SORT_DIGITS], first[SORT_DIGITS];
    set_places(args, block, at);
    for (size_t d = 0; d < SORT_DIGITS; d++)
        first[d] = at[d];
    for (size_t i = move.begin; i < move.end; i++) {
        const uint32_t digit =
            digit_of(key_at(move.keys, i, key_bytes), key_bytes, args.sign_mask, args.flip, args.shift, args.mask);
        const size_t to = at[digit]++, in_group = to % SORT_GROUP;
        copy_to(group_of(keys, digit, key_bytes), in_group, move.keys, i, key_bytes);
        copy_to(group_of(carried, digit, carried_bytes), in_group, move.carried, i, carried_bytes);
        if (in_group == SORT_GROUP - 1) {
            const size_t from = to - in_group > first[digit] ? to - in_group : first[digit];
            write_group(move.to_keys, group_of(keys, digit, key_bytes), from, to + 1, key_bytes);
            write_group(move.to_carried, group_of(carried, digit, carried_bytes), from, to + 1, carried_bytes);
        }
    }
    for (size_t d = 0; d < SORT_DIGITS; d++) {
        const size_t group = at[d] - at[d] % SORT_GROUP, from = group > first[d] ? group : first[d];
        write_group(move.to_keys, group_of(keys, d, key_bytes), from, at[d], key_bytes);
        write_group(move.to_carried, group_of(carried, d, carried_bytes), from, at[d], carried_bytes);
    }
    accel_cpu_streamed();
}

#define SORT_COUNT(name, key_bytes)                                                                                    \
    ACCEL_KERNEL_BLOCK(name, sort_args, args, SORT_THREADS)                                                            \
    {                                                                                                                  \
        ACCEL_ONCE(acc) {                                                                                              \
            const size_t block = accel_block_index(acc).x;                                                             \
            if (args.pass == 0 && block == 0)                                                                          \
                for (size_t p = 0; p < SORT_PASSES; p++)                                                               \
                    args.moves[p] = 1;                                                                                 \
            count_share(args, block, key_bytes);                                                                       \
        }                                                                                                              \
    }

#define SORT_SCATTER(name, key_bytes, carried_bytes)                                                                   \
    ACCEL_KERNEL_BLOCK(name, sort_args, args, SORT_THREADS)                                                            \
    {                                                                                                                  \
        ACCEL_ONCE(acc) {                                                                                              \
            const size_t block = accel_block_index(acc).x;                                                             \
            if (args.moves[args.pass] != 0 && args.past_caches != 0)                                                   \
                scatter_groups(args, block, key_bytes, carried_bytes);                                                 \
            else if (args.moves[args.pass] != 0)                                                                       \
                scatter_share(args, block, key_bytes, carried_bytes);                                                  \
        }                                                                                                              \
    }

/* One block for all digits, or a block for each. */
ACCEL_KERNEL_BLOCK(sort_scan, sort_args, args, SORT_THREADS)
{
    ACCEL_ONCE(acc) {
        for (size_t d = accel_block_index(acc).x; d < SORT_DIGITS; d += accel_grid_extent(acc).x)
            end_row(args, d, scan_row(args.counts + d * args.blocks, 0, args.blocks, 0));
    }
}

#else

#define SORT_COUNT(name, key_bytes)                                                                                    \
    ACCEL_KERNEL_BLOCK(name, sort_args, args, SORT_THREADS)                                                            \
    {                                                                                                                  \
        ACCEL_SHARED(acc, uint32_t, counts[SORT_DIGITS]);                                                              \
        const size_t block = accel_block_index(acc).x;                                                                 \
        const size_t begin = block * args.share, end = begin + args.share < args.n ? begin + args.share : args.n;      \
        const void *const keys = args.keys[place_of(args.moves, args.pass)];                                           \
        ACCEL_THREADS(acc, t) {                                                                                        \
            counts[t] = 0;                                                                                             \
            if (args.pass == 0 && block == 0 && t < SORT_PASSES)                                                       \
                args.moves[t] = 1;                                                                                     \
        }                                                                                                              \
        ACCEL_THREADS(acc, t) {                                                                                        \
            for (size_t i = begin + t; i < end; i += SORT_THREADS)                                                     \
                accel_atomic_add_block(acc,                                                                            \
                                       &counts[digit_of(key_at(keys, i, key_bytes), key_bytes, args.sign_mask,         \
                                                        args.flip, args.shift, args.mask)],                            \
                                       1u);                                                                            \
        }                                                                                                              \
        ACCEL_THREADS(acc, t) {                                                                                        \
            args.counts[t * args.blocks + block] = counts[t];                                                          \
        }                                                                                                              \
    }

/* One block with a thread for each digit, or a block for each, whose threads divide the row. */
ACCEL_KERNEL_BLOCK(sort_scan, sort_args, args, SORT_THREADS)
{
    ACCEL_PRIVATE(acc, uint64_t, before);
    const size_t digit = accel_block_index(acc).x, each = (args.blocks + SORT_THREADS - 1) / SORT_THREADS;
    uint64_t *const row = args.counts + digit * args.blocks;
    const int alone = accel_grid_extent(acc).x == 1;
    ACCEL_THREADS(acc, t) {
        uint64_t sum = 0;
        if (alone)
            end_row(args, t, scan_row(args.counts + t * args.blocks, 0, args.blocks, 0));
        else
            for (size_t b = t * each; b < (t + 1) * each && b < args.blocks; b++)
                sum += row[b];
        ACCEL_MY(before, t) = sum;
    }
    if (!alone) {
        const uint64_t all = accel_block_exclusive_scan(acc, uint64_t, ACCEL_SUM, before);
        ACCEL_THREADS(acc, t) {
            const size_t end = (t + 1) * each < args.blocks ? (t + 1) * each : args.blocks;
            scan_row(row, t * each, end, ACCEL_MY(before, t));
            if (t == 0)
                end_row(args, digit, all);
        }
    }
}

/* What a thread knows of its items of a tile. */
typedef struct sort_items {
    uint64_t key[SORT_ITEMS];
    uint32_t rank[SORT_ITEMS]; /* among the warp's items of its digit */
} sort_items;

/* Lanes of the warp that have an item of the same digit. Every lane calls it. */
ACCEL_FN uint64_t peers_of(const accel_block_handle acc, int has_item, uint32_t digit)
{
    uint64_t peers = accel_warp_ballot_full(acc, has_item);
    ACCEL_UNROLL(8)
    for (uint32_t bit = 0; bit < 8; bit++) {
        const uint32_t mine = digit >> bit & 1;
        const uint64_t ones = accel_warp_ballot_full(acc, (int)mine);
        peers &= mine != 0 ? ones : ~ones;
    }
    return peers;
}

/* The tile's item r of this thread: a warp has SORT_ITEMS rows of as many items as it has lanes. */
ACCEL_FN size_t item_of(size_t warp, size_t lane, size_t lanes, size_t r)
{
    return (warp * SORT_ITEMS + r) * lanes + lane;
}

#define SORT_SCATTER(name, key_bytes, carried_bytes)                                                                   \
    ACCEL_KERNEL_BLOCK(name, sort_args, args, SORT_THREADS)                                                            \
    {                                                                                                                  \
        ACCEL_SHARED(acc, uint32_t, counts[SORT_THREADS / 32][SORT_DIGITS]); /* of each warp */                        \
        ACCEL_SHARED(acc, uint64_t, at[SORT_DIGITS]);                        /* where the tile's first goes */         \
        ACCEL_PRIVATE(acc, sort_items, items);                                                                         \
        ACCEL_PRIVATE(acc, uint64_t, before);                                                                          \
        const size_t block = accel_block_index(acc).x;                                                                 \
        const size_t begin = block * args.share, end = begin + args.share < args.n ? begin + args.share : args.n;      \
        const size_t lanes = accel_warp_size(acc), tile_items = (size_t)SORT_THREADS * SORT_ITEMS;                     \
        const uint32_t place = place_of(args.moves, args.pass);                                                        \
        const void *const keys = args.keys[place];                                                                     \
        const size_t stop = args.moves[args.pass] != 0 ? end : begin;                                                  \
        ACCEL_THREADS(acc, t) {                                                                                        \
            ACCEL_MY(before, t) = args.totals[t];                                                                      \
        }                                                                                                              \
        (void)accel_block_exclusive_scan(acc, uint64_t, ACCEL_SUM, before);                                            \
        ACCEL_THREADS(acc, t) {                                                                                        \
            at[t] = ACCEL_MY(before, t) + args.counts[t * args.blocks + block];                                        \
        }                                                                                                              \
        for (size_t tile = begin; tile < stop; tile += tile_items) {                                                   \
            ACCEL_THREADS(acc, t) {                                                                                    \
                for (size_t w = 0; w < SORT_THREADS / 32; w++)                                                         \
                    counts[w][t] = 0;                                                                                  \
            }                                                                                                          \
            ACCEL_THREADS(acc, t) {                                                                                    \
                const size_t warp = t / lanes, lane = accel_warp_lane(acc);                                            \
                ACCEL_UNROLL(8)                                                                                        \
                for (size_t r = 0; r < SORT_ITEMS; r++) {                                                              \
                    const size_t i = tile + item_of(warp, lane, lanes, r);                                             \
                    const uint64_t key = i < end ? key_at(keys, i, key_bytes) : 0;                                     \
                    const uint32_t digit = digit_of(key, key_bytes, args.sign_mask, args.flip, args.shift, args.mask); \
                    const uint64_t peers = peers_of(acc, i < end, digit);                                              \
                    const uint64_t lower = peers & (((uint64_t)1 << lane) - 1);                                        \
                    uint32_t first = 0;                                                                                \
                    if (i < end && lower == 0)                                                                         \
                        first = accel_atomic_add_block(acc, &counts[warp][digit], accel_popcount(peers));              \
                    first = accel_warp_shuffle_full(acc, first, i < end ? (size_t)accel_trailing_zeros(peers) : lane); \
                    ACCEL_MY(items, t).key[r] = key;                                                                   \
                    ACCEL_MY(items, t).rank[r] = first + accel_popcount(lower);                                        \
                }                                                                                                      \
            }                                                                                                          \
            ACCEL_THREADS(acc, t) {                                                                                    \
                uint32_t sum = 0;                                                                                      \
                for (size_t w = 0; w < SORT_THREADS / 32; w++) {                                                       \
                    const uint32_t count = counts[w][t];                                                               \
                    counts[w][t] = sum;                                                                                \
                    sum += count;                                                                                      \
                }                                                                                                      \
                ACCEL_MY(before, t) = at[t] + sum;                                                                     \
            }                                                                                                          \
            ACCEL_THREADS(acc, t) {                                                                                    \
                const size_t warp = t / lanes, lane = accel_warp_lane(acc);                                            \
                ACCEL_UNROLL(8)                                                                                        \
                for (size_t r = 0; r < SORT_ITEMS; r++) {                                                              \
                    const size_t i = tile + item_of(warp, lane, lanes, r);                                             \
                    const uint64_t key = ACCEL_MY(items, t).key[r];                                                    \
                    const uint32_t digit = digit_of(key, key_bytes, args.sign_mask, args.flip, args.shift, args.mask); \
                    const size_t to = (size_t)at[digit] + counts[warp][digit] + ACCEL_MY(items, t).rank[r];            \
                    if (i < end) {                                                                                     \
                        copy_to(args.keys[1 - place], to, keys, i, key_bytes);                                         \
                        copy_to(args.carried[1 - place], to, args.carried[place], i, carried_bytes);                   \
                    }                                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
            ACCEL_THREADS(acc, t) {                                                                                    \
                at[t] = ACCEL_MY(before, t);                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    }

#endif

SORT_COUNT(sort_count_32, 4)
SORT_COUNT(sort_count_64, 8)
SORT_SCATTER(sort_scatter_32, 4, 0)
SORT_SCATTER(sort_scatter_32_32, 4, 4)
SORT_SCATTER(sort_scatter_32_64, 4, 8)
SORT_SCATTER(sort_scatter_64, 8, 0)
SORT_SCATTER(sort_scatter_64_32, 8, 4)
SORT_SCATTER(sort_scatter_64_64, 8, 8)

/* The indices before the first pass. */
ACCEL_KERNEL(sort_number, sort_end_args, args)
{
    if (args.wide != 0) {
        ACCEL_FOR_EACH(acc, i, args.n)
            ((uint64_t *)args.indices[0])[i] = i;
    } else {
        ACCEL_FOR_EACH(acc, i, args.n)
            ((uint32_t *)args.indices[0])[i] = (uint32_t)i;
    }
}

/* Copies what ended at the second place to the first; a value is one word of 4 or 8 bytes. */
ACCEL_KERNEL(sort_settle, sort_end_args, args)
{
    const size_t n = place_of(args.moves, args.passes) != 0 ? args.n : 0;
    if (args.unit == 4) {
        ACCEL_FOR_EACH(acc, i, n)
            ((uint32_t *)args.at[0])[i] = ((const uint32_t *)args.at[1])[i];
    } else {
        ACCEL_FOR_EACH(acc, i, n)
            ((uint64_t *)args.at[0])[i] = ((const uint64_t *)args.at[1])[i];
    }
}

#define SORT_GATHER(T)                                                                                                 \
    ACCEL_FOR_EACH(acc, i, args.n) {                                                                                   \
        const size_t from = args.wide != 0 ? (size_t)((const uint64_t *)indices)[i] : ((const uint32_t *)indices)[i];  \
        for (size_t u = 0; u < args.units; u++)                                                                        \
            ((T *)args.to)[i * args.units + u] = ((const T *)args.from)[from * args.units + u];                        \
    }

/* Values of any size by the indices that were sorted. */
ACCEL_KERNEL(sort_gather, sort_end_args, args)
{
    const void *const indices = args.indices[place_of(args.moves, args.passes)];
    if (args.unit == 8) {
        SORT_GATHER(uint64_t)
    } else if (args.unit == 4) {
        SORT_GATHER(uint32_t)
    } else if (args.unit == 2) {
        SORT_GATHER(uint16_t)
    } else {
        SORT_GATHER(uint8_t)
    }
}
