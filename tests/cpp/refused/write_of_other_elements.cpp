/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: host memory of a write or read has elements of the buffer's type */
#include <accel/accel.hpp>
#include <vector>

void write(const accel::queue &queue, const accel::buffer<float> &floats, const std::vector<double> &doubles)
{
    queue.write(floats, doubles);
}
