/* SPDX-License-Identifier: Apache-2.0 */
/* A native program (native/serve.c) that runs beside this one. */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <sys/types.h>

#include "native/protocol.h"

typedef struct bench_process {
    pid_t id; /* 0: not started */
    int socket;
} bench_process;

/* Starts it with these variables, "NAME=VALUE", in place of the environment's; the list ends with NULL. Returns false
 * without a message if there is no such program, and sets *missing. */
bool process_start(bench_process *, const char *path, const char *const *variables, bool *missing);
void process_end(bench_process *);

/* Returns false after a message if the program has ended. A failure of the request is in the reply. */
bool process_ask(const bench_process *, const native_request *, native_reply *);

#endif
