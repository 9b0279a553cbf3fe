/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/enumeration.h"

#include "core/base/allocate.h"
#include "core/api/device.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <stdio.h>

/* By the driver's ordinal. An entry is NULL if the device did not open, or was taken. */
typedef struct enumeration {
    accel_backend *backend;
    accel_device **opened;
    uint32_t count;
    bool narrowed;       /* a GPU backend, and the user chose */
    accel_text failures; /* why devices did not open */
} enumeration;

/* More are an error of the plugin, and would take the memory of all before they fail. */
#define MOST_DEVICES 65536u

static void fail(enumeration *list, uint32_t state, accel_text *record, const char *reason)
{
    list->backend->state = state;
    accel_text_add(record, "%s%s: devices: %s", record->length > 0 ? "\n" : "", list->backend->path, reason);
    accel_log(ACCEL_LOG_INFO, "%s: devices: %s", list->backend->path, reason);
}

static accel_status open_all(enumeration *list, const accel_selection *selection)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        accel_status status = accel_device_open(list->backend, i, &list->opened[i]);
        if (status == ACCEL_OUT_OF_MEMORY)
            return status;
        if (status != ACCEL_OK) {
            accel_text_add(&list->failures, "%s%s:%u: %s", list->failures.length > 0 ? "; " : "", list->backend->name,
                           i, accel_error_message());
            accel_log(ACCEL_LOG_WARNING, "%s:%u does not open: %s", list->backend->name, i, accel_error_message());
        } else if (list->opened[i]->properties.kind == ACCEL_DEVICE_GPU) {
            list->narrowed = selection->narrowed;
        }
    }
    return ACCEL_OK;
}

/* Appends one device. The array was made large enough. */
static void take(enumeration *list, uint32_t ordinal, accel_device **devices, size_t *device_count)
{
    devices[(*device_count)++] = list->opened[ordinal];
    list->opened[ordinal] = NULL;
    ++list->backend->device_count;
}

/* A device the user asked for by number is never replaced by another one. */
static bool take_chosen(enumeration *list, uint32_t ordinal, const accel_selection *selection, accel_device **devices,
                        size_t *device_count, accel_text *record)
{
    if (ordinal >= list->count) {
        accel_log(ACCEL_LOG_WARNING, "%s is \"%s\", but %s has no device %u", selection->devices_source,
                  selection->devices_value, list->backend->name, ordinal);
        return true;
    }
    if (list->opened[ordinal] == NULL) {
        fail(list, ACCEL_BACKEND_BROKEN, record, accel_text_peek(&list->failures));
        return false;
    }
    take(list, ordinal, devices, device_count);
    return true;
}

static void choose(enumeration *list, const accel_selection *selection, accel_device **devices, size_t *device_count,
                   accel_text *record)
{
    bool whole = true;

    if (!list->narrowed) {
        for (uint32_t i = 0; i < list->count; ++i) {
            if (list->opened[i] != NULL)
                take(list, i, devices, device_count);
        }
        if (list->backend->device_count == 0)
            fail(list, ACCEL_BACKEND_BROKEN, record, accel_text_peek(&list->failures));
        return;
    }
    if (selection->by_rank)
        whole = take_chosen(list, selection->rank % list->count, selection, devices, device_count, record);
    for (size_t i = 0; i < selection->ordinal_count && whole; ++i)
        whole = take_chosen(list, selection->ordinals[i], selection, devices, device_count, record);
    if (whole && list->backend->device_count == 0) {
        char *reason = accel_text_format("%s is \"%s\", which leaves none of its devices 0 to %u",
                                         selection->devices_source, selection->devices_value, list->count - 1);
        fail(list, ACCEL_BACKEND_NO_DEVICE, record, reason != NULL ? reason : "");
        record->failed |= reason == NULL;
        accel_deallocate(reason);
    }
}

accel_status accel_devices_enumerate(accel_backend *backend, const accel_selection *selection, accel_device ***devices,
                                     size_t *device_count, accel_text *record)
{
    enumeration list = {.backend = backend, .count = backend->backend_vtable.device_count(backend->impl)};
    size_t before = *device_count;
    accel_status status = ACCEL_OUT_OF_MEMORY;

    if (list.count == 0) {
        fail(&list, ACCEL_BACKEND_NO_DEVICE, record, "the backend opened, but lists no device");
        return ACCEL_OK;
    }
    if (list.count > MOST_DEVICES) {
        char reason[96];
        snprintf(reason, sizeof(reason), "the backend lists %u devices, more than %u; fix the plugin", list.count,
                 MOST_DEVICES);
        fail(&list, ACCEL_BACKEND_BROKEN, record, reason);
        return ACCEL_OK;
    }
    list.opened = accel_allocate_array(list.count, sizeof(*list.opened));
    accel_device **grown =
        list.opened != NULL ? accel_reallocate(*devices, (before + list.count) * sizeof(*grown)) : NULL;
    if (grown == NULL)
        goto cleanup;
    *devices = grown;
    status = open_all(&list, selection);
    if (status != ACCEL_OK)
        goto cleanup;
    choose(&list, selection, grown, device_count, record);
    if (backend->state == ACCEL_BACKEND_USABLE && list.failures.length > 0)
        accel_text_add(record, "%s: devices: %s", backend->path, accel_text_peek(&list.failures));
    if (list.failures.failed || record->failed)
        status = ACCEL_OUT_OF_MEMORY;
cleanup:
    if (status != ACCEL_OK ||
        backend->state != ACCEL_BACKEND_USABLE) { /* the backend closes: none of its devices stays */
        while (*device_count > before)
            accel_device_close((*devices)[--*device_count]);
        backend->device_count = 0;
    }
    for (uint32_t i = 0; i < list.count && list.opened != NULL; ++i)
        accel_device_close(list.opened[i]);
    accel_deallocate(list.opened);
    accel_text_clear(&list.failures);
    return status;
}
