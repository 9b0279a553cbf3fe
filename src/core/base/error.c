/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The longest run of characters without a space. */
static char *longest_word(char *text, size_t *length)
{
    char *longest = text;
    *length = 0;
    for (char *word = text; *word != '\0'; word += strspn(word, " \n")) {
        const size_t size = strcspn(word, " \n");
        if (size > *length) {
            *length = size;
            longest = word;
        }
        word += size;
    }
    return longest;
}

/* Moves `at` to the next beginning of a character of UTF-8. */
static char *whole_character(char *at)
{
    while (((unsigned char)*at & 0xC0u) == 0x80u)
        ++at;
    return at;
}

/* Takes the middles of the longest words out, values mostly, until the text fits: what is wrong and what to do stand behind
 * them. False if its words are short. */
static bool shorten(char *text, size_t length)
{
    enum { FRONT = 60, END = 20, LONG = 2 * (FRONT + END) };
    while (length >= ACCEL_ERROR_SIZE) {
        size_t size;
        char *word = longest_word(text, &size);
        if (size < LONG)
            return false;
        char *front = whole_character(word + FRONT), *end = whole_character(word + size - END);
        memcpy(front, "...", 3);
        memmove(front + 3, end, strlen(end) + 1);
        length = strlen(text);
    }
    return true;
}

/* A text that is too long: shortened if there is memory for the whole, otherwise its beginning. */
static void set_long(char text[ACCEL_ERROR_SIZE], size_t length, const char *format, va_list list)
{
    char *whole = malloc(length + 1);
    if (whole != NULL)
        vsnprintf(whole, length + 1, format, list);
    if (whole != NULL && shorten(whole, length))
        memcpy(text, whole, strlen(whole) + 1);
    else
        mark_cut(text);
    free(whole);
}

accel_status accel_error_set(accel_status status, const char *format, ...)
{
    char text[ACCEL_ERROR_SIZE]; /* the arguments may point into error_text */
    int saved = errno;
    va_list list, again;

    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(text, sizeof(text), format, list);
    if (length < 0)
        text[0] = '\0';
    else if ((size_t)length >= sizeof(text))
        set_long(text, (size_t)length, format, again);
    va_end(again);
    va_end(list);
    memcpy(error_text, text, strlen(text) + 1);
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
