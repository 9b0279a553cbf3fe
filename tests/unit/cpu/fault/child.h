/* SPDX-License-Identifier: Apache-2.0 */
/* Deeds that may end the process, done in a child. */
#ifndef UNIT_CHILD_H
#define UNIT_CHILD_H

#include <check.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_EXITED = 256 };

/* How a child ends that does this: its signal, or CHILD_EXITED and its exit status. */
static inline int child_end(void (*does)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        does();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : CHILD_EXITED + WEXITSTATUS(status);
}

#endif
