/* SPDX-License-Identifier: Apache-2.0 */
#include "object.h"

#include "base64.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rest of the line behind the first `word` that begins a line. */
static const char *line_of(const char *text, size_t size, const char *word)
{
    size_t length = strlen(word);
    const char *end = text + size;
    for (const char *line = text; line != NULL && line < end; line = memchr(line, '\n', (size_t)(end - line))) {
        line += *line == '\n';
        if ((size_t)(end - line) > length && memcmp(line, word, length) == 0)
            return line + length;
    }
    return NULL;
}

static bool read_ptx(const char *text, size_t size, gpusim_object *out, char *reason, size_t reason_size)
{
    const char *version = line_of(text, size, ".version ");
    const char *target = line_of(text, size, ".target sm_");
    if (version == NULL || target == NULL || strspn(version, "0123456789") == 0) {
        snprintf(reason, reason_size,
                 "not an object of the simulator: no ELF file, and no PTX with .version and .target");
        return false;
    }
    char *point = NULL;
    out->form = GPUSIM_PTX;
    out->is_interpreted = line_of(text, size, GPUSIM_PTX_LINE) == NULL;
    out->ptx_version = (uint32_t)strtoul(version, &point, 10) * 10;
    out->ptx_version += *point == '.' ? (uint32_t)strtoul(point + 1, NULL, 10) : 0;
    snprintf(out->target, sizeof(out->target), "sm_%.*s", (int)strspn(target, "0123456789af"), target);
    return true;
}

bool gpusim_object_read(const void *data, size_t size, gpusim_object *out, char *reason, size_t reason_size)
{
    Elf64_Ehdr header;
    memset(out, 0, sizeof(*out));
    if (size < sizeof(header) || memcmp(data, ELFMAG, SELFMAG) != 0)
        return read_ptx(data, size, out, reason, reason_size);
    memcpy(&header, data, sizeof(header));
    if (gpusim_machine_read(&header, &out->form, out->target))
        return true;
    snprintf(reason, reason_size, "an ELF file for machine %u with flags 0x%x is no object of the simulator",
             header.e_machine, header.e_flags);
    return false;
}

static void *unpack_ptx(const char *text, size_t size, size_t *host_size, char *reason, size_t reason_size)
{
    char *packed = malloc(size);
    uint8_t *host = malloc(size);
    size_t length = 0;
    const char *line, *rest = text;
    while (packed != NULL && (line = line_of(rest, size - (size_t)(rest - text), GPUSIM_PTX_LINE)) != NULL) {
        size_t left = size - (size_t)(line - text);
        const char *end = memchr(line, '\n', left);
        size_t characters = end != NULL ? (size_t)(end - line) : left;
        memcpy(packed + length, line, characters);
        length += characters;
        rest = line + characters;
    }
    if (packed == NULL || host == NULL || !gpusim_base64_decode(packed, length, host, host_size)) {
        snprintf(reason, reason_size, "the shared object in the PTX is damaged");
        free(host);
        host = NULL;
    }
    free(packed);
    return host;
}

void *gpusim_object_unpack(const void *data, size_t size, size_t *host_size, gpusim_object *object, char *reason,
                           size_t reason_size)
{
    if (!gpusim_object_read(data, size, object, reason, reason_size))
        return NULL;
    if (object->form == GPUSIM_PTX)
        return unpack_ptx(data, size, host_size, reason, reason_size);
    void *host = malloc(size);
    if (host == NULL || !gpusim_machine_sealed(data, size)) {
        snprintf(reason, reason_size, host == NULL ? "no memory" : "the ELF file's headers are damaged");
        free(host);
        return NULL;
    }
    memcpy(host, data, size);
    gpusim_machine_restore(host);
    *host_size = size;
    return host;
}
