/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams: a thread each, which starts with the first operation. Operations of one stream run one after the other, with
 * random delays between; different streams are ordered by events and by the default stream alone. With the engine's lock
 * held, unless said otherwise.
 */
#ifndef GPUSIM_STREAM_H
#define GPUSIM_STREAM_H

#include "context.h"
#include "object.h"
#include "status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sim_command sim_command;

typedef struct sim_stream {
    sim_object object;
    struct sim_stream *next; /* of the context's */
    unsigned flags;
    int priority;
    bool has_thread, is_default;
    pthread_cond_t wake; /* there is something to do */
    sim_command *first, *last;
    uint64_t submitted, done; /* tickets */
    uint64_t random;
    int lane; /* of the device process; -1: none yet. The thread's. */
} sim_stream;

#define SIM_STREAM_NON_BLOCKING 1u

/* A place in a stream that something waits for. */
typedef struct sim_point {
    sim_stream *stream;
    uint64_t ticket;
} sim_point;

typedef struct sim_command_type {
    const char *name;
    sim_status (*begin)(sim_command *);     /* optional: before it runs, with the lock */
    sim_status (*run)(sim_command *);       /* optional: without the lock */
    void (*end)(sim_command *, sim_status); /* optional: with the lock */
    bool always;                            /* run and end are called also if the context had failed before */
} sim_command_type;

/* An operation; the first member of what each kind needs. */
struct sim_command {
    const sim_command_type *type;
    sim_command *next;
    sim_stream *stream;
    uint64_t ticket;
    sim_point *points; /* that it waits for, beside those before it in its stream */
    size_t point_count;
    struct sim_module *module; /* that it uses */
    sim_status state;          /* of the context when it began */
};

/* Zeroed; belongs to the stream once submitted, and is freed by it. NULL if memory is short. */
void *sim_command_new(const sim_command_type *, size_t size);
/* Further places to wait for. */
sim_status sim_command_wait_for(sim_command *, sim_point);
/* Frees the command if it fails. */
sim_status sim_submit(sim_stream *, sim_command *);
/* Submits, and waits until it is done; answers what the context answers then. */
sim_status sim_submit_and_wait(sim_stream *, sim_command *);
void sim_wait_for(sim_point);
/* Is there a command of the module that is not done? */
bool sim_module_is_in_use(const struct sim_module *);

sim_stream *sim_stream_default(sim_context *);
sim_status sim_stream_create(unsigned flags, int priority, void **handle);
sim_status sim_stream_destroy(void *handle);
sim_status sim_stream_get_priority(void *handle, int *priority);
sim_status sim_stream_get_flags(void *handle, unsigned *flags);
sim_status sim_stream_query(void *handle);
sim_status sim_stream_synchronize(void *handle);
/* The stream of a handle, in a context that has not failed; some context must be current. NULL, and 1 (the legacy one), are the current context's
 * default stream. */
sim_status sim_stream_of(void *handle, sim_stream **);
/* The same, and the stream must belong to the current context: what launches and fills ask for. */
sim_status sim_stream_here(void *handle, sim_stream **);

void sim_streams_synchronize(sim_context *);
/* Those that the default stream is ordered with. */
void sim_streams_synchronize_blocking(sim_context *);
/* Takes it out of its context. */
void sim_stream_unlink(sim_stream *);
/* Destroys all streams of an idle context; how many the program had left. */
size_t sim_streams_drop(sim_context *);
/* Work is left in some stream. */
bool sim_streams_busy(void);

#endif
