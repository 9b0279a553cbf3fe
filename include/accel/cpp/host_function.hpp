/* SPDX-License-Identifier: Apache-2.0 */
/* A callable on its way through a queue. */
#ifndef ACCEL_CPP_HOST_FUNCTION_HPP
#define ACCEL_CPP_HOST_FUNCTION_HPP

#include <accel/cpp/error.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace accel
{
inline namespace v1
{
namespace detail
{
template <class F>
inline constexpr bool is_host_function = std::is_invocable_v<F &, accel_status> || std::is_invocable_v<F &>;

/*
 * The callable, owned by the call and by the one who submitted it: only the submitter knows whether the call was refused, and
 * a refused call may have run the function all the same (on a blocking queue). The callable itself is destroyed as soon as
 * it has run, on the thread that ran it, or by the submitter if it never will.
 */
template <class F> class host_function
{
  public:
    template <class G> explicit host_function(G &&callable)
    {
        new (storage_) F(std::forward<G>(callable));
    }
    host_function(const host_function &) = delete;
    host_function &operator=(const host_function &) = delete;

    /* An accel_host_fn. noexcept: what the callable throws ends the program (std::terminate), as it does in a std::thread.
     * A queue cannot be made to fail by its host function, so whatever follows would compute with what is not there. */
    static void run(void *user, accel_status status) noexcept
    {
        host_function *self = static_cast<host_function *>(user);
        self->ran_.store(true, std::memory_order_relaxed);
        if constexpr (std::is_invocable_v<F &, accel_status>)
            (void)self->callable()(status);
        else
            (void)self->callable()();
        self->callable().~F();
        self->drop();
    }
    /* The submitter's part, with what the submitting call returned. */
    void submitted(accel_status status) noexcept
    {
        if (status != ACCEL_OK && !ran_.load(std::memory_order_relaxed)) { /* nobody else has it */
            callable().~F();
            delete this;
        } else {
            drop();
        }
    }

  private:
    ~host_function() = default;
    F &callable() noexcept
    {
        return *std::launder(reinterpret_cast<F *>(storage_));
    }
    void drop() noexcept
    {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete this;
    }

    alignas(F) unsigned char storage_[sizeof(F)];
    std::atomic<std::uint32_t> owners_{2};
    std::atomic<bool> ran_{false};
};
} // namespace detail
} // namespace v1
} // namespace accel

#endif
