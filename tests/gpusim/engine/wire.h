/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the driver's side says to a device process, over sequenced-packet sockets: one request, one answer. The process is
 * started with the files below open. Over its control socket come all requests but launches; a lane is a further socket,
 * for the launches of one stream.
 */
#ifndef GPUSIM_WIRE_H
#define GPUSIM_WIRE_H

#include <stdint.h>

enum { WIRE_CONTROL = 3, WIRE_MEMORY = 4 }; /* files of the process: its socket, its device's memory */

typedef enum wire_what {
    WIRE_ADOPT,   /* maps the file that comes along at a, b bytes, nothing of it accessible */
    WIRE_PROTECT, /* makes b bytes from a accessible (c != 0) or not */
    WIRE_LANE,    /* the file that comes along is a lane */
    WIRE_LOAD,   /* the file that comes along is a kernel object of a bytes, to be put b bytes aside of where the kernel
                     would; answers its number, address and bytes */
    WIRE_UNLOAD, /* object a */
    WIRE_KERNEL, /* of object a, by `text`; answers its number, and `kernel` */
    WIRE_GLOBAL, /* of object a, by `text`; answers address and bytes, and the range of memory pages around it: address,
                     bytes, place in the memory's file */
    WIRE_CANCEL  /* all grids end, now and later (a = 1), or run again (a = 0) */
} wire_what;

typedef struct wire_request {
    uint32_t what;
    uint64_t a, b, c;
    char text[512];
} wire_request;

typedef struct wire_kernel {
    uint32_t parameter_offset[2], parameter_size[2], parameter_bytes;
    uint32_t static_shared_bytes, max_threads, registers, local_bytes;
} wire_kernel;

typedef struct wire_answer {
    uint32_t failed;
    uint64_t a, b, c, d, e;
    wire_kernel kernel;
    char text[400]; /* why it failed */
} wire_answer;

#define WIRE_PARAMETERS 8192

typedef struct wire_launch {
    uint64_t kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared, warp_size, cooperative, parameter_bytes;
    uint8_t parameters[WIRE_PARAMETERS]; /* only parameter_bytes of them are sent */
} wire_launch;

typedef struct wire_fault {
    uint32_t status; /* gpusim_grid_status */
    uint64_t address;
    char text[160];
} wire_fault;

#endif
