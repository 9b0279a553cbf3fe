/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: the two buffers of a copy have as many dimensions */
#include <accel/accel.hpp>

void copy(const accel::queue &queue, const accel::buffer<float> &line, const accel::buffer<float, 2> &plane)
{
    queue.copy(line, plane);
}
