/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/reduce.h - reductions for CUDA and HIP; C++17. A block of 128 threads makes a tile: 32 threads make each of
 * its four pieces, thread k of them lane k (docs/semantics.md, P2). A wavefront of 64 makes two pieces.
 */
#ifndef ACCEL_KERNEL_GPU_REDUCE_H
#define ACCEL_KERNEL_GPU_REDUCE_H

/* The indices of a thread's elements, which are 32 apart: k is the fastest. Nothing is divided from step to step. */
template <int dims> struct accel_cursor {
    size_t i, j, k;
    size_t nj, nk;
    size_t step_i, step_j, step_k;
    ACCEL_METHOD accel_cursor(const accel_pattern_places &places, size_t at)
        : i(0), j(0), k(at), nj(places.extent[1]), nk(places.extent[2]), step_i(0), step_j(0), step_k(ACCEL_TILE_LANES)
    {
        if (dims > 1) {
            j = at / nk;
            k = at % nk;
            step_j = ACCEL_TILE_LANES / nk;
            step_k = ACCEL_TILE_LANES % nk;
        }
        if (dims > 2) {
            i = j / nj;
            j = j % nj;
            step_i = step_j / nj;
            step_j = step_j % nj;
        }
    }
    ACCEL_METHOD void step()
    {
        k += step_k;
        if (dims > 1) {
            const bool next_row = k >= nk;
            k -= next_row ? nk : 0;
            j += step_j + (next_row ? 1 : 0);
        }
        if (dims > 2) {
            const bool next_plane = j >= nj;
            j -= next_plane ? nj : 0;
            i += step_i + (next_plane ? 1 : 0);
        }
    }
};

/* A value of any size moves between lanes in words. Every thread of the block comes here. */
template <class T_> ACCEL_INLINE_ T_ accel_lane_above(T_ v, uint32_t distance)
{
    const uint32_t lane = accel_gpu_lane();
    const uint32_t from = (lane & ~(ACCEL_TILE_LANES - 1)) | ((lane + distance) & (ACCEL_TILE_LANES - 1));
    uint32_t words[(sizeof(T_) + 3) / 4] = {};
    __builtin_memcpy(words, &v, sizeof(T_));
    for (uint32_t &word : words)
        word = accel_gpu_read_lane(0xffffffffu, word, from);
    __builtin_memcpy(&v, words, sizeof(T_));
    return v;
}

/* Joins the lanes of all threads: pieces lane by lane, then lanes. Thread 0 has the result. */
template <class Pattern, class T_> ACCEL_INLINE_ T_ accel_tile_join(T_ s)
{
    ACCEL_SHARED_STORAGE_ static
        __attribute__((aligned(16))) unsigned char storage[ACCEL_TILE_PIECES * ACCEL_TILE_LANES * sizeof(T_)];
    T_ *const shared = reinterpret_cast<T_ *>(storage);
    const uint32_t t = accel_gpu_thread_x();
    shared[t] = s;
    accel_gpu_barrier();
    for (uint32_t h = ACCEL_TILE_PIECES / 2; h > 0; h /= 2) {
        if (t < h * ACCEL_TILE_LANES) {
            const T_ other = shared[t + h * ACCEL_TILE_LANES];
            Pattern::join(&s, &other);
            shared[t] = s;
        }
        accel_gpu_barrier();
    }
    for (uint32_t h = ACCEL_TILE_LANES / 2; h > 0; h /= 2) {
        const T_ other = accel_lane_above(s, h);
        Pattern::join(&s, &other);
    }
    return s;
}

/* The tile that begins at `begin`. Element is a function of the arguments and a cursor. */
template <class Pattern, class T_, int dims, class All, class Element>
ACCEL_INLINE_ T_ accel_reduce_tile(const All &all, size_t begin, Element element)
{
    const uint32_t t = accel_gpu_thread_x();
    const size_t piece = begin + t / ACCEL_TILE_LANES * ACCEL_PIECE_ELEMS, n = all.places.n;
    const size_t at = piece + t % ACCEL_TILE_LANES;
    T_ s = Pattern::start();
    if (at < n) {
        accel_cursor<dims> cursor(all.places, at);
        if (n - begin >= ACCEL_TILE_ELEMS) { /* a constant number: unrolled, with several loads in flight */
            ACCEL_UNROLL(8)
            for (uint32_t row = 0; row < ACCEL_PIECE_ELEMS / ACCEL_TILE_LANES; row++) {
                const T_ value = element(all, cursor);
                Pattern::join(&s, &value);
                cursor.step();
            }
        } else {
            const size_t end = n - piece < ACCEL_PIECE_ELEMS ? n : piece + ACCEL_PIECE_ELEMS;
            for (size_t e = at; e < end; e += ACCEL_TILE_LANES) {
                const T_ value = element(all, cursor);
                Pattern::join(&s, &value);
                cursor.step();
            }
        }
    }
    return accel_tile_join<Pattern, T_>(s);
}

