/* SPDX-License-Identifier: Apache-2.0 */
/* Names for tools: regions of threads, and objects. */
#ifndef ACCEL_CPP_REGION_HPP
#define ACCEL_CPP_REGION_HPP

#include <accel/cpp/buffer.hpp>
#include <accel/cpp/event.hpp>
#include <accel/cpp/kernel.hpp>
#include <accel/cpp/queue.hpp>

#include <cstdint>

namespace accel
{
inline namespace v1
{

/* A named region of the calling thread, from here to the end of the scope. Throws nothing: without a name there is none. */
class region
{
  public:
    explicit region(const char *name) noexcept : open(accel_region_push(name) == ACCEL_OK)
    {
    }
    ~region()
    {
        if (open)
            accel_region_pop();
    }
    region(const region &) = delete;
    region &operator=(const region &) = delete;

  private:
    bool open;
};

namespace detail
{
constexpr std::uint32_t kind_of(const accel_device *)
{
    return ACCEL_OBJECT_DEVICE;
}
constexpr std::uint32_t kind_of(const accel_queue *)
{
    return ACCEL_OBJECT_QUEUE;
}
constexpr std::uint32_t kind_of(const accel_event *)
{
    return ACCEL_OBJECT_EVENT;
}
constexpr std::uint32_t kind_of(const accel_buffer *)
{
    return ACCEL_OBJECT_BUFFER;
}
constexpr std::uint32_t kind_of(const accel_module *)
{
    return ACCEL_OBJECT_MODULE;
}
constexpr std::uint32_t kind_of(const accel_kernel *)
{
    return ACCEL_OBJECT_KERNEL;
}
} // namespace detail

/* The name that tools show for a device, queue, event, buffer, module or kernel. */
template <class Object, class E = throwing> outcome<void, E> set_name(const Object &object, const char *name, E = {})
{
    return detail::finish<E>(accel_object_name(detail::kind_of(object.get()), object.get(), name));
}

} // namespace v1
} // namespace accel

#endif
