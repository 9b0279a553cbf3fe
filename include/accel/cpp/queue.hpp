/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in order: copies, launches, host functions. */
#ifndef ACCEL_CPP_QUEUE_HPP
#define ACCEL_CPP_QUEUE_HPP

#include <accel/cpp/buffer.hpp>
#include <accel/cpp/event.hpp>
#include <accel/cpp/host_function.hpp>
#include <accel/cpp/kernel.hpp>
#include <accel/cpp/span.hpp>
#include <accel/cpp/value_type.hpp>
#include <accel/pattern.h>

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

/* What a sort may be told; members are as in accel_sort_desc. */
struct sort_options {
    std::uint32_t flags = 0; /* enum accel_sort_flag */
    std::uint32_t first_bit = 0, bit_count = 0;
};

/* What a product of matrices may be told; members are as in accel_gemm_desc. */
struct gemm_options {
    std::uint32_t flags = 0; /* enum accel_gemm_flag */
};

/* What a queue may be told; members are as in accel_queue_desc. */
struct queue_options {
    std::uint32_t flags = 0; /* enum accel_queue_flag */
    std::int32_t priority = 0;
};

namespace detail
{
/* Is this type the last argument of a call, and none before it? */
template <class E> using if_errors = std::enable_if_t<is_errors<E>, int>;
template <class X> using unless_errors = std::enable_if_t<!is_errors<X>, int>;
/* X, without telling the compiler what X is: braces and conversions work. */
template <class X> using same = std::enable_if_t<!std::is_void_v<X>, X>;
} // namespace detail

class queue : public detail::object<queue, accel_queue, accel_queue_retain, accel_queue_release>
{
  public:
    template <class E = throwing>
    static outcome<queue, E> create(const accel::device &on, const queue_options &options = {}, E = {})
    {
        accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
        desc.flags = options.flags;
        desc.priority = options.priority;
        accel_queue *made = nullptr;
        const accel_status status = accel_queue_create(on.get(), &desc, &made);
        return detail::finish<E>({status}, adopt(made));
    }
    /* A queue on the caller's stream. */
    template <class E = throwing> static outcome<queue, E> wrap(const accel::device &on, void *native, E = {})
    {
        accel_queue *made = nullptr;
        const accel_status status = accel_queue_wrap(on.get(), native, &made);
        return detail::finish<E>({status}, adopt(made));
    }
    accel::device device() const noexcept
    {
        return accel::device::share(accel_queue_device(get()));
    }
    template <class E = throwing> outcome<void *, E> native(E = {}) const
    {
        void *found = nullptr;
        const accel_status status = accel_queue_native(get(), &found);
        return detail::finish<E>({status}, std::move(found));
    }

    /* Blocks until everything submitted before is complete; reports the queue's first failure and clears it. */
    template <class E = throwing> outcome<void, E> wait(E = {}) const
    {
        return detail::finish<E>(accel_queue_wait(get()));
    }
    template <class E = throwing> outcome<bool, E> is_idle(E = {}) const
    {
        bool yes = false;
        const accel_status status = accel_queue_is_idle(get(), &yes);
        return detail::finish<E>({status}, std::move(yes));
    }
    /* The event is complete when everything submitted before is. */
    template <class E = throwing> outcome<void, E> record(const event &at, E = {}) const
    {
        return detail::finish<E>(accel_event_record(at.get(), get()));
    }
    /* What is submitted afterwards starts after the event's latest record so far. */
    template <class E = throwing> outcome<void, E> wait_event(const event &before, E = {}) const
    {
        return detail::finish<E>(accel_queue_wait_event(get(), before.get()));
    }

    /* Runs the callable once, in order, also after a failure: f() or f(accel_status), the status being the queue's. It is
     * moved into the queue and destroyed after it ran, or at once if the call fails. It may call what an accel_host_fn may.
     * An exception that leaves it ends the program by std::terminate: catch inside what may be thrown. */
    template <class F, class E = throwing> outcome<void, E> call(F &&callable, E = {}) const
    {
        using function = std::decay_t<F>;
        static_assert(detail::is_host_function<function>,
                      "accel: a host function is called as f(accel_status) or as f()");
        using box = detail::host_function<function>;
        box *moved = new (std::nothrow) box(std::forward<F>(callable));
        if (moved == nullptr)
            return detail::finish<E>(
                detail::refuse(ACCEL_OUT_OF_MEMORY, "accel::queue::call: no memory for %zu bytes", sizeof(box)));
        const accel_status status = accel_queue_call(get(), box::run, moved);
        moved->submitted(status);
        return detail::finish<E>(status);
    }

