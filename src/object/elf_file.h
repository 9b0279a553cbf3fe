/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a file is worth reading: foreign files, of any size, are told by their headers and symbols' names. */
#ifndef ACCEL_OBJECT_ELF_FILE_H
#define ACCEL_OBJECT_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* May the file have a symbol whose name has this in it? Reads the header, the section headers and the symbols' names, in
 * pieces. False, with a reason of at most 128 bytes: it is no ELF file for accel_elf_open, or has no such symbol. A file
 * without section headers may have it. */
bool elf_file_may_name(int file, size_t size, const char *name, char *reason, size_t reason_size);
/* Is the text somewhere in these bytes of the file? */
bool elf_file_has(int file, size_t offset, size_t size, const char *text);

#endif
