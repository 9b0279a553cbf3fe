/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of programs older or newer than this library (semantics O6). */
#ifndef ACCEL_CORE_STRUCT_SIZE_H
#define ACCEL_CORE_STRUCT_SIZE_H

#include <accel/accel.h>

/* Copies a descriptor of the caller's size into `known` of known_size bytes: missing fields become 0; unknown bytes
 * that are not 0 are ACCEL_INVALID. given NULL: all zero but struct_size. `what` names the struct in the text. */
accel_status accel_struct_import(const char *function, const char *what, void *known, size_t known_size,
                                 const void *given);
/* Copies a property struct out to the caller's size; struct_size of `out` is kept, bytes we do not know become 0. */
accel_status accel_struct_export(const char *function, const char *what, void *out, const void *known,
                                 size_t known_size);

#endif
