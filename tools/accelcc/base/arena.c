/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arena_block {
    struct arena_block *next;
    max_align_t data[];
} arena_block;

static arena_block *blocks;

void *arena_alloc(size_t size)
{
    arena_block *block = calloc(1, sizeof(arena_block) + size);
    if (block == NULL) {
        message_error("out of memory (%zu bytes)", size);
        exit(1);
    }
    block->next = blocks;
    blocks = block;
    return block->data;
}

char *arena_copy(const char *text, size_t length)
{
    char *copy = arena_alloc(length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        length = 0;
    char *text = arena_alloc((size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void arena_release(void)
{
    while (blocks != NULL) {
        arena_block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}
