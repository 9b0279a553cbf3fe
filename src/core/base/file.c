/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/file.h"

#include "core/base/allocate.h"
#include "core/base/error.h"
#include "object/shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static accel_status refuse(const char *path, int number)
{
    if (number == ENOENT || number == ENOTDIR)
        return accel_error_set(ACCEL_NOT_FOUND, "%s: %s; name a file that is there", path[0] != '\0' ? path : "\"\"",
                               strerror(number));
    if (shortage_status(number) != ACCEL_OK)
        return accel_error_set(shortage_status(number), "%s: %s; %s", path, strerror(number), shortage_remedy(number));
    return accel_error_set(ACCEL_IO, "%s: %s%s", path, strerror(number),
                           number == EACCES ? "; let this user read it, and enter the directories above" : "");
}

static accel_status read_all(const char *path, int file, unsigned char *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = read(file, data + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return refuse(path, errno);
        if (got == 0)
            return accel_error_set(ACCEL_IO,
                                   "%s: shortened while it was read, from %zu to %zu bytes; replace files by rename",
                                   path, size, done);
        done += (size_t)got;
    }
    return ACCEL_OK;
}

static accel_status open_file(const char *path, accel_file_filter filter, const void *user, accel_file_reader reader,
                              accel_file *out)
{
    char reason[128];
    accel_status status = ACCEL_OK;
    unsigned char *data = NULL;
    struct stat entry;
    size_t size = 0;
    int file;

    do
        file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not hold us up */
    while (file < 0 && errno == EINTR);
    if (file < 0)
        return refuse(path, errno);
    if (fstat(file, &entry) != 0) {
        status = refuse(path, errno);
        goto cleanup;
    }
    if (!S_ISREG(entry.st_mode)) {
        status = accel_error_set(ACCEL_IO, "%s: is %s, not a file; name a file in its place", path,
                                 S_ISDIR(entry.st_mode) ? "a directory" : "a device or pipe");
        goto cleanup;
    }
    if (entry.st_size <= 0) {
        status = accel_error_set(ACCEL_IO, "%s: is empty; make it again, or install it again", path);
        goto cleanup;
    }
    size = (size_t)entry.st_size;
    if (filter != NULL && !filter(file, size, user, reason, sizeof(reason))) {
        status = accel_error_set(ACCEL_INCOMPATIBLE, "%s: %s", path, reason);
        goto cleanup;
    }
    /* Only a part needs zeros: a file may have megabytes. */
    data = reader != NULL ? accel_allocate(size + 1) : accel_reallocate(NULL, size + 1);
    if (data == NULL) {
        status = accel_error_set(ACCEL_OUT_OF_MEMORY,
                                 "%s has %zu bytes, for which there is no memory; %s, or put a "
                                 "smaller file in its place",
                                 path, size, shortage_remedy(ENOMEM));
        goto cleanup;
    }
    if (reader == NULL || !reader(file, data, size))
        status = read_all(path, file, data, size);
    if (status != ACCEL_OK)
        goto cleanup;
    data[size] = 0;
    out->data = data;
    out->size = size;
    data = NULL;
cleanup:
    accel_deallocate(data);
    close(file);
    return status;
}

accel_status accel_file_open(const char *path, accel_file *out)
{
    return open_file(path, NULL, NULL, NULL, out);
}

accel_status accel_file_open_wanted(const char *path, accel_file_filter filter, const void *user, accel_file *out)
{
    return open_file(path, filter, user, NULL, out);
}

accel_status accel_file_open_part(const char *path, accel_file_filter filter, accel_file_reader reader, accel_file *out)
{
    return open_file(path, filter, NULL, reader, out);
}

bool accel_file_is_short(accel_status status)
{
    return status == ACCEL_OUT_OF_MEMORY ||
           (status == ACCEL_IO && strstr(accel_error_message(), shortage_remedy(EMFILE)) != NULL);
}

void accel_file_close(accel_file *file)
{
    accel_deallocate((void *)(uintptr_t)file->data);
    file->data = NULL;
    file->size = 0;
}