    /* Copies all of src to dst, which has the same size. */
    template <class T, std::size_t N, class U, std::size_t M, class E = throwing, detail::if_errors<E> = 0>
    outcome<void, E> copy(const buffer<T, N> &dst, const buffer<U, M> &src, E = {}) const
    {
        check_copy<T, N, U, M>();
        return detail::finish<E>(accel_copy(get(), dst.get(), src.get(), nullptr));
    }
    /* Copies `part` elements, a number or an extent, from the origin of src to the origin of dst. */
    template <class T, std::size_t N, class U, std::size_t M, class E = throwing>
    outcome<void, E> copy(const buffer<T, N> &dst, const buffer<U, M> &src, const detail::same<accel::extent<N>> &part,
                          E = {}) const
    {
        check_copy<T, N, U, M>();
        return detail::finish<E>(accel_copy(get(), dst.get(), src.get(), part.data()));
    }
    /* Sets every element to the value. */
    template <class T, std::size_t N, class V, class E = throwing>
    outcome<void, E> fill(const buffer<T, N> &dst, const V &value, E = {}) const
    {
        static_assert(std::is_convertible_v<const V &, T>, "accel: the value of a fill is an element of the buffer");
        static_assert(sizeof(T) <= 4096, "accel: the pattern of a fill has at most 4096 bytes");
        const T pattern = static_cast<T>(value);
        return detail::finish<E>(accel_fill(get(), dst.get(), &pattern, sizeof pattern, nullptr));
    }
    /* Copies host memory, as many elements as the buffer has, to the buffer. It must stay untouched until that is done. */
    template <class T, std::size_t N, class Host, class E = throwing>
    outcome<void, E> write(const buffer<T, N> &dst, Host &&host, E = {}) const
    {
        static_assert(check_host<const T, Host>());
        const span<const T> from(host);
        if (from.size() != dst.count())
            return detail::finish<E>(other_size("write", from.size(), dst.count()));
        return detail::finish<E>(accel_write(get(), dst.get(), from.data()));
    }
    /* Copies the buffer to host memory of as many elements. */
    template <class Host, class T, std::size_t N, class E = throwing>
    outcome<void, E> read(Host &&host, const buffer<T, N> &src, E = {}) const
    {
        static_assert(check_host<T, Host>());
        const span<T> to(host);
        if (to.size() != src.count())
            return detail::finish<E>(other_size("read", to.size(), src.count()));
        return detail::finish<E>(accel_read(get(), to.data(), src.get()));
    }

    /* Runs the kernel over the work. The arguments may stand in braces: launch(kernel, work, {n, x.ptr()}). */
    template <class Args, class E = throwing>
    outcome<void, E> launch(const kernel<Args> &run, const accel_work &work, const Args &args, E = {}) const
    {
        return detail::finish<E>(accel_launch(get(), run.get(), &work, &args, sizeof args));
    }
    template <class Args, class X, class E = throwing, detail::unless_errors<X> = 0>
    outcome<void, E> launch(const kernel<Args> &, const accel_work &, const X &, E = {}) const
    {
        check_args<Args, X>();
        return outcome<void, E>();
    }
    template <class E = throwing, detail::if_errors<E> = 0>
    outcome<void, E> launch(const kernel<accel_no_args> &run, const accel_work &work, E = {}) const
    {
        return detail::finish<E>(accel_launch(get(), run.get(), &work, nullptr, 0));
    }

