// SPDX-License-Identifier: Apache-2.0
// The parallel sorts of GNU's C++ library for algorithms.c. Built where there are that library and OpenMP.
#include <cstddef>
#include <cstdint>
#include <parallel/algorithm>

extern "C" void native_mergesort_words(std::uint32_t *keys, std::size_t n)
{
    __gnu_parallel::sort(keys, keys + n, __gnu_parallel::multiway_mergesort_tag());
}

extern "C" void native_mergesort_doubles(double *keys, std::size_t n)
{
    __gnu_parallel::sort(keys, keys + n, __gnu_parallel::multiway_mergesort_tag());
}

extern "C" void native_quicksort_words(std::uint32_t *keys, std::size_t n)
{
    __gnu_parallel::sort(keys, keys + n, __gnu_parallel::balanced_quicksort_tag());
}

extern "C" void native_quicksort_doubles(double *keys, std::size_t n)
{
    __gnu_parallel::sort(keys, keys + n, __gnu_parallel::balanced_quicksort_tag());
}
