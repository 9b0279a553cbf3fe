/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/scan.h - scans for CUDA and HIP; C++17. A block of 128 threads makes a tile or a group: thread t has run t
 * of the tile, or tile t of the group (docs/semantics.md, P7).
 *
 * A thread's elements are side by side in memory. Small ones are computed by neighbouring threads instead, so that a warp
 * reads contiguous memory, and change places through shared memory. So do results. Large ones would not fit there.
 */
#ifndef ACCEL_KERNEL_GPU_SCAN_H
#define ACCEL_KERNEL_GPU_SCAN_H

/* Where element e of a tile is in shared memory. One place in 17 is left out: the runs of a warp begin in other banks. */
#define ACCEL_SCAN_PLACE_(e) ((e) + (e) / ACCEL_RUN_ELEMS)
#define ACCEL_SCAN_STAGED_ (ACCEL_SCAN_TILE_ELEMS + ACCEL_SCAN_RUNS)

/* The value of the lane `distance` below, of the same 32. Every thread of the block comes here. */
template <class V_> ACCEL_INLINE_ V_ accel_lane_below(V_ v, uint32_t distance)
{
    return accel_lane_above(v, ACCEL_TILE_LANES - distance);
}

/* What precedes a thread's value in the block; `total` is that of all. `ends` is shared memory, one value for each 32
 * threads. */
template <class Scan, class V_> ACCEL_INLINE_ V_ accel_scan_spread(V_ v, V_ *ends, V_ *total)
{
    const uint32_t t = accel_gpu_thread_x(), lane = t % ACCEL_TILE_LANES, piece = t / ACCEL_TILE_LANES;
    for (uint32_t h = 1; h < ACCEL_TILE_LANES; h *= 2) {
        V_ before = accel_lane_below(v, h);
        Scan::join(&before, &v);
        if (lane >= h)
            v = before;
    }
    if (lane == ACCEL_TILE_LANES - 1)
        ends[piece] = v;
    V_ below = accel_lane_below(v, 1);
    if (lane == 0)
        below = Scan::start();
    accel_gpu_barrier();
    V_ x = Scan::start(), mine = x;
    for (uint32_t p = 0; p < ACCEL_TILE_PIECES; p++) {
        if (p == piece)
            mine = x;
        const V_ end = ends[p];
        Scan::join(&x, &end);
    }
    *total = x;
    Scan::join(&mine, &below);
    accel_gpu_barrier(); /* `ends` is free again */
    return mine;
}

/* The values of a thread's run; the last tile may have fewer. */
template <class Scan, bool is_staged, class V_, class All>
ACCEL_INLINE_ void accel_scan_load(const All &all, size_t begin, uint32_t count, V_ *stage, V_ *run)
{
    const uint32_t t = accel_gpu_thread_x(), first = t * ACCEL_RUN_ELEMS;
    if (is_staged) {
        for (uint32_t e = t; e < count; e += ACCEL_SCAN_RUNS)
            stage[ACCEL_SCAN_PLACE_(e)] = Scan::value(all, begin + e);
        accel_gpu_barrier();
    }
    for (uint32_t k = 0; k < ACCEL_RUN_ELEMS; k++) {
        if (first + k < count)
            run[k] = is_staged ? stage[ACCEL_SCAN_PLACE_(first + k)] : Scan::value(all, begin + first + k);
    }
}

template <class V_> ACCEL_INLINE_ const V_ *accel_scan_values(const void *values)
{
    return static_cast<const V_ *>(values);
}

/* The total of a tile, and if `is_scan` the tile. */
template <class Scan, bool is_staged, class T_, class V_, class All>
ACCEL_INLINE_ void accel_scan_tile(const All &all, size_t tile, bool is_scan, V_ *ends, V_ *stage)
{
    const accel_scan_places &places = all.places;
    const size_t begin = tile * ACCEL_SCAN_TILE_ELEMS;
    const uint32_t count = static_cast<uint32_t>(accel_scan_elems(&places, tile));
    const uint32_t t = accel_gpu_thread_x(), first = t * ACCEL_RUN_ELEMS;
    const bool is_inclusive = (places.flags & ACCEL_SCAN_PLACES_INCLUSIVE) != 0;
    T_ *const results = reinterpret_cast<T_ *>(stage); /* where nothing of the tile is any more */
    V_ run[ACCEL_RUN_ELEMS], v = Scan::start(), total;
    accel_scan_load<Scan, is_staged>(all, begin, count, stage, run);
    for (uint32_t k = 0; k < ACCEL_RUN_ELEMS; k++) {
        if (first + k < count)
            Scan::join(&v, &run[k]);
    }
    const V_ before = accel_scan_spread<Scan>(v, ends, &total);
    if (!is_scan) {
        if (t == 0)
            static_cast<V_ *>(places.totals)[tile] = total;
        return;
    }
    V_ s = Scan::start();
    if (tile >= ACCEL_SCAN_RUNS)
        s = accel_scan_values<V_>(places.carries)[tile / ACCEL_SCAN_RUNS];
    if (places.tiles != nullptr)
        Scan::join(&s, &accel_scan_values<V_>(places.tiles)[tile]);
    Scan::join(&s, &before);
    for (uint32_t k = 0; k < ACCEL_RUN_ELEMS; k++) {
        if (first + k < count) {
            const V_ prefix = s;
            Scan::join(&s, &run[k]);
            const V_ &result = is_inclusive ? s : prefix;
            if (is_staged)
                results[ACCEL_SCAN_PLACE_(first + k)] = Scan::result(run[k], result, is_inclusive);
            else
                Scan::put(all, begin + first + k, run[k], result, is_inclusive);
        }
    }
    if (is_staged) {
        accel_gpu_barrier();
        for (uint32_t e = t; e < count; e += ACCEL_SCAN_RUNS)
            static_cast<T_ *>(places.out)[begin + e] = results[ACCEL_SCAN_PLACE_(e)];
        accel_gpu_barrier(); /* the stage is free again */
    }
}

