/* SPDX-License-Identifier: Apache-2.0 */
/* PTX as core, the cuda plugin and accelcc read it. Zero bytes part the texts that accelcc merges. */
#include "target.h"

#include "base/arena.h"
#include "core/objects/image.h"
#include "gpu/ptx.h"
#include "gpu/ptx_module.h"
#include "plugins/gpu/driver/cuda/cuda.h"

#include <string.h>

static void count(void *user, const char *name, const void *bytes, size_t size)
{
    size_t *sum = user;

    *sum += strlen(name) + 1;
    for (size_t i = 0; bytes != NULL && i < size; ++i)
        *sum += ((const unsigned char *)bytes)[i];
}

static void ask_library(const uint8_t *data, size_t size)
{
    accel_image image = {.format = "ptx", .library = "l", .target = "compute_80", .data = data, .size = size};
    char reason[320] = "", text[256], target[64] = "";
    const char *format;
    size_t sum = 0;

    if (!accel_image_valid(&image, reason, sizeof(reason)))
        MUST(reason[0] != '\0');
    accel_image_visit(&image, count, &sum);
    if (accel_image_recognise(data, size, &format, target) && strcmp(format, "ptx") == 0)
        MUST(strncmp(target, "compute_", 8) == 0 && target[8] != '\0');
    cuda_driver.driver_version = 12020;
    reason[0] = '\0';
    if (!cuda_accepts_image(&image, reason, sizeof(reason)))
        MUST(reason[0] != '\0');
    cuda_explain_refusal(222, &image, text, sizeof(text));
}

/* The statements together are the text, without what stands between them. */
static void ask_module(const char *text)
{
    ptx_module module = {0};
    const char *at = text;

    ptx_parse(text, &module);
    for (size_t i = 0; i < module.count; ++i) {
        at = ptx_skip_space(at);
        size_t length = strlen(module.items[i].text);
        MUST(strncmp(at, module.items[i].text, length) == 0 && length != 0);
        at += length;
    }
    MUST(*ptx_skip_space(at) == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    list texts = {0};
    const char *twice = NULL;

    ask_library(data, size);
    for (size_t at = 0; texts.count < 3 && (at < size || texts.count == 0);) {
        size_t length = strnlen((const char *)data + at, size - at);
        list_add(&texts, arena_copy((const char *)data + at, length));
        at += length + 1;
    }
    for (size_t i = 0; i < texts.count; ++i) {
        (void)ptx_has_kernels(texts.items[i]);
        (void)ptx_missing(texts.items[i]);
        ask_module(texts.items[i]);

        const char *renamed = ptx_with_version(texts.items[i], (ptx_version){7, 4});

        if (renamed != texts.items[i])
            MUST(ptx_version_of(renamed).major == 7 && ptx_version_of(renamed).minor == 4);
    }

    const char *merged = ptx_merge(&texts, &twice);

    if (merged != NULL)
        (void)ptx_missing(merged);
    arena_release();
    return 0;
}
