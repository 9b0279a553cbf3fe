/* SPDX-License-Identifier: Apache-2.0 */
/* Objects linked into the program. */
#include "core/base/allocate.h"
#include "core/api/device.h"
#include "core/base/error.h"
#include "core/api/module.h"
#include "core/objects/object_search.h"
#include "core/base/text.h"

static const char function[] = "accel_module_load_bundle";

static const accel_bundle_entry *entry_at(const accel_bundle *bundle, size_t index)
{
    return (const accel_bundle_entry *)(const void *)((const char *)bundle->entries + index * bundle->entry_size);
}

/* Nothing behind the sizes is read before they are known to be right. */
static accel_status check_bundle(const accel_bundle *bundle)
{
    if (bundle->magic != ACCEL_BUNDLE_MAGIC)
        return accel_error_set(
            ACCEL_INCOMPATIBLE,
            "%s: the bundle begins with 0x%08x, not 0x%08x: this is no accel_bundle; pass the address of "
            "accel_bundle_NAME, made by accelcc --embed",
            function, bundle->magic, ACCEL_BUNDLE_MAGIC);
    if (bundle->abi != ACCEL_OBJECT_ABI)
        return accel_error_set(
            ACCEL_INCOMPATIBLE,
            "%s: the bundle has object ABI %u, this libaccel knows %u; make it again with this accelcc", function,
            bundle->abi, ACCEL_OBJECT_ABI);
    if (bundle->struct_size < sizeof(accel_bundle) || bundle->entry_size < sizeof(accel_bundle_entry) ||
        bundle->entry_size % _Alignof(accel_bundle_entry) != 0)
        return accel_error_set(ACCEL_INCOMPATIBLE,
                               "%s: struct_size %u and entry_size %u of the bundle; at least %zu and %zu are needed: "
                               "make it again with accelcc --embed",
                               function, bundle->struct_size, bundle->entry_size, sizeof(accel_bundle),
                               sizeof(accel_bundle_entry));
    if (bundle->name == NULL || (bundle->entries == NULL && bundle->count != 0))
        return accel_error_null(function, bundle->name == NULL ? "bundle->name" : "bundle->entries");
    for (size_t i = 0; i < bundle->count; ++i) {
        const accel_bundle_entry *entry = entry_at(bundle, i);
        if (entry->target == NULL || entry->format == NULL || entry->data == NULL || entry->size == 0)
            return accel_error_set(ACCEL_INCOMPATIBLE,
                                   "%s: entry %zu of bundle \"%s\" is incomplete; make it again with accelcc --embed",
                                   function, i, bundle->name);
    }
    return ACCEL_OK;
}

static accel_image image_of(const accel_bundle *bundle, const accel_bundle_entry *entry)
{
    return (accel_image){.struct_size = sizeof(accel_image),
                         .library = bundle->name,
                         .target = entry->target,
                         .format = entry->format,
                         .data = entry->data,
                         .size = entry->size};
}

static accel_status none_runs(const accel_device *device, const accel_bundle *bundle)
{
    accel_text found = {0};
    char reason[192], target[64];

    for (size_t i = 0; i < bundle->count; ++i) {
        const accel_bundle_entry *entry = entry_at(bundle, i);
        accel_image image = image_of(bundle, entry);
        accel_object_rank_image(device, &image, reason, sizeof(reason));
        accel_text_add(&found, "%s%s.%s (%s)", i == 0 ? "" : ", ", entry->target, entry->format, reason);
    }
    accel_error_set(
        ACCEL_NOT_FOUND,
        "%s: bundle \"%s\" has no object for %s of \"%s\"; it has %s; make it again with one more target: accelcc "
        "--embed -o %s.o %s.k.c --targets=%s,...",
        function, bundle->name, device->properties.architecture, device->properties.name,
        bundle->count != 0 ? accel_text_peek(&found) : "none at all", bundle->name, bundle->name,
        accel_object_wanted_target(device, target));
    accel_text_clear(&found);
    return ACCEL_NOT_FOUND;
}

static accel_status load_entry(accel_device *device, const accel_bundle *bundle, const accel_bundle_entry *chosen,
                               accel_module **out)
{
    accel_image image = image_of(bundle, chosen), *siblings = accel_allocate_array(bundle->count, sizeof(*siblings));

    if (siblings == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    for (size_t i = 0; i < bundle->count; ++i) {
        const accel_bundle_entry *entry = entry_at(bundle, i);
        if (entry != chosen)
            siblings[image.sibling_count++] = image_of(bundle, entry);
    }
    image.siblings = siblings;

    accel_status status = accel_module_create(function, device, &image, out);

    accel_deallocate(siblings);
    return status;
}

ACCEL_API accel_status accel_module_load_bundle(accel_device *device, const accel_bundle *bundle, accel_module **out)
{
    const accel_bundle_entry *best = NULL;
    uint32_t best_rank = 0;
    char reason[192];
    accel_status status = accel_guard_check(function);

    if (status != ACCEL_OK)
        return status;
    if (device == NULL || bundle == NULL || out == NULL)
        return accel_error_null(function, device == NULL ? "device" : bundle == NULL ? "bundle" : "module");
    if (device->backend == NULL)
        return accel_error_set(ACCEL_UNSUPPORTED,
                               "%s: \"host\" is memory only and runs no kernels; use a device of a backend", function);
    status = accel_device_usable(function, "device", device, device->fork_generation);
    if (status == ACCEL_OK)
        status = check_bundle(bundle);
    if (status != ACCEL_OK)
        return status;
    for (size_t i = 0; i < bundle->count; ++i) {
        const accel_bundle_entry *entry = entry_at(bundle, i);
        accel_image image = image_of(bundle, entry);
        uint32_t rank = accel_object_rank_image(device, &image, reason, sizeof(reason));
        if (rank > best_rank) { /* of equals the first */
            best_rank = rank;
            best = entry;
        }
    }
    if (best == NULL)
        return none_runs(device, bundle);
    return load_entry(device, bundle, best, out);
}
