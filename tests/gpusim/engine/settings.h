/* SPDX-License-Identifier: Apache-2.0 */
/* The GPUSIM_ variables: README.md is their table. Read once, at the first call of the driver. Of each there may be one
 * for one library alone, GPUSIM_DEVICES_HIP, which comes before the common one. */
#ifndef GPUSIM_SETTINGS_H
#define GPUSIM_SETTINGS_H

#include "front.h"

#include <stddef.h>

typedef struct sim_settings {
    unsigned devices;
    int count; /* of them, as the driver tells it */
    uint32_t driver_version, runtime_version;
    char architecture[64];
    uint32_t warp_size;
    size_t memory;                               /* bytes of each device */
    bool peer[SIM_MAX_DEVICES][SIM_MAX_DEVICES]; /* [a][b]: kernels on a may use memory of b */
    bool mapped, managed, pools, cooperative;
    uint64_t seed;
    uint32_t delay;       /* of an operation in its stream, at most, in microseconds */
    uint64_t room;        /* operations that a stream takes; the call that gives it more waits */
    uint64_t link;        /* GB/s to and from a device, each; for the model of time */
    bool blocking_copies; /* asynchronous copies from and to pageable memory return when they are done */
    int init_result;      /* of cuInit or hipInit */
    uint32_t init_delay;  /* of it, in milliseconds */
    bool ends_early;      /* the driver is gone when its atexit function has run */
    bool log;
    int trace;       /* a file; -1: none */
    int exit_status; /* of a process with a violation; 0: as the program wants */
} sim_settings;

extern sim_settings sim_settings_here;

void sim_settings_read(void);
/* The driver's version, before that too. */
uint32_t sim_settings_version(void);

#endif
