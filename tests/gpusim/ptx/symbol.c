/* SPDX-License-Identifier: Apache-2.0 */
/* The names that are in force while a module is read. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

void *ptx_grow(ptx_reader *reader, void *array, size_t count, size_t size)
{
    enum { STEP = 64, ALIGNMENT = 64 };
    if (count % STEP != 0)
        return array;
    void *longer = aligned_alloc(ALIGNMENT, (count + STEP) * size); /* STEP elements are a multiple of it */
    if (longer == NULL) {
        ptx_scanner_fail(&reader->scanner, "no memory");
        return NULL;
    }
    if (count > 0)
        memcpy(longer, array, count * size);
    memset((char *)longer + count * size, 0, STEP * size);
    free(array);
    return longer;
}

bool ptx_add_symbol(ptx_reader *reader, const char *name, uint32_t range, ptx_operand_kind kind, uint64_t value)
{
    ptx_symbol *longer = ptx_grow(reader, reader->symbols, reader->symbol_count, sizeof(*longer));
    if (longer == NULL)
        return false;
    reader->symbols = longer;
    longer[reader->symbol_count++] =
        (ptx_symbol){.name = strdup(name), .range = range, .operand = {.kind = (uint8_t)kind, .value = value}};
    return true;
}

const ptx_symbol *ptx_find_symbol(const ptx_reader *reader, const char *name, uint64_t *number)
{
    size_t length = strlen(name), stem = length;
    while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
        --stem;
    for (size_t i = reader->symbol_count; i-- > 0;) {
        const ptx_symbol *symbol = &reader->symbols[i];
        *number = 0;
        if (symbol->range == 0 && strcmp(symbol->name, name) == 0)
            return symbol;
        if (symbol->range == 0 || stem == length || strlen(symbol->name) != stem ||
            strncmp(symbol->name, name, stem) != 0)
            continue;
        *number = strtoull(name + stem, NULL, 10);
        if (*number < symbol->range)
            return symbol;
    }
    return NULL;
}

void ptx_drop_symbols(ptx_reader *reader, size_t from)
{
    while (reader->symbol_count > from)
        free(reader->symbols[--reader->symbol_count].name);
}
