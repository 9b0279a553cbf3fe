/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory by address. Every block has pages of its own with an inaccessible one behind it, and freed addresses come up
 * again late. The bytes between a block's size and its rounded size are watched: if they changed when it is freed, a
 * kernel wrote out of bounds. With the engine's lock held.
 */
#ifndef GPUSIM_MEMORY_H
#define GPUSIM_MEMORY_H

#include "context.h"
#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sim_memory_kind {
    SIM_MEMORY_DEVICE,
    SIM_MEMORY_PINNED,
    SIM_MEMORY_MANAGED,
    SIM_MEMORY_GLOBALS /* pages of a module's variables */
} sim_memory_kind;

typedef struct sim_block {
    uintptr_t address;
    size_t size;
    uintptr_t start; /* of its pages */
    size_t span;     /* with the guard */
    sim_memory_kind kind;
    bool mapped;   /* pinned: kernels may use it */
    bool portable; /* pinned: for every context */
    sim_context *context;
    struct sim_module *module; /* of globals */
    int file;
    int64_t offset; /* of `address` in the file */
    /* Stream-ordered: of which stream, whether it is there yet, and whether its end was asked for. */
    struct sim_stream *stream;
    bool pending, ending;
} sim_block;

sim_status sim_memory_allocate(sim_memory_kind, size_t size, void **out); /* device or managed */
/* Pinned. The flags are the drivers' own, which agree. */
#define SIM_HOST_PORTABLE 1u
#define SIM_HOST_MAPPED 2u
#define SIM_HOST_WRITE_COMBINED 4u
sim_status sim_memory_allocate_host(size_t size, unsigned flags, void **out);
/* Waits for the context's work. `kind`: DEVICE takes managed memory too. NULL does nothing. */
sim_status sim_memory_free(sim_memory_kind, void *);
sim_status sim_memory_allocate_async(size_t size, void *stream, void **out);
sim_status sim_memory_free_async(void *, void *stream);
sim_status sim_memory_info(size_t *free_bytes, size_t *total_bytes);
sim_status sim_memory_device_pointer(void *host, void **out);
/* Memory of the peer can be used by kernels on the device, or no more. */
sim_status sim_memory_share(struct sim_device *, const struct sim_device *peer, bool share);

/* The block that contains the address, also if it is not there yet; NULL if none does. */
sim_block *sim_memory_find(const void *);
/* Is this the address of memory that the host cannot reach? */
bool sim_memory_is_remote(const void *);
/* Does it lie where a block was freed not long ago? */
bool sim_memory_was_freed(const void *);

/* Takes addresses of this process, at which nobody may touch anything; false if it has something there. */
bool sim_memory_reserve(uintptr_t address, size_t size);
void sim_memory_vacate(uintptr_t address, size_t size);
/* Pages of a module's globals, as the device process has them, within what is reserved. False if memory is short. */
bool sim_memory_add_globals(struct sim_module *, uintptr_t address, size_t size, int64_t offset);
void sim_memory_drop_globals(struct sim_module *);
/* Frees all blocks of the context; how many there were. */
size_t sim_memory_drop(sim_context *);
/* How many blocks are left; each is told as a leak, if asked for. */
size_t sim_memory_leaks(bool tell);

#endif
