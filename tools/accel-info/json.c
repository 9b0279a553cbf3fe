/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of the UTF-8 character at `text`; 0 if there is none: a stray, overlong, cut or surrogate one. */
static size_t character_length(const unsigned char *text)
{
    size_t length = text[0] < 0x80                      ? 1
                    : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                    : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                    : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                        : 0;
    for (size_t i = 1; i < length; ++i) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

static void write_quoted(info_json *self, const char *value, size_t size)
{
    const unsigned char *text = (const unsigned char *)value, *end = text + size;
    fputc('"', self->file);
    while (text < end) {
        size_t length = character_length(text);
        if (length == 0) {
            fputs("\\ufffd", self->file);
            ++text;
        } else if (length == 1 && (*text < 0x20 || *text == 0x7f)) {
            fprintf(self->file, "\\u%04x", (unsigned)*text);
            ++text;
        } else {
            if (*text == '"' || *text == '\\')
                fputc('\\', self->file);
            fwrite(text, 1, length, self->file);
            text += length;
        }
    }
    fputc('"', self->file);
}

/* Writes what precedes a value: comma, line break, indentation and key. */
static void begin(info_json *self, const char *key)
{
    if (self->depth != 0) {
        fputs(self->first ? "\n" : ",\n", self->file);
        fprintf(self->file, "%*s", (int)(2 * self->depth), "");
    }
    self->first = false;
    if (key != NULL) {
        write_quoted(self, key, strlen(key));
        fputs(": ", self->file);
    }
}

static void open_group(info_json *self, const char *key, char bracket)
{
    begin(self, key);
    fputc(bracket, self->file);
    ++self->depth;
    self->first = true;
}

static void close_group(info_json *self, char bracket)
{
    --self->depth;
    if (!self->first)
        fprintf(self->file, "\n%*s", (int)(2 * self->depth), "");
    fputc(bracket, self->file);
    self->first = false;
    if (self->depth == 0)
        fputc('\n', self->file);
}

void json_open_object(info_json *self, const char *key)
{
    open_group(self, key, '{');
}

void json_close_object(info_json *self)
{
    close_group(self, '}');
}

void json_open_array(info_json *self, const char *key)
{
    open_group(self, key, '[');
}

void json_close_array(info_json *self)
{
    close_group(self, ']');
}

void json_string(info_json *self, const char *key, const char *value)
{
    begin(self, key);
    write_quoted(self, value, strlen(value));
}

void json_unsigned(info_json *self, const char *key, uint64_t value)
{
    begin(self, key);
    fprintf(self->file, "%" PRIu64, value);
}

void json_signed(info_json *self, const char *key, int64_t value)
{
    begin(self, key);
    fprintf(self->file, "%" PRId64, value);
}

void json_bool(info_json *self, const char *key, bool value)
{
    begin(self, key);
    fputs(value ? "true" : "false", self->file);
}

void json_null(info_json *self, const char *key)
{
    begin(self, key);
    fputs("null", self->file);
}

void json_split(info_json *self, const char *key, const char *text, char separator)
{
    json_open_array(self, key);
    while (*text != '\0') {
        const char *end = strchr(text, separator);
        size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        if (length != 0) {
            begin(self, NULL);
            write_quoted(self, text, length);
        }
        text += length + (end != NULL);
    }
    json_close_array(self);
}
