/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that compute all the time, as other users of a machine do. */
#ifndef BENCH_NEIGHBOURS_H
#define BENCH_NEIGHBOURS_H

#include <stdbool.h>
#include <sys/types.h>

enum { NEIGHBOURS = 2 };

typedef struct neighbours {
    pid_t ids[NEIGHBOURS]; /* 0: none */
} neighbours;

/* Returns false after a message. neighbours_end is to be called then, too. They end with the calling thread at the latest. */
bool neighbours_start(neighbours *);
void neighbours_end(neighbours *);

#endif
