/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel libraries, and kernels with the type of their arguments. */
#ifndef ACCEL_CPP_KERNEL_HPP
#define ACCEL_CPP_KERNEL_HPP

#include <accel/cpp/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace accel
{
inline namespace v1
{
namespace detail
{
/* Shapes as the C API wants them; a number is one dimension. */
template <class Over> constexpr auto shape_of(const Over &over) noexcept
{
    static_assert(std::is_constructible_v<decltype(extent(over)), const Over &>);
    return extent(over);
}
} // namespace detail

/* A kernel that takes an Args; kernel<> is one without arguments. */
template <class Args = accel_no_args>
class kernel : public detail::handle<accel_kernel, accel_kernel_retain, accel_kernel_release>
{
    static_assert(
        std::is_trivially_copyable_v<Args> && std::is_standard_layout_v<Args>,
        "accel: the argument struct of a kernel is passed to the device as bytes: it must be plain data, trivially "
        "copyable and of standard layout");
    static_assert(sizeof(Args) <= 4096, "accel: the argument struct of a kernel has at most 4096 bytes");
    using base = detail::handle<accel_kernel, accel_kernel_retain, accel_kernel_release>;

  public:
    using arguments = Args;

    kernel() noexcept = default;

    /* Takes over a reference that the caller owns, if the kernel's own argument struct has the size and alignment of Args.
     * Otherwise the call fails, and the reference stays the caller's. */
    template <class E = throwing> static outcome<kernel, E> adopt(accel_kernel *reference, E = {})
    {
        const detail::failure failed = fits(reference);
        return detail::finish<E>(failed, kernel(failed.status == ACCEL_OK ? reference : nullptr));
    }
    /* Adds a reference to a borrowed kernel; fails as adopt does. */
    template <class E = throwing> static outcome<kernel, E> share(accel_kernel *borrowed, E = {})
    {
        const detail::failure failed = fits(borrowed);
        return detail::finish<E>(failed, kernel(failed.status == ACCEL_OK ? accel_kernel_retain(borrowed) : nullptr));
    }
    /* Another owner of the same kernel. */
    [[nodiscard]] kernel share() const noexcept
    {
        return kernel(this->another());
    }

    template <class E = throwing> outcome<accel_kernel_properties, E> info(E = {}) const
    {
        accel_kernel_properties about = ACCEL_KERNEL_PROPERTIES_INIT;
        const accel_status status = accel_kernel_info(this->get(), &about);
        return detail::finish<E>({status}, std::move(about));
    }
    /* A division of `over`, a number or an extent, that suits kernel and device. */
    template <class Over, class E = throwing>
    outcome<accel_work, E> divide(const Over &over, const accel_divide_desc &wish = ACCEL_DIVIDE_DESC_INIT,
                                  E = {}) const
    {
        const auto shape = detail::shape_of(over);
        accel_work work = ACCEL_WORK_INIT;
        const accel_status status =
            accel_work_divide(this->get(), static_cast<std::uint32_t>(shape.dims()), shape.data(), &wish, &work);
        return detail::finish<E>({status}, std::move(work));
    }
    template <class E = throwing> outcome<void *, E> native(E = {}) const
    {
        void *found = nullptr;
        const accel_status status = accel_kernel_native(this->get(), &found);
        return detail::finish<E>({status}, std::move(found));
    }

  private:
    explicit kernel(accel_kernel *reference) noexcept : base(reference)
    {
    }
    static detail::failure fits(const accel_kernel *given) noexcept
    {
        accel_kernel_properties about = ACCEL_KERNEL_PROPERTIES_INIT;
        const accel_status status = accel_kernel_info(given, &about);
        if (status != ACCEL_OK)
            return {status};
        constexpr bool none = std::is_same_v<Args, accel_no_args>;
        const std::size_t size = none ? 0 : sizeof(Args), align = none ? about.args_align : alignof(Args);
        if (about.args_size != size || about.args_align != align)
            return detail::refuse(
                ACCEL_INVALID,
                "accel::kernel: kernel \"%s\" takes %zu bytes of arguments aligned to %zu, but the struct "
                "given for them has %zu aligned to %zu; name the kernel's own struct, and build host and "
                "kernel with the same header",
                about.name, about.args_size, about.args_align, size, align);
        return {};
    }
};

/* A kernel library loaded for a device. (A line that begins with the word module means C++20's modules: there, write
 * accel::module or auto.) */
class module : public detail::object<module, accel_module, accel_module_retain, accel_module_release>
{
  public:
    /* The best object of library `name` that the device can run. */
    template <class E = throwing> static outcome<module, E> load(const device &on, const char *name, E = {})
    {
        accel_module *made = nullptr;
        const accel_status status = accel_module_load(on.get(), name, &made);
        return detail::finish<E>({status}, adopt(made));
    }
    /* This object, without a choice. */
    template <class E = throwing> static outcome<module, E> load_file(const device &on, const char *path, E = {})
    {
        accel_module *made = nullptr;
        const accel_status status = accel_module_load_file(on.get(), path, &made);
        return detail::finish<E>({status}, adopt(made));
    }
    /* The best object of a bundle that is linked into the program. */
    template <class E = throwing>
    static outcome<module, E> load_bundle(const device &on, const accel_bundle &bundle, E = {})
    {
        accel_module *made = nullptr;
        const accel_status status = accel_module_load_bundle(on.get(), &bundle, &made);
        return detail::finish<E>({status}, adopt(made));
    }

    /* The kernel called `name`; Args is its argument struct, whose size and alignment are compared with the kernel's own. */
    template <class Args = accel_no_args, class E = throwing>
    outcome<accel::kernel<Args>, E> kernel(const char *name, E = {}) const
    {
        accel_kernel *found = nullptr;
        const accel_status status = accel_module_kernel(get(), name, &found);
        if (status != ACCEL_OK)
            return detail::finish<E>({status}, accel::kernel<Args>());
        return accel::kernel<Args>::share(found, E{});
    }
    /* The memory of a device global or constant, as bytes: queue.write(module.global("weights"), accel::bytes_of(weights)). */
    template <class E = throwing> outcome<buffer<std::byte>, E> global(const char *name, E = {}) const
    {
        accel_buffer *found = nullptr;
        const accel_status status = accel_module_global(get(), name, &found);
        if (status != ACCEL_OK)
            return detail::finish<E>({status}, buffer<std::byte>());
        return buffer<std::byte>::adopt(found, E{});
    }
    template <class E = throwing> outcome<void *, E> native(E = {}) const
    {
        void *found = nullptr;
        const accel_status status = accel_module_native(get(), &found);
        return detail::finish<E>({status}, std::move(found));
    }
};

} // namespace v1
} // namespace accel

#endif
