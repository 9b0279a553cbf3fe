/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: a host function is called as f(accel_status) or as f() */
#include <accel/accel.hpp>

void call(const accel::queue &queue)
{
    queue.call([](int, int) {});
}
