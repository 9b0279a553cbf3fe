/* SPDX-License-Identifier: Apache-2.0 */
/* One end of a copy or fill: rows of bytes, checked when it is submitted and once more when its turn comes. */
#ifndef GPUSIM_PLACE_H
#define GPUSIM_PLACE_H

#include "memory.h"
#include "stream.h"

/* What the caller says of an address. */
typedef enum sim_side { SIM_SIDE_ANY, SIM_SIDE_HOST, SIM_SIDE_DEVICE } sim_side;

typedef struct sim_place {
    char *address;
    sim_side side;
    size_t pitch, slice; /* bytes from row to row, from plane to plane */
    /* Found out: */
    const sim_block *block; /* NULL: ordinary host memory */
    int file;               /* of device memory; -1: the address can be used */
    int64_t offset;
} sim_place;

/* With the engine's lock. */
sim_status sim_place_check(sim_place *, const char *what, const sim_stream *, size_t width, size_t height,
                           size_t depth);
sim_status sim_place_begin(sim_place *, const char *what);
/* Without it. Bytes from `from` on; false if the host's memory is not there. */
bool sim_place_read(const sim_place *, size_t from, void *to, size_t size);
bool sim_place_write(const sim_place *, size_t from, const void *bytes, size_t size);

#endif
