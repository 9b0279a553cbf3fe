/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects of kernels: their code, and the shared memory of their blocks. Shared arrays are thread-local data of the
 * object; where they lie, and their names, is in its table of symbols. Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_SHARED_H
#define ACCEL_CPU_CHECK_SHARED_H

#include <accel/plugin.h>
#include <stdbool.h>

/* Remembers the object. `light`: has it light versions of kernels? false if memory is short. */
bool check_shared_object(const accel_image *, void *handle, bool *light);
/* A block begins, on this thread: its shared memory is undefined. `place` is in the kernel's code. */
void check_shared_block(const accel_launch_context *, const void *place);
/* The launch touches this for the first time: if it is in a shared array, that is known from now on. false: it is in none, or
 * in one that was known. */
bool check_shared_open(const void *p);
/* Bytes of the shared arrays that the launch's last block has used. */
size_t check_shared_used(void);
void check_shared_launch(size_t dynamic_bytes);
/* The launch is over: what was its memory may become anything. */
void check_shared_end(void);
/* Does it lie beside the shared arrays and private values, but in none? */
bool check_shared_is_stray(const void *p);
/* Is it an ACCEL_CONSTANT, or what the kernel's object has as read-only, where writes crash? */
bool check_shared_is_constant(const void *p, bool *crashes);
/* Is it a variable or the code of the object that has `place`? True if that is unknown. */
bool check_shared_is_of_object(const void *p, const void *place);
/* "at byte 4 of shared array s (1024 bytes)", of the kernel's light version or of the other one. false if it is none. */
bool check_shared_describe(const void *p, bool light, char *text, size_t size);
/* A block of the light version begins, whose code is at `place`. Its launch may have had no other block. */
void check_shared_light(const void *dynamic, const void *place);
/* What lies between the arrays of the light version is poisoned (light/poison.h), or no longer; of the kernel and thread whose
 * block was the last to begin. */
void check_shared_poison(bool begin);
/* The file of the object that has this code, where its lines can be read. NULL: of none. */
const char *check_shared_file(const void *place);

enum { CHECK_SHARED_GAP = 256 }; /* bytes behind dynamic shared memory that belong to nobody */

#endif
