/* SPDX-License-Identifier: Apache-2.0 */
/* Where blocks lie: a sorted table of all, the search for free addresses, and their pages. With the engine's lock held. */
#ifndef GPUSIM_BLOCK_H
#define GPUSIM_BLOCK_H

#include "device.h"
#include "memory.h"

/* Number of blocks, and the n-th by address. */
size_t sim_block_count(void);
sim_block *sim_block_at(size_t n);
sim_block *sim_block_find(uintptr_t address);
bool sim_block_insert(sim_block *);
/* Takes it out of the table; it is freed. */
void sim_block_remove(sim_block *);

/* A new block in the table with pages that nobody can use yet. NULL if there is no room. */
sim_block *sim_block_place(sim_memory_kind, sim_context *, size_t size);
/* Its pages become usable where they should be, with its contents undefined; or unusable and empty. */
sim_status sim_block_open(sim_block *);
void sim_block_close(sim_block *);
/* In the device's process, all blocks of the owner's memory, or with NULL of the memory that host and devices share. */
bool sim_blocks_protect(sim_device *device, const sim_device *owner, bool usable);
/* Whether a kernel wrote behind its end. */
bool sim_block_is_damaged(const sim_block *);

#endif
