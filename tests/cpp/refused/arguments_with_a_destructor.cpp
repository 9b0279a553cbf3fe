/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: the argument struct of a kernel is passed to the device as bytes: it must be plain data */
#include <accel/accel.hpp>
#include <string>

struct named_args {
    std::string name;
};
accel::kernel<named_args> kernel;
