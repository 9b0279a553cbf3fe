/* SPDX-License-Identifier: Apache-2.0 */
/* Programs beside this one: a native one (native/serve.c) that answers requests, and others that run once. */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "native/protocol.h"

typedef struct bench_process {
    pid_t id; /* 0: not started */
    int socket;
    bool polls; /* its idle threads never sleep, so it is stopped between requests */
} bench_process;

/* Starts it with these variables, "NAME=VALUE", in place of the environment's; the list ends with NULL. Returns false
 * without a message if there is no such program, and sets *missing. */
bool process_start(bench_process *, const char *path, const char *const *variables, bool *missing);
void process_end(bench_process *);

/* Runs a program with one argument (NULL: none) to its end. A variable without a value is taken out of its environment. *told is the
 * struct of `size` bytes that it writes to its standard output. Returns false after a message. */
bool process_run(const char *path, const char *argument, const char *const *variables, void *told, size_t size);

/* Returns false after a message if the program has ended. A failure of the request is in the reply. */
bool process_ask(const bench_process *, const native_request *, native_reply *);

#endif
