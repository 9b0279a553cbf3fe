/* SPDX-License-Identifier: Apache-2.0 */
#include "base/workspace.h"

#include "base/arena.h"
#include "base/message.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *workspace;
static char *temporary; /* compilers' own files, of which some leave one behind */
static bool kept;

/* Where the system keeps temporary files. Without such a directory compilers say themselves what they lack. */
static void create_temporary(void)
{
    const char *base = getenv("TMPDIR");
    char *template = arena_format("%s/accelcc-XXXXXX", base != NULL && base[0] != '\0' ? base : "/tmp");
    if (mkdtemp(template) == NULL)
        return;
    temporary = template;
    setenv("TMPDIR", temporary, 1);
}

bool workspace_create(const char *directory, bool keep)
{
    char *template = arena_format("%s/.accelcc-XXXXXX", directory);
    if (mkdtemp(template) == NULL) {
        message_error("output directory \"%s\": %s%s", directory, strerror(errno),
                      errno == ENOENT ? "; create it first" : "; choose another with -o");
        return false;
    }
    workspace = template;
    kept = keep;
    create_temporary();
    return true;
}

const char *workspace_path(const char *name)
{
    return arena_format("%s/%s", workspace, name);
}

const char *workspace_directory(void)
{
    return workspace;
}

bool workspace_write(const char *name, const char *text)
{
    const char *path = workspace_path(name);
    FILE *file = fopen(path, "w");
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL && fclose(file) != 0)
        good = false;
    if (!good)
        message_error("\"%s\" cannot be written: %s", path, strerror(errno));
    return good;
}

bool workspace_publish(const char *name, const char *destination)
{
    if (rename(workspace_path(name), destination) == 0)
        return true;
    message_error("\"%s\" cannot be written: %s", destination, strerror(errno));
    return false;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    remove(path);
    return 0;
}

static void remove_directory(char **path)
{
    if (*path != NULL)
        nftw(*path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    *path = NULL;
}

void workspace_remove(void)
{
    if (workspace != NULL && kept) {
        message_note("intermediate files are in %s", workspace);
        workspace = NULL;
    }
    remove_directory(&workspace);
    remove_directory(&temporary);
}
