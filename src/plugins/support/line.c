/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/support/line.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What stands between % and the letter, without the modifier of a length. */
typedef struct plugin_conversion {
    char flags[8];
    int width, precision; /* below 0: none */
    char length[3];       /* h, hh, ... */
    char letter;
} plugin_conversion;

typedef struct plugin_line {
    char text[ACCEL_PRINT_LINE];
    size_t used; /* without the 0 */
    bool cut;
    const accel_print_value *values;
    uint32_t left; /* values that no conversion has taken */
} plugin_line;

static void add(plugin_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(plugin_line *line, const char *format, ...)
{
    const size_t room = sizeof(line->text) - line->used;
    va_list values;

    va_start(values, format);
    int size = vsnprintf(line->text + line->used, room, format, values);
    va_end(values);
    if (size < 0)
        return;
    line->cut = line->cut || (size_t)size >= room;
    line->used += (size_t)size < room ? (size_t)size : room - 1;
}

/* NULL: there is none. */
static const accel_print_value *next(plugin_line *line)
{
    if (line->left == 0)
        return NULL;
    line->left--;
    return line->values++;
}

/* A width or a precision: digits, or *, which takes a value. */
static const char *read_number(plugin_line *line, const char *at, int *number)
{
    if (*at == '*') {
        const accel_print_value *value = next(line);
        int64_t v = value == NULL ? 0 : (int64_t)value->word;
        *number = v > (int)ACCEL_PRINT_LINE ? (int)ACCEL_PRINT_LINE : v < -(int)ACCEL_PRINT_LINE ? -1 : (int)v;
        return at + 1;
    }
    *number = 0;
    for (; *at >= '0' && *at <= '9'; ++at) {
        if (*number < (int)ACCEL_PRINT_LINE)
            *number = *number * 10 + (*at - '0');
    }
    return at;
}

/* From behind the %. Returns what is behind the letter. */
static const char *read_conversion(plugin_line *line, const char *at, plugin_conversion *found)
{
    size_t flags = 0, length = 0;

    *found = (plugin_conversion){.width = -1, .precision = -1};
    for (; *at != 0 && strchr("-+ #0", *at) != NULL; ++at) {
        if (flags < sizeof(found->flags) - 2)
            found->flags[flags++] = *at;
    }
    if (*at == '*' || (*at >= '1' && *at <= '9')) {
        at = read_number(line, at, &found->width);
        if (found->width < 0) {
            found->flags[flags++] = '-';
            found->width = -found->width;
        }
    }
    if (*at == '.')
        at = read_number(line, at + 1, &found->precision);
    for (; *at != 0 && strchr("hljztqL", *at) != NULL; ++at) {
        if (length < sizeof(found->length) - 1)
            found->length[length++] = *at;
    }
    found->letter = *at;
    return *at == 0 ? at : at + 1;
}

/* The conversion as C's, with another modifier and letter. */
static void write_conversion(const plugin_conversion *conversion, const char *modifier, char letter, char text[48])
{
    int used = snprintf(text, 48, "%%%s", conversion->flags);

    if (conversion->width >= 0)
        used += snprintf(text + used, (size_t)(48 - used), "%d", conversion->width);
    if (conversion->precision >= 0)
        used += snprintf(text + used, (size_t)(48 - used), ".%d", conversion->precision);
    snprintf(text + used, (size_t)(48 - used), "%s%c", modifier, letter);
}

/* Fewer bits, if the conversion's modifier says so. */
static int64_t shorten(const plugin_conversion *conversion, int64_t v, bool with_sign)
{
    if (strcmp(conversion->length, "hh") == 0)
        return with_sign ? (int64_t)(signed char)v : (int64_t)(unsigned char)v;
    if (strcmp(conversion->length, "h") == 0)
        return with_sign ? (int64_t)(short)v : (int64_t)(unsigned short)v;
    return v;
}

static void add_integer(plugin_line *line, const plugin_conversion *conversion, const accel_print_value *value)
{
    const bool narrow = value->kind == ACCEL_PRINT_INT32 || value->kind == ACCEL_PRINT_UINT32;
    const int64_t v = (int64_t)value->word;
    char letter = conversion->letter, text[48];

    if (letter != 0 && strchr("ouxX", letter) != NULL) {
        write_conversion(conversion, "ll", letter, text);
        const uint64_t bits = (uint64_t)shorten(conversion, v, false);
        add(line, text, (unsigned long long)(narrow ? (uint32_t)bits : bits));
    } else if (letter == 'c') {
        write_conversion(conversion, "", letter, text);
        add(line, text, (int)(unsigned char)v);
    } else {
        const bool with_sign = value->kind == ACCEL_PRINT_INT32 || value->kind == ACCEL_PRINT_INT64;
        write_conversion(conversion, "ll", letter == 'd' || letter == 'i' || with_sign ? 'd' : 'u', text);
        add(line, text, (long long)shorten(conversion, narrow && letter == 'd' ? (int32_t)v : v, true));
    }
}

static void add_value(plugin_line *line, const plugin_conversion *conversion, const accel_print_value *value)
{
    char letter = conversion->letter, text[48];
    double real;

    switch (value->kind) {
    case ACCEL_PRINT_DOUBLE:
        memcpy(&real, &value->word, sizeof(real));
        write_conversion(conversion, "", letter != 0 && strchr("aAeEfFgG", letter) != NULL ? letter : 'g', text);
        add(line, text, real);
        break;
    case ACCEL_PRINT_POINTER:
        write_conversion(conversion, "", 'p', text);
        add(line, text, (void *)(uintptr_t)value->word);
        break;
    case ACCEL_PRINT_TEXT:
        write_conversion(conversion, "", letter == 'p' ? 'p' : 's', text);
        add(line, text, (const char *)(uintptr_t)value->word);
        break;
    default:
        add_integer(line, conversion, value);
    }
}

/* A line that lost its end still ends. */
static void end(plugin_line *line)
{
    static const char mark[] = "...\n";

    if (line->cut)
        memcpy(line->text + line->used - (sizeof(mark) - 1), mark, sizeof(mark));
}

void plugin_line_print(const char *format, const accel_print_value *values, uint32_t count)
{
    plugin_line line = {.values = values, .left = count};
    plugin_conversion conversion;

    while (*format != 0) {
        size_t plain = strcspn(format, "%");
        add(&line, "%.*s", (int)plain, format);
        format += plain;
        if (*format == 0)
            break;
        if (format[1] == '%') {
            add(&line, "%%");
            format += 2;
            continue;
        }
        format = read_conversion(&line, format + 1, &conversion);
        const accel_print_value *value = next(&line);
        if (value != NULL)
            add_value(&line, &conversion, value);
        else
            add(&line, "(missing)");
    }
    end(&line);
    (void)fwrite(line.text, 1, line.used, stdout);
}
