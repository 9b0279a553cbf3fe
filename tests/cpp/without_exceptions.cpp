/* SPDX-License-Identifier: Apache-2.0 */
#include "without_exceptions.hpp"

#include "kernels/arguments.h"

#include <array>
#include <new>

accel::result<accel::queue> queue_without_exceptions(const accel::device &device)
{
    return accel::queue::create(device, {ACCEL_QUEUE_BLOCKING}, std::nothrow);
}

accel_status sum_without_exceptions(const accel::queue &queue, const accel::module &module, unsigned *sum)
{
    std::array<uint32_t, 10> host{};
    auto device = queue.device();
    auto words = accel::buffer<uint32_t>::create(device, host.size(), 0, std::nothrow);
    auto set = module.kernel<words_args>("set", std::nothrow);
    if (!words || !set)
        return words ? set.status() : words.status();
    if (auto done = queue.launch_over(*set, 10, {words->ptr(), 10, 7}, std::nothrow); !done)
        return done.status();
    if (auto done = queue.read(host, *words, std::nothrow); !done)
        return done.status();
    if (auto done = queue.call(
            [&host, sum] {
                for (uint32_t word : host)
                    *sum += word;
            },
            std::nothrow);
        !done)
        return done.status();
    return queue.wait(std::nothrow).status();
}
