/* SPDX-License-Identifier: Apache-2.0 */
/* Callables in queues: run once, destroyed once. */
#include "tests.hpp"

#include <csignal>
#include <cstdio>
#include <memory>
#include <unistd.h>

START_TEST(callables_run_once_in_order_and_are_destroyed_once)
{
    surroundings s;
    for (const std::uint32_t flags : {0u, static_cast<std::uint32_t>(ACCEL_QUEUE_BLOCKING)}) {
        auto queue = accel::queue::create(s.device, {flags});
        int sum = 0;
        for (int i = 1; i <= 100; ++i)
            queue.call([&sum, i, guard = counted()] { sum = 2 * sum % 1009 + i; });
        auto once = [&sum, only = std::make_unique<int>(5), guard = counted()](accel_status status) mutable {
            sum += status == ACCEL_OK ? *only : 0;
            only.reset();
        };
        queue.call(std::move(once));
        queue.wait();
        int expected = 0;
        for (int i = 1; i <= 100; ++i)
            expected = 2 * expected % 1009 + i;
        ck_assert_int_eq(sum, expected + 5);
        ck_assert_int_eq(counted::alive, 1); /* `once`, which was moved from */
    }
    ck_assert_int_eq(counted::alive, 0);
}
END_TEST

static int called;
static void plain(accel_status)
{
    ++called;
}

START_TEST(functions_are_callables)
{
    surroundings s;
    s.queue.call(plain);
    s.queue.call(&plain, std::nothrow).value();
    const auto kept = [](accel_status) { ++called; };
    s.queue.call(kept);
    s.queue.wait();
    ck_assert_int_eq(called, 3);
}
END_TEST

START_TEST(refused_callables_are_destroyed_once_and_never_run)
{
    surroundings s;
    accel::queue empty;
    throws(ACCEL_INVALID, "accel_queue_call", [&] { empty.call([guard = counted()] { ck_abort_msg("it ran"); }); });
    ck_assert_int_eq(counted::alive, 0);
    accel_status inside = ACCEL_OK;
    s.queue.call([&, guard = counted()] {
        inside = s.queue.call([other = counted()] { ck_abort_msg("it ran"); }, std::nothrow).status();
    });
    s.queue.wait();
    ck_assert_uint_eq(inside, ACCEL_INVALID);
    ck_assert_int_eq(counted::alive, 0);
}
END_TEST

START_TEST(after_a_failure_callables_run_with_the_status)
{
    surroundings s;
    auto host = accel::event::create(s.instance.host());
    host.arm();
    s.queue.wait_event(host);
    std::atomic<int> ran{0};
    for (int i = 0; i < 10; ++i)
        s.queue.call([&, guard = counted()](accel_status status) { ran += status == ACCEL_IO; });
    ck_assert_int_eq(counted::alive, 10);
    host.signal(ACCEL_IO);
    throws(ACCEL_IO, "", [&] { s.queue.wait(); });
    ck_assert_int_eq(ran, 10);
    ck_assert_int_eq(counted::alive, 0);
}
END_TEST

START_TEST(callables_may_own_objects_of_the_library)
{
    surroundings s;
    auto buffer = accel::buffer<int>::create(s.device, 100);
    auto event = accel::event::create(s.instance.host());
    event.arm();
    std::size_t count = 0;
    s.queue.call([&count, buffer = std::move(buffer), queue = s.queue.share(), event = event.share()] {
        count = buffer.count();
        event.signal();
    });
    event.wait();
    s.queue.wait();
    ck_assert_uint_eq(count, 100);
}
END_TEST

struct throws_when_moved {
    throws_when_moved() = default;
    throws_when_moved(const throws_when_moved &)
    {
        throw 7;
    }
    counted guard;
    void operator()() const
    {
        ck_abort_msg("it ran");
    }
};

START_TEST(a_callable_that_throws_while_it_is_moved_leaves_nothing_behind)
{
    surroundings s;
    const throws_when_moved callable;
    int thrown = 0;
    try {
        s.queue.call(callable);
    } catch (int value) {
        thrown = value;
    }
    ck_assert_int_eq(thrown, 7);
    s.queue.wait();
    ck_assert_int_eq(counted::alive, 1);
}
END_TEST

START_TEST(an_exception_that_leaves_a_callable_ends_the_program)
{
    surroundings s;
    std::set_terminate([] {
        int status = 1;
        try {
            std::rethrow_exception(std::current_exception());
        } catch (const std::runtime_error &error) {
            status = std::strcmp(error.what(), "planted") == 0 ? 42 : 2;
        } catch (...) {
        }
        _exit(status);
    });
    s.queue.call([] { throw std::runtime_error("planted"); });
    (void)s.queue.wait(std::nothrow);
    ck_abort_msg("it goes on");
}
END_TEST

Suite *host_function_suite()
{
    Suite *suite = suite_create("host function");
    add(suite, callables_run_once_in_order_and_are_destroyed_once);
    add(suite, functions_are_callables);
    add(suite, refused_callables_are_destroyed_once_and_never_run);
    add(suite, after_a_failure_callables_run_with_the_status);
    add(suite, callables_may_own_objects_of_the_library);
    add(suite, a_callable_that_throws_while_it_is_moved_leaves_nothing_behind);
    TCase *ends = tcase_create("an_exception_that_leaves_a_callable_ends_the_program");
    tcase_add_exit_test(ends, an_exception_that_leaves_a_callable_ends_the_program, 42);
    suite_add_tcase(suite, ends);
    return suite;
}
