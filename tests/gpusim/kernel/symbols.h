/* SPDX-License-Identifier: Apache-2.0 */
/* The symbols of a host shared object in memory. It may have been cut; symbols themselves are trusted. */
#ifndef GPUSIM_SYMBOLS_H
#define GPUSIM_SYMBOLS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gpusim_symbols {
    const uint8_t *data; /* the caller's */
    size_t size;
    const Elf64_Sym *dynamic, *all; /* exported ones; those of the compiler too, NULL if stripped */
    size_t dynamic_count, all_count;
    const char *dynamic_names, *all_names;
} gpusim_symbols;

bool gpusim_symbols_read(const void *data, size_t size, gpusim_symbols *);
/* A defined symbol of this type (STT_*), or NULL. */
const Elf64_Sym *gpusim_symbols_find(const gpusim_symbols *, const char *name, unsigned type);
/* The thread-local variables that accel_body_NAME declares: their bytes, and where they lie in the segment. */
uint32_t gpusim_symbols_shared(const gpusim_symbols *, const char *kernel, uint64_t *begin, uint64_t *end);
/* The bytes of an object that lies in the file; NULL if it does not. */
const void *gpusim_symbols_bytes(const gpusim_symbols *, const Elf64_Sym *);

#endif
