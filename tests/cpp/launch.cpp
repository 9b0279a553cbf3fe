/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with the type of their arguments. */
#include "../kernels/reductions.h"
#include "../kernels/scans.h"
#include "../kernels/scatters.h"
#include "tests.hpp"

#include <vector>

START_TEST(launches_take_the_kernels_argument_struct)
{
    surroundings s;
    auto set = s.module.kernel<words_args>("set");
    auto plus = s.module.kernel<words_args>("add");
    constexpr std::size_t n = 300;
    auto words = accel::buffer<uint32_t>::create(s.device, n);
    const words_args args = {words.ptr(), n, 40};
    s.queue.launch(set, set.divide(n), args);
    s.queue.launch(plus, plus.divide(accel::extent(n)), {words.ptr(), n, 2});
    s.queue.launch_over(plus, n, args);
    s.queue.launch_over(plus, accel::extent(n), {words.ptr(), n, 8}, std::nothrow).value();
    std::vector<uint32_t> host(n);
    s.queue.read(host, words);
    s.queue.wait();
    ck_assert(host == std::vector<uint32_t>(n, 90));
    ck_assert_str_eq(set.info().name, "set");
    ck_assert_uint_eq(set.info().args_size, sizeof(words_args));
}
END_TEST

START_TEST(kernels_without_arguments_are_launched_without)
{
    surroundings s;
    auto empty = s.module.kernel("empty");
    const accel_work work = empty.divide(accel::extent(2, 3, 4));
    ck_assert_uint_eq(work.dims, 3);
    s.queue.launch(empty, work);
    s.queue.launch_over(empty, 5);
    s.queue.launch(empty, work, accel_no_args{});
    s.queue.launch(empty, work, std::nothrow).value();
    s.queue.launch_over(empty, accel::extent(3, 3), std::nothrow).value();
    s.queue.wait();
}
END_TEST

struct misaligned_args { /* as large as words_args, but no words_args */
    char bytes[sizeof(words_args)];
};

START_TEST(kernels_of_other_argument_structs_are_refused)
{
    surroundings s;
    throws(ACCEL_INVALID, "kernel \"set\" takes 24 bytes of arguments aligned to 8",
           [&] { (void)s.module.kernel<place_args>("set"); });
    throws(ACCEL_INVALID, "has 24 aligned to 1", [&] { (void)s.module.kernel<misaligned_args>("set"); });
    fails(ACCEL_INVALID, "\"set\" takes 24 bytes", s.module.kernel("set", std::nothrow));
    fails(ACCEL_INVALID, "\"empty\" takes 0 bytes", s.module.kernel<words_args>("empty", std::nothrow));
    throws(ACCEL_NOT_FOUND, "sett", [&] { (void)s.module.kernel<words_args>("sett"); });
    throws(ACCEL_NOT_FOUND, "accel_module_global", [&] { (void)s.module.global("no_such_global"); });
    throws(ACCEL_NOT_FOUND, "/no/such/file", [&] { (void)accel::module::load_file(s.device, "/no/such/file"); });
}
END_TEST

START_TEST(launches_over_a_limit_are_refused)
{
    surroundings s;
    auto set = s.module.kernel<words_args>("set");
    const accel_work work = accel_work_1d(1, 1u << 20, 1);
    throws(ACCEL_LIMIT, "accel_launch", [&] { s.queue.launch(set, work, {nullptr, 0, 0}); });
    fails(ACCEL_LIMIT, "accel_launch", s.queue.launch(set, work, {nullptr, 0, 0}, std::nothrow));
}
END_TEST

START_TEST(scatters_have_the_type_of_their_cells)
{
    surroundings s;
    auto kernels = accel::module::load(s.device, "kernels");
    auto add = kernels.kernel<scatters_args>("scatter_sum_u32_into");
    auto scatter = accel::scatter<uint32_t>::create(s.queue, kernels, "scatter_sum_u32", 4, 2);
    auto cell = accel::buffer<uint32_t>::create(s.device, 300), target = accel::buffer<uint32_t>::create(s.device, 4);
    ck_assert_uint_eq(scatter.info().copies, 2);
    s.queue.fill(cell, 3u);
    s.queue.fill(target, 7u);
    s.queue.launch_over(add, 300, {300, cell.ptr(), nullptr, scatter.view(), {}});
    scatter.clear(s.queue);
    s.queue.launch_over(add, 300, {300, cell.ptr(), nullptr, scatter.view(), {}});
    scatter.contribute(s.queue, target, std::nothrow).value();
    std::vector<uint32_t> host(4);
    s.queue.read(host, target);
    s.queue.wait();
    ck_assert((host == std::vector<uint32_t>{7, 7, 7, 307}));
    fails(ACCEL_INVALID, "has 8",
          accel::scatter<double>::create(s.queue, kernels, "scatter_sum_u32", 4, 0, std::nothrow));
    throws(ACCEL_INVALID, "of no scatter",
           [&] { (void)accel::scatter<uint32_t>::create(s.queue, kernels, "scatter_sum_u32_into", 4); });
    throws(ACCEL_NOT_FOUND, "no_such", [&] { (void)accel::scatter<uint32_t>::create(s.queue, kernels, "no_such", 4); });
}
END_TEST

