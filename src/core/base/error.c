/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Each thread's own: no other thread reads it, so it needs no order. */
static _Thread_local char error_text[ACCEL_ERROR_SIZE];

static const char *const status_names[] = {
    [ACCEL_OK] = "ACCEL_OK",
    [ACCEL_NOT_READY] = "ACCEL_NOT_READY",
    [ACCEL_INVALID] = "ACCEL_INVALID",
    [ACCEL_OUT_OF_MEMORY] = "ACCEL_OUT_OF_MEMORY",
    [ACCEL_UNSUPPORTED] = "ACCEL_UNSUPPORTED",
    [ACCEL_NOT_FOUND] = "ACCEL_NOT_FOUND",
    [ACCEL_UNAVAILABLE] = "ACCEL_UNAVAILABLE",
    [ACCEL_INCOMPATIBLE] = "ACCEL_INCOMPATIBLE",
    [ACCEL_LIMIT] = "ACCEL_LIMIT",
    [ACCEL_IO] = "ACCEL_IO",
    [ACCEL_FORKED] = "ACCEL_FORKED",
    [ACCEL_KERNEL_FAULT] = "ACCEL_KERNEL_FAULT",
    [ACCEL_DEVICE_LOST] = "ACCEL_DEVICE_LOST",
    [ACCEL_DRIVER] = "ACCEL_DRIVER",
    [ACCEL_INTERNAL] = "ACCEL_INTERNAL",
};

ACCEL_API const char *accel_status_name(accel_status status)
{
    if (status >= sizeof(status_names) / sizeof(status_names[0]))
        return "ACCEL_STATUS_UNKNOWN";
    return status_names[status];
}

ACCEL_API const char *accel_error_message(void)
{
    return error_text;
}

/* Ends a text that was cut so that the reader sees it. */
static void mark_cut(char *text)
{
    memcpy(text + ACCEL_ERROR_SIZE - 4, "...", 4);
}

accel_status accel_error_set(accel_status status, const char *format, ...)
{
    char text[ACCEL_ERROR_SIZE]; /* the arguments may point into error_text */
    int saved = errno;
    va_list list;

    va_start(list, format);
    int length = vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    if (length < 0) {
        length = 0;
        text[0] = '\0';
    } else if ((size_t)length >= sizeof(text)) {
        length = (int)sizeof(text) - 1;
        mark_cut(text);
    }
    memcpy(error_text, text, (size_t)length + 1);
    errno = saved;
    return status;
}

accel_status accel_error_prefix(accel_status status, const char *function)
{
    size_t length = strlen(function);
    size_t rest = strlen(error_text);

    if (strncmp(error_text, function, length) == 0 && error_text[length] == ':')
        return status;
    if (rest == 0)
        return accel_error_set(status, "%s: %s", function, accel_status_name(status));
    if (length + 2 + rest >= ACCEL_ERROR_SIZE) {
        rest = ACCEL_ERROR_SIZE - 1 - length - 2;
        memmove(error_text + length + 2, error_text, rest);
        mark_cut(error_text);
    } else {
        memmove(error_text + length + 2, error_text, rest + 1);
    }
    memcpy(error_text, function, length);
    memcpy(error_text + length, ": ", 2);
    return status;
}

accel_status accel_error_rename(accel_status status, const char *function)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    size_t length = strspn(error_text, letters);

    if (strncmp(error_text, "accel_", 6) == 0 && strncmp(error_text + length, ": ", 2) == 0)
        memmove(error_text, error_text + length + 2, strlen(error_text + length + 2) + 1);
    return accel_error_prefix(status, function);
}

void accel_error_save(char buffer[ACCEL_ERROR_SIZE])
{
    memcpy(buffer, error_text, strlen(error_text) + 1);
}

void accel_error_restore(const char buffer[ACCEL_ERROR_SIZE])
{
    memcpy(error_text, buffer, strlen(buffer) + 1);
}

accel_status accel_error_null(const char *function, const char *parameter)
{
    return accel_error_set(ACCEL_INVALID, "%s: parameter \"%s\" is NULL", function, parameter);
}
