/* SPDX-License-Identifier: Apache-2.0 */
/* Small files in which the system describes itself, and facts from them that are remembered for a moment. */
#ifndef ACCEL_CPU_SYSTEM_FILE_H
#define ACCEL_CPU_SYSTEM_FILE_H

#include "plugins/cpu/engine/lock.h"

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

/* --- facts of the last moment --- */

/* The CPU backends of a process ask for the same facts, one after the other, when an instance is created, and each answer takes
 * the system about a tenth of a millisecond. */
enum { CPU_RECENT_NS = 100 * 1000 * 1000 }; /* how long a fact is not asked for again */

/* Static memory, all zero. */
typedef struct cpu_recent {
    cpu_lock lock;  /* tried only: held in the child of a fork, it makes each call read */
    uint64_t until; /* of cpu_clock_ns; guarded by the lock, as is the fact */
} cpu_recent;

/* Copies `fact`, which `read` has filled lately or fills now, to `value`: `size` bytes. */
void cpu_recent_get(cpu_recent *recent, void *fact, void *value, size_t size, void (*read)(void *fact));

#endif
