/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/plugin.h"

#include "core/base/allocate.h"
#include "core/base/file.h"
#include "core/base/log.h"
#include "object/elf.h"
#include "object/elf_file.h"
#include "object/shortage.h"
#include "core/base/error.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

/* Every file that passed the checks, with its descriptor's bytes. Entries are never removed, since nothing is unloaded: pushed
 * with release, read with acquire, no lock that a fork could leave behind. Two threads that check one file at once both add
 * it, which does no harm. */
typedef struct checked_plugin {
    struct checked_plugin *next;
    dev_t device;
    ino_t inode;
    struct timespec changed;
    _Atomic(const accel_plugin *) loaded; /* NULL: not in the process yet */
    size_t size;                          /* of the symbol */
    _Alignas(accel_plugin) unsigned char bytes[];
} checked_plugin;
static _Atomic(checked_plugin *) checked_plugins;

static const accel_plugin *descriptor_of(const checked_plugin *checked)
{
    return (const accel_plugin *)(const void *)checked->bytes;
}

/* The descriptor's bytes in a file that is whole and for this machine: *out is new. */
static accel_status read_descriptor(const accel_file *file, checked_plugin **out, accel_refusal *refusal)
{
    char reason[128], theirs[24], ours[24];
    size_t size = 0;
    accel_elf elf;

    if (!accel_elf_open(file->data, file->size, &elf, reason, sizeof(reason)))
        return accel_refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "elf", "%s; install the plugin again", reason);
    if (elf.machine != accel_elf_native_machine())
        return accel_refuse(
            refusal, ACCEL_BACKEND_INCOMPATIBLE, "elf", "it is for %s, this process is %s; install the plugin for %s",
            accel_elf_machine_name(elf.machine, theirs), accel_elf_machine_name(accel_elf_native_machine(), ours),
            accel_elf_machine_name(accel_elf_native_machine(), ours));
    if (elf.type != ET_DYN)
        return accel_refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "elf",
                            "it is no shared object; link the plugin with -shared");

    const unsigned char *bytes = accel_elf_symbol(&elf, ACCEL_PLUGIN_SYMBOL, 2 * sizeof(uint32_t), &size);

    if (bytes == NULL)
        return accel_refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "descriptor",
                            "it does not export " ACCEL_PLUGIN_SYMBOL "; it is no plugin of libaccel");

    size_t room =
        size < sizeof(accel_plugin) ? sizeof(accel_plugin) : size; /* abi and struct_size at least are there */
    checked_plugin *checked = accel_allocate(sizeof(*checked) + room);

    if (checked == NULL)
        return ACCEL_OUT_OF_MEMORY;
    memcpy(checked->bytes, bytes, size);
    checked->size = size;
    *out = checked;
    return ACCEL_OK;
}

/* Of all plugins, also of those that are not wanted: memory for whole files takes most of a small program's start. */
static bool read_descriptor_alone(int file, unsigned char *data, size_t size)
{
    return elf_file_read_symbol(file, data, size, ACCEL_PLUGIN_SYMBOL);
}

static accel_status read_file(const char *path, checked_plugin **out, accel_refusal *refusal)
{
    accel_file file;
    accel_status status = accel_file_open_part(path, NULL, read_descriptor_alone, &file);

    if (accel_file_is_short(status))
        return accel_error_prefix(status, "plugin");
    if (status != ACCEL_OK) { /* the text begins with the path, which the record names itself */
        const char *text = accel_error_message();
        size_t length = strlen(path);
        if (strncmp(text, path, length) == 0 && strncmp(text + length, ": ", 2) == 0)
            text += length + 2;
        return accel_refuse(refusal, ACCEL_BACKEND_BROKEN, "search", "%s", text);
    }
    status = read_descriptor(&file, out, refusal);
    accel_file_close(&file);
    return status;
}

static checked_plugin *find_checked(const struct stat *entry)
{
    checked_plugin *checked = atomic_load_explicit(&checked_plugins, memory_order_acquire);

    while (checked != NULL &&
           !(checked->device == entry->st_dev && checked->inode == entry->st_ino &&
             checked->changed.tv_sec == entry->st_mtim.tv_sec && checked->changed.tv_nsec == entry->st_mtim.tv_nsec))
        checked = checked->next;
    return checked;
}

