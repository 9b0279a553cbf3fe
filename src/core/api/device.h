/* SPDX-License-Identifier: Apache-2.0 */
/* A device: one of a backend's, the host, or a sub-device. */
#ifndef ACCEL_CORE_DEVICE_H
#define ACCEL_CORE_DEVICE_H

#include "core/plugins/backend.h"
#include "core/base/guard.h"
#include "core/base/reference.h"

typedef struct accel_port accel_port;       /* core/memory/port.h */
typedef struct accel_library accel_library; /* core/algorithms/library.h */

struct accel_device {
    /* References to a listed device are references to its instance: retain and release pass them on. A sub-device
     * counts its own and holds its parent. */
    accel_reference reference;
    accel_deferred deferred;
    accel_instance *instance;
    accel_backend *backend;             /* NULL: the host */
    accel_impl_device *impl;            /* NULL: the host */
    accel_device *parent;               /* of a sub-device, retained; else NULL */
    accel_device *root;                 /* itself, or the topmost parent: whose memory it is */
    accel_device_properties properties; /* filled at creation, immutable; without what the topology says */
    /* What a CPU's second levels keep, and its caches between two passes, each with 1 more; 0: nobody has asked. Relaxed */
    _Atomic uint64_t second_bytes, cached_bytes;
    struct accel_queue *queues; /* for accel_device_wait; guarded by accel_guard_lock. The root's list has the queues of
                                   its sub-devices too */
    accel_port *port; /* for copies that no driver does; NULL until the first one; guarded by accel_guard_lock */
    void (*end_port)(accel_device *); /* set with it */
    /* A root's kernels of libaccel's own; NULL until the first use. */
    _Atomic(accel_library *) library;
    void (*_Atomic end_library)(accel_device *); /* set before it */
    _Atomic uint32_t lost;    /* the root's: set once, relaxed, when a slot returned ACCEL_DEVICE_LOST (K10) */
    uint32_t fork_generation; /* accel_guard_fork_generation at creation; for devices that are no CPUs (O7) */
};

/* What released objects that are kept have as their device (released.h), so that whatever asks for its name finds one. */
extern accel_device accel_device_of_released;

/* Opens one of the backend's devices and asks for its properties: for its instance, which closes it. The text of a
 * failure is the plugin's. */
accel_status accel_device_open(accel_backend *, uint32_t ordinal, accel_device **);
/* A device of the instance that stands for the host's memory. */
accel_status accel_device_open_host(accel_instance *, accel_device **);
/* After all its objects are gone; NULL is allowed. The second part is accel_deallocate. */
void accel_device_end(accel_device *);
void accel_device_close(accel_device *);
/* What open does after the plugin made the device: also for sub-devices. Takes the impl on success only. */
accel_status accel_device_make(accel_backend *, accel_impl_device *, accel_device **);

/* Compute units to divide work among; 1 if the device names none. */
static inline uint32_t accel_device_units(const accel_device_properties *device)
{
    return device->compute_units != 0 ? device->compute_units : 1;
}

/* What the second-level caches of a CPU keep, of all its units together. The first call reads the topology, which takes
 * milliseconds. 0 if the caches are unknown, and for other devices. */
uint64_t accel_device_second_bytes(accel_device *);
/* May results of so many bytes bypass a CPU's caches, because these cannot keep them? The first call for a large result reads the
 * topology. false if the caches are unknown, and for other devices. */
bool accel_device_bypasses_caches(accel_device *, uint64_t bytes);

/* Memory that the host can address: the host's own, and plain buffers of devices with ACCEL_FEATURE_HOST_MEMORY. */
static inline bool accel_device_on_host(const accel_device *device)
{
    return device->backend == NULL || (device->properties.features & ACCEL_FEATURE_HOST_MEMORY) != 0;
}

/*
 * API checks: what functions ask of an object's device before they call a slot of its plugin, and do with what the slot
 * returns. `object` names the object in texts.
 */
/* ACCEL_DEVICE_LOST with a text, if an earlier operation lost the device (K10). */
accel_status accel_device_check_lost(const char *function, const accel_device *);
/* May the device be called for an object made at fork generation `generation` (O7, K10)? Inline: each copy asks twice. */
accel_status accel_device_usable_slow(const char *function, const char *object, const accel_device *,
                                      uint32_t generation);
static inline accel_status accel_device_usable(const char *function, const char *object, const accel_device *device,
                                               uint32_t generation)
{
    if (__builtin_expect(generation == accel_guard_fork_generation &&
                             atomic_load_explicit(&device->root->lost, memory_order_relaxed) == 0,
                         1))
        return ACCEL_OK;
    return accel_device_usable_slow(function, object, device, generation);
}
/* accel_guard_check, then usable. */
accel_status accel_device_check(const char *function, const char *object, const accel_device *, uint32_t generation);
/* What a slot that makes `object` returned: ACCEL_INTERNAL, with a text, if it succeeded but made nothing. */
accel_status accel_slot_made(const char *slot, accel_status, const void *object);
/* A slot failed: remembers a lost device, and puts the function's name before the plugin's text. */
accel_status accel_device_failed(const char *function, accel_device *, accel_status);
static inline accel_status accel_device_result(const char *function, accel_device *device, accel_status status)
{
    return __builtin_expect(status == ACCEL_OK, 1) ? ACCEL_OK : accel_device_failed(function, device, status);
}

#endif
