/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/allocate.h"

#include "core/base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hidden and weak: NULL in the shared library, even if a program defines it. A static test fills it in. */
__attribute__((weak, visibility("hidden"))) bool accel_allocate_fails(size_t size);

static bool fails(size_t size)
{
    return accel_allocate_fails != NULL && accel_allocate_fails(size);
}

static void *none(size_t size)
{
    accel_error_set(ACCEL_OUT_OF_MEMORY,
                    "out of host memory: %zu bytes were asked for; free something or raise the limit", size);
    return NULL;
}

void *accel_allocate(size_t size)
{
    void *memory = fails(size) ? NULL : calloc(1, size != 0 ? size : 1);

    return memory != NULL ? memory : none(size);
}

void *accel_allocate_array(size_t count, size_t element_size)
{
    size_t size;

    if (__builtin_mul_overflow(count, element_size, &size))
        return none(SIZE_MAX);
    return accel_allocate(size);
}

void *accel_allocate_aligned(size_t alignment, size_t size)
{
    void *memory = NULL;

    if (fails(size) || posix_memalign(&memory, alignment, size != 0 ? size : 1) != 0)
        return none(size);
    return memory;
}

void *accel_reallocate(void *memory, size_t size)
{
    void *grown = fails(size) ? NULL : realloc(memory, size != 0 ? size : 1);

    return grown != NULL ? grown : none(size);
}

char *accel_text_copy(const char *text)
{
    if (text == NULL)
        return NULL;

    size_t size = strlen(text) + 1;
    char *copy = accel_allocate(size);

    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

char *accel_text_format(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);

    char *text = accel_allocate(length < 0 ? 1 : (size_t)length + 1);
    if (text != NULL && length >= 0) {
        va_start(list, format);
        vsnprintf(text, (size_t)length + 1, format, list);
        va_end(list);
    }
    return text;
}

void accel_deallocate(void *memory)
{
    free(memory);
}
