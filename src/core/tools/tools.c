/* SPDX-License-Identifier: Apache-2.0 */
#include "core/tools/tools.h"

#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/base/guard.h"
#include "core/base/log.h"
#include "core/config/environment.h"
#include "object/shortage.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct tool {
    void *handle;
    accel_tool_callbacks callbacks;
} tool;

/* An entry is written under the lock, before its bit is set in `loaded` with release. Tools stay. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tool all[ACCEL_TOOLS_MOST];
static _Atomic uint32_t loaded;
static _Atomic uint32_t generation; /* of the process that loaded the first; relaxed: only compared */
static _Atomic bool ended;          /* relaxed: a callback that has begun is the tool's matter */

bool accel_tools_live(void)
{
    return atomic_load_explicit(&generation, memory_order_relaxed) == accel_guard_fork_generation &&
           !atomic_load_explicit(&ended, memory_order_relaxed);
}

uint32_t accel_tools_loaded(void)
{
    return atomic_load_explicit(&loaded, memory_order_acquire);
}

/* The tools of the mask, one after the other. */
#define FOR_EACH_TOOL(callbacks, mask)                                                                                 \
    for (uint32_t rest_ = accel_tools_live() ? (mask) : 0; rest_ != 0; rest_ &= rest_ - 1)                             \
        for (const accel_tool_callbacks *callbacks = &all[__builtin_ctz(rest_)].callbacks; callbacks != NULL;          \
             callbacks = NULL)

static void tell(uint32_t mask, size_t callback, accel_tool_object *object)
{
    object->struct_size = (uint32_t)sizeof(*object);
    if (object->time == 0)
        object->time = accel_tools_clock();
    if (object->name == NULL)
        object->name = "";
    if (object->target == NULL)
        object->target = "";
    FOR_EACH_TOOL(callbacks, mask)
    {
        void (*function)(void *, const accel_tool_object *);
        memcpy(&function, (const char *)callbacks + callback, sizeof(function));
        if (function != NULL)
            function(callbacks->user, object);
    }
}

void accel_tools_created(uint32_t mask, accel_tool_object *object)
{
    tell(mask, offsetof(accel_tool_callbacks, created), object);
}

void accel_tools_named(uint32_t mask, accel_tool_object *object)
{
    tell(mask, offsetof(accel_tool_callbacks, named), object);
}

void accel_tools_released(uint32_t mask, accel_tool_object *object)
{
    tell(mask, offsetof(accel_tool_callbacks, released), object);
}

void accel_tools_submitted(uint32_t mask, const accel_tool_operation *operation)
{
    FOR_EACH_TOOL(callbacks, mask)
    {
        if (callbacks->submitted != NULL)
            callbacks->submitted(callbacks->user, operation);
    }
}

void accel_tools_completed(uint32_t mask, const accel_tool_operation *operation)
{
    FOR_EACH_TOOL(callbacks, mask)
    {
        if (callbacks->completed != NULL)
            callbacks->completed(callbacks->user, operation);
    }
}

static void tell_region(size_t callback, accel_tool_region *region)
{
    region->struct_size = (uint32_t)sizeof(*region);
    region->thread = accel_tools_thread();
    region->time = accel_tools_clock();
    FOR_EACH_TOOL(callbacks, accel_tools_loaded())
    {
        void (*function)(void *, const accel_tool_region *);
        memcpy(&function, (const char *)callbacks + callback, sizeof(function));
        if (function != NULL)
            function(callbacks->user, region);
    }
}

void accel_tools_pushed(accel_tool_region *region)
{
    tell_region(offsetof(accel_tool_callbacks, pushed), region);
}

void accel_tools_popped(accel_tool_region *region)
{
    tell_region(offsetof(accel_tool_callbacks, popped), region);
}

