/* SPDX-License-Identifier: Apache-2.0 */
/* Owners of every class: made, moved, shared, handed to C and back; errors in both forms. */
#include "tests.hpp"
#include "without_exceptions.hpp"

#include <string>
#include <type_traits>
#include <vector>

/* A handle is a pointer that moves and is never copied. */
template <class X> constexpr bool is_owner()
{
    return !std::is_copy_constructible_v<X> && !std::is_copy_assignable_v<X> &&
           std::is_nothrow_move_constructible_v<X> && std::is_nothrow_move_assignable_v<X> &&
           std::is_nothrow_default_constructible_v<X>;
}
static_assert(is_owner<accel::instance>() && is_owner<accel::device>() && is_owner<accel::queue>() &&
              is_owner<accel::event>() && is_owner<accel::buffer<int>>() && is_owner<accel::buffer<double, 3>>() &&
              is_owner<accel::module>() && is_owner<accel::kernel<>>() && is_owner<accel::kernel<words_args>>());
static_assert(sizeof(accel::queue) == sizeof(void *) && sizeof(accel::kernel<words_args>) == sizeof(void *));

/* What holds for every owner. */
template <class X> static void moves(X object)
{
    auto *handle = object.get();
    ck_assert_ptr_nonnull(handle);
    X moved = std::move(object);
    ck_assert(!object && object.get() == nullptr);
    ck_assert(moved.get() == handle);
    object = std::move(moved);
    ck_assert(!moved && object.get() == handle);
    X &same = object;
    object = std::move(same);
    ck_assert(object.get() == handle);
    X other = object.share();
    ck_assert(other.get() == handle);
    other = std::move(object);
    ck_assert(other.get() == handle);
    other.reset();
    ck_assert(!other);
    other.reset();
}

START_TEST(owners_move_share_and_are_empty_afterwards)
{
    surroundings s;
    moves(s.instance.share());
    moves(s.device.share());
    moves(accel::queue::create(s.device));
    moves(accel::event::create(s.device));
    moves(accel::buffer<int>::create(s.device, 3));
    moves(accel::buffer<double, 2>::create(s.device, {3, 4}).view({1, 1}, {2, 2}));
    moves(accel::module::load(s.device, "conformance"));
    moves(s.module.kernel<words_args>("set"));
    moves(s.module.kernel("empty"));
}
END_TEST

START_TEST(references_go_to_c_and_come_back)
{
    surroundings s;
    accel_queue *queue = s.queue.detach();
    ck_assert(!s.queue);
    ck_assert_uint_eq(accel_queue_wait(queue), ACCEL_OK);
    s.queue = accel::queue::adopt(queue);
    accel::queue borrowed = accel::queue::share(queue);
    s.queue.reset();
    borrowed.wait();

    accel_buffer_desc desc = accel_buffer_2d(sizeof(float), 3, 5);
    accel_buffer *made = nullptr;
    ck_assert_uint_eq(accel_buffer_create(s.device.get(), &desc, &made), ACCEL_OK);
    throws(ACCEL_INVALID, "4 bytes in 2 dimensions, not of 8 bytes in 2",
           [&] { (void)accel::buffer<double, 2>::adopt(made); });
    fails(ACCEL_INVALID, "not of 4 bytes in 1", accel::buffer<float>::share(made, std::nothrow));
    auto buffer = accel::buffer<float, 2>::adopt(made);
    ck_assert(buffer.size() == accel::extent(3, 5));
    ck_assert_uint_eq(buffer.count(), 15);
    ck_assert((accel::buffer<float, 2>::share(made).get() == made));
    fails(ACCEL_INVALID, "accel_buffer_info", accel::buffer<float>::adopt(nullptr, std::nothrow));

    accel_kernel *kernel = nullptr;
    ck_assert_uint_eq(accel_module_kernel(s.module.get(), "set", &kernel), ACCEL_OK);
    ck_assert(accel::kernel<words_args>::share(kernel).get() == kernel);
    fails(ACCEL_INVALID, "\"set\" takes 24 bytes", accel::kernel<place_args>::share(kernel, std::nothrow));
}
END_TEST

