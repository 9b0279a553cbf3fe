/* SPDX-License-Identifier: Apache-2.0 */
/* The protocol of accel-bench and a native program: requests on its standard input, replies on its standard output. */
#ifndef NATIVE_PROTOCOL_H
#define NATIVE_PROTOCOL_H

#include "way.h"

enum { NATIVE_OPEN = 1, NATIVE_RUN, NATIVE_CHECK, NATIVE_CLOSE };
enum { NATIVE_DONE = 1, NATIVE_NO_SUCH_WAY, NATIVE_NO_MEMORY, NATIVE_WRONG };

typedef struct native_request {
    uint32_t operation;
    uint32_t handle;                         /* of what OPEN opened */
    char way[32];                            /* OPEN */
    uint64_t parameters[NATIVE_PARAMETERS];  /* OPEN */
    uint64_t repetitions, pause_nanoseconds; /* RUN: with a pause, one at a time, each after computing for so long */
    uint32_t counts_cpu;                     /* RUN: the time is CPU time of all threads, pauses included */
    uint32_t latest_of;                      /* RUN: a repetition is so many, of which the longest counts; 0: one */
} native_request;

typedef struct native_reply {
    uint32_t result;
    uint32_t handle;    /* OPEN */
    double nanoseconds; /* RUN: of all repetitions */
} native_reply;

#endif
