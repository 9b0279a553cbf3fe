/* SPDX-License-Identifier: Apache-2.0 */
/* Scatters: cells that threads of kernels add to (accel/pattern.h). */
#ifndef ACCEL_CPP_SCATTER_HPP
#define ACCEL_CPP_SCATTER_HPP

#include <accel/cpp/queue.hpp>
#include <accel/pattern.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace accel
{
inline namespace v1
{

/* T is the type of the cells, as in ACCEL_SCATTER(name, T, reducer). */
template <class T>
class scatter : public detail::object<scatter<T>, accel_scatter, accel_scatter_retain, accel_scatter_release>
{
  public:
    /* `count` cells, for kernels of the module that open scatters of this name. copies: 0 lets the device choose. */
    template <class E = throwing>
    static outcome<scatter, E> create(const queue &in, const module &of, const char *name, std::size_t count,
                                      std::uint32_t copies = 0, E = {})
    {
        accel_scatter_desc desc = ACCEL_SCATTER_DESC_INIT;
        desc.copies = copies;
        accel_kernel_properties about = ACCEL_KERNEL_PROPERTIES_INIT;
        accel_kernel *kernel = nullptr;
        accel_scatter *made = nullptr;
        accel_status status = accel_module_kernel(of.get(), name, &kernel);
        if (status == ACCEL_OK)
            status = accel_kernel_info(kernel, &about);
        if (status == ACCEL_OK && about.pattern == ACCEL_PATTERN_SCATTER && about.element_size != sizeof(T))
            return detail::finish<E>(
                detail::refuse(ACCEL_INVALID,
                               "accel::scatter: the cells of \"%s\" have %zu bytes, the type given for them has %zu; "
                               "name the type of ACCEL_SCATTER",
                               about.name, about.element_size, sizeof(T)),
                scatter());
        if (status == ACCEL_OK)
            status = accel_scatter_create(in.get(), kernel, count, &desc, &made);
        return detail::finish<E>({status}, scatter::adopt(made));
    }

    template <class E = throwing> outcome<accel_scatter_properties, E> info(E = {}) const
    {
        accel_scatter_properties about = ACCEL_SCATTER_PROPERTIES_INIT;
        const accel_status status = accel_scatter_info(this->get(), &about);
        return detail::finish<E>({status}, std::move(about));
    }
    /* For the arguments of kernels. */
    template <class E = throwing> outcome<accel_scatter_view, E> view(E = {}) const
    {
        accel_scatter_properties about = ACCEL_SCATTER_PROPERTIES_INIT;
        const accel_status status = accel_scatter_info(this->get(), &about);
        return detail::finish<E>({status}, std::move(about.view));
    }
    /* Joins the cells to the target, and resets them, in the queue's order. */
    template <class E = throwing> outcome<void, E> contribute(const queue &in, const buffer<T> &target, E = {}) const
    {
        return detail::finish<E>(accel_scatter_contribute(in.get(), this->get(), target.get()));
    }
    /* accel_scatter_reset; the name reset gives the reference back. */
    template <class E = throwing> outcome<void, E> clear(const queue &in, E = {}) const
    {
        return detail::finish<E>(accel_scatter_reset(in.get(), this->get()));
    }
};

} // namespace v1
} // namespace accel

#endif
