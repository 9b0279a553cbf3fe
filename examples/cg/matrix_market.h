/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CG_MATRIX_MARKET_H
#define CG_MATRIX_MARKET_H

#include "sparse_matrix.h"

/* Reads a square matrix from a Matrix Market file: coordinate format, fields real, integer and pattern (every value 1),
 * symmetries general and symmetric. Blank lines, comments and CRLF are fine. Returns false with
 * "FILE:LINE: what is wrong" in error[] if the file cannot be read, is malformed, or holds another kind of matrix. */
bool matrix_market_read(const char *path, sparse_matrix *, char *error, size_t error_size);
/* Reads the file again and returns the line of the entry at row and column, both from 0; 0 if there is none. */
size_t matrix_market_line(const char *path, size_t row, size_t column);

#endif
