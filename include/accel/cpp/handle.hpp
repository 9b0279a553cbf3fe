/* SPDX-License-Identifier: Apache-2.0 */
/* One reference to an object of accel.h: what every class of accel.hpp is made of. */
#ifndef ACCEL_CPP_HANDLE_HPP
#define ACCEL_CPP_HANDLE_HPP

#include <accel/cpp/error.hpp>

#include <utility>

namespace accel
{
inline namespace v1
{
namespace detail
{
/* Empty (NULL), or the owner of one reference. As large as a pointer. */
template <class C, C *(*Retain)(C *), void (*Release)(C *)> class handle
{
  public:
    handle() noexcept = default;
    handle(handle &&other) noexcept : handle_(std::exchange(other.handle_, nullptr))
    {
    }
    handle &operator=(handle &&other) noexcept
    {
        C *old = std::exchange(handle_, std::exchange(other.handle_, nullptr));
        if (old != nullptr)
            Release(old);
        return *this;
    }
    handle(const handle &) = delete;
    handle &operator=(const handle &) = delete;
    ~handle()
    {
        if (handle_ != nullptr)
            Release(handle_);
    }

    /* The C object, for calls of accel.h; this stays its owner. NULL if empty. */
    C *get() const noexcept
    {
        return handle_;
    }
    explicit operator bool() const noexcept
    {
        return handle_ != nullptr;
    }
    /* Gives the reference to the caller, who owes an accel_X_release. This is empty then. (It is not called release, which
     * gives a reference back everywhere in accel.h.) */
    [[nodiscard]] C *detach() noexcept
    {
        return std::exchange(handle_, nullptr);
    }
    /* Gives the reference back now. */
    void reset() noexcept
    {
        Release(std::exchange(handle_, nullptr));
    }

  protected:
    explicit handle(C *reference) noexcept : handle_(reference)
    {
    }
    C *another() const noexcept
    {
        return Retain(handle_);
    }

  private:
    C *handle_ = nullptr;
};

/* The constructors of a class that is nothing but a handle. */
template <class Object, class C, C *(*Retain)(C *), void (*Release)(C *)>
class object : public handle<C, Retain, Release>
{
  public:
    /* Takes over a reference that the caller owns. */
    [[nodiscard]] static Object adopt(C *reference) noexcept
    {
        Object made;
        static_cast<handle<C, Retain, Release> &>(made) = handle_of(reference);
        return made;
    }
    /* Adds a reference to a borrowed object. */
    [[nodiscard]] static Object share(C *borrowed) noexcept
    {
        return adopt(Retain(borrowed));
    }
    /* Another owner of the same object. */
    [[nodiscard]] Object share() const noexcept
    {
        return adopt(this->another());
    }

  private:
    struct handle_of : handle<C, Retain, Release> {
        explicit handle_of(C *reference) noexcept : handle<C, Retain, Release>(reference)
        {
        }
    };
};
} // namespace detail
} // namespace v1
} // namespace accel

#endif
