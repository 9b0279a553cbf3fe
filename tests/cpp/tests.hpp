/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of accel.hpp: one program, a suite per noun, on the first device of ACCEL_BACKEND. */
#ifndef CPP_TESTS_HPP
#define CPP_TESTS_HPP

#include "assertions.h"
#undef fail /* an old name of Check, which <istream> needs */
#include "kernels/arguments.h"

#include <accel/accel.hpp>

#include <atomic>
#include <cstring>

Suite *object_suite();
Suite *memory_suite();
Suite *launch_suite();
Suite *host_function_suite();

/* Adds a test as a case of its own name, so that CK_RUN_CASE=name runs it alone. */
#define add(suite, name) add_test(suite, #name, name)
void add_test(Suite *, const char *name, const TTest *);

/* The instance that every test begins with, the device under test, and a queue of it. */
struct surroundings {
    accel::instance instance = accel::instance::create();
    accel::device device = instance.device(0);
    accel::queue queue = accel::queue::create(device);
    accel::module module = accel::module::load(device, "conformance");
};

/* The call throws an accel::error of this status, whose text holds the piece. */
template <class F> void throws(accel_status status, const char *piece, F &&call)
{
    try {
        call();
    } catch (const accel::error &error) {
        ck_assert_msg(error.status() == status, "%s: %s", accel_status_name(error.status()), error.what());
        ck_assert_msg(std::strstr(error.what(), piece) != nullptr, "\"%s\" is not in: %s", piece, error.what());
        return;
    }
    ck_abort_msg("it does not throw");
}

/* The result is a failure of this status, whose text holds the piece. */
template <class R> void fails(accel_status status, const char *piece, R &&result)
{
    ck_assert(!result);
    ck_assert_msg(result.status() == status, "%s: %s", accel_status_name(result.status()), result.message());
    ck_assert_msg(std::strstr(result.message(), piece) != nullptr, "\"%s\" is not in: %s", piece, result.message());
}

/* Counts the objects of it that live. */
struct counted {
    static inline std::atomic<int> alive{0};
    counted() noexcept
    {
        ++alive;
    }
    counted(const counted &) noexcept
    {
        ++alive;
    }
    counted(counted &&) noexcept
    {
        ++alive;
    }
    ~counted()
    {
        --alive;
    }
    counted &operator=(const counted &) = default;
};

#endif
