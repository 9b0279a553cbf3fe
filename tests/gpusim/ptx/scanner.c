/* SPDX-License-Identifier: Apache-2.0 */
#include "scanner.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ptx_scanner_begin(ptx_scanner *self, const char *text, size_t size, char *reason, size_t reason_size)
{
    *self = (ptx_scanner){.at = text, .end = text + size, .line = 1, .reason = reason, .reason_size = reason_size};
    ptx_scanner_next(self);
}

bool ptx_scanner_fail(ptx_scanner *self, const char *format, ...)
{
    if (self->failed)
        return false;
    char what[256];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof(what), format, list);
    va_end(list);
    snprintf(self->reason, self->reason_size, "line %u of the PTX: %s", self->line, what);
    self->failed = true;
    self->token = PTX_END;
    return false;
}

static bool starts(const ptx_scanner *self, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(self->end - self->at) >= length && memcmp(self->at, word, length) == 0;
}

static void skip_blanks(ptx_scanner *self)
{
    while (self->at < self->end) {
        if (starts(self, "//")) {
            while (self->at < self->end && *self->at != '\n')
                ++self->at;
        } else if (starts(self, "/*")) {
            for (self->at += 2; self->at < self->end && !starts(self, "*/"); ++self->at)
                self->line += *self->at == '\n';
            self->at += self->at < self->end ? 2 : 0;
        } else if (isspace((unsigned char)*self->at)) {
            self->line += *self->at++ == '\n';
        } else {
            return;
        }
    }
}

static bool belongs_to_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* "0x1F", "017", "25U", "0f3F800000", "0dBFE0000000000000". */
static void scan_number(ptx_scanner *self)
{
    char digits[32], *stop;
    size_t length = 0;
    while (self->at + length < self->end && length + 1 < sizeof(digits) && isalnum((unsigned char)self->at[length])) {
        digits[length] = self->at[length];
        ++length;
    }
    digits[length] = '\0';
    const char kind = digits[0] == '0' ? (char)tolower((unsigned char)digits[1]) : '\0';
    const bool real = (kind == 'f' && length == 10) || (kind == 'd' && length == 18);
    self->token = !real ? PTX_INTEGER : kind == 'f' ? PTX_REAL32 : PTX_REAL64;
    self->value = real ? strtoull(digits + 2, &stop, 16) : strtoull(digits, &stop, 0);
    if (*stop == 'U')
        ++stop;
    if (*stop != '\0')
        ptx_scanner_fail(self, "%s is no number", digits);
    else
        self->at += length;
}

static void scan_name(ptx_scanner *self)
{
    size_t length = 0;
    while (self->at < self->end && belongs_to_name(*self->at) && length + 3 < sizeof(self->text)) {
        self->text[length++] = *self->at++;
        if (starts(self, "::")) { /* ".shared::cta" */
            self->text[length++] = ':';
            self->at += 2;
        }
    }
    self->text[length] = '\0';
    self->token = PTX_NAME;
}

void ptx_scanner_next(ptx_scanner *self)
{
    skip_blanks(self);
    if (self->failed || self->at == self->end) {
        self->token = PTX_END;
        self->text[0] = '\0';
    } else if (isdigit((unsigned char)*self->at)) {
        scan_number(self);
    } else if (belongs_to_name(*self->at)) {
        scan_name(self);
    } else if (*self->at == '"') {
        const char *close = memchr(self->at + 1, '"', (size_t)(self->end - self->at) - 1);
        self->at = close != NULL ? close + 1 : self->end;
        self->token = PTX_STRING;
    } else {
        self->token = PTX_MARK;
        self->text[0] = *self->at++;
        self->text[1] = '\0';
    }
}

void ptx_scanner_end_line(ptx_scanner *self)
{
    while (self->at < self->end && *self->at != '\n')
        ++self->at;
    ptx_scanner_next(self);
}

bool ptx_scanner_is(const ptx_scanner *self, char mark)
{
    return self->token == PTX_MARK && self->text[0] == mark;
}

bool ptx_scanner_is_name(const ptx_scanner *self, const char *name)
{
    return self->token == PTX_NAME && strcmp(self->text, name) == 0;
}

bool ptx_scanner_accept(ptx_scanner *self, char mark)
{
    if (!ptx_scanner_is(self, mark))
        return false;
    ptx_scanner_next(self);
    return true;
}

bool ptx_scanner_accept_name(ptx_scanner *self, const char *name)
{
    if (!ptx_scanner_is_name(self, name))
        return false;
    ptx_scanner_next(self);
    return true;
}

bool ptx_scanner_expect(ptx_scanner *self, char mark)
{
    return ptx_scanner_accept(self, mark) ||
           ptx_scanner_fail(self, "\"%c\" is missing before \"%s\"", mark, self->text);
}

bool ptx_scanner_number(ptx_scanner *self, int64_t *value)
{
    const bool negative = ptx_scanner_accept(self, '-');
    if (self->token != PTX_INTEGER)
        return ptx_scanner_fail(self, "a number is missing before \"%s\"", self->text);
    *value = (int64_t)(negative ? 0 - self->value : self->value);
    ptx_scanner_next(self);
    return true;
}
