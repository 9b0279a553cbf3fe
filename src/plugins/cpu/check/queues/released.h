/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that the program has released: where they were made, and where it was. Under the lock of objects.h. */
#ifndef ACCEL_CPU_CHECK_RELEASED_H
#define ACCEL_CPU_CHECK_RELEASED_H

#include <stdbool.h>
#include <stdint.h>

/* The kind of instances, beside enum accel_object_kind. */
enum { CHECK_RELEASED_INSTANCE = 0 };

typedef struct check_released {
    uint64_t number;
    uint32_t kind;     /* enum accel_object_kind, or CHECK_RELEASED_INSTANCE */
    const void *maker; /* behind the calls of the program; NULL: unknown */
    const void *place;
} check_released;

/* The calling thread ends an object that was made there. Then libaccel asks for its number. */
void check_released_end(uint32_t kind, const void *maker);
uint64_t check_released_number(uint32_t kind);
/* false: too long ago. */
bool check_released_find(uint64_t number, check_released *found);

#endif
