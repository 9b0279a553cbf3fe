/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/plugin.h"

#include "core/base/allocate.h"
#include "core/base/file.h"
#include "object/elf.h"
#include "core/base/error.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Every plugin in the process, by file. Entries are never removed, since nothing is unloaded: pushed with release, read with
 * acquire, no lock that a fork could leave behind. Two threads that load one file at once both add it, which does no harm. */
typedef struct loaded_plugin {
    struct loaded_plugin *next;
    dev_t device;
    ino_t inode;
    struct timespec changed;
    const accel_plugin *plugin;
} loaded_plugin;
static _Atomic(loaded_plugin *) loaded_plugins;

static ACCEL_PRINTF(4, 5) accel_status
    refuse(accel_refusal *refusal, uint32_t state, const char *stage, const char *format, ...)
{
    va_list list;

    refusal->state = state;
    refusal->stage = stage;
    va_start(list, format);
    vsnprintf(refusal->reason, sizeof(refusal->reason), format, list);
    va_end(list);
    return ACCEL_INCOMPATIBLE;
}

static bool terminated(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

/* Also for descriptors in memory: what the loader mapped must be what was checked. */
static accel_status check_descriptor(const accel_plugin *plugin, size_t symbol_size, const char *name,
                                     accel_refusal *refusal)
{
    if (plugin->abi != ACCEL_PLUGIN_ABI)
        return refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "descriptor",
                      "its plugin ABI is %u, this libaccel's is %u; install the plugin that belongs to this libaccel",
                      plugin->abi, ACCEL_PLUGIN_ABI);
    if (plugin->struct_size < sizeof(*plugin) || plugin->struct_size > symbol_size)
        return refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "descriptor",
                      "its descriptor says struct_size %u, but has to have at least %zu and the symbol has %zu bytes; "
                      "rebuild the plugin",
                      plugin->struct_size, sizeof(*plugin), symbol_size);
    for (size_t i = sizeof(*plugin); i < plugin->struct_size; ++i) {
        if (((const unsigned char *)plugin)[i] != 0)
            return refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "descriptor",
                          "its descriptor has %u bytes of which this libaccel knows %zu, and byte %zu is not 0; "
                          "install a newer libaccel",
                          plugin->struct_size, sizeof(*plugin), i);
    }
    if (!terminated(plugin->name, sizeof(plugin->name)) || !terminated(plugin->build, sizeof(plugin->build)))
        return refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "descriptor",
                      "a text of its descriptor has no end; rebuild the plugin");
    if (strcmp(plugin->name, name) != 0)
        return refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "descriptor",
                      "it calls itself \"%s\"; a file of this name has to be \"%s\"; do not rename plugins",
                      plugin->name, name);
    return ACCEL_OK;
}

static accel_status check_image(const accel_file *file, const char *name, accel_refusal *refusal)
{
    char reason[128], theirs[24], ours[24];
    uint32_t head[2]; /* abi, struct_size */
    size_t size = 0;
    accel_elf elf;

    if (!accel_elf_open(file->data, file->size, &elf, reason, sizeof(reason)))
        return refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "elf", "%s; install the plugin anew", reason);
    if (elf.machine != accel_elf_native_machine())
        return refuse(
            refusal, ACCEL_BACKEND_INCOMPATIBLE, "elf", "it is for %s, this process is %s; install the plugin for %s",
            accel_elf_machine_name(elf.machine, theirs), accel_elf_machine_name(accel_elf_native_machine(), ours),
            accel_elf_machine_name(accel_elf_native_machine(), ours));
    if (elf.type != ET_DYN)
        return refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "elf",
                      "it is no shared object; link the plugin with -shared");

    const unsigned char *bytes = accel_elf_symbol(&elf, ACCEL_PLUGIN_SYMBOL, sizeof(head), &size);

    if (bytes == NULL)
        return refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "descriptor",
                      "it does not export " ACCEL_PLUGIN_SYMBOL "; it is no plugin of libaccel");
    memcpy(head, bytes, sizeof(head));
    if (size < sizeof(accel_plugin)) {
        accel_plugin partial = {.abi = head[0], .struct_size = head[1]};
        return check_descriptor(&partial, size < head[1] ? size : head[1], name, refusal);
    }

    accel_plugin *copy = accel_allocate(size); /* aligned, as the file's bytes need not be */

    if (copy == NULL)
        return ACCEL_OUT_OF_MEMORY;
    memcpy(copy, bytes, size);
    accel_status status = check_descriptor(copy, size, name, refusal);
    accel_deallocate(copy);
    return status;
}

