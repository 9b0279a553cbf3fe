/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector-add-cpp - the example vector-add in C++: adds two vectors on a device and checks every element.
 *
 *   vector-add-cpp [DEVICE]              DEVICE is "cpu-serial", "cuda:1", ...; without it, the first device
 *   vector-add-cpp --table-row [DEVICE]  one line for examples/demo.sh, fields separated by tabs
 *
 * The kernel is in vector-add-cpp.k.cpp, its arguments in vector-add-cpp.hpp.
 */
#include <accel/accel.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "vector-add-cpp.hpp"

using seconds = std::chrono::duration<double>;

/* c = a + b on the device. Returns how long the kernel took. Nothing is released here: destructors do it, also when a call
 * throws. */
static seconds add_on_device(const accel::device &device, const std::vector<float> &a, const std::vector<float> &b,
                             std::vector<float> &c)
{
    auto queue = accel::queue::create(device);
    auto device_a = accel::buffer<float>::create(device, a.size());
    auto device_b = accel::buffer<float>::create(device, b.size());
    auto device_c = accel::buffer<float>::create(device, c.size());

    /* The type in brackets is the kernel's argument struct: a launch with another one does not compile. */
    auto module = accel::module::load(device, "vector-add-cpp");
    auto add = module.kernel<vector_add_args>("vector_add");

    queue.write(device_a, a);
    queue.write(device_b, b);
    queue.wait();
    const auto start = std::chrono::steady_clock::now();
    queue.launch_over(add, c.size(), {c.size(), device_a.ptr(), device_b.ptr(), device_c.ptr()});
    queue.wait(); /* only to time the kernel: the queue keeps the order by itself */
    const seconds time = std::chrono::steady_clock::now() - start;
    queue.read(c, device_c);
    queue.wait();
    return time;
}

/* Counts the wrong elements. The inputs are small integers, so the sums are exact. */
static std::size_t count_wrong(const std::vector<float> &a, const std::vector<float> &b, const std::vector<float> &c)
{
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < c.size(); ++i)
        wrong += c[i] != a[i] + b[i];
    return wrong;
}

static int run(const char *name, bool table_row)
{
    auto instance = accel::instance::create();
    auto device = instance.find_device(name);

    std::vector<float> a(std::size_t{1} << 20), b(a.size()), c(a.size(), -1.0f);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<float>(i % 1000);
        b[i] = static_cast<float>(i % 77);
    }
    const seconds time = add_on_device(device, a, b, c);
    const std::size_t wrong = count_wrong(a, b, c);

    const accel_device_properties about = device.info();
    if (table_row)
        std::printf("vector-add-cpp\t%s\t%s\t%s\t%.6f\n", about.backend, about.description, wrong == 0 ? "yes" : "NO",
                    time.count());
    else
        std::printf("vector-add-cpp of %zu floats on %s (%s): %s, %.3f ms\n", c.size(), about.name, about.description,
                    wrong == 0 ? "verified" : "WRONG", 1e3 * time.count());
    return wrong == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    const bool table_row = argc > 1 && std::strcmp(argv[1], "--table-row") == 0;
    const char *name = argc > 1 + table_row ? argv[1 + table_row] : nullptr; /* none: the first device of all */
    if (argc > 2 + table_row || (name != nullptr && name[0] == '-')) {
        std::fprintf(stderr, "usage: vector-add-cpp [--table-row] [DEVICE]\n");
        return 2;
    }
    try {
        return run(name, table_row);
    } catch (const accel::error &error) {
        std::fprintf(stderr, "vector-add-cpp: %s: %s\n", accel_status_name(error.status()), error.what());
        return 2;
    }
}
