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
    return atomic_fetch_sub_explicit(&reference->count, 1, memory_order_acq_rel) == 1;
}

#endif
