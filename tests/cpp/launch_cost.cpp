/* SPDX-License-Identifier: Apache-2.0 */
/* Launches from C, from accel.hpp with exceptions and from accel.hpp with results: launch_cost.sh counts the instructions of
 * each. accel_launch is the script's, and does nothing. */
#include <accel/accel.hpp>

#include <cstdlib>
#include <cstring>

struct args {
    std::size_t n;
    const double *x;
    double *y;
};
static constexpr int rounds = 1000;

#define COUNTED extern "C" __attribute__((noinline, used, visibility("default")))

COUNTED void launches_in_c(accel_queue *queue, accel_kernel *kernel, const accel_work *work, const double *x, double *y)
{
    for (int i = 0; i < rounds; ++i) {
        const args values = {static_cast<std::size_t>(i), x, y};
        if (accel_launch(queue, kernel, work, &values, sizeof values) != ACCEL_OK)
            std::abort();
    }
}

COUNTED void launches_that_throw(const accel::queue &queue, const accel::kernel<args> &kernel, const accel_work &work,
                                 const double *x, double *y)
{
    for (int i = 0; i < rounds; ++i)
        queue.launch(kernel, work, {static_cast<std::size_t>(i), x, y});
}

COUNTED void launches_with_results(const accel::queue &queue, const accel::kernel<args> &kernel, const accel_work &work,
                                   const double *x, double *y)
{
    for (int i = 0; i < rounds; ++i) {
        if (!queue.launch(kernel, work, {static_cast<std::size_t>(i), x, y}, std::nothrow))
            std::abort();
    }
}

int main(int argc, char **argv)
{
    const accel_work work = accel_work_1d(1, 1, 1);
    accel::queue queue;
    accel::kernel<args> kernel;
    double x = 0, y = 0;
    if (argc != 2)
        return 2;
    if (std::strcmp(argv[1], "c") == 0)
        launches_in_c(queue.get(), kernel.get(), &work, &x, &y);
    else if (std::strcmp(argv[1], "throw") == 0)
        launches_that_throw(queue, kernel, work, &x, &y);
    else
        launches_with_results(queue, kernel, work, &x, &y);
    return 0;
}
