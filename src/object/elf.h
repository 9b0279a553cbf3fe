/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads 64-bit little-endian ELF images without loading them: plugins and kernel objects are checked so before any of
 * their code can run. Every offset is checked against the image's size; a truncated or hostile file gives an error.
 */
#ifndef ACCEL_OBJECT_ELF_H
#define ACCEL_OBJECT_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* EM_CUDA, and EM_AMDGPU, which older <elf.h> do not have. */
enum { ACCEL_ELF_CUDA = 190, ACCEL_ELF_AMDGPU = 224 };

typedef struct accel_elf {
    const unsigned char *data; /* the caller's */
    size_t size;
    uint16_t machine;                                    /* EM_* */
    uint16_t type;                                       /* ET_* */
    size_t symbols, symbol_count, strings, strings_size; /* dynamic symbol table, offsets into data */
    size_t sections, section_count;                      /* section headers (may be absent) and program headers */
    size_t segments, segment_count;
} accel_elf;

/* On failure `reason` (of at least 128 bytes) says what is wrong: "not an ELF file", "truncated: ...". */
bool accel_elf_open(const void *data, size_t size, accel_elf *, char *reason, size_t reason_size);
/* How many bytes of the file belong to it, from the first on: what its headers name. */
size_t accel_elf_end(const accel_elf *);
/* "x86-64", "aarch64", "amdgpu", "cuda", or "machine N". */
const char *accel_elf_machine_name(uint16_t machine, char buffer[24]);
/* The machine this library was built for. */
uint16_t accel_elf_native_machine(void);
/* The file bytes of a defined data symbol of at least `size` bytes (and its size), or NULL. */
const void *accel_elf_symbol(const accel_elf *, const char *name, size_t size, size_t *symbol_size);
/* A symbol: its name behind the prefix, its bytes in the file (NULL if it is no data there) and its size. */
typedef void (*accel_elf_visitor)(void *user, const char *name, const void *bytes, size_t size);
/* The name of the symbol with this index in the symbol table; NULL if there is none, or if it is not defined. */
const char *accel_elf_symbol_name(const accel_elf *, size_t index);
/* The file bytes of the first section with this name, or NULL. */
const void *accel_elf_section(const accel_elf *, const char *name, size_t *size);
/* Calls visit for every defined symbol whose name begins with prefix. */
void accel_elf_visit(const accel_elf *, const char *prefix, accel_elf_visitor visit, void *user);

/* The content of the first note of this owner and type, or NULL. */
const void *accel_elf_note(const accel_elf *, const char *owner, uint32_t type, size_t *size);

#endif
