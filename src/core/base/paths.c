/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/paths.h"

#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void skip(accel_paths *paths, const char *origin, const char *directory, const char *reason)
{
    accel_text_add(&paths->skipped, "%s: search: entry \"%s\" of %s was skipped: %s\n",
                   directory[0] != '\0' ? directory : "(empty)", directory, origin, reason);
    accel_text_add(&paths->ignored, "%s\"%s\" of %s", paths->ignored.length > 0 ? ", " : "", directory, origin);
    accel_log(ACCEL_LOG_WARNING, "entry \"%s\" of %s is skipped: %s", directory, origin, reason);
}

static accel_status add(accel_paths *paths, const char *origin, const char *directory, size_t length)
{
    char *path = accel_text_format("%.*s", (int)length, directory);

    if (path == NULL)
        return ACCEL_OUT_OF_MEMORY;
    if (path[0] != '/') {
        skip(paths, origin, path, "it is not absolute, and the working directory is never searched");
        accel_deallocate(path);
        return paths->skipped.failed || paths->ignored.failed ? ACCEL_OUT_OF_MEMORY : ACCEL_OK;
    }
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    for (size_t i = 0; i < paths->count; ++i) {
        if (strcmp(paths->items[i], path) == 0) {
            accel_deallocate(path);
            return ACCEL_OK;
        }
    }

    char **grown = accel_reallocate(paths->items, (paths->count + 2) * sizeof(*grown));

    if (grown == NULL) {
        accel_deallocate(path);
        return ACCEL_OUT_OF_MEMORY;
    }
    paths->items = grown;
    grown[paths->count++] = path;
    grown[paths->count] = NULL;
    return ACCEL_OK;
}

accel_status accel_paths_add(accel_paths *paths, const char *origin, const char *directory)
{
    return add(paths, origin, directory, strlen(directory));
}

accel_status accel_paths_add_list(accel_paths *paths, const char *origin, const char *list)
{
    if (list == NULL || list[0] == '\0')
        return ACCEL_OK;
    for (;;) {
        size_t length = strcspn(list, ":");
        accel_status status = length <= INT_MAX ? add(paths, origin, list, length) : ACCEL_OK;
        if (status != ACCEL_OK)
            return status;
        if (list[length] == '\0')
            return ACCEL_OK;
        list += length + 1;
    }
}

void accel_paths_tell(const accel_paths *paths, accel_text *text)
{
    for (size_t i = 0; i < paths->count; ++i)
        accel_text_add(text, "%s%s", i > 0 ? ", " : "", paths->items[i]);
}

void accel_paths_clear(accel_paths *paths)
{
    for (size_t i = 0; i < paths->count; ++i)
        accel_deallocate(paths->items[i]);
    accel_deallocate(paths->items);
    accel_text_clear(&paths->skipped);
    accel_text_clear(&paths->ignored);
    *paths = (accel_paths){0};
}

/* Copies a file's directory; NULL in *out unless the path is absolute. */
static accel_status directory_of(const char *path, char **out)
{
    const char *slash = path[0] == '/' ? strrchr(path, '/') : NULL;

    *out = NULL;
    if (slash == NULL)
        return ACCEL_OK;
    *out = accel_text_format("%.*s", slash > path ? (int)(slash - path) : 1, path);
    return *out != NULL ? ACCEL_OK : ACCEL_OUT_OF_MEMORY;
}

accel_status accel_paths_program(char **out)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

    path[length > 0 ? length : 0] = '\0';
    return directory_of(path, out);
}

/* The kernel's name of the file that `address` is mapped from: absolute even if the loader was given a relative one. */
static bool mapped_file(uintptr_t address, char path[PATH_MAX])
{
    char line[PATH_MAX + 128];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");

    if (maps == NULL)
        return false;
    while (!found && fgets(line, sizeof(line), maps) != NULL) {
        unsigned long first, last;
        char *name = strchr(line, '/');
        if (sscanf(line, "%lx-%lx", &first, &last) != 2 || address < first || address >= last || name == NULL)
            continue;
        name[strcspn(name, "\n")] = '\0';
        if (strlen(name) < PATH_MAX) {
            memcpy(path, name, strlen(name) + 1);
            found = true;
        }
    }
    fclose(maps);
    return found;
}

accel_status accel_paths_library(char **out)
{
    static const char here = 0; /* a place inside this library */
    char path[PATH_MAX] = "";
    Dl_info info;

    /* A runpath such as $ORIGIN/../lib leaves its dots in the name; people read these paths. */
    if (dladdr(&here, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/')
        return directory_of(realpath(info.dli_fname, path) != NULL ? path : info.dli_fname, out);
    if (!mapped_file((uintptr_t)&here, path))
        path[0] = '\0';
    return directory_of(path, out);
}
