/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: their memory, a file without a name, and what they are. With the engine's lock held. */
#ifndef GPUSIM_DEVICE_H
#define GPUSIM_DEVICE_H

#include "context.h"
#include "process.h"
#include "settings.h"
#include "status.h"

typedef struct sim_device {
    unsigned ordinal;
    uintptr_t base;   /* of its addresses */
    uintptr_t cursor; /* where the search for free addresses goes on */
    int memory;       /* the file; -1 before */
    size_t used;      /* bytes */
    bool lost;
    unsigned reaches; /* bit per device whose memory is mapped in its process */
    sim_process process;
    sim_context *primary;
} sim_device;

extern sim_device sim_devices[SIM_MAX_DEVICES];

/* Reserves the addresses and makes the files. Starts no process, and makes no context. */
sim_status sim_device_open_all(void);
/* In the child of a fork: the sockets are closed, so that the device processes end with the parent. */
void sim_device_forget(void);

/* The device of an ordinal; NULL if there is none. */
sim_device *sim_device_at(int ordinal);
/* Its process, started if it has not been. */
sim_status sim_device_start(sim_device *);
sim_status sim_device_get_name(char *to, int size, int ordinal);
sim_status sim_device_get_uuid(char uuid[16], int ordinal);
sim_status sim_device_get_memory(size_t *bytes, int ordinal);
/* Whether kernels on the device may use memory of the peer. */
sim_status sim_device_can_access(int *yes, int ordinal, int peer);
/* The memory that host and devices share. */
int sim_shared_memory(void);
/* From now on everything on the device fails. */
void sim_device_lose(sim_device *);

#endif
