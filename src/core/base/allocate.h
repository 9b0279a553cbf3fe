/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory of core's own objects. Never on the launch path. A test that links core statically may define
 * accel_allocate_fails to make any allocation fail; the library itself has no such function.
 */
#ifndef ACCEL_CORE_ALLOCATE_H
#define ACCEL_CORE_ALLOCATE_H

#include <accel/plugin.h>

#include <stddef.h>

/* Zeroed memory, or NULL with this thread's error text set (the caller returns ACCEL_OUT_OF_MEMORY). */
void *accel_allocate(size_t size);
/* `count` elements; NULL also if the product overflows. */
void *accel_allocate_array(size_t count, size_t element_size);
/* At an address that is a multiple of `alignment`, a power of two of at least a pointer's size. Not zeroed. */
void *accel_allocate_aligned(size_t alignment, size_t size);
/* As realloc; the old memory stays on failure. What is added is not zeroed. */
void *accel_reallocate(void *memory, size_t size);
/* A copy of the text; NULL for NULL, or with the error text set. */
char *accel_text_copy(const char *text);
/* A text as printf would write it. */
char *accel_text_format(const char *format, ...) ACCEL_PRINTF_FORMAT(1, 2);
/* NULL is allowed. */
void accel_deallocate(void *memory);

#endif
