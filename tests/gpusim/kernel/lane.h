/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel's machine code reaches of the grid runner, as C11 and C++17. The object has one pointer, gpusim_device,
 * which image.c sets after loading it: nothing of the runner is looked up by name.
 */
#ifndef GPUSIM_LANE_H
#define GPUSIM_LANE_H

#include <stdint.h>

typedef struct gpusim_index {
    uint32_t x, y, z;
} gpusim_index;

/* The thread that runs. */
typedef struct gpusim_lane {
    gpusim_index thread, block;             /* indices */
    gpusim_index block_extent, grid_extent; /* the same for the whole grid, as the next three */
    uint32_t lane, warp_size;
    const void *parameters; /* the parameter block */
} gpusim_lane;

enum { GPUSIM_SYNC_PLAIN, GPUSIM_SYNC_COUNT, GPUSIM_SYNC_AND, GPUSIM_SYNC_OR };

/* Operations of a warp; what each gives to a lane. */
enum {
    GPUSIM_MEET_ACTIVE, /* one bit per active lane */
    GPUSIM_MEET_BALLOT, /* one bit per active lane whose value is not 0 */
    GPUSIM_MEET_SHUFFLE /* the value of lane `from`; garbage if it is not active */
};

typedef struct gpusim_calls {
    /* The same as long as a thread runs. */
    const gpusim_lane *(*lane)(void)__attribute__((const));
    int (*barrier)(uint32_t mode, int predicate);
    /* The active lanes are those that wait at the same call in the code; if `mask` is not 0 they are those it names,
     * and each waits for all of them. */
    uint64_t (*meet)(uint32_t operation, uint64_t mask, uint64_t value, uint32_t from);
    /* After every atomic operation. took: it may have taken a lock. */
    void (*atomic)(int took);
    /* Ends the thread. */
    void (*exit)(void);
} gpusim_calls;

#endif
