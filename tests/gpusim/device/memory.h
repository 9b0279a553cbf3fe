/* SPDX-License-Identifier: Apache-2.0 */
/* The device's memory, and what it may use of others'. */
#ifndef GPUSIM_DEVICE_MEMORY_H
#define GPUSIM_DEVICE_MEMORY_H

#include "../engine/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps the file there, inaccessible. What is mapped already stays as it is. */
bool device_memory_adopt(uint64_t address, uint64_t size, int file);
bool device_memory_protect(uint64_t address, uint64_t size, bool usable);

/* Moves the pages of this process around the address into the memory's file, at their place: the driver's side then
 * reads and writes them like any memory. Answers the range and where it is in the file. Nothing may run that uses
 * them. */
bool device_memory_move(uintptr_t address, uint64_t *start, uint64_t *size, uint64_t *offset);

#endif
