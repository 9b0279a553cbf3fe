/* SPDX-License-Identifier: Apache-2.0 */
/* What an object has once, beside its kernels. */
#include "lane.h"

extern "C" {
const gpusim_calls *gpusim_device;
}

/* Dynamic shared memory, the most that a block can have (GPUSIM_DYNAMIC_SHARED_MAX) and a guard; one per OS thread, as
 * are __shared__ variables. */
__attribute__((aligned(16))) thread_local unsigned char accel_dynamic[227 * 1024 + 64];

extern "C" void *gpusim_dynamic()
{
    return accel_dynamic;
}
