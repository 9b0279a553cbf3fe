/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which objects a device of AMD's runs, format hsaco. A target is a processor and perhaps features: "gfx90a",
 * "gfx90a:sramecc+:xnack-". A feature that the target names has to be as the device has it; one that it leaves out fits
 * either way. The processor has to be the device's, or a generic one that stands for several, "gfx9-4-generic".
 * Older runtimes end the process when an object does not fit, so nothing is left to them.
 */
#include "plugins/gpu/driver/hip/hip.h"

#include <stdio.h>
#include <string.h>

enum {
    RANK_GENERIC = 1, /* plus the number of features that are named */
    RANK_EXACT = 10,
    /* The first whose runtime loads generic objects, code object version 6. Told by LLVM's and ROCm's documents, and not
     * tried by us. */
    FIRST_WITH_GENERIC = 60300000
};

enum { SRAMECC, XNACK, FEATURE_COUNT };
static const char *const feature_names[FEATURE_COUNT] = {"sramecc", "xnack"};

typedef struct target {
    char processor[32];
    char features[FEATURE_COUNT]; /* '+', '-', or 0: not named */
} target;

/* From LLVM's table of generic processors. */
static const struct {
    const char *generic, *processors; /* each between blanks */
} generics[] = {
    {"gfx9-generic", " gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c "},
    {"gfx9-4-generic", " gfx940 gfx941 gfx942 gfx950 "},
    {"gfx10-1-generic", " gfx1010 gfx1011 gfx1012 gfx1013 "},
    {"gfx10-3-generic", " gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 "},
    {"gfx11-generic", " gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 "},
    {"gfx12-generic", " gfx1200 gfx1201 "},
};

/* "xnack-" */
static bool parse_feature(const char *text, size_t length, target *parsed)
{
    for (int i = 0; i < FEATURE_COUNT; ++i) {
        size_t name = strlen(feature_names[i]);
        if (length != name + 1 || strncmp(text, feature_names[i], name) != 0 || parsed->features[i] != 0 ||
            (text[name] != '+' && text[name] != '-'))
            continue;
        parsed->features[i] = text[name];
        return true;
    }
    return false;
}

static bool parse(const char *text, target *parsed)
{
    size_t length = strcspn(text, ":");

    *parsed = (target){0};
    if (strncmp(text, "gfx", 3) != 0 || length == 3 || length >= sizeof(parsed->processor))
        return false;
    memcpy(parsed->processor, text, length);
    for (text += length; *text == ':'; text += length) {
        ++text;
        length = strcspn(text, ":");
        if (!parse_feature(text, length, parsed))
            return false;
    }
    return true;
}

static const char *generic_of(const char *processor)
{
    char word[40];

    snprintf(word, sizeof(word), " %s ", processor);
    for (size_t i = 0; i < sizeof(generics) / sizeof(generics[0]); ++i) {
        if (strstr(generics[i].processors, word) != NULL)
            return generics[i].generic;
    }
    return NULL;
}

/* The number of features named, or -1 and the reason. */
static int match_features(const target *device, const target *made, char *reason, size_t size)
{
    int named = 0;

    for (int i = 0; i < FEATURE_COUNT; ++i) {
        if (made->features[i] == 0)
            continue;
        if (made->features[i] != device->features[i]) {
            if (device->features[i] == 0)
                snprintf(reason, size, "needs %s%c, which the device does not have", feature_names[i],
                         made->features[i]);
            else
                snprintf(reason, size, "needs %s%c, the device runs with %s%c", feature_names[i], made->features[i],
                         feature_names[i], device->features[i]);
            return -1;
        }
        ++named;
    }
    return named;
}

