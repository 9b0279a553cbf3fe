/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/search.h"

#include "core/base/allocate.h"
#include "core/base/directory.h"
#include "core/base/log.h"
#include "core/plugins/plugin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* In order of preference. The last one is used only where it is named. */
static const char *const known_names[] = {"cuda", "hip", "cpu-threads", "cpu-omp", "cpu-serial", "cpu-check"};
#define KNOWN_COUNT (sizeof(known_names) / sizeof(known_names[0]))
#define PREFIX "libaccel-"
#define SUFFIX ".so"

static accel_status find_directories(const accel_config *config, const char *program_path, accel_search *search)
{
    accel_paths *paths = &search->directories;
    char *library = NULL, *private_directory = NULL;
    accel_status status =
        accel_paths_add_list(paths, "ACCEL_PLUGIN_PATH", accel_config_value(config, "ACCEL_PLUGIN_PATH"));

    if (status == ACCEL_OK)
        status = accel_paths_add_list(paths, "the program's plugin_path", program_path);
    if (status == ACCEL_OK)
        status = accel_paths_library(&library);
    if (status == ACCEL_OK && library != NULL) {
        private_directory = accel_text_format("%s/accel", library);
        status = private_directory != NULL ? accel_paths_add(paths, "libaccel's directory", private_directory)
                                           : ACCEL_OUT_OF_MEMORY;
    }
    search->shared = paths->count;
    if (status == ACCEL_OK && library != NULL)
        status = accel_paths_add(paths, "libaccel's directory", library);
    if (status == ACCEL_OK && search->shared == paths->count)
        search->shared = SIZE_MAX; /* named before, so that it is no stranger */
    if (status == ACCEL_OK)
        status = accel_paths_add(paths, "the compiled-in directory", ACCEL_PLUGIN_DIR);
    accel_deallocate(private_directory);
    accel_deallocate(library);
    return status;
}

static bool has_name(const accel_search *search, const char *name, size_t length)
{
    for (size_t i = 0; i < search->name_count; ++i) {
        if (strlen(search->names[i]) == length && strncmp(search->names[i], name, length) == 0)
            return true;
    }
    return false;
}

static accel_status add_name(accel_search *search, const char *name, size_t length)
{
    char **grown = accel_reallocate(search->names, (search->name_count + 1) * sizeof(*grown));

    if (grown == NULL)
        return ACCEL_OUT_OF_MEMORY;
    search->names = grown;
    grown[search->name_count] = accel_text_format("%.*s", (int)length, name);
    if (grown[search->name_count] == NULL)
        return ACCEL_OUT_OF_MEMORY;
    ++search->name_count;
    return ACCEL_OK;
}

/* The length of NAME in libaccel-NAME.so, or 0. */
static size_t plugin_name_length(const char *file)
{
    size_t length = strlen(file), prefix = strlen(PREFIX), suffix = strlen(SUFFIX);

    if (length <= prefix + suffix || strncmp(file, PREFIX, prefix) != 0 || strcmp(file + length - suffix, SUFFIX) != 0)
        return 0;
    length -= prefix + suffix;
    if (length >= ACCEL_BACKEND_NAME_SIZE || strspn(file + prefix, "abcdefghijklmnopqrstuvwxyz0123456789-") < length)
        return 0;
    return length;
}

static accel_status recognise(const char *directory, const char *name, bool *is_plugin)
{
    char *path = accel_text_format("%s/%s", directory, name);
    accel_status status = path != NULL ? accel_plugin_recognise(path, is_plugin) : ACCEL_OUT_OF_MEMORY;

    if (status == ACCEL_OK && !*is_plugin)
        accel_log(ACCEL_LOG_DEBUG, "%s is no plugin", path);
    accel_deallocate(path);
    return status;
}

/* Third parties' plugins. In a directory that is not ours alone a file counts only if it has a plugin's descriptor: other
 * projects have libraries of such names. */
static accel_status find_others(accel_search *search, size_t directory)
{
    const char *path = search->directories.items[directory];
    DIR *stream;
    struct dirent *entry;
    accel_status status = accel_directory_open(path, &stream);

    if (stream == NULL)
        return status;
    while (status == ACCEL_OK && (status = accel_directory_next(path, stream, &entry)) == ACCEL_OK && entry != NULL) {
        const char *name = entry->d_name + strlen(PREFIX);
        size_t length = plugin_name_length(entry->d_name);

        if (length == 0 || has_name(search, name, length))
            continue;
        bool is_plugin = true;
        if (directory == search->shared)
            status = recognise(path, entry->d_name, &is_plugin);
        if (status == ACCEL_OK && is_plugin)
            status = add_name(search, name, length);
    }
    closedir(stream);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

accel_status accel_search_create(const accel_config *config, const char *program_path, accel_search *out)
{
    accel_search search = {0};
    accel_status status = find_directories(config, program_path, &search);

    for (size_t i = 0; i < KNOWN_COUNT && status == ACCEL_OK; ++i)
        status = add_name(&search, known_names[i], strlen(known_names[i]));
    for (size_t i = 0; i < search.directories.count && status == ACCEL_OK; ++i)
        status = find_others(&search, i);
    if (status != ACCEL_OK) {
        accel_search_destroy(&search);
        return status;
    }
    qsort(search.names + KNOWN_COUNT, search.name_count - KNOWN_COUNT, sizeof(*search.names), by_name);
    *out = search;
    return ACCEL_OK;
}

bool accel_search_on_request(const char *name)
{
    return strcmp(name, "cpu-check") == 0;
}

void accel_search_destroy(accel_search *search)
{
    for (size_t i = 0; i < search->name_count; ++i)
        accel_deallocate(search->names[i]);
    accel_deallocate(search->names);
    accel_paths_clear(&search->directories);
    *search = (accel_search){0};
}

char *accel_search_path(const accel_search *search, size_t directory, const char *name)
{
    return accel_text_format("%s/" PREFIX "%s" SUFFIX, search->directories.items[directory], name);
}

bool accel_search_exists(const char *path)
{
    struct stat entry;

    return lstat(path, &entry) == 0;
}
