/* SPDX-License-Identifier: Apache-2.0 */
#include "stale.h"

#include "../base/arena.h"
#include "../base/message.h"

#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static bool is_before(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/* The source that was changed last; NULL: none can be asked. */
static const char *newest_source(const accelcc_options *options, struct timespec *changed)
{
    const char *newest = NULL;
    struct stat status;
    for (size_t i = 0; i < options->sources.count; ++i) {
        if (stat(options->sources.items[i], &status) != 0 || (newest != NULL && is_before(status.st_mtim, *changed)))
            continue;
        newest = options->sources.items[i];
        *changed = status.st_mtim;
    }
    return newest;
}

/* "saxpy.sm_90.cubin" for "saxpy"; of "saxpy.fast.sm_90.cubin" the library is another. */
static bool is_object_of(const char *file, const char *library)
{
    static const char *const formats[] = {"so", "ptx", "cubin", "hsaco"};
    const size_t length = strlen(library);
    if (strncmp(file, library, length) != 0 || file[length] != '.')
        return false;
    const char *target = file + length + 1, *dot = strchr(target, '.');
    for (size_t i = 0; dot != NULL && dot != target && i < sizeof formats / sizeof formats[0]; ++i)
        if (strcmp(dot + 1, formats[i]) == 0)
            return true;
    return false;
}

static bool has(const list *files, const char *file)
{
    for (size_t i = 0; i < files->count; ++i)
        if (strcmp(files->items[i], file) == 0)
            return true;
    return false;
}

void stale_note(const accelcc_options *options, const list *made)
{
    struct timespec changed = {0};
    struct stat status;
    const char *source = newest_source(options, &changed), *slash = strrchr(options->output, '/');
    const char *library = slash != NULL ? slash + 1 : options->output;
    const char *prefix = arena_format("%.*s", (int)(library - options->output), options->output);
    DIR *directory = source != NULL ? opendir(slash != NULL ? prefix : ".") : NULL;
    if (directory == NULL)
        return;
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        const char *file = arena_format("%s%s", prefix, entry->d_name);
        if (is_object_of(entry->d_name, library) && !has(made, file) && stat(file, &status) == 0 &&
            is_before(status.st_mtim, changed))
            message_note("%s is older than %s, and devices that take it run the old kernels; name its target too, or "
                         "remove it",
                         file, source);
    }
    closedir(directory);
}
