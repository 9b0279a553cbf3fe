/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of an object: names and descriptors, read from its bytes. */
#include "core/objects/image.h"

#include "core/base/allocate.h"

#include <stdlib.h>
#include <string.h>

void accel_names_clear(accel_names *names)
{
    for (size_t i = 0; i < names->count; ++i)
        accel_deallocate(names->items[i]);
    accel_deallocate(names->items);
    memset(names, 0, sizeof(*names));
}

static void add_name(void *user, const char *name, const void *bytes, size_t size)
{
    accel_names *names = user;

    (void)bytes, (void)size;
    if (names->failed)
        return;
    if (names->count == names->capacity) {
        size_t capacity = names->capacity != 0 ? 2 * names->capacity : 16;
        char **grown = accel_reallocate(names->items, capacity * sizeof(*grown));
        if (grown == NULL) {
            names->failed = true;
            return;
        }
        names->items = grown;
        names->capacity = capacity;
    }
    names->items[names->count] = accel_text_copy(name);
    if (names->items[names->count] == NULL)
        names->failed = true;
    else
        ++names->count;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* "65, 67, 0" in braces, or nothing, which is zeros. False if a value is no plain number of a byte. */
static bool read_bytes(const char *at, const char *end, unsigned char *bytes, size_t size)
{
    size_t count = 0;

    memset(bytes, 0, size);
    while (at < end && *at != '{' && *at != ';')
        ++at;
    if (at == end || *at == ';')
        return at != end;
    for (++at; at < end && *at != '}'; ++at) {
        unsigned value = 0;
        if (*at == ' ' || *at == ',')
            continue;
        for (; at < end && *at >= '0' && *at <= '9' && value <= 255; ++at)
            value = 10 * value + (unsigned)(*at - '0');
        if (at == end || (*at != ',' && *at != ' ' && *at != '}') || value > 255 || count == size)
            return false;
        bytes[count++] = (unsigned char)value;
        --at;
    }
    return at < end;
}

/* Descriptors as PTX defines them: ".visible .global .align 8 .b8 accel_descriptor_axpy[72] = {65, 67, ...};". Those
 * in another spelling are named, without bytes. */
static void visit_ptx(const char *text, size_t size, accel_elf_visitor visit, void *user)
{
    static const char visible[] = ".visible ", prefix[] = " " ACCEL_DESCRIPTOR_PREFIX;
    const char *end = text + size, *line = text;

    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop != NULL ? stop : end) - line);
        const char *at = length >= sizeof(visible) - 1 && memcmp(line, visible, sizeof(visible) - 1) == 0
                             ? memmem(line, length, prefix, sizeof(prefix) - 1)
                             : NULL;
        if (at != NULL) {
            unsigned char bytes[256]; /* more than a descriptor of any version so far */
            char name[256];
            size_t count = 0, told = 0;
            bool plain = memcmp(at - 4, " .b8", 4) == 0; /* there are 8 bytes and more in front */
            for (at += sizeof(prefix) - 1; at < line + length && in_name(*at) && count < sizeof(name) - 1; ++at)
                name[count++] = *at;
            name[count] = '\0';
            if (at < line + length && *at == '[') {
                for (++at; at < line + length && *at >= '0' && *at <= '9' && told <= sizeof(bytes); ++at)
                    told = 10 * told + (size_t)(*at - '0');
                bool read = plain && told <= sizeof(bytes) && read_bytes(at, end, bytes, told);
                visit(user, name, read ? bytes : NULL, told);
            }
        }
        line += length + 1;
    }
}

bool accel_image_is_ptx(const accel_image *image)
{
    return strcmp(image->format, "ptx") == 0;
}

void accel_image_visit(const accel_image *image, accel_elf_visitor visit, void *user)
{
    accel_elf elf;
    char reason[192];

    if (accel_image_is_ptx(image))
        visit_ptx(image->data, image->size, visit, user);
    else if (accel_elf_open(image->data, image->size, &elf, reason, sizeof(reason)))
        accel_elf_visit(&elf, ACCEL_DESCRIPTOR_PREFIX, visit, user);
}

accel_status accel_image_kernels(const accel_image *image, accel_names *out)
{
    accel_names names = {0};

    accel_image_visit(image, add_name, &names);
    if (names.failed) {
        accel_names_clear(&names);
        return ACCEL_OUT_OF_MEMORY;
    }
    if (names.count > 1)
        qsort(names.items, names.count, sizeof(*names.items), by_name);
    *out = names;
    return ACCEL_OK;
}
