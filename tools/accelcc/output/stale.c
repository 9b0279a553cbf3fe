/* SPDX-License-Identifier: Apache-2.0 */
#include "stale.h"

#include "../base/arena.h"
#include "../base/message.h"
#include "object/format.h"

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
    const size_t length = strlen(library);
    if (strncmp(file, library, length) != 0 || file[length] != '.')
        return false;
    const char *target = file + length + 1, *dot = strchr(target, '.');
    return dot != NULL && dot != target && accel_object_format_known(dot + 1);
}

void stale_note(const accelcc_options *options, const list *made)
{
    struct timespec changed = {0};
    struct stat status;
    const char *source = newest_source(options, &changed);
    DIR *directory = source != NULL ? opendir(options->directory) : NULL;
    if (directory == NULL)
        return;
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (!is_object_of(entry->d_name, options->name))
            continue;
        const char *file = arena_format("%s%s", options->output, entry->d_name + strlen(options->name));
        if (!list_contains(made, file) && stat(file, &status) == 0 && is_before(status.st_mtim, changed))
            message_note("%s is older than %s, and devices that take it run the old kernels; name its target too, or "
                         "remove it",
                         file, source);
    }
    closedir(directory);
}
