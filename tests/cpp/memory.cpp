/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and host memory. */
#include "tests.hpp"

#include <array>
#include <numeric>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

static_assert(accel::extent(2, 3, 4).count() == 24 && accel::extent(2, 3, 4).dims() == 3);
static_assert(accel::extent(5)[0] == 5 && accel::extent(accel::extent(4, 5)) == accel::extent(4, 5));
static_assert(accel::extent(1, 2) != accel::extent(1, 3) && accel::extent<2>().count() == 0);

START_TEST(writes_fills_copies_and_reads_keep_every_element)
{
    surroundings s;
    std::vector<int> host(1000);
    std::iota(host.begin(), host.end(), 1);
    auto a = accel::buffer<int>::create(s.device, host.size());
    auto b = accel::buffer<int>::create(s.device, host.size());
    s.queue.fill(b, -1);
    s.queue.write(a, host);
    s.queue.copy(b, a, 500);
    std::vector<int> back(1000);
    s.queue.read(back, b);
    s.queue.wait();
    for (std::size_t i = 0; i < back.size(); ++i)
        ck_assert_int_eq(back[i], i < 500 ? host[i] : -1);
    s.queue.copy(b, a);
    s.queue.read(back, b);
    s.queue.wait();
    ck_assert(back == host);
}
END_TEST

struct pixel {
    unsigned char red, green, blue;
};

START_TEST(buffers_of_dimensions_have_views)
{
    surroundings s;
    auto image = accel::buffer<pixel, 2>::create(s.device, {7, 5});
    s.queue.fill(image, pixel{1, 2, 3});
    auto middle = image.view({2, 1}, {3, 2});
    ck_assert(middle.size() == accel::extent(3, 2));
    ck_assert_uint_eq(middle.info().is_view, 1);
    s.queue.fill(middle, pixel{9, 8, 7});
    image.reset(); /* the view keeps it alive */
    std::array<pixel, 6> inside{};
    s.queue.read(inside, middle);
    s.queue.wait();
    for (const pixel &p : inside)
        ck_assert(p.red == 9 && p.green == 8 && p.blue == 7);
    fails(ACCEL_INVALID, "accel_buffer_view", middle.view({2, 1}, {3, 2}, std::nothrow));

    auto deep = accel::buffer<short, 6>::create(s.device, {2, 1, 3, 1, 2, 4});
    ck_assert_uint_eq(deep.count(), 48);
    s.queue.fill(deep, short{5});
    std::vector<short> all(48);
    s.queue.read(all, deep);
    s.queue.wait();
    ck_assert(all == std::vector<short>(48, 5));
}
END_TEST

START_TEST(host_memory_of_another_size_is_refused)
{
    surroundings s;
    std::vector<double> host(11);
    auto buffer = accel::buffer<double>::create(s.device, 12);
    throws(ACCEL_INVALID, "write: the host memory has 11 elements, the buffer 12",
           [&] { s.queue.write(buffer, host); });
    fails(ACCEL_INVALID, "read: the host memory has 11 elements, the buffer 12",
          s.queue.read(host, buffer, std::nothrow));
}
END_TEST

START_TEST(host_memory_is_whatever_lies_in_a_row)
{
    surroundings s;
    int array[3] = {1, 2, 3};
    const std::array<int, 3> constant = {4, 5, 6};
    std::vector<int> vector(3);
    auto buffer = accel::buffer<int>::create(s.device, 3);
    s.queue.write(buffer, array);
    s.queue.wait();
    s.queue.write(buffer, constant);
    s.queue.read(accel::span(vector.data(), 3), buffer);
    s.queue.wait();
    ck_assert(vector[0] == 4 && vector[2] == 6);
    const accel::span<const int> view = vector;
    s.queue.write(buffer, view);
#if __cplusplus >= 202002L
    std::span<int> standard(array);
    s.queue.read(standard, buffer);
#else
    s.queue.read(array, buffer);
#endif
    s.queue.wait();
    ck_assert(array[1] == 5 && view.size() == 3 && view[1] == 5 && view.end() - view.begin() == 3);
}
END_TEST

START_TEST(memory_of_the_caller_and_of_queues_are_buffers)
{
    surroundings s;
    std::vector<float> mine(24, 1.0f);
    auto wrapped = accel::buffer<float, 2>::wrap(s.instance.host(), mine.data(), {4, 4}, {6 * sizeof(float), 0});
    auto dense = accel::buffer<float, 2>::create_async(s.queue, {4, 4});
    s.queue.fill(dense, 2.0f);
    s.queue.copy(wrapped, dense);
    s.queue.wait();
    ck_assert(mine[3] == 2.0f && mine[4] == 1.0f && mine[6] == 2.0f);
    ck_assert_uint_eq(wrapped.info().pitch[0], 6 * sizeof(float));
    fails(ACCEL_INVALID, "pitch",
          accel::buffer<float, 2>::wrap(s.instance.host(), mine.data(), {4, 4}, {5, 0}, std::nothrow));
    throws(ACCEL_LIMIT, "accel_buffer_create", [&] { (void)accel::buffer<double>::create(s.device, -1); });
}
END_TEST

START_TEST(globals_are_bytes)
{
    surroundings s;
    auto kernels = accel::module::load(s.device, "kernels");
    auto weights = kernels.global("weights");
    auto calls = kernels.global("calls");
    std::vector<float> in(weights.count() / sizeof(float)), out(in.size());
    std::iota(in.begin(), in.end(), 1.0f);
    const uint64_t before = 41;
    uint64_t after = 0;
    s.queue.write(weights, accel::bytes_of(in));
    s.queue.write(calls, accel::bytes_of(before));
    s.queue.launch(kernels.kernel("count_call"), accel_work_1d(1, 1, 1));
    s.queue.read(accel::bytes_of(out), weights);
    s.queue.read(accel::bytes_of(after), calls);
    s.queue.wait();
    ck_assert(in == out);
    ck_assert_uint_eq(after, 42);
    int three[3] = {};
    ck_assert_uint_eq(accel::bytes_of(three).size(), sizeof three);
    fails(ACCEL_INVALID, "write", s.queue.write(calls, accel::bytes_of(three), std::nothrow));
}
END_TEST

Suite *memory_suite()
{
    Suite *suite = suite_create("memory");
    add(suite, writes_fills_copies_and_reads_keep_every_element);
    add(suite, buffers_of_dimensions_have_views);
    add(suite, host_memory_of_another_size_is_refused);
    add(suite, host_memory_is_whatever_lies_in_a_row);
    add(suite, memory_of_the_caller_and_of_queues_are_buffers);
    add(suite, globals_are_bytes);
    return suite;
}
