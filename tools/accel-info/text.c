/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100 };

void text_heading(const char *title)
{
    printf("\n%s\n", title);
}

/* How many bytes of the line fit into `room`: up to a space, or a whole word that is longer. */
static size_t fitting(const char *line, size_t length, size_t room)
{
    if (length <= room)
        return length;
    for (size_t at = room; at > 0; --at) {
        if (line[at] == ' ')
            return at;
    }
    for (size_t at = room; at < length; ++at) {
        if (line[at] == ' ')
            return at;
    }
    return length;
}

void text_field(unsigned indent, unsigned column, const char *label, const char *value)
{
    size_t used = indent + strlen(label);
    printf("%*s%s", (int)indent, "", label);
    do {
        size_t length = strcspn(value, "\n");
        const char *rest = value + length;
        do {
            if (used >= column && used > indent) { /* the label is too long for its column */
                putchar('\n');
                used = 0;
            }
            size_t part = fitting(value, length, WIDTH - column);
            printf("%*s%.*s\n", part != 0 ? (int)(column - used) : 0, "", (int)part, value);
            used = 0;
            value += part;
            length -= part;
            while (length != 0 && *value == ' ') {
                ++value;
                --length;
            }
        } while (length != 0);
        value = *rest == '\n' ? rest + 1 : rest;
    } while (*value != '\0');
}

void text_format(unsigned indent, unsigned column, const char *label, const char *format, ...)
{
    char value[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    text_field(indent, column, label, value);
}

const char *text_bytes(uint64_t bytes, char buffer[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = (double)bytes;
    unsigned unit = 0;
    if (bytes == 0)
        return "unknown";
    for (; value >= 1024 && unit < 5; ++unit)
        value /= 1024;
    if (unit == 0 || bytes % (UINT64_C(1) << (10 * unit)) == 0)
        snprintf(buffer, 32, "%.0f %s", value, units[unit]);
    else
        snprintf(buffer, 32, "%.1f %s", value, units[unit]);
    return buffer;
}
