/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that pending operations use. The host must not write it before it knows that the operation is complete, nor read
 * it if the operation writes it. Whole pages of it lose these rights, so that the host's access faults (touch.h). While an
 * operation or a host function runs, all have their rights. What lies on pages with other data of the program is compared
 * instead: as it was when the operation was submitted, and when it begins.
 *
 * A guard belongs to a mark of queues/track.h until its operation begins, and stays until the host knows of its end. Under
 * the lock of queues/track.h.
 */
#ifndef ACCEL_CPU_CHECK_GUARD_H
#define ACCEL_CPU_CHECK_GUARD_H

#include "plugins/cpu/check/queues/stamp.h"

#include <accel/accel.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct check_guard check_guard;

/* What an operation uses: rows of extent[dims - 1] bytes. */
typedef struct check_use {
    const char *noun; /* "copy", "fill", "launch" */
    bool certain;     /* else the operation may use the bytes, or not */
    bool written;     /* by the operation, perhaps */
    bool owned;       /* all of its pages are a buffer's of this backend */
    const void *queue;
    const char *data;
    uint32_t dims;
    size_t extent[ACCEL_MAX_DIMS], pitch[ACCEL_MAX_DIMS];
    const void *place; /* behind the call of the program that submitted it; NULL: unknown */
} check_use;

/* Adds one to *mine, the guards of one mark. None is added if there are too many. */
void check_guard_add(const check_use *, check_guard **mine);
/* Of all guards of a mark: their operation begins as this one, and they are no longer the mark's. */
void check_guards_execute(check_guard *mine, uint32_t track, uint64_t number);
/* Calls for those of a mark whose memory has changed since they were added, by nobody but the host. The operation is about
 * to begin, and all have their rights. */
void check_guards_compare(const check_guard *mine, void (*call)(const check_use *));
/* The operation of a mark may change memory that others compare; NULL: any may have changed. */
void check_guards_disturb(const check_guard *mine);
/* A host function begins, which may change all that others compare, or ends. */
void check_guards_call(void);
void check_guards_return(void);
/* Removes those that the host knows, by its stamp; those of memory that is no more; or all, and those that come. */
void check_guards_forget(const check_stamp *known);
void check_guards_forget_memory(const void *data, size_t size);
void check_guards_stop(void);
/* In the child of a fork: nothing is pending. */
void check_guards_reset(void);
/* An operation begins or ends. */
void check_guards_open(void);
void check_guards_close(void);
/* Does any run? */
bool check_guards_are_open(void);

/* In the handler of a fault. The host has touched it, and goes on: the page has its rights again. false: it is no guard's.
 * *use becomes that of an operation with which this conflicts for certain; its noun is NULL if there is none. */
bool check_guard_touched(uintptr_t address, bool written, check_use *use);

#endif
