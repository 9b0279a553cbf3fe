/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: the argument struct of a kernel has at most 4096 bytes */
#include <accel/accel.hpp>

struct large_args {
    char bytes[4097];
};
accel::kernel<large_args> kernel;
