/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/backend_open.h"

#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/plugins/enumeration.h"
#include "core/base/log.h"
#include "core/plugins/plugin.h"
#include "core/plugins/services.h"
#include "core/plugins/stubs.h"
#include "core/tools/watch.h"

#include <stdio.h>
#include <string.h>

static const char *const state_names[] = {
    [ACCEL_BACKEND_USABLE] = "usable",
    [ACCEL_BACKEND_NOT_SELECTED] = "not selected",
    [ACCEL_BACKEND_NOT_INSTALLED] = "not installed",
    [ACCEL_BACKEND_INCOMPATIBLE] = "incompatible",
    [ACCEL_BACKEND_NO_DRIVER] = "no driver",
    [ACCEL_BACKEND_DRIVER_TOO_OLD] = "driver too old",
    [ACCEL_BACKEND_NO_DEVICE] = "no device",
    [ACCEL_BACKEND_NO_PERMISSION] = "no permission",
    [ACCEL_BACKEND_BROKEN] = "broken",
};

const char *accel_backend_state_name(uint32_t state)
{
    return state < sizeof(state_names) / sizeof(state_names[0]) ? state_names[state] : "in an unknown state";
}

/* Replaces an owned text. */
static accel_status set_text(char **text, const char *value)
{
    char *copy = accel_text_copy(value);

    if (copy == NULL)
        return ACCEL_OUT_OF_MEMORY;
    accel_deallocate(*text);
    *text = copy;
    return ACCEL_OK;
}

/* One line of the record: candidate, stage, reason. */
static void note(accel_text *record, const char *path, const char *stage, const char *reason)
{
    accel_text_add(record, "%s%s: %s: %s", record->length > 0 ? "\n" : "", path, stage, reason);
    accel_log(ACCEL_LOG_INFO, "%s: %s: %s", path, stage, reason);
}

/* A plugin that opened but is of no use is closed, if it lets us. */
static void close_unused(const accel_open_result *result)
{
    uint32_t size = result->backend_vtable != NULL ? result->backend_vtable->struct_size : 0;

    if (result->backend != NULL && size >= offsetof(accel_backend_vtable, device_count) &&
        result->backend_vtable->close != NULL)
        result->backend_vtable->close(result->backend);
}

/* Calls the plugin's open. On refusal the backend's state says what it means. */
static accel_status open_plugin(accel_backend *backend, const accel_plugin *plugin, const char *path,
                                accel_text *record)
{
    accel_open_params params = {.struct_size = (uint32_t)sizeof(params)};
    accel_open_result result = {.struct_size = (uint32_t)sizeof(result)};
    char reason[256];

    accel_log(ACCEL_LOG_DEBUG, "%s: its open is called now", path);
    accel_error_set(ACCEL_OK, "its open failed and does not say why; a plugin says it by host->error");
    accel_status status = plugin->open(&accel_services, &params, &result);
    if (status == ACCEL_OUT_OF_MEMORY || status == ACCEL_IO || status == ACCEL_INVALID)
        return accel_error_set(status, "%s: open: %s", path, accel_error_message());
    if (status != ACCEL_OK) {
        bool known = result.state > ACCEL_BACKEND_NOT_SELECTED && result.state <= ACCEL_BACKEND_BROKEN;
        backend->state = known ? result.state : ACCEL_BACKEND_BROKEN;
        note(record, path, "open", accel_error_message());
        return ACCEL_OK;
    }
    if (result.backend == NULL) {
        backend->state = ACCEL_BACKEND_BROKEN;
        note(record, path, "open", "its open succeeded but gave no backend; fix the plugin");
        return ACCEL_OK;
    }
    if (!accel_stubs_complete(backend, &result, reason, sizeof(reason))) {
        close_unused(&result);
        backend->state = ACCEL_BACKEND_INCOMPATIBLE;
        note(record, path, "open", reason);
        return ACCEL_OK;
    }
    backend->impl = result.backend;
    backend->state = ACCEL_BACKEND_USABLE;
    return backend->tools != NULL ? accel_watch_install(backend, backend->tools) : ACCEL_OK;
}

/* Anything but a broken or foreign file ends the search: a plugin further down the path would meet the same driver. */
static bool is_final(const accel_backend *backend)
{
    return backend->state != ACCEL_BACKEND_INCOMPATIBLE && backend->state != ACCEL_BACKEND_BROKEN;
}

static accel_status try_candidate(accel_backend *backend, const char *path, accel_text *record)
{
    uint32_t first_state = backend->state; /* of the first candidate, which says most if all fail alike */
    bool is_first = record->length == 0;
    const accel_plugin *plugin = NULL;
    accel_refusal refusal;
    accel_status status = accel_plugin_load(path, backend->name, &plugin, &refusal);

    if (status == ACCEL_OUT_OF_MEMORY || status == ACCEL_IO)
        return status;
    if (status != ACCEL_OK) {
        note(record, path, refusal.stage, refusal.reason);
        backend->state = refusal.state;
    } else {
        status = open_plugin(backend, plugin, path, record);
        if (status != ACCEL_OK)
            return status;
    }
    if (!is_first && !is_final(backend)) {
        backend->state = first_state;
        return ACCEL_OK;
    }
    status = set_text(&backend->path, path);
    return status == ACCEL_OK ? set_text(&backend->build, plugin != NULL ? plugin->build : "") : status;
}