/* The totals of one group's tiles. */
template <class Scan, class V_>
ACCEL_INLINE_ void accel_scan_group(const accel_scan_places &places, size_t group, V_ *ends)
{
    const uint32_t t = accel_gpu_thread_x(), count = static_cast<uint32_t>(accel_scan_tiles(&places, group));
    const size_t tile = group * ACCEL_SCAN_RUNS + t;
    V_ total;
    const V_ mine = t < count ? accel_scan_values<V_>(places.totals)[tile] : Scan::start();
    const V_ before = accel_scan_spread<Scan>(mine, ends, &total);
    if (t < count)
        static_cast<V_ *>(places.tiles)[tile] = before;
    if (t == 0)
        static_cast<V_ *>(places.groups)[group] = total;
}

/* The totals of groups, by one thread: a group is 262144 elements. */
template <class Scan, class V_> ACCEL_INLINE_ void accel_scan_carries(const accel_scan_places &places)
{
    V_ *const carries = static_cast<V_ *>(places.carries);
    V_ s = Scan::start();
    if (accel_gpu_thread_x() != 0)
        return;
    if (places.begin != 0)
        s = carries[places.begin];
    for (size_t group = places.begin; group < places.end; group++) {
        Scan::join(&s, &accel_scan_values<V_>(places.groups)[group]);
        carries[group + 1] = s;
    }
}

/* The kernel of a block. */
template <class Scan, bool is_staged, class T_, class V_, class All>
ACCEL_INLINE_ void accel_scan_body(const accel_block_handle acc, const All &all)
{
    ACCEL_SHARED_STORAGE_ static __attribute__((
        aligned(16))) unsigned char storage[(ACCEL_TILE_PIECES + (is_staged ? ACCEL_SCAN_STAGED_ : 0)) * sizeof(V_)];
    V_ *const ends = reinterpret_cast<V_ *>(storage), *const stage = ends + ACCEL_TILE_PIECES;
    const accel_scan_places &places = all.places;
    const size_t each = accel_elem_extent(acc).x, first = accel_block_index(acc).x * each;
    if (places.step == ACCEL_SCAN_STEP_CARRIES) {
        accel_scan_carries<Scan, V_>(places);
        return;
    }
    for (size_t i = first; i < first + each; i++) {
        if (places.step == ACCEL_SCAN_STEP_GROUPS) {
            if (places.begin + i < places.end)
                accel_scan_group<Scan, V_>(places, places.begin + i, ends);
            continue;
        }
        for (uint32_t is_scan = 0; is_scan < 2; is_scan++) { /* one copy of the code for both */
            const size_t tile = (is_scan != 0 ? places.begin : places.total_begin) + i;
            if (tile < (is_scan != 0 ? places.end : places.total_end))
                accel_scan_tile<Scan, is_staged, T_, V_>(all, tile, is_scan != 0, ends, stage);
        }
    }
}

#define ACCEL_DEFINE_SCAN_(name, args_type, T, kind)                                                                   \
    struct accel_pattern_of_##name {                                                                                   \
        static ACCEL_METHOD accel_value_##name start()                                                                 \
        {                                                                                                              \
            return accel_start_of_##name();                                                                            \
        }                                                                                                              \
        static ACCEL_METHOD void join(accel_value_##name *a, const accel_value_##name *b)                              \
        {                                                                                                              \
            accel_join_of_##name(a, b);                                                                                \
        }                                                                                                              \
        static ACCEL_METHOD accel_value_##name value(const accel_all_##name &all, size_t i)                            \
        {                                                                                                              \
            return accel_value_of_##name(&all, i);                                                                     \
        }                                                                                                              \
        static ACCEL_METHOD T result(const accel_value_##name &value, const accel_value_##name &prefix,                \
                                     bool is_inclusive)                                                                \
        {                                                                                                              \
            return accel_result_of_##name(&value, &prefix, is_inclusive);                                              \
        }                                                                                                              \
        static ACCEL_METHOD void put(const accel_all_##name &all, size_t i, const accel_value_##name &value,           \
                                     const accel_value_##name &prefix, bool is_inclusive)                              \
        {                                                                                                              \
            const T accel_result = accel_result_of_##name(&value, &prefix, is_inclusive);                              \
            if (all.places.out != nullptr)                                                                             \
                static_cast<T *>(all.places.out)[i] = accel_result;                                                    \
            accel_then_of_##name(&all, i, &value, &accel_result);                                                      \
        }                                                                                                              \
        ACCEL_BODY_INLINE_ void run(const accel_block_handle acc, const accel_all_##name &all)                         \
        {                                                                                                              \
            accel_scan_body<accel_pattern_of_##name, (kind) == ACCEL_KIND_SCAN && sizeof(accel_value_##name) <= 16, T, \
                            accel_value_##name>(acc, all);                                                             \
        }                                                                                                              \
    };                                                                                                                 \
    ACCEL_PATTERN_ENTRY_(accel_kernel_##name, accel_all_##name, accel_pattern_of_##name::run, ACCEL_SCAN_RUNS)         \
    extern "C" {                                                                                                       \
    extern ACCEL_DEVICE_ const accel_pattern_descriptor accel_descriptor_##name;                                       \
    }                                                                                                                  \
    ACCEL_DEVICE_ __attribute__((used)) const accel_pattern_descriptor accel_descriptor_##name =                       \
        ACCEL_PATTERN_DESCRIPTOR_(accel_all_##name, args_type, T, kind, 1, nullptr, nullptr);

#endif
