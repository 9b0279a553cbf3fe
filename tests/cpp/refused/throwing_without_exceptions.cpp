/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: this file is compiled without exceptions: give std::nothrow as the last argument of every call that can fail, and ask its result */
/* Flags: -fno-exceptions */
#include <accel/accel.hpp>

void wait(const accel::queue &queue)
{
    queue.wait();
}
