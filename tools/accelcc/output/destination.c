/* SPDX-License-Identifier: Apache-2.0 */
#include "destination.h"

#include "../base/arena.h"
#include "../base/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Without links. Of a file that is not there yet: that of its directory, and its name. NULL with errno. */
static const char *whole(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *found = realpath(path, NULL);
    if (found == NULL && errno != ENOENT)
        return NULL;
    const bool is_there = found != NULL;
    const char *const parent = slash == NULL ? "." : slash == path ? "/" : arena_copy(path, (size_t)(slash - path));
    if (!is_there)
        found = realpath(parent, NULL);
    if (found == NULL)
        return NULL;
    const char *made =
        is_there ? arena_format("%s", found) : arena_format("%s/%s", found, slash != NULL ? slash + 1 : path);
    free(found);
    return made;
}

/* The one of these that is the file; NULL: none is. */
static const char *same_in(const list *files, const char *file)
{
    for (size_t i = 0; i < files->count; ++i) {
        const char *other = whole(files->items[i]);
        if (other != NULL && strcmp(other, file) == 0)
            return files->items[i];
    }
    return NULL;
}

static bool refuse(const char *path, const char *reason)
{
    message_error("\"%s\" cannot be written: %s", path, reason);
    return false;
}

bool destination_is_among(const destination *self, const list *files)
{
    return !self->written_in_it && same_in(files, self->path) != NULL;
}

bool destination_find(const accelcc_options *options, const char *path, bool is_object, const list *others,
                      destination *found)
{
    struct stat status, link;
    const bool is_there = stat(path, &status) == 0;
    *found = (destination){.path = path};
    if (!is_there && lstat(path, &link) == 0)
        return refuse(path, "it is a link to a file that is not there; remove it");
    if (is_there && S_ISDIR(status.st_mode))
        return refuse(path, "it is a directory");
    found->written_in_it = is_there && !S_ISREG(status.st_mode);
    if (found->written_in_it)
        return !is_object || refuse(path, "it is no regular file; remove it, or choose another name with -o");
    found->path = whole(path);
    if (found->path == NULL)
        return refuse(path, strerror(errno));
    if (same_in(&options->sources, found->path) != NULL)
        return refuse(path, is_object ? "it is a source; choose another name with -o"
                                      : "it is a source; choose another name with -MF");
    if (same_in(others, found->path) != NULL)
        return refuse(path, "an object of this run has the same name; choose another one with -MF");
    return true;
}
