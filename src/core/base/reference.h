/* SPDX-License-Identifier: Apache-2.0 */
/* Reference counts of objects. */
#ifndef ACCEL_CORE_REFERENCE_H
#define ACCEL_CORE_REFERENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Shared between threads: incremented relaxed (the caller owns a reference), decremented with acquire-release so that
 * the last owner sees everybody's writes. */
typedef struct accel_reference {
    _Atomic uint32_t count;
} accel_reference;

/* Of an object that is kept after its end (core/api/released.h): so many that no release ends it again. */
#define ACCEL_REFERENCES_RELEASED 0xc0000000u
/* It was released once too often. */
void accel_reference_released_again(const accel_reference *);

static inline void accel_reference_init(accel_reference *reference)
{
    atomic_init(&reference->count, 1);
}
static inline void accel_reference_retain(accel_reference *reference)
{
    atomic_fetch_add_explicit(&reference->count, 1, memory_order_relaxed);
}
/* True if this was the last reference. */
static inline bool accel_reference_release(accel_reference *reference)
{
    const uint32_t before = atomic_fetch_sub_explicit(&reference->count, 1, memory_order_acq_rel);

    if (__builtin_expect(before > ACCEL_REFERENCES_RELEASED / 2, 0))
        accel_reference_released_again(reference);
    return before == 1;
}

#endif