START_TEST(empty_objects_are_refused)
{
    accel::device device;
    accel::queue queue;
    accel::module module;
    accel::event event;
    accel::buffer<int> buffer;
    accel::instance instance;
    throws(ACCEL_INVALID, "accel_queue_wait", [&] { queue.wait(); });
    throws(ACCEL_INVALID, "accel_queue_create", [&] { (void)accel::queue::create(device); });
    throws(ACCEL_INVALID, "accel_module_kernel", [&] { (void)module.kernel("empty"); });
    throws(ACCEL_INVALID, "accel_event_wait", [&] { event.wait(); });
    throws(ACCEL_INVALID, "accel_fill", [&] { queue.fill(buffer, 1); });
    throws(ACCEL_INVALID, "accel_device_info", [&] { (void)device.info(); });
    fails(ACCEL_INVALID, "accel_instance_find_device", instance.find_device(nullptr, std::nothrow));
    fails(ACCEL_INVALID, "accel_kernel_info", accel::kernel<>().info(std::nothrow));
    ck_assert_uint_eq(buffer.count(), 0);
    ck_assert_ptr_null(buffer.ptr());
    ck_assert_uint_eq(instance.device_count(), 0);
    ck_assert(!queue.device() && !instance.host());
}
END_TEST

START_TEST(instances_list_backends_and_devices)
{
    surroundings s;
    std::size_t count = 0;
    for (accel::device device : s.instance.devices()) {
        const accel_device_properties about = device.info();
        ck_assert(s.instance.find_device(about.name).get() == device.get());
        ck_assert(s.instance.device(count++).get() == device.get());
        ck_assert(device.can_access(device));
        device.wait();
        (void)device.memory(std::nothrow);
    }
    ck_assert_uint_eq(count, s.instance.device_count());
    ck_assert(!s.instance.device(count));
    ck_assert_uint_eq(s.instance.host().info().kind, ACCEL_DEVICE_HOST);
    ck_assert(s.queue.device().get() == s.device.get());
    ck_assert_uint_ge(s.instance.backend_count(), 3);
    ck_assert_ptr_nonnull(s.instance.backend(0).name);
    fails(ACCEL_NOT_FOUND, "", s.instance.backend(1000, std::nothrow));
    ck_assert_ptr_nonnull(s.instance.config(0).name);
    ck_assert(*s.instance.kernel_path() != '\0');
    throws(ACCEL_NOT_FOUND, "no-such", [&] { (void)s.instance.find_device("no-such:3"); });
    throws(ACCEL_NOT_FOUND, "no-such", [] { (void)accel::instance::create({"no-such"}); });
    (void)s.module.native(std::nothrow); /* which of them there are is the backend's */
    (void)s.device.native(std::nothrow);
    (void)s.queue.native(std::nothrow);
}
END_TEST

START_TEST(visitors_see_objects_and_may_throw)
{
    surroundings s;
    std::vector<std::string> targets;
    s.device.visit_objects("conformance", [&](const accel_object_properties &object) {
        targets.emplace_back(object.target);
        return true;
    });
    ck_assert(!targets.empty());
    int seen = 0;
    try {
        s.device.visit_objects(nullptr, [&](const accel_object_properties &) -> bool {
            ++seen;
            throw std::string("enough");
        });
        ck_abort_msg("it does not throw");
    } catch (const std::string &thrown) {
        ck_assert(thrown == "enough" && seen == 1);
    }
}
END_TEST

START_TEST(partitions_are_devices)
{
    surroundings s;
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    desc.by = ACCEL_PARTITION_EQUAL;
    desc.share_count = 1;
    accel::device share;
    if ((s.device.info().features & ACCEL_FEATURE_PARTITION) != 0) {
        ck_assert_uint_eq(s.device.partition(desc, nullptr, 0), 1);
        ck_assert_uint_eq(s.device.partition(desc, &share, 1), 1);
        accel::queue::create(share).wait();
    } else {
        fails(ACCEL_UNSUPPORTED, "accel_device_partition", s.device.partition(desc, &share, 1, std::nothrow));
    }
}
END_TEST

