/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: this host memory is a temporary, which is gone before the copy: give it a name that outlives the operation */
#include <accel/accel.hpp>
#include <vector>

void write(const accel::queue &queue, const accel::buffer<float> &floats)
{
    queue.write(floats, std::vector<float>(100));
}
