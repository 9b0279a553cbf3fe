/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/peer.h"
#include "plugins/gpu/engine/context.h"

static bool has(_Atomic uint64_t *bits, const accel_impl_device *peer)
{
    return peer->ordinal < GPU_AWAITED && (atomic_load_explicit(bits, memory_order_acquire) >> peer->ordinal & 1) != 0;
}

static void set(_Atomic uint64_t *bits, const accel_impl_device *peer)
{
    if (peer->ordinal < GPU_AWAITED)
        atomic_fetch_or_explicit(bits, (uint64_t)1 << peer->ordinal, memory_order_release);
}

/* Both contexts are retained. *yes: access is on. */
static accel_status switch_on(accel_impl_device *device, accel_impl_device *peer, bool *yes)
{
    static const char what[] = "access to a peer";
    const gpu_driver *driver = device->driver;
    gpu_scope scope;
    int possible = 0;

    *yes = has(&device->peers, peer);
    if (*yes || has(&device->unreachable, peer))
        return ACCEL_OK;
    gpu_result result = driver->device_can_access_peer(&possible, device->number, peer->number);
    if (result == 0 && possible == 0) {
        set(&device->unreachable, peer);
        return ACCEL_OK;
    }
    if (result != 0)
        return gpu_device_failed(device, what, result);
    accel_status status = gpu_scope_enter(&scope, device, what);
    if (status != ACCEL_OK)
        return status;
    result = driver->context_enable_peer(peer->context);
    gpu_scope_leave(&scope, device);
    if (result != 0 && gpu_error_class_of(driver, result, NULL) != GPU_CLASS_ALREADY)
        return gpu_device_failed(device, what, result);
    set(&device->peers, peer);
    *yes = true;
    return ACCEL_OK;
}

accel_status gpu_peer_can_access(accel_impl_device *device, accel_impl_device *peer, bool *yes)
{
    accel_impl_device *both[2] = {device, peer};
    int possible = 0;
    gpu_scope scope;

    gpu_result result = device->driver->device_can_access_peer(&possible, device->number, peer->number);
    if (result != 0)
        return gpu_device_failed(device, "access to a peer", result);
    if (possible == 0) {
        *yes = false;
        return ACCEL_OK;
    }
    for (int i = 0; i < 2; ++i) {
        accel_status status = gpu_device_use(&scope, both[i], "access to a peer");
        if (status != ACCEL_OK)
            return status;
        gpu_scope_leave(&scope, both[i]);
    }
    return switch_on(device, peer, yes);
}

void gpu_peer_connect(accel_impl_device *one, accel_impl_device *other)
{
    bool yes;

    switch_on(one, other, &yes); /* what fails here is staged */
    switch_on(other, one, &yes);
}

bool gpu_peer_is_direct(accel_impl_device *one, accel_impl_device *other)
{
    return has(&one->peers, other) && has(&other->peers, one);
}
