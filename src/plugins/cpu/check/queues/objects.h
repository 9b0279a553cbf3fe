/* SPDX-License-Identifier: Apache-2.0 */
/* Queues, events and modules that the program has not released. Has a lock of its own, which may be taken under that of
 * check.c. */
#ifndef ACCEL_CPU_CHECK_OBJECTS_H
#define ACCEL_CPU_CHECK_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

enum { CHECK_OBJECT_QUEUE, CHECK_OBJECT_EVENT, CHECK_OBJECT_MODULE, CHECK_OBJECT_KINDS };

/* Only then are they kept in mind. */
void check_objects_watch(bool);
/* One was made. Those that libaccel makes for itself are not the program's to release. */
void check_object_add(const void *object, int kind);
void check_object_remove(const void *object);
/* `maker` is the address in the program behind the call that made it. */
void check_objects_each(void (*call)(const void *maker, int kind));

/* The program has released this memory of a buffer, which goes when pending work is done. Ends with check_object_remove. */
void check_object_return(const void *data);
bool check_object_is_returned(const void *data);

void check_objects_lock(void);
void check_objects_unlock(void);

#endif
