/* SPDX-License-Identifier: Apache-2.0 */
#include "installation.h"

#include "base/arena.h"
#include "base/message.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_headers(const char *directory)
{
    return access(arena_format("%s/accel/kernel.h", directory), R_OK) == 0;
}

static bool is_same(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

const char *installation_include(void)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
    if (is_same(path, ACCELCC_BUILD_DIR))
        return ACCELCC_SOURCE_INCLUDE;
    const char *prefix = slash != NULL ? strrchr(path, '/') : NULL;
    const char *beside = prefix != NULL ? arena_format("%.*s/include", (int)(prefix - path), path) : NULL;
    if (beside != NULL && has_headers(beside))
        return beside;
    if (has_headers(ACCELCC_INSTALLED_INCLUDE))
        return ACCELCC_INSTALLED_INCLUDE;
    message_error("accel/kernel.h is not in \"%s\" or in \"" ACCELCC_INSTALLED_INCLUDE
                  "\"; install libaccel's headers beside accelcc",
                  beside != NULL ? beside : "../include");
    return NULL;
}
