/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Giving back what work needed: entries that wait for work to end, and a device's jobs for the retire thread. Nothing is
 * given back in a driver's callback.
 */
#ifndef ACCEL_GPU_RETIRE_H
#define ACCEL_GPU_RETIRE_H

#include "plugins/gpu/engine/device.h"
#include "plugins/gpu/engine/thread.h"

typedef struct gpu_retired gpu_retired;
struct gpu_retired {
    plugin_link link;
    /* Nothing needs it any more: gives back what it stands for, and itself. */
    void (*give_back)(accel_impl_device *, gpu_retired *);
};

/* An entry for what an operation holds; NULL if there is nothing to hold. */
accel_status gpu_retired_make(accel_impl_device *, accel_hold *first, accel_hold *second, gpu_retired **);
/* The operation failed: what it would have held is the caller's. NULL does nothing. */
void gpu_retired_discard(accel_impl_device *, gpu_retired *);
/* All entries of the list. */
void gpu_retired_give_back(accel_impl_device *, plugin_list *);

/* Gives the retire thread a job of the device, and: the job is done. */
void gpu_retire_post(accel_impl_device *, gpu_job *);
void gpu_retire_done(accel_impl_device *);

/* If nothing runs, what is left to be given back takes no time: lets the retire thread do it, so that a program that ends
 * next leaves nothing behind. An event of that thread may still be on its way; work is not waited for. */
void gpu_device_settle(accel_impl_device *);
/* The same for a device whose handle is about to go: until nobody else has it. */
void gpu_device_settle_last(accel_impl_device *);

#endif
