/* SPDX-License-Identifier: Apache-2.0 */
/* Where buffers are, for the text of a fault. Only noted while faults are reported. */
#ifndef ACCEL_CPU_BUFFERS_H
#define ACCEL_CPU_BUFFERS_H

#include "plugins/support/list.h"

#include <stdint.h>

/* Of one buffer; zeroed: it is not noted. Guarded by the lock of handler.h. */
typedef struct cpu_buffer_note {
    plugin_link link;
    uintptr_t begin;
    size_t size;
} cpu_buffer_note;

/* `size` is not 0. */
void cpu_buffers_add(cpu_buffer_note *, const void *begin, size_t size);
/* One that is not noted is allowed. */
void cpu_buffers_remove(cpu_buffer_note *);
/* "100 bytes behind a buffer of 4000 bytes", of the nearest one. false: none is near. */
bool cpu_buffers_describe(uintptr_t address, char *text, size_t size);

#endif
