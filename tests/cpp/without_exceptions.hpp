/* SPDX-License-Identifier: Apache-2.0 */
/* A part of the tests that is compiled with -fno-exceptions -fno-rtti and linked with parts that have both. */
#ifndef CPP_WITHOUT_EXCEPTIONS_HPP
#define CPP_WITHOUT_EXCEPTIONS_HPP

#include <accel/accel.hpp>

/* A blocking queue of the device. */
accel::result<accel::queue> queue_without_exceptions(const accel::device &);
/* Adds up ten times 7, which a kernel of the module wrote. */
accel_status sum_without_exceptions(const accel::queue &, const accel::module &, unsigned *sum);

#endif