uint32_t hip_target_rank(const char *architecture, const char *name, const char *format, char *reason, size_t size)
{
    target device, made;

    if (strcmp(format, "hsaco") != 0 || !parse(name, &made)) {
        snprintf(reason, size, "is not for AMD's GPUs");
        return 0;
    }
    if (!parse(architecture, &device)) {
        snprintf(reason, size, "the device's architecture \"%s\" is unknown", architecture);
        return 0;
    }
    const char *generic = generic_of(device.processor);
    bool exact = strcmp(made.processor, device.processor) == 0;
    if (!exact && (generic == NULL || strcmp(made.processor, generic) != 0)) {
        snprintf(reason, size, "is for %s, the device is a %s", made.processor, device.processor);
        return 0;
    }
    int named = match_features(&device, &made, reason, size);
    if (named < 0)
        return 0;
    if (!exact && hip_driver.runtime_version < FIRST_WITH_GENERIC) {
        snprintf(reason, size, "generic objects need HIP %d.%d or later", FIRST_WITH_GENERIC / 10000000,
                 FIRST_WITH_GENERIC % 10000000 / 100000);
        return 0;
    }
    snprintf(reason, size, "%s", exact ? "made for this processor" : "made for processors like this one");
    return (exact ? RANK_EXACT : RANK_GENERIC) + (uint32_t)named;
}

/* The lanes of the kernels seen so far: 0 if they differ. */
typedef struct lanes {
    size_t kernels;
    uint32_t common;
} lanes;

static void see_kernel(void *user, const metadata_kernel *kernel)
{
    lanes *seen = user;
    bool known = kernel->lanes == 32 || kernel->lanes == 64;

    seen->common = known && (seen->kernels == 0 || seen->common == kernel->lanes) ? (uint32_t)kernel->lanes : 0;
    ++seen->kernels;
}

hip_metadata hip_metadata_read(const void *data, size_t size)
{
    hip_metadata metadata;
    lanes seen = {0};

    metadata.lanes = metadata_read(data, size, metadata.target, see_kernel, &seen) ? seen.common : 0;
    return metadata;
}

bool hip_accepts_image(const accel_image *image, char *reason, size_t size)
{
    target named, made;
    hip_metadata metadata = hip_metadata_read(image->data, image->size);

    if (metadata.target[0] == '\0' || !parse(image->target, &named))
        return true;
    bool fits = parse(metadata.target, &made) && strcmp(made.processor, named.processor) == 0;
    for (int i = 0; fits && i < FEATURE_COUNT; ++i)
        fits = made.features[i] == 0 || made.features[i] == named.features[i];
    if (!fits)
        snprintf(reason, size, "it was made for %s, and is named for %s; give it its own name again", metadata.target,
                 image->target);
    return fits;
}

uint32_t hip_image_warp_size(const accel_image *image)
{
    return hip_metadata_read(image->data, image->size).lanes;
}

/* "gfx90a:sramecc+:xnack-", with those features of the device that the mask names. */
static void add(gpu_description *description, const char *processor, const target *device, unsigned mask)
{
    char text[64];
    int length = snprintf(text, sizeof(text), "%s", processor);

    for (int i = 0; i < FEATURE_COUNT; ++i) {
        if ((mask & 1u << i) == 0)
            continue;
        if (device->features[i] == 0)
            return;
        length +=
            snprintf(text + length, sizeof(text) - (size_t)length, ":%s%c", feature_names[i], device->features[i]);
    }
    size_t used = strlen(description->targets);
    if (used + (size_t)length + 2 < sizeof(description->targets))
        snprintf(description->targets + used, sizeof(description->targets) - used, "%s%s", used > 0 ? " " : "", text);
}

void hip_target_names(const char *architecture, gpu_description *description)
{
    target device;

    snprintf(description->architecture, sizeof(description->architecture), "%s", architecture);
    description->targets[0] = '\0';
    if (!parse(architecture, &device))
        return;
    const char *names[] = {device.processor, generic_of(device.processor)};
    bool generic = names[1] != NULL && hip_driver.runtime_version >= FIRST_WITH_GENERIC;
    for (int i = 0; i < (generic ? 2 : 1); ++i) {
        add(description, names[i], &device, 1u << SRAMECC | 1u << XNACK);
        add(description, names[i], &device, 1u << XNACK);
        add(description, names[i], &device, 1u << SRAMECC);
        add(description, names[i], &device, 0);
    }
}
