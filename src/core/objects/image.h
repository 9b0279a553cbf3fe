/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a kernel object, checked before any plugin or loader sees them. */
#ifndef ACCEL_CORE_IMAGE_H
#define ACCEL_CORE_IMAGE_H

#include "core/base/file.h"
#include "object/elf.h"

#include <accel/plugin.h>

/* Names of kernels, sorted. Begins as {0}. */
typedef struct accel_names {
    char **items; /* NULL where the format does not tell */
    size_t count, capacity;
    bool failed; /* memory ran out */
} accel_names;
void accel_names_clear(accel_names *);

/* Is the image whole, for the machine that its format means, and every descriptor of a kernel in it one that can be used
 * (as far as the bytes tell: addresses are the loader's)? The reason, up to 320 bytes, is written if not. */
bool accel_image_valid(const accel_image *, char *reason, size_t reason_size);
/* Reads the file, unless its headers tell that it is no kernel object: those are not worth the memory, and give
 * ACCEL_INCOMPATIBLE. Otherwise as accel_file_open. */
accel_status accel_image_read(const char *path, const char *format, accel_file *);
/* accel_image_valid as ACCEL_INCOMPATIBLE with a text. */
accel_status accel_image_check(const char *function, const accel_image *);
bool accel_image_is_ptx(const accel_image *);
/* Shows the kernels of a valid image and their descriptors' bytes. */
void accel_image_visit(const accel_image *, accel_elf_visitor, void *user);
/* Names the kernels of a valid image by the symbols of their descriptors. */
accel_status accel_image_kernels(const accel_image *, accel_names *out);
/* Format and target from the content, for files that are not called NAME.TARGET.FORMAT: host objects and PTX. False if
 * it is neither. `target` has at least 64 bytes. */
bool accel_image_recognise(const void *data, size_t size, const char **format, char *target);

#endif
