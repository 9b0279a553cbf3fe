/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that a queue keeps for the steps of patterns. It grows and is given back in the queue's order, so pending work may
 * still use what was there before. */
#ifndef ACCEL_CORE_SCRATCH_H
#define ACCEL_CORE_SCRATCH_H

#include "core/api/queue.h"
#include "core/base/divide.h"

/* The first bytes are a result's on its way to another device; they hold the largest element. */
#define ACCEL_SCRATCH_SLOT 256u
_Static_assert(ACCEL_SCRATCH_SLOT >= ACCEL_MAX_PATTERN_ELEMENT, "an element fits");

typedef struct accel_scratch accel_scratch;

/* At least so many bytes, perhaps none, on the queue's device, the caller's until leave: calls of other threads wait, so that the
 * steps of two patterns do not mix. What the caller submits until leave is submitted whole, as far as the host's memory decides: if that
 * is short, the call fails here. On failure nothing is entered. */
accel_status accel_scratch_enter(const char *function, accel_queue *, size_t bytes, accel_scratch **);
void accel_scratch_leave(accel_scratch *);
/* Between enter and leave. */
unsigned char *accel_scratch_memory(const accel_scratch *);
/* A part of the memory, behind `used` bytes of it; without memory only its size is added to these. */
static inline void *accel_scratch_part(unsigned char *memory, size_t *used, size_t bytes)
{
    void *part = memory != NULL ? memory + *used : NULL;

    *used += accel_divide_up(bytes, ACCEL_SCRATCH_SLOT) * ACCEL_SCRATCH_SLOT;
    return part;
}
/* The slot as a buffer of one element; borrowed. */
accel_status accel_scratch_slot(const char *function, accel_queue *, accel_scratch *, size_t element_size,
                                accel_buffer **);

#endif
