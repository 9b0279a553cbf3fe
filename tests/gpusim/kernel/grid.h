/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulated GPU's kernels: loads the objects that pack.c made of host code, and runs grids of their kernels as a
 * GPU would, by blocks, warps of 32 or 64 lanes, and threads. For the simulator's device process, where device memory
 * is mapped at its own addresses; nothing here knows a driver's API.
 *
 * What runs is the GPU's side of accel/kernel.h, include/accel/kernel/gpu/cuda.h or hip.h as shipped, compiled by g++ with
 * the words of CUDA and of clang's AMD builtins defined by cuda_words.h and hip_words.h: grid-stride loops, regions of
 * one trip, warp operations on the active lanes, lock loops with their votes.
 *
 * Objects, all made of one host shared object, whose machine code is in them:
 *     NAME.compute_75.ptx   text with .version, .target, an .entry per kernel and a .global per variable, and the
 *                           shared object in base64, in comments that begin with "// gpusim "
 *     NAME.sm_80.cubin      the shared object with the ELF header's machine, ABI and flags of a cubin
 *     NAME.gfx90a.hsaco     the same with those of AMD's code objects
 *
 * PTX without these comments, as nvcc and clang write it, is interpreted (../ptx).
 *
 * How a block runs: each thread is a fiber; all of a block's are on one OS thread, different blocks on several. A lane
 * runs until it waits at a warp operation or a barrier, or ends. When every lane of a warp waits or has ended, those
 * that wait at the same operation are the active ones and go on together, the earliest place in the code first. Lanes
 * are resumed in changing order, so that a missing barrier shows; shared memory begins as garbage. Some lanes whose cas
 * or exch succeeded are held up, so that others of its warp find the lock taken; they stay so as long as one of them does
 * atomic operations without end: a naive spin lock hangs, as on hardware that runs warps in lockstep.
 *
 * Thread safety: images are loaded and unloaded by one thread at a time per image; everything else may be called from
 * many threads at once.
 */
#ifndef GPUSIM_GRID_H
#define GPUSIM_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GPUSIM_DYNAMIC_SHARED_MAX (227u * 1024u) /* bytes of dynamic shared memory that a block can have */

/* ------------------------------------------------------------------------------------------- images -- */

typedef struct gpusim_image gpusim_image;   /* one loading of an object: it has its own globals */
typedef struct gpusim_kernel gpusim_kernel; /* belongs to its image */

typedef enum gpusim_form { GPUSIM_PTX, GPUSIM_CUBIN, GPUSIM_HSACO } gpusim_form;

/* What an object says of itself, readable without loading it, also in another process. */
typedef struct gpusim_object {
    gpusim_form form;
    uint32_t ptx_version; /* of PTX: .version 7.8 is 78 */
    bool is_interpreted;  /* PTX of a compiler, without a host's machine code */
    char target[64];      /* "sm_75" of PTX's .target and of cubins, "gfx90a", "gfx90a:sramecc+:xnack-" of HSACO */
} gpusim_object;

/* False, with a reason, if these bytes are neither an object of pack.c nor PTX. PTX needs no zero at its end. */
bool gpusim_object_read(const void *data, size_t size, gpusim_object *out, char *reason, size_t reason_size);

/* Loads an object; each loading has its own globals, constants and shared memory. NULL, with a reason, on failure. */
gpusim_image *gpusim_image_load(const void *data, size_t size, char *reason, size_t reason_size);
gpusim_image *gpusim_image_open(const char *path, char *reason, size_t reason_size);
/* Where it was loaded: whole pages. */
void gpusim_image_place(const gpusim_image *, uintptr_t *start, size_t *size);
/* Nothing of it may run or be used any more. NULL is allowed. */
void gpusim_image_unload(gpusim_image *);

/* A variable (also a kernel's descriptor) by its symbol: its address in this process, and bytes. False if there is
 * none. */
bool gpusim_image_global(const gpusim_image *, const char *symbol, void **address, size_t *size);
/* A kernel by the symbol of its function, "accel_kernel_NAME"; NULL if there is none. The same pointer each time. */
gpusim_kernel *gpusim_image_kernel(gpusim_image *, const char *symbol);

typedef struct gpusim_kernel_properties {
    const char *symbol;
    /* The two parameters, the arguments and the accel_grid, in one parameter block. */
    uint32_t parameter_offset[2], parameter_size[2];
    uint32_t parameter_bytes;     /* of the block */
    uint32_t static_shared_bytes; /* shared memory that the kernel declares */
    uint32_t max_threads;         /* of a block: 1024, or the product of the block's fixed extents */
    uint32_t registers;           /* invented, plausible */
    uint32_t local_bytes;         /* invented, plausible */
} gpusim_kernel_properties;
void gpusim_kernel_info(const gpusim_kernel *, gpusim_kernel_properties *);

/* -------------------------------------------------------------------------------------------- grids -- */

#define GPUSIM_GRID_COOPERATIVE 1u /* all blocks are resident at once, each on an OS thread of its own; at most 256 */

typedef struct gpusim_launch {
    const gpusim_kernel *kernel;
    uint32_t grid[3], block[3]; /* x, y, z; none is 0 */
    uint32_t dynamic_shared;    /* bytes, at most GPUSIM_DYNAMIC_SHARED_MAX */
    uint32_t warp_size;         /* 32 or 64; 32 for PTX and cubins */
    uint32_t flags;             /* GPUSIM_GRID_* */
    const void *parameters;     /* one block of parameter_bytes, read until the call returns */
    uint32_t parameter_bytes;
    /* NULL, or set to non-zero by another thread to end the grid early (a hang that is cancelled, a device that is
     * lost): waiting lanes and blocks that did not begin never run on. A lane that never waits is not reached. */
    const uint32_t *cancel;
} gpusim_launch;

typedef enum gpusim_grid_status {
    GPUSIM_GRID_OK,
    GPUSIM_GRID_INVALID,         /* nothing ran: extents, sizes or flags do not fit the kernel */
    GPUSIM_GRID_ILLEGAL_ADDRESS, /* a thread touched memory that is not there, or beyond its shared memory */
    GPUSIM_GRID_TRAP,     /* a thread met an illegal instruction, an arithmetic trap, or misused a warp operation */
    GPUSIM_GRID_DEADLOCK, /* all threads of a block wait, and nothing can release them */
    GPUSIM_GRID_CANCELLED
} gpusim_grid_status;

typedef struct gpusim_fault {
    gpusim_grid_status status;
    const void *address;          /* of an illegal one */
    uint32_t block[3], thread[3]; /* who met it first */
    char text[160];               /* a sentence */
} gpusim_fault;

/*
 * Runs a whole grid; returns when all its blocks have ended, or, after a fault, when none runs any more. Blocks run on
 * the calling thread and on a few others that are kept. The status is also in *fault, which may be NULL. After a fault
 * the memory it wrote stays as it is, and further grids may run: that the device refuses them is the driver's matter.
 *
 * Signal handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL are installed at the first call; outside kernels they
 * do what was done before.
 */
gpusim_grid_status gpusim_grid_run(const gpusim_launch *, gpusim_fault *fault);

#endif
