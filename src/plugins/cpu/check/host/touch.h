/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host does by an address with memory that pending operations use (guard.h). A handler of SIGSEGV notes it and lets
 * the host go on; what it means is found out later, on a thread that may do so. Under the lock of queues/track.h.
 */
#ifndef ACCEL_CPU_CHECK_TOUCH_H
#define ACCEL_CPU_CHECK_TOUCH_H

#include "plugins/cpu/check/host/guard.h"

enum { CHECK_TOUCH_FRAMES = 16 };

typedef struct check_touch {
    uintptr_t address;
    bool written;
    bool compared; /* known by the memory alone: there are no frames */
    void *frames[CHECK_TOUCH_FRAMES];
    int frame_count;
    check_use use;                /* of an operation that conflicts with it; noun NULL: that is to be found out */
    check_stamp known, submitted; /* by the host, then */
} check_touch;

/* Notes from now on what the host touches. NULL, or why it cannot be done. */
const char *check_touch_begin(void);
/* Does the handler still get its signals? */
bool check_touch_is_possible(void);
/* Memory of an operation that begins has changed. */
void check_touch_compared(const check_use *);
/* Those that were noted: the first one from `at` on, and where the next one is. NULL: none. */
check_touch *check_touch_next(size_t *at);
void check_touch_remove(check_touch *);
void check_touch_remove_all(void);
/* Is there any? Without the lock. */
bool check_touch_is_noted(void);

#endif
