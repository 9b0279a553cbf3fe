/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: the value of a fill is an element of the buffer */
#include <accel/accel.hpp>

void fill(const accel::queue &queue, const accel::module &module)
{
    queue.fill(module.global("counter"), 1u);
}
