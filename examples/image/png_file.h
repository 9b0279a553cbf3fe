/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures in files, by libpng. */
#ifndef PNG_FILE_H
#define PNG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Red, green and blue of each pixel, which the caller frees. What is transparent becomes white. NULL: it failed, and there
 * was a message, as for all of these. */
uint8_t *png_file_read(const char *path, size_t *rows, size_t *columns);
bool png_file_write_grey(const char *path, size_t rows, size_t columns, const uint8_t *pixels);

#endif
