/* SPDX-License-Identifier: Apache-2.0 */
/* What distinguishes the two libraries for the engine. cuda/ and hip/ each define sim_front. */
#ifndef GPUSIM_FRONT_H
#define GPUSIM_FRONT_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_MAX_DEVICES 7

typedef struct sim_front {
    const char *name;                      /* "cuda" */
    uintptr_t base;                        /* of its addresses (address.h) */
    uintptr_t handles;                     /* of its handles, so that one library's handle is unknown to the other */
    uint32_t driver_version;               /* unless GPUSIM_VERSION says otherwise */
    uint32_t runtime_version;              /* unless GPUSIM_RUNTIME_VERSION does */
    const char *architecture;              /* unless GPUSIM_ARCHITECTURE does: "sm_90", "gfx90a:sramecc+:xnack-" */
    const char *names[3];                  /* of devices, in turn */
    uint32_t max_shared, max_shared_optin; /* bytes of shared memory of a block: without asking, and at most */
    int least_priority, greatest_priority; /* of streams; drivers count downwards */
} sim_front;

extern const sim_front sim_front_here;

#endif
