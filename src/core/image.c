/* SPDX-License-Identifier: Apache-2.0 */
#include "image.h"

#include "allocate.h"
#include "elf.h"
#include "error.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_CUDA 190   /* EM_CUDA */
#define MACHINE_AMDGPU 224 /* EM_AMDGPU, which older <elf.h> do not have */

static bool is_ptx(const accel_image *image)
{
    return strcmp(image->format, "ptx") == 0;
}

static bool ptx_valid(const accel_image *image, char *reason, size_t reason_size)
{
    if (memmem(image->data, image->size, ".version", 8) != NULL &&
        memmem(image->data, image->size, ".target", 7) != NULL)
        return true;
    snprintf(reason, reason_size, "truncated or not PTX: it has no .version and .target");
    return false;
}

static void see_kernel(void *seen, const char *name)
{
    (void)name;
    *(bool *)seen = true;
}

bool accel_image_valid(const accel_image *image, char *reason, size_t reason_size)
{
    accel_elf elf;
    bool has_kernels = false;
    uint16_t machine = accel_elf_native_machine();
    char found[24], wanted[24];

    if (is_ptx(image))
        return ptx_valid(image, reason, reason_size);
    if (!accel_elf_open(image->data, image->size, &elf, reason, reason_size))
        return false;
    if (strcmp(image->format, "cubin") == 0)
        machine = MACHINE_CUDA;
    else if (strcmp(image->format, "hsaco") == 0)
        machine = MACHINE_AMDGPU;
    if (elf.machine != machine) {
        snprintf(reason, reason_size, "made for %s, not for %s", accel_elf_machine_name(elf.machine, found),
                 accel_elf_machine_name(machine, wanted));
        return false;
    }
    if (machine == accel_elf_native_machine() && elf.type != ET_DYN) {
        snprintf(reason, reason_size, "not a shared object");
        return false;
    }
    accel_elf_visit(&elf, ACCEL_DESCRIPTOR_PREFIX, see_kernel, &has_kernels);
    if (!has_kernels)
        snprintf(reason, reason_size, "there are no kernels in it: no symbol " ACCEL_DESCRIPTOR_PREFIX "*");
    return has_kernels;
}

accel_status accel_image_check(const char *function, const accel_image *image)
{
    char reason[192];

    if (accel_image_valid(image, reason, sizeof(reason)))
        return ACCEL_OK;
    if (image->path != NULL)
        return accel_error_set(ACCEL_INCOMPATIBLE, "%s: %s: %s; make it again with accelcc --targets=%s, or remove it",
                               function, image->path, reason, image->target);
    return accel_error_set(ACCEL_INCOMPATIBLE,
                           "%s: object %s.%s of bundle \"%s\": %s; make it again with accelcc --embed", function,
                           image->target, image->format, image->library, reason);
}

void accel_names_clear(accel_names *names)
{
    for (size_t i = 0; i < names->count; ++i)
        accel_deallocate(names->items[i]);
    accel_deallocate(names->items);
    memset(names, 0, sizeof(*names));
}

static void add_name(void *user, const char *name)
{
    accel_names *names = user;

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

/* Descriptors as PTX defines them: ".visible .global .align 8 .b8 accel_descriptor_axpy[72] = ...". */
static void visit_ptx(const char *text, size_t size, void (*visit)(void *user, const char *name), void *user)
{
    static const char visible[] = ".visible ", prefix[] = ACCEL_DESCRIPTOR_PREFIX;
    const char *end = text + size, *line = text;

    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop != NULL ? stop : end) - line);
        const char *at = length >= sizeof(visible) - 1 && memcmp(line, visible, sizeof(visible) - 1) == 0
                             ? memmem(line, length, prefix, sizeof(prefix) - 1)
                             : NULL;
        if (at != NULL) {
            char name[256];
            size_t count = 0;
            for (at += sizeof(prefix) - 1; at < line + length && in_name(*at) && count < sizeof(name) - 1; ++at)
                name[count++] = *at;
            name[count] = '\0';
            if (at < line + length && *at == '[')
                visit(user, name);
        }
        line += length + 1;
    }
}

accel_status accel_image_kernels(const accel_image *image, accel_names *out)
{
    accel_names names = {0};
    accel_elf elf;
    char reason[192];

    if (is_ptx(image))
        visit_ptx(image->data, image->size, add_name, &names);
    else if (accel_elf_open(image->data, image->size, &elf, reason, sizeof(reason)))
        accel_elf_visit(&elf, ACCEL_DESCRIPTOR_PREFIX, add_name, &names);
    else
        return ACCEL_OK;
    if (names.failed) {
        accel_names_clear(&names);
        return ACCEL_OUT_OF_MEMORY;
    }
    if (names.count > 1)
        qsort(names.items, names.count, sizeof(*names.items), by_name);
    *out = names;
    return ACCEL_OK;
}

/* ".target sm_80": the text's own word for what it needs. */
static bool ptx_target(const char *text, size_t size, char *target)
{
    const char *at = memmem(text, size, ".target sm_", 11);
    size_t length = 0;

    if (at == NULL)
        return false;
    at += 11;
    while (at + length < text + size && length < 8 &&
           ((at[length] >= '0' && at[length] <= '9') || at[length] == 'a' || at[length] == 'f'))
        ++length;
    snprintf(target, 64, "compute_%.*s", (int)length, at);
    return length != 0;
}

bool accel_image_recognise(const void *data, size_t size, const char **format, char *target)
{
    accel_elf elf;
    char reason[192], machine[24];

    if (accel_elf_open(data, size, &elf, reason, sizeof(reason))) {
        *format = "so";
        snprintf(target, 64, "%s", accel_elf_machine_name(elf.machine, machine));
        return elf.machine != MACHINE_CUDA && elf.machine != MACHINE_AMDGPU;
    }
    *format = "ptx";
    return memmem(data, size, ".version", 8) != NULL && ptx_target(data, size, target);
}
