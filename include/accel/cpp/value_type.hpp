/* SPDX-License-Identifier: Apache-2.0 */
/* What accel/algorithm.h calls the types of values. */
#ifndef ACCEL_CPP_VALUE_TYPE_HPP
#define ACCEL_CPP_VALUE_TYPE_HPP

#include <accel/algorithm.h>

#include <cstdint>
#include <type_traits>

namespace accel
{
inline namespace v1
{
namespace detail
{

/* enum accel_type of T: a float, a double, or an integer of 32 or 64 bits. */
template <class T> constexpr std::uint32_t value_type()
{
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                      (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)),
                  "accel: algorithms take floats, doubles, and integers of 32 or 64 bits");
    if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? ACCEL_TYPE_FLOAT : ACCEL_TYPE_DOUBLE;
    else if constexpr (std::is_signed_v<T>)
        return sizeof(T) == 4 ? ACCEL_TYPE_INT32 : ACCEL_TYPE_INT64;
    else
        return sizeof(T) == 4 ? ACCEL_TYPE_UINT32 : ACCEL_TYPE_UINT64;
}

} // namespace detail
} // namespace v1
} // namespace accel

#endif
