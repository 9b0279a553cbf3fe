/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: the last argument says how the call fails: std::nothrow, or none for an exception */
#include <accel/accel.hpp>

void wait(const accel::queue &queue)
{
    queue.wait(true);
}
