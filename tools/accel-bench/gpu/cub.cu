/* SPDX-License-Identifier: Apache-2.0 */
/* CUB's sums, scan and sorts, as a shared object that accel-bench opens (cub.h): it brings CUDA's runtime, on the context that is
 * current. Temporary memory is NULL when its size is asked for. They return 0, or the runtime's number. n fits an int, and CUB
 * is told so: its code for 64-bit indices may be slower. */
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

template <class T> static int sum(void *temporary, size_t *bytes, const void *from, void *to, size_t n, void *stream)
{
    return (int)cub::DeviceReduce::Sum(temporary, *bytes, static_cast<const T *>(from), static_cast<T *>(to),
                                       static_cast<int>(n), static_cast<cudaStream_t>(stream));
}

/* Keys stay as they are: CUB needs no copy of them. */
template <class Key> static int sort(void *temporary, size_t *bytes, const void *from, void *to, size_t n, void *stream)
{
    return (int)cub::DeviceRadixSort::SortKeys(temporary, *bytes, static_cast<const Key *>(from),
                                               static_cast<Key *>(to), static_cast<int>(n), 0, sizeof(Key) * 8,
                                               static_cast<cudaStream_t>(stream));
}

extern "C" int bench_cub_sum(void *temporary, size_t *bytes, const void *from, void *to, size_t n, void *stream)
{
    return sum<double>(temporary, bytes, from, to, n, stream);
}

extern "C" int bench_cub_sum_floats(void *temporary, size_t *bytes, const void *from, void *to, size_t n, void *stream)
{
    return sum<float>(temporary, bytes, from, to, n, stream);
}

extern "C" int bench_cub_scan(void *temporary, size_t *bytes, const void *from, void *to, size_t n, void *stream)
{
    return (int)cub::DeviceScan::ExclusiveSum(temporary, *bytes, static_cast<const double *>(from),
                                              static_cast<double *>(to), static_cast<int>(n),
                                              static_cast<cudaStream_t>(stream));
}

extern "C" int bench_cub_sort(void *temporary, size_t *bytes, const void *from, void *to, size_t n, void *stream)
{
    return sort<uint32_t>(temporary, bytes, from, to, n, stream);
}

extern "C" int bench_cub_sort_doubles(void *temporary, size_t *bytes, const void *from, void *to, size_t n,
                                      void *stream)
{
    return sort<double>(temporary, bytes, from, to, n, stream);
}
