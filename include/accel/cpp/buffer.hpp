/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of devices, with the type of its elements. */
#ifndef ACCEL_CPP_BUFFER_HPP
#define ACCEL_CPP_BUFFER_HPP

#include <accel/cpp/device.hpp>
#include <accel/cpp/extent.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace accel
{
inline namespace v1
{

class queue;

/* N dimensions of T. Views and wrapped memory are buffers, too. Like a pointer, a const buffer has elements that change. */
template <class T, std::size_t N = 1>
class buffer : public detail::handle<accel_buffer, accel_buffer_retain, accel_buffer_release>
{
    static_assert(
        std::is_trivially_copyable_v<T>,
        "accel: elements of a buffer are copied as bytes between devices: the type must be trivially copyable");
    static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>,
                  "accel: the elements of a buffer have no const or volatile");
    using base = detail::handle<accel_buffer, accel_buffer_retain, accel_buffer_release>;

  public:
    using element = T;

    buffer() noexcept = default;

    /* flags: enum accel_buffer_flag. Memory is not initialised. */
    template <class E = throwing>
    static outcome<buffer, E> create(const device &on, const accel::extent<N> &size, std::uint32_t flags = 0, E = {})
    {
        const accel_buffer_desc desc = describe(size, flags);
        accel_buffer *made = nullptr;
        const accel_status status = accel_buffer_create(on.get(), &desc, &made);
        return detail::finish<E>({status}, buffer(made, size));
    }
    /* Allocated and given back in the order of the queue. */
    template <class E = throwing>
    static outcome<buffer, E> create_async(const queue &in, const accel::extent<N> &size, std::uint32_t flags = 0,
                                           E = {});
    /* The caller's memory, which must outlive the buffer and its work. Pitches are in bytes; 0: rows follow one another. */
    template <class E = throwing>
    static outcome<buffer, E> wrap(const device &on, T *memory, const accel::extent<N> &size,
                                   const accel::extent<N> &pitch = {}, E = {})
    {
        accel_buffer_desc desc = describe(size, 0);
        for (std::size_t d = 0; d < N; ++d)
            desc.pitch[d] = pitch[d];
        accel_buffer *made = nullptr;
        const accel_status status = accel_buffer_wrap(on.get(), memory, &desc, &made);
        return detail::finish<E>({status}, buffer(made, size));
    }
    /* Takes over a reference that the caller owns, if the buffer has elements of T's size in N dimensions. Otherwise the call
     * fails, and the reference stays the caller's. */
    template <class E = throwing> static outcome<buffer, E> adopt(accel_buffer *reference, E = {})
    {
        accel::extent<N> size;
        const detail::failure failed = fits(reference, size);
        return detail::finish<E>(failed, failed.status == ACCEL_OK ? buffer(reference, size) : buffer());
    }
    /* Adds a reference to a borrowed buffer; fails as adopt does. */
    template <class E = throwing> static outcome<buffer, E> share(accel_buffer *borrowed, E = {})
    {
        accel::extent<N> size;
        const detail::failure failed = fits(borrowed, size);
        return detail::finish<E>(failed,
                                 failed.status == ACCEL_OK ? buffer(accel_buffer_retain(borrowed), size) : buffer());
    }
    /* Another owner of the same buffer. */
    [[nodiscard]] buffer share() const noexcept
    {
        return buffer(this->another(), size_);
    }

    /* A part of the buffer, which it keeps alive. */
    template <class E = throwing>
    outcome<buffer, E> view(const accel::extent<N> &offset, const accel::extent<N> &size, E = {}) const
    {
        accel_buffer *made = nullptr;
        const accel_status status = accel_buffer_view(this->get(), offset.data(), size.data(), &made);
        return detail::finish<E>({status}, buffer(made, size));
    }

    /* The address of the first element for kernels of the device, to be put into argument structs. */
    T *ptr() const noexcept
    {
        return static_cast<T *>(accel_buffer_ptr(this->get()));
    }
    /* Elements per dimension; of an empty (moved-from) buffer all 0. */
    accel::extent<N> size() const noexcept
    {
        return this->get() != nullptr ? size_ : accel::extent<N>();
    }
    /* Elements in all. */
    std::size_t count() const noexcept
    {
        return size().count();
    }
    template <class E = throwing> outcome<accel_buffer_properties, E> info(E = {}) const
    {
        accel_buffer_properties about = ACCEL_BUFFER_PROPERTIES_INIT;
        const accel_status status = accel_buffer_info(this->get(), &about);
        return detail::finish<E>({status}, std::move(about));
    }

  private:
    buffer(accel_buffer *reference, const accel::extent<N> &size) noexcept : base(reference), size_(size)
    {
    }
    static accel_buffer_desc describe(const accel::extent<N> &size, std::uint32_t flags) noexcept
    {
        accel_buffer_desc desc = ACCEL_BUFFER_DESC_INIT;
        desc.flags = flags;
        desc.element_size = sizeof(T);
        desc.dims = static_cast<std::uint32_t>(N);
        for (std::size_t d = 0; d < N; ++d)
            desc.extent[d] = size[d];
        return desc;
    }
    static detail::failure fits(const accel_buffer *given, accel::extent<N> &size) noexcept
    {
        accel_buffer_properties about = ACCEL_BUFFER_PROPERTIES_INIT;
        const accel_status status = accel_buffer_info(given, &about);
        if (status != ACCEL_OK)
            return {status};
        if (about.element_size != sizeof(T) || about.dims != N)
            return detail::refuse(
                ACCEL_INVALID,
                "accel::buffer: the buffer has elements of %zu bytes in %u dimensions, not of %zu bytes in "
                "%zu; name its own element type and dimensions",
                about.element_size, static_cast<unsigned>(about.dims), sizeof(T), N);
        for (std::size_t d = 0; d < N; ++d)
            size[d] = about.extent[d];
        return {};
    }

    accel::extent<N> size_;
};

} // namespace v1
} // namespace accel

#endif
