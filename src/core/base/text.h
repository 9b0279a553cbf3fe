/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows: lists of reasons and names for errors and records. */
#ifndef ACCEL_CORE_TEXT_H
#define ACCEL_CORE_TEXT_H

#include <accel/plugin.h>

/* Begins as {0}. `failed` is set when memory ran out: the text then ends early. */
typedef struct accel_text {
    char *data; /* NULL while empty */
    size_t length, capacity;
    bool failed;
} accel_text;

void accel_text_add(accel_text *, const char *format, ...) ACCEL_PRINTF_FORMAT(2, 3);
/* The text so far, never NULL; until the next add. */
const char *accel_text_peek(const accel_text *);
/* The finished text, the caller's to deallocate, "" if nothing was added; NULL with the error text set if memory ran
 * out. The builder is empty again. */
char *accel_text_take(accel_text *);
void accel_text_clear(accel_text *);

#endif
