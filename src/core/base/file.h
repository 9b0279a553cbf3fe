/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory. */
#ifndef ACCEL_CORE_FILE_H
#define ACCEL_CORE_FILE_H

#include <accel/accel.h>

/* A whole file in memory, read-only: a copy, so that nobody can shorten it under us. A zero byte follows the data. */
typedef struct accel_file {
    const void *data;
    size_t size;
} accel_file;
/* ACCEL_NOT_FOUND or ACCEL_IO with a text that names path and reason; directories, empty and non-regular files are
 * errors. */
accel_status accel_file_open(const char *path, accel_file *);
/* Looks into a file before it is read. False: it is not wanted, and the reason is written. */
typedef bool (*accel_file_filter)(int file, size_t size, const void *user, char *reason, size_t reason_size);
/* The same of a file that the filter wants; ACCEL_INCOMPATIBLE, with path and reason, of another. */
accel_status accel_file_open_wanted(const char *path, accel_file_filter, const void *user, accel_file *);
/* Reads a part of the file to its place in `data`, which is zeroed. False: all of it is needed. */
typedef bool (*accel_file_reader)(int file, unsigned char *data, size_t size);
/* The same; the data has what the reader read. */
accel_status accel_file_open_part(const char *path, accel_file_filter, accel_file_reader, accel_file *);
/* Did a call that returned this status fail because the process lacks memory or descriptors (object/shortage.h)? Looks at
 * the thread's error text. */
bool accel_file_is_short(accel_status);
void accel_file_close(accel_file *);

#endif
