/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory that queues read and write. */
#ifndef ACCEL_CPP_SPAN_HPP
#define ACCEL_CPP_SPAN_HPP

#include <cstddef>
#include <type_traits>
#include <utility>

namespace accel
{
inline namespace v1
{
namespace detail
{
template <class C> using element_of = std::remove_pointer_t<decltype(std::declval<C &>().data())>;
/* May memory of U be seen as memory of T? A const may be added, nothing else. */
template <class U, class T> inline constexpr bool same_memory = std::is_convertible_v<U (*)[], T (*)[]>;

template <class C, class = void> inline constexpr bool has_data = false;
template <class C>
inline constexpr bool has_data<C, std::void_t<element_of<C>, decltype(std::declval<C &>().size())>> = true;

template <class C, class T, class = void> inline constexpr bool holds = false;
template <class C, class T>
inline constexpr bool holds<C, T, std::enable_if_t<has_data<C>>> = same_memory<element_of<C>, T>;
} // namespace detail

/* Elements in a row that belong to someone else: std::span's part that C++17 lacks. Made from vectors, arrays, std::span and
 * whatever else has data() and size(), but from no temporary: a copy may still be pending when that is gone. */
template <class T> class span
{
  public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size)
    {
    }
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N)
    {
    }
    template <class C, std::enable_if_t<detail::holds<C, T>, int> = 0>
    constexpr span(C &container) noexcept : data_(container.data()), size_(container.size())
    {
    }
    template <class U, std::enable_if_t<detail::same_memory<U, T>, int> = 0>
    constexpr span(const span<U> &other) noexcept : data_(other.data()), size_(other.size())
    {
    }

    constexpr T *data() const noexcept
    {
        return data_;
    }
    constexpr std::size_t size() const noexcept
    {
        return size_;
    }
    constexpr T *begin() const noexcept
    {
        return data_;
    }
    constexpr T *end() const noexcept
    {
        return data_ + size_;
    }
    constexpr T &operator[](std::size_t i) const noexcept
    {
        return data_[i];
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

template <class C> span(C &) -> span<detail::element_of<C>>;

namespace detail
{
template <class T> using bytes_like = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
} // namespace detail

/* The bytes of a vector's or a span's elements, or of one object: for buffers of std::byte, as module.global() gives them. */
template <class C, std::enable_if_t<detail::has_data<C>, int> = 0> auto bytes_of(C &container) noexcept
{
    using element = detail::element_of<C>;
    static_assert(std::is_trivially_copyable_v<element>, "accel: what is copied as bytes is trivially copyable");
    using byte = detail::bytes_like<element>;
    return span<byte>(reinterpret_cast<byte *>(container.data()), container.size() * sizeof(element));
}
template <class T, std::enable_if_t<!detail::has_data<T>, int> = 0> auto bytes_of(T &object) noexcept
{
    static_assert(std::is_trivially_copyable_v<T>, "accel: what is copied as bytes is trivially copyable");
    using byte = detail::bytes_like<std::remove_all_extents_t<T>>;
    return span<byte>(reinterpret_cast<byte *>(&object), sizeof object);
}

namespace detail
{
template <class> inline constexpr bool is_own_span = false;
template <class T> inline constexpr bool is_own_span<span<T>> = true;
template <class T> inline constexpr bool is_own_span<const span<T>> = true;
} // namespace detail

} // namespace v1
} // namespace accel

#endif
