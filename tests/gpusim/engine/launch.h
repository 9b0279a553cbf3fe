/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, and how many blocks fit. With the engine's lock held. */
#ifndef GPUSIM_LAUNCH_H
#define GPUSIM_LAUNCH_H

#include "module.h"

#include <stdint.h>

/* The parameters lie behind `pointers`, one each. */
typedef struct sim_launch {
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    bool cooperative;
    void **pointers;
} sim_launch;

sim_status sim_launch_submit(const sim_launch *, void *function, void *stream);
/* Blocks of that many threads that are resident on one unit. */
sim_status sim_occupancy(int *blocks, void *function, int threads, size_t dynamic_shared);
/* The number of threads, at most `limit` unless that is 0, that fills a unit best, and how many blocks fill the device. */
sim_status sim_occupancy_best(int *grid, int *threads, void *function, size_t (*shared_of)(int), size_t dynamic_shared,
                              int limit);

#endif
