/* SPDX-License-Identifier: Apache-2.0 */
/* A device at work: a queue, and parts of the picture in it. Nothing here waits, but where it says so. */
#ifndef WORKER_H
#define WORKER_H

#include <accel/accel.h>
#include <pthread.h>

#include "multi.h"
#include "shares.h"

#define PARTS 2 /* of each device at once: while the host looks at one, the device computes the other */

/* Rung by libaccel's threads whenever a part is over. */
typedef struct bell {
    pthread_mutex_t lock; /* guards what says so below */
    pthread_cond_t rung;
} bell;

enum part_state { PART_FREE, PART_PENDING, PART_OVER };

typedef struct part {
    bell *bell;
    accel_buffer *steps;
    range rows;
    double submitted;    /* seconds, as all times here */
    uint32_t state;      /* enum part_state; guarded by the bell */
    accel_status status; /* of the queue, and when, once it is over; guarded likewise */
    double ended;
} part;

typedef struct worker {
    accel_device_properties about;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel; /* borrowed from the module */
    part parts[PARTS];
    char *failure; /* why it takes part no longer; NULL: it does */
    /* What it did. */
    double rate; /* rows per second, lately; 0: not known yet */
    double recent_rows, recent_seconds;
    double busy;  /* in all */
    double ended; /* its last part */
    size_t rows, parts_done, last;
} worker;

double seconds_now(void);

/* Takes what the device needs, parts of at most `most` rows. If that fails, the worker has a failure. */
void worker_open(worker *, accel_device *, bell *, const picture *, size_t most);
/* Nothing may be pending. */
void worker_close(worker *);
/* Forgets what it did, but not its failure. */
void worker_reset(worker *);
/* A part that can be submitted, or NULL. */
part *worker_free_part(worker *);
/* Computes the part's rows, and copies them to their place of `steps`. false: it failed, and worker_fail has to be called. */
bool worker_submit(worker *, part *, range rows, const picture *, uint32_t *steps);
/* Waits for one of these workers; the first part that ended. NULL: nothing is pending. */
part *worker_wait_any(worker workers[], size_t count, worker **whose);
/* Counts a part that ended well. */
void worker_count(worker *, part *);
/* After a failure of a call or of a part: waits until its queue is empty, which no part survives, and takes down the reason.
 * Rows that were not computed go back. */
void worker_fail(worker *, shares *);

#endif
