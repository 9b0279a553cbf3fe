/* SPDX-License-Identifier: Apache-2.0 */
/* Reference counts. The last owner sees what every other one wrote. */
#ifndef ACCEL_PLUGINS_REFERENCE_H
#define ACCEL_PLUGINS_REFERENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Shared: incremented relaxed, since the caller owns a reference; decremented with acquire and release. */
typedef struct plugin_reference {
    _Atomic uint32_t count;
} plugin_reference;

static inline void plugin_reference_begin(plugin_reference *reference)
{
    atomic_init(&reference->count, 1);
}

static inline void plugin_reference_retain(plugin_reference *reference)
{
    atomic_fetch_add_explicit(&reference->count, 1, memory_order_relaxed);
}

/* False: the last reference has gone already. */
static inline bool plugin_reference_try_retain(plugin_reference *reference)
{
    uint32_t count = atomic_load_explicit(&reference->count, memory_order_relaxed);

    while (count != 0) {
        if (atomic_compare_exchange_weak_explicit(&reference->count, &count, count + 1, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    }
    return false;
}

/* True: that was the last one. */
static inline bool plugin_reference_release(plugin_reference *reference)
{
    return atomic_fetch_sub_explicit(&reference->count, 1, memory_order_acq_rel) == 1;
}

static inline bool plugin_reference_is_last(plugin_reference *reference)
{
    return atomic_load_explicit(&reference->count, memory_order_acquire) == 1;
}

#endif
