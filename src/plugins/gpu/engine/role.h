/* SPDX-License-Identifier: Apache-2.0 */
/* What the calling thread is to the engine. */
#ifndef ACCEL_GPU_ROLE_H
#define ACCEL_GPU_ROLE_H

#include <stdint.h>

enum {
    GPU_ROLE_NONE,   /* the program's */
    GPU_ROLE_WORKER, /* of the engine: must not wait for what the engine's threads do */
    GPU_ROLE_CALL    /* of the driver, inside of a function of a stream: must not call the driver */
};

/* Before any role is set; again does nothing. Returns an error number, or 0. */
int gpu_role_make(void);
void gpu_role_set(uintptr_t);
uintptr_t gpu_role(void);

#endif
