/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers: each lies between two zones that belong to nobody, and stays in its place for a while after it was released.
 * Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_MEMORY_H
#define ACCEL_CPU_CHECK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHECK_NAME = 64 };
enum { CHECK_MEMORY_OTHER, CHECK_MEMORY_LIVE, CHECK_MEMORY_ZONE, CHECK_MEMORY_RELEASED, CHECK_MEMORY_ABSENT };

/* NULL if memory is short. */
void *check_memory_allocate(size_t size, size_t alignment);
void check_memory_release(void *data);
/* The buffer that begins there is called so in what follows. Names are cut off after CHECK_NAME - 1 bytes. */
void check_memory_name(const void *data, const char *name);
/* The buffer that has this address in it, if it was not released. */
bool check_memory_find(const void *p, const char **data, size_t *size);
/* What belongs to nobody is poisoned from now on (light/poison.h), also of buffers that there are. */
void check_memory_poison(void);
/* CHECK_MEMORY_*. OTHER is the program's or an object's; ABSENT cannot be touched. */
int check_memory_state(const void *p);
/* A launch begins that writes without telling: a few bytes that look as if nobody had written them may be its own. */
void check_memory_unseen(void);
/* Has nobody written to the 16 bytes around? What the host writes by an address is not seen, nor what light versions of kernels
 * write, but both change the pattern that fills new buffers. True of memory that is no buffer. */
bool check_memory_is_unwritten(const void *p);
/* "12 bytes behind the end of a buffer of 1024 bytes, made at main.c:33", or, of one with a name, "of buffer "x" (1024 bytes),
 * made at". false if there is no buffer near. `name` becomes its name; "" if it has none. */
bool check_memory_describe(const void *p, char *text, size_t size, char name[CHECK_NAME]);
/* The live buffer that the address points into, or just behind. false if there is none. */
bool check_memory_bounds(const void *p, const char **begin, const char **end);
/* Has a live buffer an address in it that points there, or just behind? Reads all of them. */
bool check_memory_points_to(const char *begin, const char *end);
/* Of all buffers that were not released. `maker` is the address in the program behind the call that made it, or NULL. */
void check_memory_each_live(void (*call)(const void *data, const void *maker, size_t bytes));

#endif
