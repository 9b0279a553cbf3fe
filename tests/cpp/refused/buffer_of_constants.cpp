/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: the elements of a buffer have no const or volatile */
#include <accel/accel.hpp>

accel::buffer<const float> constants;
