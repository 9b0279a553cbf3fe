/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <stddef.h>
#include <string.h>

const char *words_value(words *self, const char *option, bool *missing)
{
    const char *word = self->items[self->next];
    const size_t length = strlen(option);
    if (strncmp(word, option, length) != 0)
        return NULL;
    const char *value = word + length;
    const bool is_long = option[1] == '-';
    if (*value != '\0' && is_long)
        return *value == '=' ? value + 1 : NULL;
    if (*value != '\0')
        return value;
    if (self->next + 1 < self->count)
        return self->items[++self->next];
    *missing = true;
    return NULL;
}
