/* SPDX-License-Identifier: Apache-2.0 */
/* Runs other programs, and ends them and the tool cleanly when a signal asks for it. */
#ifndef ACCELCC_PROCESS_H
#define ACCELCC_PROCESS_H

#include "base/list.h"

typedef struct process_result {
    int status;         /* exit status; 128 + number if a signal ended it */
    const char *output; /* stdout and stderr together; the arena's */
} process_result;

/* Runs command[0], a path, and waits. `directory` is its working directory, NULL for ours. stdin is empty. `echo` shows
 * the command first. Returns false after a message if it could not be started. */
bool process_run(const list *command, const char *directory, bool echo, process_result *);

/* From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT end the running command, and then the tool at its next process_check.
 * SIGPIPE is ignored. */
void process_catch_signals(void);
/* Runs the exit handlers and dies of the signal, if there was one. process_run calls it at its end. */
void process_check(void);

#endif
