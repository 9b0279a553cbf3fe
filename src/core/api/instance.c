/* SPDX-License-Identifier: Apache-2.0 */
#include "core/api/instance.h"

#include "core/base/allocate.h"
#include "core/config/config.h"
#include "core/config/environment.h"
#include "core/api/device.h"
#include "core/api/released.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/plugins/backend_open.h"
#include "core/plugins/variables.h"
#include "core/base/paths.h"
#include "core/base/struct_size.h"

#include <string.h>

static const char create_name[] = "accel_instance_create";

/* For people: a directory per line, and what is ignored. */
static char *kernel_path_lines(const accel_paths *paths)
{
    accel_text text = {0};

    for (size_t i = 0; i < paths->count; ++i)
        accel_text_add(&text, "%s%s", i > 0 ? "\n" : "", paths->items[i]);
    if (paths->ignored.length > 0)
        accel_text_add(&text, "%signored, because it is not absolute: %s", paths->count > 0 ? "\n" : "",
                       accel_text_peek(&paths->ignored));
    return accel_text_take(&text);
}

static accel_status find_kernel_path(accel_instance *instance, const accel_instance_desc *desc)
{
    accel_paths paths = {0};
    char *program = NULL;
    accel_status status =
        accel_paths_add_list(&paths, "ACCEL_KERNEL_PATH", accel_config_value(instance->config, "ACCEL_KERNEL_PATH"));

    if (status == ACCEL_OK)
        status = accel_paths_add_list(&paths, "the program's kernel_path", desc->kernel_path);
    /* Whoever may make a link to a set-uid program chooses the directory that it is found in. */
    if (status == ACCEL_OK && !accel_environment_is_secure())
        status = accel_paths_program(&program);
    if (status == ACCEL_OK && program != NULL)
        status = accel_paths_add(&paths, "the program's directory", program);
    accel_deallocate(program);
    if (status == ACCEL_OK && paths.items == NULL) {
        paths.items = accel_allocate(sizeof(*paths.items)); /* an empty list has its end, too */
        status = paths.items != NULL ? ACCEL_OK : ACCEL_OUT_OF_MEMORY;
    }
    if (status == ACCEL_OK) {
        instance->kernel_path_lines = kernel_path_lines(&paths);
        instance->kernel_path_ignored = accel_text_take(&paths.ignored);
        if (instance->kernel_path_lines == NULL || instance->kernel_path_ignored == NULL)
            status = ACCEL_OUT_OF_MEMORY;
    }
    if (status == ACCEL_OK) {
        instance->kernel_path = paths.items;
        paths.items = NULL;
        paths.count = 0;
    }
    accel_paths_clear(&paths);
    return status;
}

/* The directory `kernels` of each one that plugins are looked for in. */
static accel_status find_algorithm_path(accel_instance *instance, const accel_search *search)
{
    size_t count = search->directories.count;

    instance->algorithm_path = accel_allocate_array(count + 1, sizeof(*instance->algorithm_path));
    if (instance->algorithm_path == NULL)
        return ACCEL_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; ++i) {
        instance->algorithm_path[i] = accel_text_format("%s/kernels", search->directories.items[i]);
        if (instance->algorithm_path[i] == NULL)
            return ACCEL_OUT_OF_MEMORY;
    }
    return ACCEL_OK;
}

/* Why nothing can be used: each backend that was tried, with its record. */
static accel_status none_usable(const accel_instance *instance, const accel_selection *selection)
{
    accel_text text = {0};

    for (size_t i = 0; i < selection->listed_count; ++i) {
        const accel_backend *backend = &instance->backends[i];
        accel_text_add(&text, "\n%s: %s: ", backend->name, accel_backend_state_name(backend->state));
        for (const char *line = backend->reason; *line != '\0';) {
            size_t length = strcspn(line, "\n");
            accel_text_add(&text, "%.*s%s", (int)length, line, line[length] != '\0' ? "\n    " : "");
            line += length + (line[length] != '\0');
        }
    }
    if (selection->chosen)
        accel_error_set(ACCEL_UNAVAILABLE, "%s: none of %s=\"%s\" can be used; fix one of these, or choose others:%s",
                        create_name, selection->backends_source, selection->backends_value, accel_text_peek(&text));
    else
        accel_error_set(ACCEL_UNAVAILABLE, "%s: no backend can be used; fix one of these:%s", create_name,
                        accel_text_peek(&text));
    accel_text_clear(&text);
    return ACCEL_UNAVAILABLE;
}

static accel_status open_backends(accel_instance *instance, const accel_search *search,
                                  const accel_selection *selection, bool allow_empty)
{
    bool usable = false;

    instance->backends = accel_allocate_array(search->name_count, sizeof(*instance->backends));
    if (instance->backends == NULL)
        return ACCEL_OUT_OF_MEMORY;
    for (size_t i = 0; i < search->name_count; ++i) {
        accel_backend *backend = &instance->backends[instance->backend_count++];
        const char *name = search->names[selection->order[i]];
        accel_status status;

        backend->instance = instance;
        backend->tools = &instance->tools;
        if (i < selection->listed_count)
            status = accel_backend_open(backend, name, search, selection, &instance->devices, &instance->device_count);
        else
            status = accel_backend_leave(backend, name, search, selection);
        if (status != ACCEL_OK)
            return status;
        usable |= backend->state == ACCEL_BACKEND_USABLE;
    }
    return usable || allow_empty ? ACCEL_OK : none_usable(instance, selection);
}

static void discard_path(char **directories)
{
    for (char **path = directories; path != NULL && *path != NULL; ++path)
        accel_deallocate(*path);
    accel_deallocate(directories);
}

