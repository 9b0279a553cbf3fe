/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metadata of AMD's code objects. If the first byte of the input is even, the rest is the file. Else it is the MessagePack
 * of the note, and the file around it is whole.
 */
#include "target.h"

#include "object/elf.h"
#include "plugins/gpu/driver/hip/hip.h"

#include <string.h>

enum { HEADER = 64, SEGMENT = 56, NOTE = 12 + 8, CONTENT = HEADER + SEGMENT + NOTE };

typedef struct seen {
    const unsigned char *data;
    size_t size, count, sum;
} seen;

static void look(void *user, const metadata_kernel *kernel)
{
    seen *all = user;

    ++all->count;
    if (kernel->name_length != 0)
        MUST((const unsigned char *)kernel->name >= all->data && kernel->name_length <= all->size);
    for (size_t i = 0; i < kernel->name_length; ++i)
        all->sum += (unsigned char)kernel->name[i];
}

static void ask(const unsigned char *data, size_t size)
{
    char target[METADATA_TARGET_SIZE], reason[256] = "";
    seen all = {.data = data, .size = size};
    accel_image image = {.format = "hsaco", .target = "gfx90a:xnack-", .data = data, .size = size};

    memset(target, 'x', sizeof(target));
    (void)metadata_read(data, size, target, look, &all);
    MUST(memchr(target, '\0', sizeof(target)) != NULL);
    if (!hip_accepts_image(&image, reason, sizeof(reason)))
        MUST(reason[0] != '\0');

    uint32_t lanes = hip_image_warp_size(&image);

    MUST(lanes == 0 || lanes == 32 || lanes == 64);
}

static void put(unsigned char *at, uint64_t value, size_t size)
{
    memcpy(at, &value, size); /* little-endian, as every host of ours */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] % 2 == 0) {
        ask(data + 1, size - 1);
        return 0;
    }

    size_t content = size - 1;
    unsigned char *file = calloc(1, CONTENT + content);

    MUST(file != NULL);
    memcpy(file, "\177ELF\2\1\1", 7);
    put(file + 18, ACCEL_ELF_AMDGPU, 2);
    put(file + 32, HEADER, 8);
    put(file + 54, SEGMENT, 2);
    put(file + 56, 1, 2);
    put(file + HEADER, 4, 4); /* notes */
    put(file + HEADER + 8, HEADER + SEGMENT, 8);
    put(file + HEADER + 32, NOTE + content, 8);
    put(file + HEADER + SEGMENT, 7, 4);
    put(file + HEADER + SEGMENT + 4, content, 4);
    put(file + HEADER + SEGMENT + 8, 32, 4);
    memcpy(file + HEADER + SEGMENT + 12, "AMDGPU", 7);
    memcpy(file + CONTENT, data + 1, content);
    ask(file, CONTENT + content);
    free(file);
    return 0;
}
