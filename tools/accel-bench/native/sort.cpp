// SPDX-License-Identifier: Apache-2.0
// std::sort for algorithms.c. Built where there is a C++ compiler.
#include <algorithm>
#include <cstddef>
#include <cstdint>

extern "C" void native_std_sort_words(std::uint32_t *keys, std::size_t n)
{
    std::sort(keys, keys + n);
}

extern "C" void native_std_sort_doubles(double *keys, std::size_t n)
{
    std::sort(keys, keys + n);
}
