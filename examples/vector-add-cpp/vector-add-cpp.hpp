/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by host and kernel: the argument struct, which is plain data. Pointers in it are device addresses, from
 * accel::buffer::ptr. */
#ifndef VECTOR_ADD_CPP_HPP
#define VECTOR_ADD_CPP_HPP

#include <cstddef>

struct vector_add_args {
    std::size_t n;
    const float *a;
    const float *b;
    float *c;
};

#endif
