/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes: elements per dimension, the last one fastest. */
#ifndef ACCEL_CPP_EXTENT_HPP
#define ACCEL_CPP_EXTENT_HPP

#include <accel/accel.h>

#include <cstddef>
#include <type_traits>

namespace accel
{
inline namespace v1
{

/* One number per dimension: extent(n), extent(rows, columns). Where an extent<1> is taken, a plain number does. */
template <std::size_t N> class extent
{
    static_assert(N >= 1 && N <= ACCEL_MAX_DIMS, "accel: an extent has 1 to 6 dimensions");

  public:
    constexpr extent() noexcept = default; /* all 0 */
    template <class First, class... More,
              std::enable_if_t<std::is_integral_v<First> && (std::is_integral_v<More> && ...), int> = 0>
    constexpr extent(First first, More... more) noexcept
        : size_{static_cast<std::size_t>(first), static_cast<std::size_t>(more)...}
    {
        static_assert(1 + sizeof...(More) == N, "accel: an extent<N> takes N numbers, one per dimension");
    }

    constexpr std::size_t operator[](std::size_t dimension) const noexcept
    {
        return size_[dimension];
    }
    constexpr std::size_t &operator[](std::size_t dimension) noexcept
    {
        return size_[dimension];
    }
    constexpr const std::size_t *data() const noexcept
    {
        return size_;
    }
    static constexpr std::size_t dims() noexcept
    {
        return N;
    }
    /* Elements: the product. */
    constexpr std::size_t count() const noexcept
    {
        std::size_t product = 1;
        for (std::size_t n : size_)
            product *= n;
        return product;
    }
    friend constexpr bool operator==(const extent &a, const extent &b) noexcept
    {
        for (std::size_t d = 0; d < N; ++d) {
            if (a.size_[d] != b.size_[d])
                return false;
        }
        return true;
    }
    friend constexpr bool operator!=(const extent &a, const extent &b) noexcept
    {
        return !(a == b);
    }

  private:
    std::size_t size_[N] = {};
};

template <class... I, std::enable_if_t<(std::is_integral_v<I> && ...), int> = 0> extent(I...) -> extent<sizeof...(I)>;

} // namespace v1
} // namespace accel

#endif
