/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel objects on the kernel path: NAME.TARGET.FORMAT files, ranked by the device that is to run them. */
#ifndef ACCEL_CORE_OBJECT_SEARCH_H
#define ACCEL_CORE_OBJECT_SEARCH_H

#include "core/api/device.h"
#include "core/base/text.h"

/* "blas1.x86-64-v3.so" in its parts: the target is between the last two dots, so a library's name may hold dots and
 * dashes. */
typedef struct accel_object_parts {
    char *library, *target, *format; /* owned; NULL in an empty one */
} accel_object_parts;

/* Takes a file name (no directory) apart. False if it is none of an object: *out stays empty. ACCEL_OUT_OF_MEMORY sets
 * *status; otherwise it is ACCEL_OK. */
bool accel_object_parts_parse(const char *file, accel_object_parts *out, accel_status *status);
void accel_object_parts_clear(accel_object_parts *);

typedef struct accel_object {
    accel_object_parts name;
    char *path;
    size_t directory; /* its place in the search */
    uint32_t rank;    /* 0: the device cannot run it */
    char reason[192]; /* the device's words */
} accel_object;

typedef struct accel_object_list {
    accel_object *items; /* by library, then best first; of equal rank the earlier directory's, then by target */
    size_t count, capacity;
    accel_text searched; /* "/a, /b (No such file or directory)" */
} accel_object_list;

/* Lists the objects of the library (NULL: of all) in the directories (NULL-terminated), ranked for the device.
 * Directories that are absent or closed to us are noted in `searched`; ACCEL_OUT_OF_MEMORY and ACCEL_IO (directory.h).
 * The list begins as {0} and is to be cleared, also after a failure. */
accel_status accel_object_search(char *const directories[], const accel_device *, const char *library,
                                 accel_object_list *);
void accel_object_list_clear(accel_object_list *);

/* The library of libaccel's own kernels, which is looked for on the instance's algorithm_path alone. */
#define ACCEL_OWN_LIBRARY "accel-algorithms"

/* target_rank, also for the host, which runs nothing. */
uint32_t accel_object_rank(const accel_device *, const char *target, const char *format, char *reason,
                           size_t reason_size);
/* The same of an object whose bytes are there. */
uint32_t accel_object_rank_image(const accel_device *, const accel_image *, char *reason, size_t reason_size);
/* What accelcc would have to be asked for. */
const char *accel_object_wanted_target(const accel_device *, char target[64]);

#endif
