/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: host memory of a write or read has elements of the buffer's type (a read's are not const) */
#include <accel/accel.hpp>
#include <vector>

void read(const accel::queue &queue, const accel::buffer<float> &floats, const std::vector<float> &host)
{
    queue.read(host, floats);
}
