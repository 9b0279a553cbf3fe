/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chaos on shared queues: a round has a few queues of every device, blocking and not, and threads that do to any of them
 * whatever comes to mind. On weak queues failures come and are cleared meanwhile; in some rounds a device fails.
 * What must hold:
 *  - exclusion: nothing else of a queue runs beside a host function, and no operation is seen half done (Q1);
 *  - exactly once: what was accepted runs once, what was refused never (Q8);
 *  - each caller's order (O2), and events order queues of any two devices (E2, E3);
 *  - a queue that is not weak never fails.
 */
#ifndef CHAOS_H
#define CHAOS_H

#include <accel/accel.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_DEVICES = 8, DEVICE_QUEUES = 4, MOST_QUEUES = MOST_DEVICES * DEVICE_QUEUES, MOST_WALKERS = 32 };
enum { WORDS = 512, MOST_CALLS = 1 << 14, STRENGTHS = 2 };

#define MUST(condition, ...)                                                                                           \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "chaos: %s:%d: " #condition ": ", __FILE__, __LINE__);                                     \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            _exit(EXIT_FAILURE);                                                                                       \
        }                                                                                                              \
    } while (0)

typedef struct arena_device {
    accel_device *device;
    accel_module *module;
    accel_kernel *add, *set;
    char name[64];
    bool faulty, gpu; /* what it is: a device that fails on request, a GPU */
    bool doomed;      /* it fails in this round: all its queues are weak */
} arena_device;

typedef struct arena_queue {
    accel_queue *queue;
    arena_device *on;
    bool blocking, weak;
    /* Buffers whose words are all alike at every point of the queue. */
    accel_buffer *words, *copy, *sum;
    uint32_t host[WORDS];        /* what is read; likewise */
    _Atomic uint32_t inside;     /* host functions that run */
    _Atomic uint64_t adds;       /* launches that were accepted to add 1 to `sum` */
    uint32_t last[MOST_WALKERS]; /* by walker: the number of its latest call that ran; only inside host functions */
    _Atomic uint32_t failures;   /* that a call or a wait returned */
} arena_queue;

typedef struct walker walker;

/* One host function that was submitted. */
typedef struct host_call {
    walker *caller;
    arena_queue *queue;
    const struct host_call *after; /* one that has run before, by an event's order; or NULL */
    uint32_t number;               /* of this caller in this queue, from 1 */
    bool look;                     /* are the words that were read all alike? */
    bool accepted;
    _Atomic uint32_t runs;
} host_call;

struct walker {
    pthread_t thread;
    uint32_t index, random;
    uint32_t numbers[MOST_QUEUES]; /* calls made so far */
    uint32_t call_count;
    host_call *calls;                             /* MOST_CALLS */
    accel_event *events[MOST_DEVICES][STRENGTHS]; /* others wait for them, too; recorded by this walker alone */
    accel_event *host_event;
    _Atomic uint32_t armed; /* 1 + the status that is to be signalled; 0: it is not armed */
};

typedef struct arena {
    accel_instance *instance;
    arena_device devices[MOST_DEVICES];
    arena_queue queues[MOST_QUEUES];
    walker walkers[MOST_WALKERS];
    uint32_t device_count, queue_count, walker_count;
    _Atomic bool over, quiet; /* walkers are to end; the signaller is to end */
    _Atomic uint64_t operations, calls, failures;
} arena;

extern arena all;

static inline uint32_t draw(uint32_t *random, uint32_t below)
{
    *random = *random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*random * below >> 32);
}

/* Is it a status that the queue may return? ACCEL_OK, and on weak queues what failures are. */
void expect(arena_queue *, accel_status);
/* One operation. */
void step(walker *);
/* A device that is doomed fails now. */
void strike(arena_device *, uint32_t *random);

#endif
