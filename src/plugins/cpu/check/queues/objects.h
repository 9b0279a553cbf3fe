/* SPDX-License-Identifier: Apache-2.0 */
/* Queues, events, modules and buffers that the program has not released. Has a lock of its own, which may be taken under that of
 * check.c. */
#ifndef ACCEL_CPU_CHECK_OBJECTS_H
#define ACCEL_CPU_CHECK_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CHECK_OBJECT_QUEUE,
    CHECK_OBJECT_EVENT,
    CHECK_OBJECT_MODULE,
    CHECK_OBJECT_INSTANCE,
    CHECK_OBJECT_BUFFER,
    CHECK_OBJECT_KINDS
};

/* One was made; a buffer is its memory. Those that libaccel makes for itself are not the program's to release. */
void check_object_add(const void *object, int kind);
/* Where it was made; NULL: it is not known. */
const void *check_object_remove(const void *object, int kind);
/* But for buffers. `maker` is the address in the program behind the call that made it. */
void check_objects_each(void (*call)(const void *maker, int kind));

/* The program has released this memory of a buffer, which goes when pending work is done: its end. Kept in mind only if
 * they are watched. */
void check_objects_watch(bool);
void check_object_return(const void *data);
bool check_object_is_returned(const void *data);
void check_object_end_return(const void *data);

void check_objects_lock(void);
void check_objects_unlock(void);

#endif
