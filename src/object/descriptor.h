/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel descriptor must say on every target: core asks it of an object's bytes before any loader sees them, an
 * engine of what it has loaded. Needs nothing but the kernel-object ABI. */
#ifndef ACCEL_OBJECT_DESCRIPTOR_H
#define ACCEL_OBJECT_DESCRIPTOR_H

#include <accel/object.h>

#include <stdbool.h>

enum {
    DESCRIPTOR_MAX_ARGS_ALIGN = 4096,
    /* The flags that this library knows; any other is refused. */
    DESCRIPTOR_FLAGS =
        ACCEL_KERNEL_NO_ARGS | ACCEL_KERNEL_PATTERN | ACCEL_KERNEL_ASSERTS | ACCEL_KERNEL_PRINTS | ACCEL_KERNEL_ROUNDS
};

/* Writes what is wrong with it and returns true, or returns false. `size` is its symbol's. What a pattern's descriptor has
 * more than others is read only if it is one and large enough. */
bool descriptor_is_wrong(const accel_pattern_descriptor *, size_t size, char *text, size_t text_size);

#endif
