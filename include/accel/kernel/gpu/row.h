/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/row.h - rows for CUDA and HIP: neighbouring threads of a warp are the lanes of a row. They take the
 * same branches, so their values move between them by shuffles that only they make.
 */
#ifndef ACCEL_KERNEL_GPU_ROW_H
#define ACCEL_KERNEL_GPU_ROW_H

#define ACCEL_FOR_EACH_ROW(acc, row, n, lanes)                                                                         \
    for (size_t accel_end_##row = (n), row = accel_share((acc).core, nullptr) / ACCEL_GPU_WIDTH_(acc, lanes);          \
         row < accel_end_##row; row += accel_step((acc).core) / ACCEL_GPU_WIDTH_(acc, lanes))

#define ACCEL_FOR_EACH_ROW_IN_BLOCK(acc, t, row, n, lanes)                                                             \
    ACCEL_REGION_ for (size_t t ACCEL_UNUSED_ = accel_region_thread(acc), accel_end_##row = (n),                       \
                       row = t / ACCEL_GPU_WIDTH_(acc, lanes);                                                         \
                       row < accel_end_##row; row += accel_gpu_threads((acc).core) / ACCEL_GPU_WIDTH_(acc, lanes))

#define ACCEL_THREAD_FOR_EACH_ROW_IN_BLOCK(acc, row, n, lanes)                                                         \
    for (size_t accel_end_##row = (n),                                                                                 \
                row = accel_gpu_thread_linear(accel_gpu_core_of_thread(acc)) / ACCEL_GPU_WIDTH_(acc, lanes);           \
         row < accel_end_##row; row += accel_gpu_threads((acc).core) / ACCEL_GPU_WIDTH_(acc, lanes))

#define ACCEL_ROW_FOR_EACH(acc, lanes, j, begin, end)                                                                  \
    for (size_t accel_end_##j = (end), j = (begin) + ACCEL_GPU_LANE_(acc, lanes); j < accel_end_##j;                   \
         j += ACCEL_GPU_WIDTH_(acc, lanes))

#define ACCEL_ROW_ONCE(acc, lanes)                                                                                     \
    for (bool accel_once = ACCEL_GPU_LANE_(acc, lanes) == 0; accel_once; accel_once = false)

#define accel_row_reduce(acc, lanes, T, op, j, begin, end, ...)                                                        \
    accel_gpu_row<ACCEL_ROW_LANES_(lanes)>::reduce<T>((acc).core, (begin), (end),                                      \
                                                      ACCEL_GPU_ELEMENT_(T, j, __VA_ARGS__), ACCEL_GPU_START_(T, op),  \
                                                      ACCEL_GPU_INTO_(T, op))
#define accel_row_inclusive_scan(acc, lanes, T, op, to, j, begin, end, ...)                                            \
    accel_gpu_row<ACCEL_ROW_LANES_(lanes)>::scan<T, false>((acc).core, (to), (begin), (end),                           \
                                                           ACCEL_GPU_ELEMENT_(T, j, __VA_ARGS__),                      \
                                                           ACCEL_GPU_START_(T, op), ACCEL_GPU_INTO_(T, op))
#define accel_row_exclusive_scan(acc, lanes, T, op, to, j, begin, end, ...)                                            \
    accel_gpu_row<ACCEL_ROW_LANES_(lanes)>::scan<T, true>((acc).core, (to), (begin), (end),                            \
                                                          ACCEL_GPU_ELEMENT_(T, j, __VA_ARGS__),                       \
                                                          ACCEL_GPU_START_(T, op), ACCEL_GPU_INTO_(T, op))

#define ACCEL_GPU_WIDTH_(acc, lanes) accel_gpu_row<ACCEL_ROW_LANES_(lanes)>::width((acc).core)
#define ACCEL_GPU_LANE_(acc, lanes) accel_gpu_row<ACCEL_ROW_LANES_(lanes)>::lane((acc).core)

template <size_t lanes> struct accel_gpu_row {
    /* Threads of a row: `lanes`, or 1 in a block that cannot be divided so. */
    static ACCEL_METHOD size_t width(const accel_core core)
    {
        return accel_gpu_threads(core) % lanes == 0 ? lanes : 1;
    }
    static ACCEL_METHOD uint32_t lane(const accel_core core)
    {
        return static_cast<uint32_t>(accel_gpu_thread_linear(core) % width(core));
    }

    /* v of another lane of the row. */
    template <class T_> static ACCEL_METHOD T_ move(T_ v, uint32_t own, uint32_t from)
    {
        static_assert(__is_trivially_copyable(T_), "rows take plain data");
        const uint32_t first = accel_gpu_lane() - own; /* of the row, in the warp */
        const uint32_t mask = lanes == 32 ? ~0u << (first & 31) : ((1u << (lanes % 32)) - 1) << (first & 31);
        uint32_t words[(sizeof(T_) + 3) / 4] = {};
        __builtin_memcpy(words, &v, sizeof(T_));
        for (uint32_t &word : words)
            word = accel_gpu_read_lane(mask, word, first + from);
        __builtin_memcpy(&v, words, sizeof(T_));
        return v;
    }

    template <class T_, class Element, class Start, class Into>
    static ACCEL_METHOD T_ reduce(const accel_core core, size_t begin, size_t end, Element element, Start start,
                                  Into into)
    {
        if (width(core) != lanes)
            return reduce_alone<T_>(begin, end, element, start, into);
        const uint32_t own = lane(core);
        T_ v = start();
        for (size_t j = begin + own; j < end; j += lanes) {
            const T_ value = element(j);
            into(&v, &value);
        }
        for (uint32_t h = lanes / 2; h != 0; h /= 2) {
            const T_ other = move(v, own, own < h ? own + h : own);
            if (own < h)
                into(&v, &other);
        }
        return move(v, own, 0);
    }

    /* One thread has all lanes. */
    template <class T_, class Element, class Start, class Into>
    static ACCEL_METHOD T_ reduce_alone(size_t begin, size_t end, Element element, Start start, Into into)
    {
        T_ v[lanes];
        for (T_ &value : v)
            value = start();
        for (size_t j = begin; j < end; j++) {
            const T_ value = element(j);
            into(&v[(j - begin) % lanes], &value);
        }
        for (size_t h = lanes / 2; h != 0; h /= 2)
            for (size_t k = 0; k < h; k++)
                into(&v[k], &v[k + h]);
        return v[0];
    }

    template <class T_, bool exclusive, class Element, class Start, class Into>
    static ACCEL_METHOD T_ scan(const accel_core core, T_ *to, size_t begin, size_t end, Element element, Start start,
                                Into into)
    {
        if (width(core) != lanes)
            return scan_alone<T_, exclusive>(to, begin, end, element, start, into);
        const uint32_t own = lane(core);
        T_ before = start();
        for (size_t at = begin; at < end; at += lanes) {
            const uint32_t count = end - at < lanes ? static_cast<uint32_t>(end - at) : static_cast<uint32_t>(lanes);
            T_ v = own < count ? element(at + own) : start();
            v = move(v, own, own); /* no compiler fuses with what made it */
            for (uint32_t h = 1; h < lanes; h *= 2) {
                T_ left = move(v, own, own >= h ? own - h : own);
                if (own >= h) {
                    into(&left, &v);
                    v = left;
                }
            }
            T_ left = before;
            into(&left, &v);
            v = left;
            const T_ shifted = move(v, own, own == 0 ? 0 : own - 1);
            if (own < count)
                to[at + own] = !exclusive ? v : own == 0 ? before : shifted;
            before = move(v, own, count - 1);
        }
        return before;
    }

    template <class T_, bool exclusive, class Element, class Start, class Into>
    static ACCEL_METHOD T_ scan_alone(T_ *to, size_t begin, size_t end, Element element, Start start, Into into)
    {
        T_ before = start();
        for (size_t at = begin; at < end; at += lanes) {
            const size_t count = end - at < lanes ? end - at : lanes;
            T_ v[lanes];
            for (size_t k = 0; k < count; k++)
                v[k] = element(at + k);
            for (size_t h = 1; h < count; h *= 2)
                for (size_t k = count; k-- > h;) {
                    T_ left = v[k - h];
                    into(&left, &v[k]);
                    v[k] = left;
                }
            for (size_t k = 0; k < count; k++) {
                T_ left = before;
                into(&left, &v[k]);
                v[k] = left;
            }
            for (size_t k = 0; k < count; k++)
                to[at + k] = !exclusive ? v[k] : k == 0 ? before : v[k - 1];
            before = v[count - 1];
        }
        return before;
    }
};

#endif
