/* SPDX-License-Identifier: Apache-2.0 */
/* --vector-math: loops of host objects call the C library's vector functions (libmvec). */
#ifndef ACCELCC_VECTOR_MATH_H
#define ACCELCC_VECTOR_MATH_H

#include "target.h"

/* Compiles and links a loop, and looks for such a call. false after a message if there is none. */
bool vector_math_check(const accelcc_job *);

#endif
