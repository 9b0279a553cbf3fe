/* SPDX-License-Identifier: Apache-2.0 */
/* Directories that are searched. One that is not there, or may not be read, has nothing in it; one that could not be
 * read because memory or descriptors ran out is an error: its contents are unknown. */
#ifndef ACCEL_CORE_DIRECTORY_H
#define ACCEL_CORE_DIRECTORY_H

#include <accel/accel.h>

#include <dirent.h>

/* *out is NULL, with errno, if the directory is absent or closed to us. ACCEL_OUT_OF_MEMORY, or ACCEL_IO, with a text
 * that names path, reason and remedy. */
accel_status accel_directory_open(const char *path, DIR **out);
/* *out is NULL at the end. Errors as above. */
accel_status accel_directory_next(const char *path, DIR *, struct dirent **out);

#endif
