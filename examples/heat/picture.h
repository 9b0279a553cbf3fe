/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes side * side temperatures as a picture, a PPM file: 1 is red, 0 white and -1 blue. false, with a message on standard
 * error: the file could not be written. */
bool picture_write(const char *path, size_t side, const double *values);

#endif