START_TEST(patterns_take_the_kernels_argument_struct_and_a_buffer)
{
    surroundings s;
    auto kernels = accel::module::load(s.device, "kernels");
    auto dot = kernels.kernel<reductions_args>("reduce_dot");
    auto offsets = kernels.kernel<scans_args>("scan_dot");
    auto chosen = kernels.kernel<scans_args>("scan_select");
    constexpr std::size_t n = 5000;
    auto ones = accel::buffer<double>::create(s.device, n), result = accel::buffer<double>::create(s.device, n);
    auto kept = accel::buffer<double>::create(s.device, n);
    auto prefix = accel::buffer<std::uint32_t>::create(s.device, n);
    s.queue.fill(ones, 1.0);
    s.queue.fill(prefix, 0u);
    const reductions_args reduced = {ones.ptr(), ones.ptr(), 0, 0};
    const scans_args scanned = {ones.ptr(), ones.ptr(), kept.ptr(), prefix.ptr()};
    std::vector<double> host(n), sums(n), loose(n);
    s.queue.reduce(dot, n, reduced, kept);
    s.queue.read(host, kept);
    s.queue.reduce_unordered(dot, n, reduced, kept);
    s.queue.read(loose, kept);
    s.queue.scan(offsets, n, scanned, result, ACCEL_SCAN_INCLUSIVE);
    s.queue.read(sums, result);
    s.queue.scan(offsets, n, scanned, result, std::nothrow).value();
    s.queue.wait();
    ck_assert_double_eq(host[0], n);
    ck_assert_double_eq(loose[0], n);
    ck_assert_double_eq(sums[n - 1], n);
    s.queue.read(sums, result);
    s.queue.scan(chosen, n, scanned, nullptr, ACCEL_SCAN_EXCLUSIVE);
    s.queue.read(host, kept);
    s.queue.wait();
    ck_assert_double_eq(sums[n - 1], n - 1);
    ck_assert(host == std::vector<double>(n, 1.0));
    throws(ACCEL_INVALID, "flags", [&] { s.queue.scan(offsets, n, scanned, result, 4); });
    fails(ACCEL_INVALID, "is no reduction", s.queue.reduce(chosen, n, scanned, prefix, std::nothrow));
}
END_TEST

START_TEST(algorithms_take_buffers_and_know_their_types)
{
    surroundings s;
    const std::vector<double> unsorted = {3.5, -1, 2, 0.5}, limits = {-1, 0, 3};
    const std::vector<int> names = {0, 1, 2, 3};
    auto keys = accel::buffer<double>::create(s.device, 4u), sum = accel::buffer<double>::create(s.device, 1u);
    auto edges = accel::buffer<double>::create(s.device, 3u), smallest = accel::buffer<double>::create(s.device, 4u);
    auto values = accel::buffer<int>::create(s.device, 4u);
    auto counts = accel::buffer<std::uint32_t>::create(s.device, 2u);
    std::vector<double> sorted(4), total(1), least(4);
    std::vector<int> places(4);
    std::vector<std::uint32_t> even(2), given(2);
    s.queue.write(keys, unsorted);
    s.queue.write(values, names);
    s.queue.write(edges, limits);
    s.queue.wait();
    s.queue.reduce_values(keys, ACCEL_OPERATION_SUM, sum);
    s.queue.read(total, sum);
    s.queue.scan_values(keys, ACCEL_OPERATION_MIN, smallest, ACCEL_SCAN_INCLUSIVE);
    s.queue.read(least, smallest);
    s.queue.histogram(keys, 0, 4, counts);
    s.queue.read(even, counts);
    s.queue.histogram(keys, edges, counts, std::nothrow).value();
    s.queue.read(given, counts);
    s.queue.sort(keys, values);
    s.queue.read(places, values);
    s.queue.sort(keys, {ACCEL_SORT_DESCENDING, 0, 0});
    s.queue.read(sorted, keys);
    s.queue.sort(keys, std::nothrow).value();
    s.queue.wait();
    ck_assert_double_eq(total[0], 5);
    ck_assert(least == std::vector<double>({3.5, -1, -1, -1}));
    ck_assert(even == std::vector<std::uint32_t>({1, 2}));
    ck_assert(given == std::vector<std::uint32_t>({1, 2}));
    ck_assert(places == std::vector<int>({1, 3, 2, 0}));
    ck_assert(sorted == std::vector<double>({3.5, 2, 0.5, -1}));
    throws(ACCEL_INVALID, "low is 4", [&] { s.queue.histogram(keys, 4, 0, counts); });
    fails(ACCEL_INVALID, "first_bit is 99", s.queue.sort(keys, {0, 99, 0}, std::nothrow));
}
END_TEST

