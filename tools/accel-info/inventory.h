/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel objects on the kernel path, with each device's rank and reason for each. */
#ifndef ACCEL_INFO_INVENTORY_H
#define ACCEL_INFO_INVENTORY_H

#include <accel/accel.h>

/* What one device said. */
typedef struct info_verdict {
    size_t device; /* index */
    bool chosen;
    char *reason;
} info_verdict;

typedef struct info_object {
    char *library, *path, *target, *format;
    char **kernels; /* NULL: the format does not tell */
    size_t kernel_count;
    info_verdict *verdicts;
    size_t verdict_count;
} info_object;

typedef struct info_inventory {
    info_object *objects; /* by library, best first within each, as the first device saw them */
    size_t count;
    bool out_of_memory;
} info_inventory;

/* Asks every device of the instance, or the host if there is none, and adds the results to the zeroed inventory. On
 * failure the library's error text says why. */
accel_status inventory_fill(info_inventory *, accel_instance *, const char *library);
void inventory_clear(info_inventory *);

#endif
