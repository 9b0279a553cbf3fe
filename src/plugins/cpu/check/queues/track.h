/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is ordered before what, across queues. A queue has a track, which numbers the operations that it executes. A stamp
 * says for each track up to which number operations are known to be complete. A queue has one, which grows with the events
 * that it waits for; a record of an event keeps its queue's. The host has one for all its threads, as nobody knows how they
 * tell each other: it grows with all that any of them waits for, and what is submitted later is ordered behind it.
 *
 * Marks say what happens in a queue. They are host functions of the queue beside its operations, so that they are passed in
 * its order. What cannot be known counts as ordered: waits for timelines of others, and queues beyond CHECK_TRACKS.
 *
 * One lock of its own guards all of it, held for a few instructions. It may be taken under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_TRACK_H
#define ACCEL_CPU_CHECK_TRACK_H

#include "plugins/cpu/check/host/guard.h"
#include "plugins/cpu/check/queues/stamp.h"

#include <accel/plugin.h>
#include <stdbool.h>

enum {
    CHECK_MARK_OPERATION, /* one comes next */
    CHECK_MARK_DONE,      /* it is over: only while the host is watched */
    CHECK_MARK_RECORD,
    CHECK_MARK_WAIT,    /* the event was reached */
    CHECK_MARK_UNKNOWN, /* something else was reached */
    CHECK_MARK_HOST,    /* a host function comes next: the host knows what came before */
    CHECK_MARK_RETURN,  /* one has returned, and may have waited for anything that the host knows now */
    CHECK_MARK_END      /* of the queue */
};

typedef struct check_mark check_mark;
typedef struct check_record check_record;

void check_tracks_lock(void);
void check_tracks_unlock(void);

void check_track_open(accel_impl_queue *);
/* Nothing is pending, and nothing will come. */
void check_track_close(accel_impl_queue *);
/* The stamp of what the queue executes, its track and number, and where and when it was submitted. false: the queue has no track. */
bool check_track_now(const accel_impl_queue *, check_stamp *, uint32_t *track, uint64_t *number, const void **place,
                     uint64_t *moment);

/* What the calling thread is about to submit. `place`: behind the call of the program, or NULL. The record is kept. NULL if
 * memory is short: then less is known, and counts as ordered. */
check_mark *check_mark_make(accel_impl_queue *, uint32_t what, check_record *, const void *place);
/* The same of a copy of so many bytes to the host's memory. */
check_mark *check_mark_make_result(accel_impl_queue *, const void *place, size_t bytes);
/* Its operation uses this memory, which the host is to leave alone. For a mark that was not submitted yet. Nothing happens
 * while a queue waits for what the host may do: until then the memory may be the host's. */
void check_mark_guard(check_mark *, const check_use *);
/* It could not be submitted: less is known. */
void check_mark_drop(check_mark *);
/* An accel_host_fn. */
void check_mark_pass(void *mark, accel_status);
/* The same in parts, while the host is watched. Waits until it may begin, and returns what it is; */
uint32_t check_mark_begin(const check_mark *);
/* gives memory its rights, or takes them, and calls for what has changed that the operation uses. NULL: nothing is compared. */
void check_mark_pass_watched(check_mark *, void (*changed)(const check_use *));

/* With one reference. NULL if memory is short. */
check_record *check_record_make(void);
/* Of *kept, which another thread may exchange; NULL if it is NULL. */
check_record *check_record_retain(void *const *kept);
void check_record_release(check_record *);
/* *kept takes the reference of the caller; what it had is released. */
void check_record_exchange(void **kept, check_record *);
/* It was told to others than queues of this backend: once it is reached, the host may know by any way. */
void check_record_export(check_record *);

/* Under the lock: what the host knows, and what was submitted. */
void check_tracks_snapshot(check_stamp *known, check_stamp *submitted);
/* Under the lock: was all of that executed? */
bool check_tracks_executed(const check_stamp *submitted);

/* Copies to the host's memory that it has never waited for. They are forgotten. */
void check_host_misses(void (*call)(const void *place, size_t bytes));
/* The host has waited for all that the queue had executed, or for the record; NULL: nothing. */
void check_host_learns_queue(accel_impl_queue *);
void check_host_learns_record(const check_record *);

#endif
