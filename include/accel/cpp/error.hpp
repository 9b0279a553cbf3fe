/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How calls of accel.hpp fail: with an exception of type accel::error, or, where std::nothrow is their last argument, with
 * an accel::result that the caller asks.
 */
#ifndef ACCEL_CPP_ERROR_HPP
#define ACCEL_CPP_ERROR_HPP

#include <accel/accel.h>

#include <cstdarg>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define ACCEL_CPP_EXCEPTIONS 1
#else
#define ACCEL_CPP_EXCEPTIONS 0
#endif

#if defined(__GNUC__)
#define ACCEL_CPP_COLD __attribute__((cold, noinline))
#define ACCEL_CPP_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define ACCEL_CPP_COLD
#define ACCEL_CPP_FORMAT(text, first)
#endif

namespace accel
{
inline namespace v1
{

/* What a call throws. what() is libaccel's text: it names the operation, the object, the value and the remedy. */
class ACCEL_API error : public std::runtime_error
{
  public:
    error(accel_status status, const char *text)
        : std::runtime_error(*text != '\0' ? text : accel_status_name(status)), status_(status)
    {
    }
    accel_status status() const noexcept
    {
        return status_;
    }

  private:
    accel_status status_;
};

/* The default of every call's last parameter; std::nothrow is the other value. */
struct throwing {
};

namespace detail
{
template <class> inline constexpr bool never = false;
template <class E>
inline constexpr bool is_errors = std::is_same_v<E, throwing> || std::is_same_v<std::remove_cv_t<E>, std::nothrow_t>;

/* A failure and its text; a NULL text is accel_error_message()'s. */
struct failure {
    accel_status status = ACCEL_OK;
    const char *text = nullptr;

    const char *message() const noexcept
    {
        return status == ACCEL_OK ? "" : text != nullptr ? text : accel_error_message();
    }
};

/* What this layer itself refuses. The text lives until the thread's next refusal. */
ACCEL_CPP_FORMAT(2, 3) ACCEL_CPP_COLD inline failure refuse(accel_status status, const char *format, ...) noexcept
{
    static thread_local char text[320];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return {status, text};
}

/* A template, so that a file without exceptions may hold calls that could throw but are never made. */
template <class E> [[noreturn]] ACCEL_CPP_COLD void raise(failure failed)
{
#if ACCEL_CPP_EXCEPTIONS
    throw error(failed.status, failed.message());
#else
    (void)failed;
    static_assert(never<E>,
                  "accel: this file is compiled without exceptions: give std::nothrow as the last argument of "
                  "every call that can fail, and ask its result");
#endif
}
template <class E> [[noreturn]] ACCEL_CPP_COLD void raise_status(accel_status status)
{
    raise<E>({status});
}
} // namespace detail

/* What a call with std::nothrow returns: a value, or a failure. message() is valid until the thread's next failed call. */
template <class T> class [[nodiscard]] result
{
  public:
    result(T &&value) noexcept : value_(std::move(value))
    {
    }
    result(detail::failure failed) noexcept : failed_(failed)
    {
    }
    bool has_value() const noexcept
    {
        return failed_.status == ACCEL_OK;
    }
    explicit operator bool() const noexcept
    {
        return has_value();
    }
    accel_status status() const noexcept
    {
        return failed_.status;
    }
    const char *message() const noexcept
    {
        return failed_.message();
    }
    /* The value, of a result that has one. Without one it is empty: a handle that is NULL, a number that is 0. */
    T &operator*() &noexcept
    {
        return value_;
    }
    T &&operator*() &&noexcept
    {
        return std::move(value_);
    }
    const T &operator*() const &noexcept
    {
        return value_;
    }
    T *operator->() noexcept
    {
        return &value_;
    }
    const T *operator->() const noexcept
    {
        return &value_;
    }
    /* The value, or an exception. */
    template <class E = throwing> T &value() &
    {
        if (!has_value())
            detail::raise<E>(failed_);
        return value_;
    }
    template <class E = throwing> const T &value() const &
    {
        if (!has_value())
            detail::raise<E>(failed_);
        return value_;
    }
    template <class E = throwing> T value() &&
    {
        if (!has_value())
            detail::raise<E>(failed_);
        return std::move(value_);
    }

  private:
    T value_{};
    detail::failure failed_;
};

template <> class [[nodiscard]] result<void>
{
  public:
    result() noexcept = default;
    result(detail::failure failed) noexcept : failed_(failed)
    {
    }
    bool has_value() const noexcept
    {
        return failed_.status == ACCEL_OK;
    }
    explicit operator bool() const noexcept
    {
        return has_value();
    }
    accel_status status() const noexcept
    {
        return failed_.status;
    }
    const char *message() const noexcept
    {
        return failed_.message();
    }
    template <class E = throwing> void value() const
    {
        if (!has_value())
            detail::raise<E>(failed_);
    }

  private:
    detail::failure failed_;
};

namespace detail
{
template <class T, class E> struct outcome_of {
    static_assert(never<E>, "accel: the last argument says how the call fails: std::nothrow, or none for an exception");
};
template <class T> struct outcome_of<T, throwing> {
    using type = T;
};
template <class T> struct outcome_of<T, std::nothrow_t> {
    using type = result<T>;
};

/* The end of a call that gives a value. */
template <class E, class T> inline typename outcome_of<T, E>::type finish(failure failed, T &&value)
{
    static_assert(!std::is_reference_v<T>, "accel: a value is moved into its result");
    if constexpr (std::is_same_v<E, throwing>) {
        if (failed.status != ACCEL_OK)
            raise<E>(failed);
        return std::move(value);
    } else {
        if (failed.status != ACCEL_OK)
            return failed;
        return std::move(value);
    }
}

/* The end of one that gives none. */
template <class E> inline typename outcome_of<void, E>::type finish(failure failed)
{
    if constexpr (std::is_same_v<E, throwing>) {
        if (failed.status != ACCEL_OK)
            raise<E>(failed);
    } else {
        return failed;
    }
}

/* The same with the status alone, which compilers test where the C call left it. */
template <class E> inline typename outcome_of<void, E>::type finish(accel_status status)
{
    if constexpr (std::is_same_v<E, throwing>) {
        if (status != ACCEL_OK)
            raise_status<E>(status);
    } else {
        return failure{status};
    }
}
} // namespace detail

/* What a call that is told by E how to fail returns: T, or result<T>. */
template <class T, class E> using outcome = typename detail::outcome_of<T, E>::type;

} // namespace v1
} // namespace accel

#endif
