/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which objects a device of NVIDIA's runs. "sm_86", format cubin: machine code, for this compute capability, and for
 * later ones of the same major, except on and for Tegra. "compute_80", format ptx: text that the driver compiles for this
 * capability and any later one. A letter behind the number narrows it: 'a', this capability only; 'f', the later ones of the
 * same major.
 */
#include "plugins/gpu/driver/cuda/cuda.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANK_COMPATIBLE = 1, /* plus the minor: a cubin of another capability */
    RANK_PTX = 100,      /* plus twice the capability: newer is better; 1 more with a letter */
    RANK_EXACT = 10000   /* a cubin for this very capability */
};

typedef struct target {
    int capability; /* 10 * major + minor */
    char letter;    /* 'a', 'f' or 0 */
} target;

/* Of all toolkits so far that this library's kernels can be made with. Newest first. */
static const int capabilities[] = {121, 120, 110, 103, 100, 90, 89, 88, 87, 86, 80, 75, 72, 70, 62, 61, 60, 53, 52, 50};

static bool parse(const char *text, const char *prefix, target *parsed)
{
    size_t length = strlen(prefix);
    char *end;

    if (strncmp(text, prefix, length) != 0 || !isdigit((unsigned char)text[length]))
        return false;
    long capability = strtol(text + length, &end, 10);
    if (capability < 10 || capability > 9999)
        return false;
    parsed->capability = (int)capability;
    parsed->letter = *end == 'a' || *end == 'f' ? *end++ : '\0';
    return *end == '\0';
}

static bool is_tegra(int capability)
{
    return capability == 53 || capability == 62 || capability == 72 || capability == 87 || capability == 101 ||
           capability == 110 || capability == 88; /* 8.8: not told, so not relied on */
}

static uint32_t rank_cubin(int device, target made, char *reason, size_t size)
{
    bool same = made.capability == device;
    bool later = made.capability / 10 == device / 10 && made.capability <= device;

    if (same) {
        snprintf(reason, size, "made for this capability");
        return RANK_EXACT + (made.letter != '\0' ? 1 : 0);
    }
    if (made.letter == 'a')
        snprintf(reason, size, "runs on compute capability %d.%d only, the device has %d.%d", made.capability / 10,
                 made.capability % 10, device / 10, device % 10);
    else if (!later || is_tegra(device) || is_tegra(made.capability))
        snprintf(reason, size, "is for compute capability %d.%d%s, the device has %d.%d", made.capability / 10,
                 made.capability % 10, is_tegra(made.capability) ? " only" : "", device / 10, device % 10);
    else {
        snprintf(reason, size, "runs, made for an earlier capability");
        return RANK_COMPATIBLE + (uint32_t)(made.capability % 10);
    }
    return 0;
}

static uint32_t rank_ptx(int device, target made, char *reason, size_t size)
{
    if (made.letter == 'a' && made.capability != device)
        snprintf(reason, size, "can be compiled for compute capability %d.%d only, the device has %d.%d",
                 made.capability / 10, made.capability % 10, device / 10, device % 10);
    else if (made.letter == 'f' && made.capability / 10 != device / 10)
        snprintf(reason, size, "can be compiled for compute capability %d.x only, the device has %d.%d",
                 made.capability / 10, device / 10, device % 10);
    else if (made.capability > device)
        snprintf(reason, size, "needs compute capability %d.%d or later, the device has %d.%d", made.capability / 10,
                 made.capability % 10, device / 10, device % 10);
    else {
        snprintf(reason, size, "the driver compiles it");
        return RANK_PTX + 2 * (uint32_t)made.capability + (made.letter != '\0' ? 1 : 0);
    }
    return 0;
}

uint32_t cuda_target_rank(const char *architecture, const char *name, const char *format, char *reason, size_t size)
{
    target device, made;

    if (!parse(architecture, "sm_", &device))
        snprintf(reason, size, "the device's architecture \"%s\" is unknown", architecture);
    else if (strcmp(format, "cubin") == 0 && parse(name, "sm_", &made))
        return rank_cubin(device.capability, made, reason, size);
    else if (strcmp(format, "ptx") == 0 && parse(name, "compute_", &made))
        return rank_ptx(device.capability, made, reason, size);
    else
        snprintf(reason, size, "is not for NVIDIA's GPUs");
    return 0;
}

static void add(gpu_description *description, const char *prefix, int capability)
{
    size_t length = strlen(description->targets);

    if (length + 16 < sizeof(description->targets))
        snprintf(description->targets + length, sizeof(description->targets) - length, "%s%s%d", length > 0 ? " " : "",
                 prefix, capability);
}

void cuda_target_names(int capability, gpu_description *description)
{
    const size_t count = sizeof(capabilities) / sizeof(capabilities[0]);

    snprintf(description->architecture, sizeof(description->architecture), "sm_%d", capability);
    description->targets[0] = '\0';
    add(description, "sm_", capability);
    add(description, "compute_", capability);
    for (size_t i = 0; i < count; ++i) {
        if (capabilities[i] < capability)
            add(description, "compute_", capabilities[i]);
    }
    for (size_t i = 0; i < count && !is_tegra(capability); ++i) {
        if (capabilities[i] / 10 == capability / 10 && capabilities[i] < capability && !is_tegra(capabilities[i]))
            add(description, "sm_", capabilities[i]);
    }
}
