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

/* With these variables, "NAME=VALUE", instead of the environment's; ends with NULL. A program that is not there is no
 * failure worth a message: false, *missing says which it was. */
bool process_start(bench_process *, const char *path, const char *const *variables, bool *missing);
void process_end(bench_process *);

/* False after a message: the program has ended. What it could not do is in the reply. */
bool process_ask(const bench_process *, const native_request *, native_reply *);

#endif