    /* Runs the kernel over a number of elements or an extent. Only the first launch over an extent pays for its division. */
    template <class Args, class Over, class E = throwing>
    outcome<void, E> launch_over(const kernel<Args> &run, const Over &over, const Args &args, E = {}) const
    {
        const auto shape = detail::shape_of(over);
        return detail::finish<E>(accel_launch_over(get(), run.get(), static_cast<std::uint32_t>(shape.dims()),
                                                   shape.data(), &args, sizeof args));
    }
    template <class Args, class Over, class X, class E = throwing, detail::unless_errors<X> = 0>
    outcome<void, E> launch_over(const kernel<Args> &, const Over &, const X &, E = {}) const
    {
        check_args<Args, X>();
        return outcome<void, E>();
    }
    template <class Over, class E = throwing, detail::if_errors<E> = 0>
    outcome<void, E> launch_over(const kernel<accel_no_args> &run, const Over &over, E = {}) const
    {
        const auto shape = detail::shape_of(over);
        return detail::finish<E>(
            {accel_launch_over(get(), run.get(), static_cast<std::uint32_t>(shape.dims()), shape.data(), nullptr, 0)});
    }

    /* Reduces a number of elements or an extent into the first element of `result`. */
    template <class Args, class Over, class T, std::size_t N, class E = throwing>
    outcome<void, E> reduce(const kernel<Args> &run, const Over &over, const Args &args, const buffer<T, N> &result,
                            E = {}) const
    {
        const auto shape = detail::shape_of(over);
        return detail::finish<E>(accel_reduce(get(), run.get(), static_cast<std::uint32_t>(shape.dims()), shape.data(),
                                              &args, sizeof args, result.get()));
    }

    /* The same without its order, for speed. */
    template <class Args, class Over, class T, std::size_t N, class E = throwing>
    outcome<void, E> reduce_unordered(const kernel<Args> &run, const Over &over, const Args &args,
                                      const buffer<T, N> &result, E = {}) const
    {
        const auto shape = detail::shape_of(over);
        return detail::finish<E>(accel_reduce_unordered(get(), run.get(), static_cast<std::uint32_t>(shape.dims()),
                                                        shape.data(), &args, sizeof args, result.get()));
    }

    /* Scans n elements into `result`; flags are enum accel_scan_flag. The third is for kernels with a final pass. */
    template <class Args, class T, class E = throwing>
    outcome<void, E> scan(const kernel<Args> &run, std::size_t n, const Args &args, const buffer<T> &result,
                          std::uint32_t flags, E = {}) const
    {
        return detail::finish<E>(accel_scan(get(), run.get(), n, &args, sizeof args, result.get(), flags));
    }
    template <class Args, class T, class E = throwing, detail::if_errors<E> = 0>
    outcome<void, E> scan(const kernel<Args> &run, std::size_t n, const Args &args, const buffer<T> &result,
                          E = {}) const
    {
        return detail::finish<E>(
            accel_scan(get(), run.get(), n, &args, sizeof args, result.get(), ACCEL_SCAN_EXCLUSIVE));
    }
    template <class Args, class E = throwing>
    outcome<void, E> scan(const kernel<Args> &run, std::size_t n, const Args &args, std::nullptr_t, std::uint32_t flags,
                          E = {}) const
    {
        return detail::finish<E>(accel_scan(get(), run.get(), n, &args, sizeof args, nullptr, flags));
    }

    /* Joins all values by an operation, enum accel_operation, into the first element of `result`. */
    template <class T, std::size_t N, std::size_t M, class E = throwing>
    outcome<void, E> reduce_values(const buffer<T, N> &values, std::uint32_t operation, const buffer<T, M> &result,
                                   E = {}) const
    {
        return detail::finish<E>(
            accel_reduce_values(get(), values.get(), detail::value_type<T>(), operation, result.get()));
    }

    /* Scans all values by an operation; flags are enum accel_scan_flag. `result` may be `values`. */
    template <class T, std::size_t N, std::size_t M, class E = throwing>
    outcome<void, E> scan_values(const buffer<T, N> &values, std::uint32_t operation, const buffer<T, M> &result,
                                 std::uint32_t flags, E = {}) const
    {
        return detail::finish<E>(
            accel_scan_values(get(), values.get(), detail::value_type<T>(), operation, result.get(), flags));
    }

