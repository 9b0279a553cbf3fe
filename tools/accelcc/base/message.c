/* SPDX-License-Identifier: Apache-2.0 */
#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>

static void message(const char *kind, const char *format, va_list arguments)
{
    flockfile(stderr);
    fprintf(stderr, "accelcc: %s", kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
}

void message_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message("error: ", format, arguments);
    va_end(arguments);
}

void message_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message("", format, arguments);
    va_end(arguments);
}