static accel_status check(const char *path, const char *name, checked_plugin **out, accel_refusal *refusal)
{
    struct stat entry;
    bool have_entry = stat(path, &entry) == 0;
    checked_plugin *checked = have_entry ? find_checked(&entry) : NULL;

    if (checked != NULL) { /* perhaps by another name */
        *out = checked;
        return accel_descriptor_check(descriptor_of(checked), checked->size, name, refusal);
    }

    accel_status status = read_file(path, &checked, refusal);

    if (status != ACCEL_OK)
        return status;
    status = accel_descriptor_check(descriptor_of(checked), checked->size, name, refusal);
    if (status != ACCEL_OK) {
        accel_deallocate(checked);
        return status;
    }
    if (have_entry) { /* else it appeared just now: no file is like this entry */
        checked->device = entry.st_dev;
        checked->inode = entry.st_ino;
        checked->changed = entry.st_mtim;
    }
    checked->next = atomic_load_explicit(&checked_plugins, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&checked_plugins, &checked->next, checked, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    *out = checked;
    return ACCEL_OK;
}

static accel_status load(const char *path, const char *name, const checked_plugin *checked, const accel_plugin **out,
                         accel_refusal *refusal)
{
    accel_log(ACCEL_LOG_DEBUG, "%s: is loaded now", path);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (handle == NULL) {
        const char *text = dlerror();
        int number = shortage_in(text);
        if (number != 0)
            return accel_error_set(shortage_status(number), "plugin: %s; %s", text, shortage_remedy(number));
        return accel_refuse(
            refusal, ACCEL_BACKEND_BROKEN, "load",
            "%s; the plugin must be built for this system, and installed and linked with all that it uses (see ldd -r)",
            text != NULL ? text : "dlopen failed and does not say why");
    }
    *out = dlsym(handle, ACCEL_PLUGIN_SYMBOL);
    if (*out == NULL)
        return accel_refuse(refusal, ACCEL_BACKEND_BROKEN, "load",
                            "the loader does not find " ACCEL_PLUGIN_SYMBOL "; export it");
    if ((*out)->open == NULL) /* the loader fills it in */
        return accel_refuse(refusal, ACCEL_BACKEND_INCOMPATIBLE, "descriptor", "its open is NULL; fix the plugin");
    return accel_descriptor_check(*out, checked->size, name, refusal); /* what was mapped is what was checked */
}

accel_status accel_plugin_check(const char *path, const char *name, const accel_plugin **out, accel_refusal *refusal)
{
    checked_plugin *checked;
    accel_status status = check(path, name, &checked, refusal);

    if (status == ACCEL_OK)
        *out = descriptor_of(checked);
    return status;
}

accel_status accel_plugin_load(const char *path, const char *name, const accel_plugin **out, accel_refusal *refusal)
{
    checked_plugin *checked;
    accel_status status = check(path, name, &checked, refusal);
    const accel_plugin *plugin = NULL;

    if (status != ACCEL_OK)
        return status;
    plugin = atomic_load_explicit(&checked->loaded, memory_order_acquire);
    if (plugin == NULL) {
        status = load(path, name, checked, &plugin, refusal);
        if (status != ACCEL_OK)
            return status;
        atomic_store_explicit(&checked->loaded, plugin, memory_order_release);
    }
    *out = plugin;
    return ACCEL_OK;
}

static bool may_be_plugin(int file, size_t size, const void *user, char *reason, size_t reason_size)
{
    (void)user;
    return elf_file_may_name(file, size, ACCEL_PLUGIN_SYMBOL, reason, reason_size);
}

accel_status accel_plugin_recognise(const char *path, bool *is_plugin)
{
    char reason[128];
    accel_file file;
    accel_elf elf;
    size_t size;
    accel_status status = accel_file_open_part(path, may_be_plugin, read_descriptor_alone, &file);

    if (accel_file_is_short(status))
        return accel_error_prefix(status, "plugin");
    *is_plugin = false;
    if (status != ACCEL_OK)
        return ACCEL_OK;
    *is_plugin = accel_elf_open(file.data, file.size, &elf, reason, sizeof(reason)) &&
                 accel_elf_symbol(&elf, ACCEL_PLUGIN_SYMBOL, 1, &size) != NULL;
    accel_file_close(&file);
    return ACCEL_OK;
}