    /* Sorts the keys; values of any type go with theirs. */
    template <class T, std::size_t N, class E = throwing, detail::if_errors<E> = 0>
    outcome<void, E> sort(const buffer<T, N> &keys, E = {}) const
    {
        return detail::finish<E>(sort_by<T>(keys.get(), nullptr, {}));
    }
    template <class T, std::size_t N, class E = throwing>
    outcome<void, E> sort(const buffer<T, N> &keys, const sort_options &options, E = {}) const
    {
        return detail::finish<E>(sort_by<T>(keys.get(), nullptr, options));
    }
    template <class T, std::size_t N, class U, std::size_t M, class E = throwing>
    outcome<void, E> sort(const buffer<T, N> &keys, const buffer<U, M> &values, const sort_options &options = {},
                          E = {}) const
    {
        return detail::finish<E>(sort_by<T>(keys.get(), values.get(), options));
    }

    /* Counts the values in as many even bins of [low, high) as `counts` has elements. */
    template <class T, std::size_t N, class C, std::size_t M, class E = throwing>
    outcome<void, E> histogram(const buffer<T, N> &values, double low, double high, const buffer<C, M> &counts,
                               E = {}) const
    {
        return detail::finish<E>(count<T, C>(values.get(), low, high, nullptr, counts.get()));
    }
    /* The same between given edges, one more than bins. */
    template <class T, std::size_t N, class C, std::size_t M, class E = throwing>
    outcome<void, E> histogram(const buffer<T, N> &values, const buffer<double> &edges, const buffer<C, M> &counts,
                               E = {}) const
    {
        return detail::finish<E>(count<T, C>(values.get(), 0, 0, edges.get(), counts.get()));
    }

    /* Element (i, j) of `from` becomes (j, i) of `to`. */
    template <class T, class E = throwing>
    outcome<void, E> transpose(const buffer<T, 2> &from, const buffer<T, 2> &to, E = {}) const
    {
        return detail::finish<E>(accel_transpose(get(), from.get(), to.get()));
    }

    /* C = alpha * A * B + beta * C, of floats or doubles. */
    template <class T, class E = throwing, detail::if_errors<E> = 0>
    outcome<void, E> gemm(double alpha, const buffer<T, 2> &a, const buffer<T, 2> &b, double beta,
                          const buffer<T, 2> &c, E = {}) const
    {
        return detail::finish<E>(multiply<T>({}, alpha, a.get(), b.get(), beta, c.get()));
    }
    template <class T, class E = throwing>
    outcome<void, E> gemm(double alpha, const buffer<T, 2> &a, const buffer<T, 2> &b, double beta,
                          const buffer<T, 2> &c, const gemm_options &options, E = {}) const
    {
        return detail::finish<E>(multiply<T>(options, alpha, a.get(), b.get(), beta, c.get()));
    }

    /* Copies the elements whose flag is not 0, in their order, and counts them. */
    template <class T, std::size_t N, class F, std::size_t M, std::size_t K, class C, class E = throwing>
    outcome<void, E> select(const buffer<T, N> &from, const buffer<F, M> &flags, const buffer<T, K> &to,
                            const buffer<C> &count, E = {}) const
    {
        check_flag<F>();
        check_count<C>();
        return detail::finish<E>(accel_select(get(), from.get(), flags.get(), to.get(), count.get()));
    }
    /* The same, and the others behind them. */
    template <class T, std::size_t N, class F, std::size_t M, std::size_t K, class C, class E = throwing>
    outcome<void, E> partition(const buffer<T, N> &from, const buffer<F, M> &flags, const buffer<T, K> &to,
                               const buffer<C> &count, E = {}) const
    {
        check_flag<F>();
        check_count<C>();
        return detail::finish<E>(accel_partition(get(), from.get(), flags.get(), to.get(), count.get()));
    }
    /* Copies the first of each run of elements with equal bytes, and counts them. */
    template <class T, std::size_t N, std::size_t K, class C, class E = throwing>
    outcome<void, E> unique(const buffer<T, N> &from, const buffer<T, K> &to, const buffer<C> &count, E = {}) const
    {
        check_count<C>();
        return detail::finish<E>(accel_unique(get(), from.get(), to.get(), count.get()));
    }
    /* The same, with the length of each run. */
    template <class T, std::size_t N, std::size_t K, class L, std::size_t M, class C, class E = throwing>
    outcome<void, E> run_lengths(const buffer<T, N> &from, const buffer<T, K> &elements, const buffer<L, M> &lengths,
                                 const buffer<C> &count, E = {}) const
    {
        check_count<L>();
        check_count<C>();
        return detail::finish<E>(accel_run_lengths(get(), from.get(), elements.get(), lengths.get(), count.get()));
    }