static void finish(void)
{
    uint32_t mask = accel_tools_live() ? accel_tools_loaded() : 0;

    atomic_store_explicit(&ended, true, memory_order_relaxed);
    for (uint32_t i = 0; i < ACCEL_TOOLS_MOST; ++i) {
        if ((mask >> i & 1) != 0 && all[i].callbacks.finish != NULL)
            all[i].callbacks.finish(all[i].callbacks.user);
    }
}

/* ------------------------------------------------------------------------------------- loading -- */

static const char *variable_of_environment(const char *name)
{
    return accel_environment_is_secure() ? NULL : accel_environment_value(name);
}

static const accel_tool_host host = {
    .struct_size = sizeof(accel_tool_host),
    .abi = ACCEL_TOOL_ABI,
    .error = accel_error_set,
    .variable = variable_of_environment,
    .clock = accel_tools_clock,
};

static accel_status initialise(const char *variable, const char *path, void *handle, accel_tool_callbacks *callbacks)
{
    accel_tool_init_fn init = NULL;
    void *symbol = dlsym(handle, ACCEL_TOOL_SYMBOL);
    accel_status status;

    if (symbol == NULL)
        return accel_error_set(ACCEL_INCOMPATIBLE,
                               "%s: %s does not export " ACCEL_TOOL_SYMBOL
                               "; it is no tool of libaccel (accel/tool.h says what one is)",
                               variable, path);
    memcpy(&init, &symbol, sizeof(init));
    *callbacks = (accel_tool_callbacks){.struct_size = (uint32_t)sizeof(*callbacks)};
    accel_error_set(ACCEL_OK, "its " ACCEL_TOOL_SYMBOL " failed and does not say why; a tool says it by host->error");
    status = init(&host, callbacks);
    if (status != ACCEL_OK)
        return accel_error_set(status, "%s: %s: %s", variable, path, accel_error_message());
    if (callbacks->abi != ACCEL_TOOL_ABI)
        return accel_error_set(
            ACCEL_INCOMPATIBLE,
            "%s: %s was built for version %u of accel/tool.h, this libaccel has %u; build the tool again", variable,
            path, callbacks->abi, ACCEL_TOOL_ABI);
    return ACCEL_OK;
}

/* Under the lock. */
static accel_status load(const char *variable, const char *path, uint32_t *mask)
{
    uint32_t count = (uint32_t)__builtin_popcount(accel_tools_loaded());
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    accel_status status;

    if (handle == NULL) {
        const char *text = dlerror();
        int number = shortage_in(text);
        if (number != 0)
            return accel_error_set(shortage_status(number), "%s: %s; %s", variable, text, shortage_remedy(number));
        const bool is_there = strchr(path, '/') != NULL && access(path, F_OK) == 0;
        return accel_error_set(is_there ? ACCEL_INCOMPATIBLE : ACCEL_NOT_FOUND, "%s: the tool cannot be loaded: %s",
                               variable, text != NULL ? text : path);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (all[i].handle == handle) {
            dlclose(handle); /* one reference keeps it */
            *mask |= UINT32_C(1) << i;
            return ACCEL_OK;
        }
    }
    if (count == ACCEL_TOOLS_MOST)
        return accel_error_set(ACCEL_LIMIT, "%s: %s would be one tool more than the %u that a process can have",
                               variable, path, ACCEL_TOOLS_MOST);
    status = initialise(variable, path, handle, &all[count].callbacks);
    if (status != ACCEL_OK)
        return status; /* its code may have left something behind: it stays in the process */
    if (count == 0) {
        atomic_store_explicit(&generation, accel_guard_fork_generation, memory_order_relaxed);
        atexit(finish);
    }
    all[count].handle = handle;
    atomic_store_explicit(&loaded, (UINT32_C(1) << (count + 1)) - 1, memory_order_release);
    *mask |= UINT32_C(1) << count;
    accel_log(ACCEL_LOG_INFO, "%s: tool %s", variable, path);
    return ACCEL_OK;
}

