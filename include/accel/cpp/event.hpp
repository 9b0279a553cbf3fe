/* SPDX-License-Identifier: Apache-2.0 */
/* Points in queues, or of the program. */
#ifndef ACCEL_CPP_EVENT_HPP
#define ACCEL_CPP_EVENT_HPP

#include <accel/cpp/device.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace accel
{
inline namespace v1
{

class event : public detail::object<event, accel_event, accel_event_retain, accel_event_release>
{
  public:
    /* flags: enum accel_event_flag. On the host's device: a host event, for arm and signal. */
    template <class E = throwing> static outcome<event, E> create(const device &on, std::uint32_t flags = 0, E = {})
    {
        accel_event_desc desc = ACCEL_EVENT_DESC_INIT;
        desc.flags = flags;
        accel_event *made = nullptr;
        const accel_status status = accel_event_create(on.get(), &desc, &made);
        return detail::finish<E>({status}, adopt(made));
    }

    template <class E = throwing> outcome<bool, E> is_complete(E = {}) const
    {
        bool yes = false;
        const accel_status status = accel_event_is_complete(get(), &yes);
        return detail::finish<E>({status}, std::move(yes));
    }
    /* Blocks until the latest record is complete, and reports the failure that it carries. */
    template <class E = throwing> outcome<void, E> wait(E = {}) const
    {
        return detail::finish<E>(accel_event_wait(get()));
    }
    template <class E = throwing> outcome<void, E> arm(E = {}) const
    {
        return detail::finish<E>(accel_event_arm(get()));
    }
    template <class E = throwing> outcome<void, E> signal(accel_status status = ACCEL_OK, E = {}) const
    {
        return detail::finish<E>(accel_event_signal(get(), status));
    }
    template <class E = throwing> outcome<void *, E> native(E = {}) const
    {
        void *found = nullptr;
        const accel_status status = accel_event_native(get(), &found);
        return detail::finish<E>({status}, std::move(found));
    }
};

/* From start to end, never negative. Both events have ACCEL_EVENT_TIMING and are complete. */
template <class E = throwing> outcome<std::chrono::nanoseconds, E> elapsed(const event &start, const event &end, E = {})
{
    std::uint64_t nanoseconds = 0;
    const accel_status status = accel_event_elapsed(start.get(), end.get(), &nanoseconds);
    return detail::finish<E>({status}, std::chrono::nanoseconds(nanoseconds));
}

} // namespace v1
} // namespace accel

#endif
