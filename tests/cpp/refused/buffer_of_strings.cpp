/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: elements of a buffer are copied as bytes between devices: the type must be trivially copyable */
#include <accel/accel.hpp>
#include <string>

accel::buffer<std::string> strings;