/* The kernel of a block. */
template <class Pattern, class T_, int dims, class All>
ACCEL_INLINE_ void accel_reduce_body(const accel_block_handle acc, const All &all)
{
    const size_t n = all.places.n, each = accel_elem_extent(acc).x;
    const size_t tiles = n / ACCEL_TILE_ELEMS + (n % ACCEL_TILE_ELEMS != 0 || n == 0 ? 1 : 0);
    const size_t first = accel_block_index(acc).x * each;
    T_ *const out = static_cast<T_ *>(all.places.out);
    for (size_t tile = first; tile < first + each && tile < tiles; tile++) {
        const size_t begin = tile * ACCEL_TILE_ELEMS;
        const T_ result = all.places.in == nullptr
                              ? accel_reduce_tile<Pattern, T_, dims>(all, begin, typename Pattern::element())
                              : accel_reduce_tile<Pattern, T_, 1>(all, begin, typename Pattern::result());
        if (accel_gpu_thread_x() == 0)
            out[tile] = result;
        accel_gpu_barrier(); /* shared memory is free for the next tile */
    }
}

#define ACCEL_ELEMENT_1_(name, all, cursor) accel_element_##name((all).args, (cursor).k)
#define ACCEL_ELEMENT_2_(name, all, cursor) accel_element_##name((all).args, (cursor).j, (cursor).k)
#define ACCEL_ELEMENT_3_(name, all, cursor) accel_element_##name((all).args, (cursor).i, (cursor).j, (cursor).k)

#define ACCEL_DEFINE_REDUCE_(name, args_type, T, dims)                                                                 \
    struct accel_pattern_of_##name {                                                                                   \
        static ACCEL_METHOD T start()                                                                                  \
        {                                                                                                              \
            return accel_start_of_##name();                                                                            \
        }                                                                                                              \
        static ACCEL_METHOD void join(T *a, const T *b)                                                                \
        {                                                                                                              \
            accel_join_of_##name(a, b);                                                                                \
        }                                                                                                              \
        struct element {                                                                                               \
            ACCEL_METHOD T operator()(const accel_all_##name &all, const accel_cursor<dims> &cursor) const             \
            {                                                                                                          \
                return ACCEL_ELEMENT_##dims##_(name, all, cursor);                                                     \
            }                                                                                                          \
        };                                                                                                             \
        struct result {                                                                                                \
            ACCEL_METHOD T operator()(const accel_all_##name &all, const accel_cursor<1> &cursor) const                \
            {                                                                                                          \
                return static_cast<const T *>(all.places.in)[cursor.k];                                                \
            }                                                                                                          \
        };                                                                                                             \
        ACCEL_BODY_INLINE_ void run(const accel_block_handle acc, const accel_all_##name &all)                         \
        {                                                                                                              \
            accel_reduce_body<accel_pattern_of_##name, T, dims>(acc, all);                                             \
        }                                                                                                              \
    };                                                                                                                 \
    ACCEL_PATTERN_ENTRY_(accel_kernel_##name, accel_all_##name, accel_pattern_of_##name::run,                          \
                         ACCEL_TILE_LANES *ACCEL_TILE_PIECES)                                                          \
    extern "C" {                                                                                                       \
    extern ACCEL_DEVICE_ const accel_pattern_descriptor accel_descriptor_##name;                                       \
    }                                                                                                                  \
    ACCEL_DEVICE_ __attribute__((used)) const accel_pattern_descriptor accel_descriptor_##name =                       \
        ACCEL_PATTERN_DESCRIPTOR_(accel_all_##name, args_type, T, ACCEL_KIND_REDUCE, dims, nullptr, nullptr);

#endif