START_TEST(elements_are_chosen)
{
    surroundings s;
    const std::vector<double> all = {2, 2, 3, 5, 5, 5};
    const std::vector<std::uint8_t> is_chosen = {0, 1, 1, 0, 0, 1};
    auto from = accel::buffer<double>::create(s.device, 6u), to = accel::buffer<double>::create(s.device, 6u);
    auto flags = accel::buffer<std::uint8_t>::create(s.device, 6u);
    auto lengths = accel::buffer<std::uint32_t>::create(s.device, 3u);
    auto count = accel::buffer<std::uint64_t>::create(s.device, 1u);
    std::vector<double> selected(6), parted(6), single(6);
    std::vector<std::uint32_t> runs(3);
    std::vector<std::uint64_t> found(1);
    s.queue.write(from, all);
    s.queue.write(flags, is_chosen);
    s.queue.write(to, all);
    s.queue.select(from, flags, to, count);
    s.queue.read(selected, to);
    s.queue.partition(from, flags, to, count);
    s.queue.read(parted, to);
    s.queue.unique(from, to, count, std::nothrow).value();
    s.queue.run_lengths(from, to, lengths, count);
    s.queue.read(single, to);
    s.queue.read(runs, lengths);
    s.queue.read(found, count);
    s.queue.wait();
    ck_assert(selected == std::vector<double>({2, 3, 5, 5, 5, 5}));
    ck_assert(parted == std::vector<double>({2, 3, 5, 2, 5, 5}));
    ck_assert(single == std::vector<double>({2, 3, 5, 2, 5, 5}));
    ck_assert(runs == std::vector<std::uint32_t>({2, 1, 3}));
    ck_assert(found[0] == 3);
    throws(ACCEL_INVALID, "from and to", [&] { s.queue.select(from, flags, from, count); });
    fails(ACCEL_INVALID, "from and to", s.queue.unique(to, to, count, std::nothrow));
}
END_TEST

START_TEST(matrices_are_transposed)
{
    surroundings s;
    const std::vector<int> rows = {1, 2, 3, 4, 5, 6};
    auto wide = accel::buffer<int, 2>::create(s.device, accel::extent(2, 3));
    auto high = accel::buffer<int, 2>::create(s.device, accel::extent(3, 2));
    std::vector<int> columns(6);
    s.queue.write(wide, rows);
    s.queue.transpose(wide, high);
    s.queue.read(columns, high);
    s.queue.wait();
    ck_assert(columns == std::vector<int>({1, 4, 2, 5, 3, 6}));
    throws(ACCEL_INVALID, "from is 2x3", [&] { s.queue.transpose(wide, wide); });
    fails(ACCEL_INVALID, "from is 3x2", s.queue.transpose(high, high, std::nothrow));
}
END_TEST

START_TEST(matrices_are_multiplied)
{
    surroundings s;
    auto a = accel::buffer<float, 2>::create(s.device, accel::extent(2, 3));
    auto b = accel::buffer<float, 2>::create(s.device, accel::extent(3, 2));
    auto c = accel::buffer<float, 2>::create(s.device, accel::extent(2, 2));
    const std::vector<float> first = {1, 2, 3, 4, 5, 6}, second = {1, 0, 0, 1, 1, 1};
    std::vector<float> product(4);
    s.queue.write(a, first);
    s.queue.write(b, second);
    s.queue.gemm(2, a, b, 0, c);
    s.queue.gemm(1, a, a, 1, c, {ACCEL_GEMM_TRANSPOSE_B});
    s.queue.read(product, c);
    s.queue.wait();
    ck_assert(product == std::vector<float>({22, 42, 52, 99}));
    throws(ACCEL_INVALID, "a is 2x3", [&] { s.queue.gemm(1, a, a, 0, c); });
    fails(ACCEL_INVALID, "a is 3x2", s.queue.gemm(1, b, b, 0, c, std::nothrow));
}
END_TEST

Suite *launch_suite()
{
    Suite *suite = suite_create("launch");
    add(suite, launches_take_the_kernels_argument_struct);
    add(suite, kernels_without_arguments_are_launched_without);
    add(suite, kernels_of_other_argument_structs_are_refused);
    add(suite, launches_over_a_limit_are_refused);
    add(suite, patterns_take_the_kernels_argument_struct_and_a_buffer);
    add(suite, scatters_have_the_type_of_their_cells);
    add(suite, algorithms_take_buffers_and_know_their_types);
    add(suite, elements_are_chosen);
    add(suite, matrices_are_transposed);
    add(suite, matrices_are_multiplied);
    return suite;
}
