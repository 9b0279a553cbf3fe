/* SPDX-License-Identifier: Apache-2.0 */
/* Texts as they stand in JSON (RFC 8259), for all that write it: names and paths may be any bytes, JSON is UTF-8. */
#ifndef ACCEL_TEXT_JSON_H
#define ACCEL_TEXT_JSON_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at `text`, of at most `size`; 0 if there is none: a stray, overlong, cut or surrogate one. */
static inline size_t json_character_length(const unsigned char *text, size_t size)
{
    const size_t length = text[0] < 0x80                      ? 1
                          : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                          : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                          : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                              : 0;
    if (length > size)
        return 0;
    for (size_t i = 1; i < length; ++i)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

enum { JSON_CHARACTER = 8 }; /* bytes of the longest, with its end */

/* The first character of a text of `size` bytes, at least 1, as a JSON string has it; of a byte that is no character U+FFFD.
 * Returns how many of the bytes it stands for. */
static inline size_t json_character(const char *text, size_t size, char character[JSON_CHARACTER])
{
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t length = json_character_length(bytes, size);
    if (length == 0) {
        memcpy(character, "\\ufffd", sizeof("\\ufffd"));
        return 1;
    }
    if (length == 1 && (bytes[0] < 0x20 || bytes[0] == 0x7f)) {
        snprintf(character, JSON_CHARACTER, "\\u%04x", (unsigned)bytes[0]);
    } else {
        const size_t escaped = bytes[0] == '"' || bytes[0] == '\\';
        character[0] = '\\';
        memcpy(character + escaped, text, length);
        character[escaped + length] = '\0';
    }
    return length;
}

#endif
