/* SPDX-License-Identifier: Apache-2.0 */
#include "core/objects/image.h"

#include "object/descriptor.h"
#include "object/checksum.h"
#include "object/elf.h"
#include "object/elf_file.h"
#include "core/base/error.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

static bool ptx_valid(const accel_image *image, char *reason, size_t reason_size)
{
    if (memmem(image->data, image->size, ".version", 8) != NULL &&
        memmem(image->data, image->size, ".target", 7) != NULL)
        return true;
    snprintf(reason, reason_size, "truncated or not PTX: it has no .version and .target");
    return false;
}

/* `user`: the format. PTX says what it is in its first lines. */
static bool may_be_object(int file, size_t size, const void *user, char *reason, size_t reason_size)
{
    enum { PTX_HEAD = 1 << 20 };

    if (strcmp(user, "ptx") != 0)
        return elf_file_may_name(file, size, ACCEL_DESCRIPTOR_PREFIX, reason, reason_size);
    if (elf_file_has(file, 0, size < PTX_HEAD ? size : PTX_HEAD, ".version"))
        return true;
    snprintf(reason, reason_size, "truncated or not PTX: it has no .version and .target");
    return false;
}

accel_status accel_image_read(const char *path, const char *format, accel_file *file)
{
    return accel_file_open_wanted(path, may_be_object, format, file);
}

typedef struct descriptors {
    size_t count;
    bool ptx;
    char *reason; /* what is wrong with the first that cannot be used */
    size_t reason_size;
    bool wrong;
} descriptors;

static void check_descriptor(void *user, const char *name, const void *bytes, size_t size)
{
    descriptors *seen = user;
    accel_pattern_descriptor descriptor = {0};
    char text[128] = "it is no data of the file";

    ++seen->count;
    if (seen->wrong || (seen->ptx && bytes == NULL)) /* PTX may spell it in ways that only a driver reads */
        return;
    if (bytes != NULL) /* which need not be aligned */
        memcpy(&descriptor, bytes, size < sizeof(descriptor) ? size : sizeof(descriptor));
    if (bytes != NULL && !descriptor_is_wrong(&descriptor, size, text, sizeof(text)))
        return;
    seen->wrong = true;
    snprintf(seen->reason, seen->reason_size, "kernel \"%.48s%s\": its descriptor cannot be used: %s", name,
             strlen(name) > 48 ? "..." : "", text);
}

bool accel_image_valid(const accel_image *image, char *reason, size_t reason_size)
{
    accel_elf elf;
    descriptors seen = {.ptx = accel_image_is_ptx(image), .reason = reason, .reason_size = reason_size};
    uint16_t machine = accel_elf_native_machine();
    char found[24], wanted[24];

    if (seen.ptx) {
        if (!ptx_valid(image, reason, reason_size))
            return false;
        accel_image_visit(image, check_descriptor, &seen);
        return !seen.wrong;
    }
    if (!accel_elf_open(image->data, image->size, &elf, reason, reason_size))
        return false;
    if (strcmp(image->format, "cubin") == 0)
        machine = ACCEL_ELF_CUDA;
    else if (strcmp(image->format, "hsaco") == 0)
        machine = ACCEL_ELF_AMDGPU;
    if (elf.machine != machine) {
        snprintf(reason, reason_size, "made for %s, not for %s", accel_elf_machine_name(elf.machine, found),
                 accel_elf_machine_name(machine, wanted));
        return false;
    }
    if (machine == accel_elf_native_machine() && elf.type != ET_DYN) {
        snprintf(reason, reason_size, "not a shared object");
        return false;
    }
    accel_elf_visit(&elf, ACCEL_DESCRIPTOR_PREFIX, check_descriptor, &seen);
    if (seen.count == 0)
        snprintf(reason, reason_size, "there are no kernels in it: no symbol " ACCEL_DESCRIPTOR_PREFIX "*");
    if (seen.count == 0 || seen.wrong)
        return false;
    /* What no checksum ends, ends where its headers say: strip leaves nothing behind that. */
    const checksum_state sum = checksum_check(image->data, image->size);
    if (sum == CHECKSUM_WRONG ||
        (sum == CHECKSUM_NONE && machine == accel_elf_native_machine() && image->size > accel_elf_end(&elf))) {
        snprintf(reason, reason_size, "damaged: its bytes are not those that accelcc wrote; copy it again");
        return false;
    }
    return true;
}

accel_status accel_image_check(const char *function, const accel_image *image)
{
    char reason[320];

    if (accel_image_valid(image, reason, sizeof(reason)))
        return ACCEL_OK;
    if (image->path != NULL)
        return accel_error_set(ACCEL_INCOMPATIBLE,
                               "%s: %s: %s; put an object in its place that accelcc --targets=%s makes", function,
                               image->path, reason, image->target);
    return accel_error_set(ACCEL_INCOMPATIBLE,
                           "%s: object %s.%s of bundle \"%s\": %s; make it again with accelcc --embed", function,
                           image->target, image->format, image->library, reason);
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
        return elf.machine != ACCEL_ELF_CUDA && elf.machine != ACCEL_ELF_AMDGPU;
    }
    *format = "ptx";
    return memmem(data, size, ".version", 8) != NULL && ptx_target(data, size, target);
}
