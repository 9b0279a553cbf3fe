/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/directory.h"

#include "core/base/error.h"

#include <errno.h>
#include <string.h>

static accel_status refuse(const char *path, int number)
{
    if (number == ENOMEM)
        return accel_error_set(ACCEL_OUT_OF_MEMORY, "directory %s cannot be searched: %s; free some memory", path,
                               strerror(number));
    return accel_error_set(ACCEL_IO, "directory %s cannot be searched: %s; %s", path, strerror(number),
                           number == EMFILE || number == ENFILE
                               ? "close files, or raise the limit of open files (ulimit -n)"
                               : "fix it, or take it out of the search path");
}

accel_status accel_directory_open(const char *path, DIR **out)
{
    *out = opendir(path);
    if (*out != NULL || errno == ENOENT || errno == ENOTDIR || errno == EACCES)
        return ACCEL_OK;
    return refuse(path, errno);
}

accel_status accel_directory_next(const char *path, DIR *directory, struct dirent **out)
{
    errno = 0;
    *out = readdir(directory);
    return *out != NULL || errno == 0 ? ACCEL_OK : refuse(path, errno);
}
