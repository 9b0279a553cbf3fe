/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/directory.h"

#include "core/base/error.h"
#include "object/shortage.h"

#include <errno.h>
#include <string.h>

static accel_status refuse(const char *path, int number)
{
    accel_status status = shortage_status(number);

    return accel_error_set(status != ACCEL_OK ? status : ACCEL_IO, "directory %s cannot be searched: %s; %s", path,
                           strerror(number),
                           status != ACCEL_OK ? shortage_remedy(number) : "fix it, or take it out of the search path");
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
