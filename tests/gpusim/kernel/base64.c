/* SPDX-License-Identifier: Apache-2.0 */
#include "base64.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t gpusim_base64_encode(const uint8_t *data, size_t size, char *text)
{
    char *out = text;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t word = (uint32_t)data[i] << 16;
        word |= left > 1 ? (uint32_t)data[i + 1] << 8 : 0;
        word |= left > 2 ? data[i + 2] : 0;
        *out++ = alphabet[word >> 18];
        *out++ = alphabet[word >> 12 & 63];
        *out++ = left > 1 ? alphabet[word >> 6 & 63] : '=';
        *out++ = left > 2 ? alphabet[word & 63] : '=';
    }
    return (size_t)(out - text);
}

bool gpusim_base64_decode(const char *text, size_t length, uint8_t *data, size_t *size)
{
    uint8_t *out = data;
    if (length % 4 != 0)
        return false;
    for (size_t i = 0; i < length; i += 4) {
        uint32_t word = 0;
        unsigned bytes = 3;
        for (unsigned k = 0; k < 4; ++k) {
            char c = text[i + k];
            const char *at = c == '\0' ? NULL : strchr(alphabet, c);
            if (c == '=' && k >= 2 && i + 4 == length)
                bytes = bytes > k - 1 ? k - 1 : bytes;
            else if (at == NULL || bytes < 3)
                return false;
            word = word << 6 | (at != NULL ? (uint32_t)(at - alphabet) : 0);
        }
        for (unsigned k = 0; k < bytes; ++k)
            *out++ = (uint8_t)(word >> (16 - 8 * k));
    }
    *size = (size_t)(out - data);
    return true;
}
