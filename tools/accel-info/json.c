/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"
#include "text/json.h"

#include <inttypes.h>
#include <string.h>

static void write_quoted(info_json *self, const char *value, size_t size)
{
    char character[JSON_CHARACTER];
    fputc('"', self->file);
    for (size_t at = 0; at < size; fputs(character, self->file))
        at += json_character(value + at, size - at, character);
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
