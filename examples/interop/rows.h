/* SPDX-License-Identifier: Apache-2.0 */
/* A loop of the program's own over a matrix in the host's memory, by OpenMP where the compiler has it. */
#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>

/* 1 and the absolute values of each row, added from left to right. The rows are `pitch` numbers apart. */
void rows_sizes(size_t n, size_t pitch, const double *c, double *sizes);
/* Threads that it takes; 0: it was compiled without OpenMP. */
int rows_threads(void);

#endif
