/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as text, for PTX. */
#ifndef GPUSIM_BASE64_H
#define GPUSIM_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes 4 * ((size + 2) / 3) characters and no zero. */
size_t gpusim_base64_encode(const uint8_t *data, size_t size, char *text);
/* Writes at most length / 4 * 3 bytes; false if the text is no base64. */
bool gpusim_base64_decode(const char *text, size_t length, uint8_t *data, size_t *size);

#endif
