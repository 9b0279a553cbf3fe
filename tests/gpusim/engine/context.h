/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: primary ones, with reference counts, and those of cuCtxCreate; which is current; what they failed with. With
 * the engine's lock held. */
#ifndef GPUSIM_CONTEXT_H
#define GPUSIM_CONTEXT_H

#include "object.h"
#include "status.h"

#include <stdint.h>

struct sim_device;
struct sim_stream;

typedef struct sim_context {
    sim_object object;
    struct sim_device *device;
    unsigned references; /* of a primary context: how often it is retained */
    bool primary;
    bool implicit;      /* made by the driver itself: it is not the program's to release */
    sim_status failure; /* sticky */
    unsigned peers;     /* bit per device whose memory its kernels may use */
    unsigned flags;     /* as given */
    struct sim_stream *default_stream;
    struct sim_stream *streams; /* all that live or have work */
} sim_context;

/* The calling thread's; fails without one, if it was destroyed, or with what it failed with. */
sim_status sim_current(sim_context **);
/* The same without looking at failures, for what gives something back. NULL if there is none. */
sim_context *sim_current_any(void);
/* Of a context that something belongs to: what everything on it answers. */
sim_status sim_context_state(const sim_context *);

sim_status sim_context_retain(int device, void **handle);
sim_status sim_context_release(int device);
sim_status sim_context_reset(int device);
sim_status sim_context_primary_state(int device, unsigned *flags, int *active);
sim_status sim_context_create(int device, unsigned flags, void **handle);
sim_status sim_context_destroy(void *handle);

/* The device's primary context becomes current, made by the driver itself if need be. */
sim_status sim_context_use(int device);
sim_status sim_context_set(void *handle); /* NULL: none */
sim_status sim_context_get(void **handle);
sim_status sim_context_push(void *handle);
sim_status sim_context_pop(void **handle);
/* The context of a live handle, or with NULL the current one. */
sim_status sim_context_of(void *handle, sim_context **);

sim_status sim_context_synchronize(void);
sim_status sim_context_enable_peer(const struct sim_device *peer);
sim_status sim_context_disable_peer(const struct sim_device *peer);
/* An operation failed: everything on the context does from now on. */
void sim_context_fail(sim_context *, sim_status);

#endif