START_TEST(events_order_time_and_are_signalled)
{
    surroundings s;
    auto start = accel::event::create(s.device, ACCEL_EVENT_TIMING),
         end = accel::event::create(s.device, ACCEL_EVENT_TIMING);
    s.queue.record(start);
    s.queue.record(end);
    end.wait();
    ck_assert(end.is_complete());
    const auto done = end.is_complete(std::nothrow);
    ck_assert(done && *done && done.value());
    const auto made = accel::event::create(s.device, 0, std::nothrow);
    ck_assert(made && made->get() != nullptr && made.value().get() == (*made).get());
    ck_assert_int_ge(accel::elapsed(start, end).count(), 0);
    fails(ACCEL_INVALID, "accel_event_arm", end.arm(std::nothrow));

    auto host = accel::event::create(s.instance.host());
    host.arm();
    ck_assert(!host.is_complete());
    s.queue.wait_event(host);
    host.signal();
    s.queue.wait();
    ck_assert(s.queue.is_idle());
}
END_TEST

START_TEST(failures_of_a_queue_come_out_of_its_wait)
{
    surroundings s;
    auto host = accel::event::create(s.instance.host());
    host.arm();
    s.queue.wait_event(host);
    std::atomic<accel_status> seen{ACCEL_INTERNAL};
    s.queue.call([&](accel_status status) { seen = status; });
    host.signal(ACCEL_IO);
    throws(ACCEL_IO, "", [&] { s.queue.wait(); });
    ck_assert_uint_eq(seen, ACCEL_IO);
    s.queue.wait();
}
END_TEST

START_TEST(results_have_a_value_or_say_why_not)
{
    surroundings s;
    auto good = accel::queue::create(s.device, {ACCEL_QUEUE_BLOCKING}, std::nothrow);
    ck_assert(good && good.has_value() && good.status() == ACCEL_OK);
    ck_assert_str_eq(good.message(), "");
    ck_assert(good->get() == (*good).get() && good.value().get() == good->get());
    accel::queue taken = *std::move(good);
    taken.wait(std::nothrow).value();

    auto bad = accel::module::load(s.device, "no-such-library", std::nothrow);
    fails(ACCEL_NOT_FOUND, "no-such-library", bad);
    ck_assert(!*bad);
    throws(ACCEL_NOT_FOUND, "no-such-library", [&] { (void)bad.value(); });
    throws(ACCEL_INVALID, "accel_queue_wait", [] { accel::queue().wait(std::nothrow).value(); });
    try {
        (void)accel::module::load(s.device, "no-such-library");
    } catch (const std::exception &error) { /* whoever knows nothing of libaccel */
        ck_assert_ptr_nonnull(std::strstr(error.what(), "no-such-library"));
    }
}
END_TEST

START_TEST(files_without_exceptions_share_objects_with_others)
{
    surroundings s;
    accel::queue queue = queue_without_exceptions(s.device).value();
    unsigned sum = 0;
    ck_assert_uint_eq(sum_without_exceptions(queue, s.module, &sum), ACCEL_OK);
    ck_assert_uint_eq(sum, 70);
    ck_assert_uint_eq(sum_without_exceptions(accel::queue(), s.module, &sum), ACCEL_INVALID);
}
END_TEST

START_TEST(w6_regions_end_with_their_scope_and_objects_take_names)
{
    surroundings s;
    auto numbers = accel::buffer<int>::create(s.device, 10);
    ck_assert_uint_eq(accel_region_pop(), ACCEL_INVALID);
    {
        const accel::region outer("solve");
        const accel::region inner("apply"), none(nullptr);
        accel::set_name(s.device, "first");
        accel::set_name(s.queue, "left");
        accel::set_name(s.module, "kernels");
        accel::set_name(numbers, "residual");
    }
    ck_assert_uint_eq(accel_region_pop(), ACCEL_INVALID);
    ck_assert_uint_eq(accel::set_name(accel::queue(), "none", std::nothrow).status(), ACCEL_INVALID);
}
END_TEST

Suite *object_suite()
{
    Suite *suite = suite_create("object");
    add(suite, owners_move_share_and_are_empty_afterwards);
    add(suite, references_go_to_c_and_come_back);
    add(suite, empty_objects_are_refused);
    add(suite, instances_list_backends_and_devices);
    add(suite, visitors_see_objects_and_may_throw);
    add(suite, partitions_are_devices);
    add(suite, events_order_time_and_are_signalled);
    add(suite, failures_of_a_queue_come_out_of_its_wait);
    add(suite, results_have_a_value_or_say_why_not);
    add(suite, files_without_exceptions_share_objects_with_others);
    add(suite, w6_regions_end_with_their_scope_and_objects_take_names);
    return suite;
}