static accel_status check_file(const char *path, const char *name, accel_refusal *refusal)
{
    accel_file file;
    accel_status status = accel_file_open(path, &file);

    if (status == ACCEL_OUT_OF_MEMORY)
        return status;
    if (status != ACCEL_OK) { /* the text begins with the path, which the record names itself */
        const char *text = accel_error_message();
        size_t length = strlen(path);
        if (strncmp(text, path, length) == 0 && strncmp(text + length, ": ", 2) == 0)
            text += length + 2;
        return refuse(refusal, ACCEL_BACKEND_BROKEN, "search", "%s", text);
    }
    status = check_image(&file, name, refusal);
    accel_file_close(&file);
    return status;
}

static const accel_plugin *find_loaded(const struct stat *entry)
{
    loaded_plugin *loaded = atomic_load_explicit(&loaded_plugins, memory_order_acquire);

    while (loaded != NULL &&
           !(loaded->device == entry->st_dev && loaded->inode == entry->st_ino &&
             loaded->changed.tv_sec == entry->st_mtim.tv_sec && loaded->changed.tv_nsec == entry->st_mtim.tv_nsec))
        loaded = loaded->next;
    return loaded != NULL ? loaded->plugin : NULL;
}

static accel_status load(const char *path, const char *name, loaded_plugin *loaded, accel_refusal *refusal)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (handle == NULL) {
        const char *text = dlerror();
        return refuse(
            refusal, ACCEL_BACKEND_BROKEN, "load",
            "%s; the plugin must be built for this system, and installed and linked with all that it uses (ldd -r tells)",
            text != NULL ? text : "dlopen failed and does not say why");
    }
    loaded->plugin = dlsym(handle, ACCEL_PLUGIN_SYMBOL);
    if (loaded->plugin == NULL)
        return refuse(refusal, ACCEL_BACKEND_BROKEN, "load",
                      "the loader does not find " ACCEL_PLUGIN_SYMBOL "; export it");
    return check_descriptor(loaded->plugin, loaded->plugin->struct_size, name, refusal);
}

accel_status accel_plugin_load(const char *path, const char *name, const accel_plugin **out, accel_refusal *refusal)
{
    struct stat entry;
    bool have_entry = stat(path, &entry) == 0;
    const accel_plugin *plugin = have_entry ? find_loaded(&entry) : NULL;

    if (plugin != NULL) {
        accel_status status =
            check_descriptor(plugin, plugin->struct_size, name, refusal); /* perhaps by another name */
        if (status == ACCEL_OK)
            *out = plugin;
        return status;
    }

    accel_status status = check_file(path, name, refusal);

    if (status != ACCEL_OK)
        return status;

    loaded_plugin *loaded = accel_allocate(sizeof(*loaded)); /* before the plugin is in the process for good */

    if (loaded == NULL)
        return ACCEL_OUT_OF_MEMORY;
    status = load(path, name, loaded, refusal);
    if (status != ACCEL_OK) {
        accel_deallocate(loaded);
        return status;
    }
    *out = loaded->plugin;
    if (!have_entry) { /* it appeared just now; the next instance records it */
        accel_deallocate(loaded);
        return ACCEL_OK;
    }
    loaded->device = entry.st_dev;
    loaded->inode = entry.st_ino;
    loaded->changed = entry.st_mtim;
    loaded->next = atomic_load_explicit(&loaded_plugins, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&loaded_plugins, &loaded->next, loaded, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    return ACCEL_OK;
}

accel_status accel_plugin_recognise(const char *path, bool *is_plugin)
{
    char reason[128];
    accel_file file;
    accel_elf elf;
    size_t size;
    accel_status status = accel_file_open(path, &file);

    if (status == ACCEL_OUT_OF_MEMORY)
        return status;
    *is_plugin = false;
    if (status != ACCEL_OK)
        return ACCEL_OK;
    *is_plugin = accel_elf_open(file.data, file.size, &elf, reason, sizeof(reason)) &&
                 accel_elf_symbol(&elf, ACCEL_PLUGIN_SYMBOL, 1, &size) != NULL;
    accel_file_close(&file);
    return ACCEL_OK;
}