/* Its own memory and that of its devices, which have ended. */
static void discard(void *object)
{
    accel_instance *instance = object;

    for (size_t i = 0; i < instance->device_count; ++i)
        accel_deallocate(instance->devices[i]);
    accel_deallocate(instance->devices);
    accel_deallocate(instance->host);
    accel_deallocate(instance);
}

/* Whatever asks whether a device is the host's finds a backend, which has no slots: the generation is asked for first. */
static void keep(accel_instance *instance, const accel_released *released)
{
    static accel_backend none;

    for (size_t i = 0; i < instance->device_count; ++i) {
        instance->devices[i]->backend = &none;
        instance->devices[i]->impl = NULL;
        instance->devices[i]->fork_generation = released->generation;
    }
    instance->host->fork_generation = released->generation;
    instance->released = released->generation;
    accel_released_keep(released);
}

static void destroy(void *object)
{
    accel_instance *instance = object;
    accel_released released = {.object = instance, .discard = discard, .reference = &instance->reference};
    const bool kept = accel_released_begin_own(instance->checker, ACCEL_RELEASED_INSTANCE, instance, &released);

    for (size_t i = 0; i < instance->device_count; ++i)
        accel_device_end(instance->devices[i]);
    for (size_t i = 0; i < instance->backend_count; ++i)
        accel_backend_close(&instance->backends[i]);
    accel_deallocate(instance->backends);
    accel_device_end(instance->host);
    discard_path(instance->kernel_path);
    discard_path(instance->algorithm_path);
    accel_deallocate(instance->kernel_path_ignored);
    accel_deallocate(instance->kernel_path_lines);
    accel_config_destroy(instance->config);
    if (kept)
        keep(instance, &released);
    else
        discard(instance);
}

static accel_status check_desc(const accel_instance_desc *desc)
{
    if ((desc->flags & ~(uint32_t)ACCEL_INSTANCE_ALLOW_EMPTY) != 0)
        return accel_error_set(ACCEL_INVALID, "%s: desc.flags is 0x%x; the only flag is ACCEL_INSTANCE_ALLOW_EMPTY",
                               create_name, desc->flags);
    return ACCEL_OK;
}

static void find_checker(accel_instance *instance)
{
    for (size_t i = 0; i < instance->backend_count && instance->checker == NULL; ++i)
        if (instance->backends[i].state == ACCEL_BACKEND_USABLE &&
            instance->backends[i].backend_vtable.object_released != NULL)
            instance->checker = &instance->backends[i];
    accel_released_made(instance->checker, ACCEL_RELEASED_INSTANCE, instance);
}

static accel_status create(const accel_instance_desc *desc, accel_instance **out)
{
    accel_instance *instance = accel_allocate(sizeof(*instance));
    accel_search search = {0};
    accel_selection selection = {0};
    accel_status status;

    if (instance == NULL)
        return ACCEL_OUT_OF_MEMORY;
    accel_reference_init(&instance->reference);
    status = accel_config_create(desc, &instance->config);
    if (status == ACCEL_OK)
        status = find_kernel_path(instance, desc);
    if (status == ACCEL_OK)
        status = accel_device_open_host(instance, &instance->host);
    if (status == ACCEL_OK)
        status = accel_search_create(instance->config, desc->plugin_path, &search);
    if (status == ACCEL_OK)
        status = find_algorithm_path(instance, &search);
    if (status == ACCEL_OK)
        status = accel_variables_add(instance->config, &search);
    if (status == ACCEL_OK)
        status = accel_selection_create(instance->config, &search, &selection);
    if (status == ACCEL_OK)
        status = accel_tools_open(instance->config, &search, &instance->tools);
    if (status == ACCEL_OK)
        status = open_backends(instance, &search, &selection, (desc->flags & ACCEL_INSTANCE_ALLOW_EMPTY) != 0);
    accel_selection_destroy(&selection);
    accel_search_destroy(&search);
    if (status != ACCEL_OK) {
        destroy(instance);
        return status;
    }
    find_checker(instance);
    *out = instance;
    return ACCEL_OK;
}

ACCEL_API accel_status accel_instance_create(const accel_instance_desc *given, accel_instance **out)
{
    char text[ACCEL_ERROR_SIZE];
    accel_instance_desc desc;
    accel_status status = accel_guard_check(create_name);

    if (status == ACCEL_OK && out == NULL)
        status = accel_error_null(create_name, "instance");
    if (status == ACCEL_OK)
        status = accel_struct_import(create_name, "accel_instance_desc", &desc, sizeof(desc), given);
    if (status == ACCEL_OK)
        status = check_desc(&desc);
    if (status != ACCEL_OK)
        return status;
    accel_guard_run_deferred();
    accel_guard_watch_fork();
    accel_error_save(text);
    status = create(&desc, out);
    if (status != ACCEL_OK)
        return accel_error_prefix(status, create_name);
    accel_error_restore(text);
    return ACCEL_OK;
}

ACCEL_API uint32_t accel_version(void)
{
    return (uint32_t)(ACCEL_VERSION_MAJOR << 16 | ACCEL_VERSION_MINOR << 8 | ACCEL_VERSION_PATCH);
}

ACCEL_API accel_instance *accel_instance_retain(accel_instance *instance)
{
    if (instance != NULL)
        accel_reference_retain(&instance->reference);
    return instance;
}

ACCEL_API void accel_instance_release(accel_instance *instance)
{
    if (instance != NULL && accel_reference_release(&instance->reference))
        accel_guard_destroy(&instance->deferred, destroy, instance);
}
