/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: the two buffers of a copy have elements of the same type */
#include <accel/accel.hpp>

void copy(const accel::queue &queue, const accel::buffer<float> &floats, const accel::buffer<int> &ints)
{
    queue.copy(floats, ints);
}
