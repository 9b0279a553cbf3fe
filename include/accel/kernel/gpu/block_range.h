/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/block_range.h - reductions and scans of ranges by a block, for CUDA and HIP. Thread t has the elements
 * begin + t, begin + t + threads and so on, in both forms of kernel. A reduction has three barriers, a scan two for each
 * element of a thread and two more.
 */
#ifndef ACCEL_KERNEL_GPU_BLOCK_RANGE_H
#define ACCEL_KERNEL_GPU_BLOCK_RANGE_H

#define accel_block_range_reduce(acc, T, op, j, begin, end, ...)                                                       \
    ACCEL_GPU_RANGE_REDUCE_(accel_gpu_core_of_block(acc), T, op, j, begin, end, __VA_ARGS__)
#define accel_block_range_inclusive_scan(acc, T, op, to, j, begin, end, ...)                                           \
    ACCEL_GPU_RANGE_SCAN_(accel_gpu_core_of_block(acc), T, op, to, false, j, begin, end, __VA_ARGS__)
#define accel_block_range_exclusive_scan(acc, T, op, to, j, begin, end, ...)                                           \
    ACCEL_GPU_RANGE_SCAN_(accel_gpu_core_of_block(acc), T, op, to, true, j, begin, end, __VA_ARGS__)

#define accel_sync_block_range_reduce(acc, T, op, j, begin, end, ...)                                                  \
    ACCEL_GPU_RANGE_REDUCE_(accel_gpu_core_of_thread(acc), T, op, j, begin, end, __VA_ARGS__)
#define accel_sync_block_range_inclusive_scan(acc, T, op, to, j, begin, end, ...)                                      \
    ACCEL_GPU_RANGE_SCAN_(accel_gpu_core_of_thread(acc), T, op, to, false, j, begin, end, __VA_ARGS__)
#define accel_sync_block_range_exclusive_scan(acc, T, op, to, j, begin, end, ...)                                      \
    ACCEL_GPU_RANGE_SCAN_(accel_gpu_core_of_thread(acc), T, op, to, true, j, begin, end, __VA_ARGS__)

#define ACCEL_GPU_RANGE_REDUCE_(core, T, op, j, begin, end, ...)                                                       \
    accel_gpu_range_reduce<T>(core, (begin), (end), ACCEL_GPU_ELEMENT_(T, j, __VA_ARGS__), ACCEL_GPU_START_(T, op),    \
                              ACCEL_GPU_INTO_(T, op))
#define ACCEL_GPU_RANGE_SCAN_(core, T, op, to, exclusive, j, begin, end, ...)                                          \
    accel_gpu_range_scan<T, exclusive>(core, (to), (begin), (end), ACCEL_GPU_ELEMENT_(T, j, __VA_ARGS__),              \
                                       ACCEL_GPU_START_(T, op), ACCEL_GPU_INTO_(T, op))

#define ACCEL_GPU_ELEMENT_(T, j, ...) [&](const size_t j) -> T { return __VA_ARGS__; }

/* This thread's place if only the first n threads have a value. */
ACCEL_INLINE_ accel_gpu_place accel_gpu_place_among(accel_gpu_place at, size_t n)
{
    at.threads = n < at.threads ? static_cast<uint32_t>(n) : at.threads;
    at.groups = (at.threads + 31) / 32;
    return at;
}

template <class T_, class Element, class Start, class Into>
ACCEL_INLINE_ T_ accel_gpu_range_reduce(const accel_core core, size_t begin, size_t end, Element element, Start start,
                                        Into into)
{
    const accel_gpu_place at = accel_gpu_place_of(core);
    T_ v = start();
    accel_gpu_barrier(); /* the element reads what other threads have written */
    for (size_t j = begin + at.t; j < end; j += at.threads) {
        const T_ value = element(j);
        into(&v, &value);
    }
    return accel_gpu_reduce_at(accel_gpu_place_among(at, begin < end ? end - begin : 1), v, into);
}

template <class T_, bool exclusive, class Element, class Start, class Into>
ACCEL_INLINE_ T_ accel_gpu_range_scan(const accel_core core, T_ *to, size_t begin, size_t end, Element element,
                                      Start start, Into into)
{
    const accel_gpu_place at = accel_gpu_place_of(core);
    T_ before = start();
    accel_gpu_barrier();
    for (size_t first = begin; first < end; first += at.threads) {
        const accel_gpu_place among = accel_gpu_place_among(at, end - first);
        T_ all, v = at.t < among.threads ? element(first + at.t) : start();
        v = accel_gpu_scan_at(among, v, &all, nullptr, into);
        T_ left = before;
        into(&left, &v);
        if (!exclusive) {
            if (at.t < among.threads)
                to[first + at.t] = left;
        } else { /* the threads of this tile have read their elements, those of the next one are not written */
            if (at.t == 0)
                to[first] = before;
            if (at.t + 1 < among.threads)
                to[first + at.t + 1] = left;
        }
        left = before;
        into(&left, &all);
        before = left;
    }
    accel_gpu_barrier();
    return before;
}

#endif
