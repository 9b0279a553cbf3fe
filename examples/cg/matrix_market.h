/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CG_MATRIX_MARKET_H
#define CG_MATRIX_MARKET_H

#include "sparse_matrix.h"

/* Reads a square matrix from a Matrix Market file: coordinate format, fields real, integer and pattern (every value 1),
 * symmetries general and symmetric. Blank lines, comments and CRLF are fine. False, with "FILE:LINE: what is wrong" in
 * error[]: the file cannot be read, is malformed, or holds another kind of matrix. */
bool matrix_market_read(const char *path, sparse_matrix *, char *error, size_t error_size);

#endif
