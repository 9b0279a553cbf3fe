/* SPDX-License-Identifier: Apache-2.0 */
/* Small files in which the system describes itself. */
#ifndef ACCEL_CPU_SYSTEM_FILE_H
#define ACCEL_CPU_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CPU_PATH = 512, CPU_LINE_TEXT = 4096 };

/* The first line of a file, without its end; "" if it cannot be read. Returns `line`. */
const char *cpu_file_line(const char *path, char *line, size_t size);
/* The number with which a file begins; `missing` if there is none. */
uint64_t cpu_file_number(const char *path, uint64_t missing);
/* Finds the first line that begins with `name` and one of `separators`, and copies what follows it. Returns whether
 * there is one. */
bool cpu_file_entry(const char *path, const char *name, const char *separators, char *value, size_t size);

#endif
