/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/text.h"

#include "core/base/allocate.h"

#include <stdarg.h>
#include <stdio.h>

void accel_text_add(accel_text *text, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int more = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (more <= 0 || text->failed)
        return;

    size_t needed = text->length + (size_t)more + 1;
    if (needed > text->capacity) {
        size_t capacity = needed < 256 ? 256 : 2 * needed;
        char *grown = accel_reallocate(text->data, capacity);
        if (grown == NULL) {
            text->failed = true;
            return;
        }
        text->data = grown;
        text->capacity = capacity;
    }
    va_start(list, format);
    vsnprintf(text->data + text->length, text->capacity - text->length, format, list);
    va_end(list);
    text->length += (size_t)more;
}

const char *accel_text_peek(const accel_text *text)
{
    return text->data != NULL ? text->data : "";
}

char *accel_text_take(accel_text *text)
{
    char *taken = NULL;

    if (!text->failed)
        taken = accel_text_copy(accel_text_peek(text));
    accel_text_clear(text);
    return taken;
}

void accel_text_clear(accel_text *text)
{
    accel_deallocate(text->data);
    *text = (accel_text){0};
}
