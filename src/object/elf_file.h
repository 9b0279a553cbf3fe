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
/* Reads what accel_elf_open looks at in an object for the dynamic loader, and the bytes of one symbol: headers, the dynamic symbols and
 * their names, to their places in `data` of `size` bytes; the rest stays as it is. That is a tenth of a plugin, and memory that nobody
 * touches costs nothing. False: section headers do not lead to all of that, or to no such symbol; read the file whole. */
bool elf_file_read_symbol(int file, unsigned char *data, size_t size, const char *name);
/* Is the text somewhere in these bytes of the file? */
bool elf_file_has(int file, size_t offset, size_t size, const char *text);

#endif