static accel_status load_by_name(const char *variable, const char *name, const accel_search *search, uint32_t *mask)
{
    accel_text places = {0};
    accel_status status = ACCEL_OK;
    bool found = false;

    for (size_t i = 0; i < search->directories.count && !found && status == ACCEL_OK; ++i) {
        char *path = accel_text_format("%s/libacceltool-%s.so", search->directories.items[i], name);
        if (path == NULL)
            status = ACCEL_OUT_OF_MEMORY;
        else if (accel_search_exists(path)) {
            found = true;
            status = load(variable, path, mask);
        }
        accel_deallocate(path);
    }
    if (status == ACCEL_OK && !found) {
        accel_paths_tell(&search->directories, &places);
        status = accel_error_set(ACCEL_NOT_FOUND,
                                 "%s: there is no libacceltool-%s.so in %s; install it, name its directory in "
                                 "ACCEL_PLUGIN_PATH, or give an absolute path",
                                 variable, name, accel_text_peek(&places));
    }
    accel_text_clear(&places);
    return status;
}

static accel_status load_entry(const char *entry, const accel_search *search, uint32_t *mask)
{
    if (entry[0] == '/')
        return load("ACCEL_TOOL", entry, mask);
    if (strchr(entry, '/') != NULL)
        return accel_error_set(ACCEL_INVALID,
                               "ACCEL_TOOL: \"%s\" is no absolute path; begin it with '/', or give a name", entry);
    return load_by_name("ACCEL_TOOL", entry, search, mask);
}

static accel_status load_list(const char *list, const accel_search *search, uint32_t *mask)
{
    accel_status status = ACCEL_OK;

    while (*list != '\0' && status == ACCEL_OK) {
        size_t length = strcspn(list, ":");
        char *entry = length > 0 ? accel_text_format("%.*s", (int)length, list) : NULL;
        if (entry != NULL)
            status = load_entry(entry, search, mask);
        else if (length > 0)
            status = ACCEL_OUT_OF_MEMORY;
        accel_deallocate(entry);
        list += length + (list[length] == ':');
    }
    return status;
}

static bool is_on(const accel_config *config, const char *name)
{
    return strcmp(accel_config_value(config, name), "1") == 0;
}

accel_status accel_tools_open(const accel_config *config, const accel_search *search, accel_tools *out)
{
    accel_tools tools = {.blocking = is_on(config, "ACCEL_LAUNCH_BLOCKING")};
    bool trace = accel_config_value(config, "ACCEL_TRACE")[0] != '\0', summary = is_on(config, "ACCEL_SUMMARY");
    const char *list = accel_config_value(config, "ACCEL_TOOL");
    accel_status status = ACCEL_OK;

    if (accel_tools_loaded() != 0 &&
        !accel_tools_live()) { /* they watch the parent of this process, whose lock is not ours */
        accel_log(ACCEL_LOG_WARNING, "tools were loaded before fork: they do not watch the child");
    } else if (trace || summary || list[0] != '\0') {
        pthread_mutex_lock(&lock);
        if (trace)
            status = load_by_name("ACCEL_TRACE", "trace", search, &tools.mask);
        if (status == ACCEL_OK && summary)
            status = load_by_name("ACCEL_SUMMARY", "summary", search, &tools.mask);
        if (status == ACCEL_OK)
            status = load_list(list, search, &tools.mask);
        pthread_mutex_unlock(&lock);
    }
    for (uint32_t i = 0; i < ACCEL_TOOLS_MOST && status == ACCEL_OK; ++i) {
        uint32_t bit = UINT32_C(1) << i;
        if ((tools.mask & bit) != 0 && all[i].callbacks.submitted != NULL)
            tools.submitted |= bit;
        if ((tools.mask & bit) != 0 && all[i].callbacks.completed != NULL)
            tools.completed |= bit;
    }
    if (status == ACCEL_OK)
        *out = tools;
    return status;
}