  private:
    template <class F> static constexpr void check_flag()
    {
        static_assert(std::is_integral_v<F>, "accel: flags are integers or bool");
    }
    template <class C> static constexpr void check_count()
    {
        static_assert(std::is_unsigned_v<C> && (sizeof(C) == 4 || sizeof(C) == 8),
                      "accel: counts and lengths are unsigned integers of 32 or 64 bits");
    }
    template <class T>
    accel_status multiply(const gemm_options &options, double alpha, accel_buffer *a, accel_buffer *b, double beta,
                          accel_buffer *c) const
    {
        static_assert(std::is_floating_point_v<T>, "accel: products are of matrices of floats or doubles");
        accel_gemm_desc desc = ACCEL_GEMM_DESC_INIT;
        desc.type = detail::value_type<T>();
        desc.flags = options.flags;
        return accel_gemm(get(), &desc, alpha, a, b, beta, c);
    }
    template <class T> accel_status sort_by(accel_buffer *keys, accel_buffer *values, const sort_options &options) const
    {
        accel_sort_desc desc = ACCEL_SORT_DESC_INIT;
        desc.type = detail::value_type<T>();
        desc.flags = options.flags;
        desc.first_bit = options.first_bit;
        desc.bit_count = options.bit_count;
        return accel_sort(get(), &desc, keys, values);
    }
    template <class T, class C>
    accel_status count(accel_buffer *values, double low, double high, accel_buffer *edges, accel_buffer *counts) const
    {
        check_count<C>();
        accel_histogram_desc desc = ACCEL_HISTOGRAM_DESC_INIT;
        desc.type = detail::value_type<T>();
        desc.low = low;
        desc.high = high;
        desc.edges = edges;
        return accel_histogram(get(), &desc, values, counts);
    }
    template <class T, std::size_t N, class U, std::size_t M> static constexpr void check_copy()
    {
        static_assert(std::is_same_v<T, U>, "accel: the two buffers of a copy have elements of the same type");
        static_assert(N == M, "accel: the two buffers of a copy have as many dimensions");
    }
    template <class Args, class X> static constexpr void check_args()
    {
        static_assert(
            std::is_same_v<Args, X>,
            "accel: the arguments of this launch are not the kernel's argument struct: a kernel<Args> takes an Args");
    }
    /* true. In a constant expression, since compilers tell of others' errors only if nothing else is wrong. */
    template <class Element, class Host> static constexpr bool check_host()
    {
        using host = std::remove_reference_t<Host>;
        constexpr bool is_span = std::is_convertible_v<host &, span<Element>>;
        static_assert(is_span,
                      "accel: host memory of a write or read has elements of the buffer's type (a read's are not "
                      "const): pass a vector, an array, a span, or accel::span(pointer, count)");
        static_assert(
            !is_span || std::is_lvalue_reference_v<Host> || detail::is_own_span<host>,
            "accel: this host memory is a temporary, which is gone before the copy: give it a name that outlives "
            "the operation");
        return true;
    }
    static detail::failure other_size(const char *operation, std::size_t host, std::size_t buffer) noexcept
    {
        return detail::refuse(
            ACCEL_INVALID,
            "accel::queue::%s: the host memory has %zu elements, the buffer %zu; give as many, or a view of "
            "the buffer",
            operation, host, buffer);
    }
};

template <class T, std::size_t N>
template <class E>
outcome<buffer<T, N>, E> buffer<T, N>::create_async(const queue &in, const accel::extent<N> &size, std::uint32_t flags,
                                                    E)
{
    const accel_buffer_desc desc = describe(size, flags);
    accel_buffer *made = nullptr;
    const accel_status status = accel_buffer_create_async(in.get(), &desc, &made);
    return detail::finish<E>({status}, buffer(made, size));
}

} // namespace v1
} // namespace accel

#endif
