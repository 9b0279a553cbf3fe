/* SPDX-License-Identifier: Apache-2.0 */
/* The library, opened, and its devices. */
#ifndef ACCEL_CPP_DEVICE_HPP
#define ACCEL_CPP_DEVICE_HPP

#include <accel/cpp/handle.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace accel
{
inline namespace v1
{

struct device_memory {
    std::size_t free_bytes = 0, total_bytes = 0;
};

namespace detail
{
/* A callable behind accel_object_visitor. What it throws waits here until the visit is over. */
template <class F> struct visit {
    F &visitor;
#if ACCEL_CPP_EXCEPTIONS
    std::exception_ptr thrown{};
#endif
    static bool see(void *user, const accel_object_properties *properties)
    {
        visit *self = static_cast<visit *>(user);
#if ACCEL_CPP_EXCEPTIONS
        try {
            return self->visitor(*properties);
        } catch (...) {
            self->thrown = std::current_exception();
            return false;
        }
#else
        return self->visitor(*properties);
#endif
    }
};
} // namespace detail

/* Something that runs kernels, or the host's memory. */
class device : public detail::object<device, accel_device, accel_device_retain, accel_device_release>
{
  public:
    template <class E = throwing> outcome<accel_device_properties, E> info(E = {}) const
    {
        accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
        const accel_status status = accel_device_info(get(), &about);
        return detail::finish<E>({status}, std::move(about));
    }
    template <class E = throwing> outcome<device_memory, E> memory(E = {}) const
    {
        device_memory bytes;
        const accel_status status = accel_device_memory(get(), &bytes.free_bytes, &bytes.total_bytes);
        return detail::finish<E>({status}, std::move(bytes));
    }
    /* Makes sub-devices, up to `capacity` of them, and returns how many there are. */
    template <class E = throwing>
    outcome<std::size_t, E> partition(const accel_partition_desc &desc, device *devices, std::size_t capacity,
                                      E = {}) const
    {
        std::size_t count = 0;
        accel_status status = accel_device_partition(get(), &desc, nullptr, 0, &count);
        accel_device **made = nullptr;
        if (status == ACCEL_OK && capacity != 0) {
            made = new (std::nothrow) accel_device *[capacity]();
            if (made == nullptr)
                return detail::finish<E>(detail::refuse(ACCEL_OUT_OF_MEMORY,
                                                        "accel::device::partition: no memory for %zu handles",
                                                        capacity),
                                         std::size_t{0});
            status = accel_device_partition(get(), &desc, made, capacity, &count);
            for (std::size_t i = 0; status == ACCEL_OK && i < count && i < capacity; ++i)
                devices[i] = adopt(made[i]);
            delete[] made;
        }
        return detail::finish<E>({status}, std::move(count));
    }
    /* May kernels of this device use pointers to the peer's memory? */
    template <class E = throwing> outcome<bool, E> can_access(const device &peer, E = {}) const
    {
        bool yes = false;
        const accel_status status = accel_device_can_access(get(), peer.get(), &yes);
        return detail::finish<E>({status}, std::move(yes));
    }
    /* Waits for all queues that this instance has on the device. */
    template <class E = throwing> outcome<void, E> wait(E = {}) const
    {
        return detail::finish<E>(accel_device_wait(get()));
    }
    /* Shows every object of the library (NULL: of all) on the kernel path to `visitor`, a function of `const
     * accel_object_properties &` that returns whether to go on. What it throws ends the visit and comes out here. */
    template <class F, class E = throwing>
    outcome<void, E> visit_objects(const char *library, F &&visitor, E = {}) const
    {
        detail::visit<std::remove_reference_t<F>> visit{visitor};
        const accel_status status = accel_device_visit_objects(get(), library, visit.see, &visit);
#if ACCEL_CPP_EXCEPTIONS
        if (visit.thrown)
            std::rethrow_exception(visit.thrown);
#endif
        return detail::finish<E>(status);
    }
    template <class E = throwing> outcome<void *, E> native(E = {}) const
    {
        void *found = nullptr;
        const accel_status status = accel_device_native(get(), &found);
        return detail::finish<E>({status}, std::move(found));
    }
};

/* What an instance may be told; members are as in accel_instance_desc. */
struct instance_options {
    const char *backends = nullptr;
    const char *devices = nullptr;
    const char *plugin_path = nullptr;
    const char *kernel_path = nullptr;
    std::uint32_t flags = 0; /* enum accel_instance_flag */
};

/* The library, opened: backends, devices, configuration. */
class instance : public detail::object<instance, accel_instance, accel_instance_retain, accel_instance_release>
{
  public:
    template <class E = throwing> static outcome<instance, E> create(const instance_options &options = {}, E = {})
    {
        accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
        desc.flags = options.flags;
        desc.backends = options.backends;
        desc.devices = options.devices;
        desc.plugin_path = options.plugin_path;
        desc.kernel_path = options.kernel_path;
        accel_instance *made = nullptr;
        const accel_status status = accel_instance_create(&desc, &made);
        return detail::finish<E>({status}, adopt(made));
    }

    std::size_t backend_count() const noexcept
    {
        return accel_instance_backend_count(get());
    }
    template <class E = throwing> outcome<accel_backend_properties, E> backend(std::size_t index, E = {}) const
    {
        accel_backend_properties about = ACCEL_BACKEND_PROPERTIES_INIT;
        const accel_status status = accel_instance_backend_info(get(), index, &about);
        return detail::finish<E>({status}, std::move(about));
    }
    /* One row of the configuration; ACCEL_NOT_FOUND past the end. */
    template <class E = throwing> outcome<accel_config_properties, E> config(std::size_t index, E = {}) const
    {
        accel_config_properties about = ACCEL_CONFIG_PROPERTIES_INIT;
        const accel_status status = accel_instance_config(get(), index, &about);
        return detail::finish<E>({status}, std::move(about));
    }
    const char *kernel_path() const noexcept
    {
        return accel_instance_kernel_path(get());
    }

    std::size_t device_count() const noexcept
    {
        return accel_instance_device_count(get());
    }
    /* Empty past the end. */
    accel::device device(std::size_t index) const noexcept
    {
        return accel::device::share(accel_instance_device(get(), index));
    }
    /* By name: "cuda:1", "cuda", "host"; NULL is the first device of all. */
    template <class E = throwing> outcome<accel::device, E> find_device(const char *name = nullptr, E = {}) const
    {
        accel_device *found = nullptr;
        const accel_status status = accel_instance_find_device(get(), name, &found);
        return detail::finish<E>({status}, accel::device::share(found));
    }
    /* The host's memory: for buffers, copies and host events. */
    accel::device host() const noexcept
    {
        return accel::device::share(accel_instance_host(get()));
    }

    /* for (accel::device device : instance.devices()) */
    class device_range
    {
      public:
        class iterator
        {
          public:
            iterator(accel_instance *of, std::size_t index) noexcept : of_(of), index_(index)
            {
            }
            accel::device operator*() const noexcept
            {
                return accel::device::share(accel_instance_device(of_, index_));
            }
            iterator &operator++() noexcept
            {
                ++index_;
                return *this;
            }
            bool operator!=(const iterator &other) const noexcept
            {
                return index_ != other.index_;
            }

          private:
            accel_instance *of_;
            std::size_t index_;
        };
        explicit device_range(accel_instance *of) noexcept : of_(of)
        {
        }
        iterator begin() const noexcept
        {
            return {of_, 0};
        }
        iterator end() const noexcept
        {
            return {of_, accel_instance_device_count(of_)};
        }

      private:
        accel_instance *of_;
    };
    /* The devices of all usable backends, in order of preference. The range lives as long as the instance. */
    device_range devices() const noexcept
    {
        return device_range(get());
    }
};

} // namespace v1
} // namespace accel

#endif
