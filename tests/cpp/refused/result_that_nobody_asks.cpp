/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: nodiscard */
/* Flags: -Werror=unused-result -Werror=unused-value */
#include <accel/accel.hpp>

void wait(const accel::queue &queue)
{
    queue.wait(std::nothrow);
}
