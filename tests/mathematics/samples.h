/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments at which the errors of functions are measured. */
#ifndef TEST_MATHEMATICS_SAMPLES_H
#define TEST_MATHEMATICS_SAMPLES_H
#include <stdbool.h>
#include <stddef.h>

/* Fills x and y with n arguments of a function, floats or doubles: special values first (of two arguments every pair),
 * then the whole range of exponents, the neighbourhood of 0, 1, integers and multiples of pi / 2, and the range in which
 * exponentials neither vanish nor overflow. The same ones on every machine. */
void samples_make(const char *function, bool is_float, size_t n, double *x, double *y);

#endif
