/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel objects and plugins as files: the first byte of the input chooses the format that the file's name would tell, the
 * rest is the file.
 */
#include "target.h"

#include "core/objects/image.h"

#include <accel/object.h>
#include <string.h>

static const char *const formats[] = {"so", "cubin", "hsaco", "ptx"};

typedef struct seen {
    const accel_image *image;
    size_t count, sum;
} seen;

/* Every byte that is shown lies in the file; PTX has its bytes as text. */
static void look(void *user, const char *name, const void *bytes, size_t size)
{
    seen *all = user;
    const unsigned char *at = bytes, *begin = all->image->data;

    ++all->count;
    all->sum += strlen(name);
    if (bytes == NULL)
        return;
    if (!accel_image_is_ptx(all->image))
        MUST(at >= begin && size <= all->image->size && (size_t)(at - begin) <= all->image->size - size);
    for (size_t i = 0; i < size; ++i)
        all->sum += at[i];
}

static void ask_elf(const void *data, size_t size)
{
    accel_elf elf;
    char reason[128] = "", machine[24];
    size_t found = 0;
    accel_image image = {.format = "so", .data = data, .size = size};
    seen all = {.image = &image};

    if (!accel_elf_open(data, size, &elf, reason, sizeof(reason))) {
        MUST(reason[0] != '\0');
        return;
    }
    MUST(accel_elf_machine_name(elf.machine, machine)[0] != '\0');

    const void *bytes = accel_elf_symbol(&elf, "accel_plugin_descriptor", 8, &found);

    if (bytes != NULL)
        look(&all, "", bytes, found);
    bytes = accel_elf_note(&elf, "AMDGPU", 32, &found);
    if (bytes != NULL)
        look(&all, "", bytes, found);
    accel_elf_visit(&elf, "", look, &all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char reason[320] = "", target[64] = "";
    const char *format = NULL;
    accel_names names = {0};

    if (size == 0)
        return 0;
    accel_image image = {.format = formats[data[0] % 4], .library = "l", .target = "t", .path = "/l.t"};
    image.data = data + 1;
    image.size = size - 1;
    seen all = {.image = &image};

    if (accel_image_valid(&image, reason, sizeof(reason))) {
        accel_image_visit(&image, look, &all);
        MUST(accel_image_kernels(&image, &names) == ACCEL_OK && names.count == all.count);
        for (size_t i = 1; i < names.count; ++i)
            MUST(strcmp(names.items[i - 1], names.items[i]) <= 0);
        accel_names_clear(&names);
        MUST(accel_image_check("f", &image) == ACCEL_OK);
    } else {
        MUST(reason[0] != '\0' && memchr(reason, '\0', sizeof(reason)) != NULL);
        MUST(accel_image_check("f", &image) == ACCEL_INCOMPATIBLE);
    }
    if (accel_image_recognise(image.data, image.size, &format, target))
        MUST(target[0] != '\0' && (strcmp(format, "so") == 0 || strcmp(format, "ptx") == 0));
    ask_elf(image.data, image.size);
    return 0;
}