/* What a backend without any candidate says: where it was looked for. */
static void note_absence(accel_text *record, const char *name, const accel_search *search)
{
    accel_text_add(record, "search: there is no libaccel-%s.so in ", name);
    accel_paths_tell(&search->directories, record);
    accel_text_add(record, "; install it, or name its directory in ACCEL_PLUGIN_PATH");
    if (search->directories.skipped.length > 0)
        accel_text_add(record, "\n%.*s", (int)search->directories.skipped.length - 1, search->directories.skipped.data);
}

static accel_status find_candidates(accel_backend *backend, const accel_search *search, accel_text *record)
{
    for (size_t i = 0; i < search->directories.count; ++i) {
        char *path = accel_search_path(search, i, backend->name);
        if (path == NULL)
            return ACCEL_OUT_OF_MEMORY;
        accel_status status = accel_search_exists(path) ? try_candidate(backend, path, record) : ACCEL_OK;
        accel_deallocate(path);
        if (status != ACCEL_OK)
            return status;
        if (backend->state != ACCEL_BACKEND_NOT_INSTALLED && is_final(backend))
            return ACCEL_OK;
    }
    if (record->length == 0)
        note_absence(record, backend->name, search);
    return ACCEL_OK;
}

static accel_status begin(accel_backend *backend, const char *name, uint32_t state)
{
    snprintf(backend->name, sizeof(backend->name), "%s", name);
    backend->state = state;
    if (set_text(&backend->path, "") != ACCEL_OK || set_text(&backend->build, "") != ACCEL_OK ||
        set_text(&backend->reason, "") != ACCEL_OK)
        return ACCEL_OUT_OF_MEMORY;
    return ACCEL_OK;
}

accel_status accel_backend_open(accel_backend *backend, const char *name, const accel_search *search,
                                const accel_selection *selection, accel_device ***devices, size_t *device_count)
{
    accel_text record = {0};
    accel_status status = begin(backend, name, ACCEL_BACKEND_NOT_INSTALLED);

    if (status == ACCEL_OK)
        status = find_candidates(backend, search, &record);
    if (status == ACCEL_OK && backend->state == ACCEL_BACKEND_USABLE) {
        accel_text_clear(&record); /* of earlier candidates: logged, not a reason */
        status = accel_devices_enumerate(backend, selection, devices, device_count, &record);
    }
    if (status != ACCEL_OK || record.failed) {
        accel_text_clear(&record);
        return status != ACCEL_OK ? status : ACCEL_OUT_OF_MEMORY;
    }
    if (backend->state == ACCEL_BACKEND_USABLE) {
        accel_log(ACCEL_LOG_INFO, "%s: %s, devices: %zu", backend->path, backend->name, backend->device_count);
        if (record.length == 0)
            return ACCEL_OK;
    } else if (backend->impl != NULL) {
        backend->backend_vtable.close(backend->impl);
        backend->impl = NULL;
    }
    accel_deallocate(backend->reason);
    backend->reason = accel_text_take(&record);
    return backend->reason != NULL ? ACCEL_OK : ACCEL_OUT_OF_MEMORY;
}

accel_status accel_backend_leave(accel_backend *backend, const char *name, const accel_search *search,
                                 const accel_selection *selection)
{
    accel_text record = {0};
    accel_status status = begin(backend, name, ACCEL_BACKEND_NOT_INSTALLED);

    for (size_t i = 0;
         i < search->directories.count && status == ACCEL_OK && backend->state == ACCEL_BACKEND_NOT_INSTALLED; ++i) {
        char *path = accel_search_path(search, i, backend->name);
        if (path == NULL)
            return ACCEL_OUT_OF_MEMORY;
        if (accel_search_exists(path)) {
            backend->state = ACCEL_BACKEND_NOT_SELECTED;
            status = set_text(&backend->path, path);
        }
        accel_deallocate(path);
    }
    if (status != ACCEL_OK)
        return status;
    if (backend->state == ACCEL_BACKEND_NOT_INSTALLED)
        note_absence(&record, backend->name, search);
    else if (!selection->chosen)
        accel_text_add(&record, "it is used only where ACCEL_BACKEND names it");
    else
        accel_text_add(&record, "%s is \"%s\", which does not name it", selection->backends_source,
                       selection->backends_value);
    accel_deallocate(backend->reason);
    backend->reason = accel_text_take(&record);
    return backend->reason != NULL ? ACCEL_OK : ACCEL_OUT_OF_MEMORY;
}

void accel_backend_close(accel_backend *backend)
{
    if (backend->impl != NULL)
        backend->backend_vtable.close(backend->impl);
    accel_deallocate(backend->path);
    accel_deallocate(backend->build);
    accel_deallocate(backend->reason);
    *backend = (accel_backend){0};
}
