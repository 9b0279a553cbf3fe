/* SPDX-License-Identifier: Apache-2.0 */
#include "cases/neighbours.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void compute(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* accel-bench may be killed */
    if (getppid() != parent)
        _exit(0);
    for (volatile unsigned turn = 0;;)
        ++turn;
}

bool neighbours_start(neighbours *n)
{
    const pid_t parent = getpid();
    *n = (neighbours){0};
    for (int i = 0; i < NEIGHBOURS; ++i) {
        const pid_t id = fork();
        if (id == 0)
            compute(parent);
        if (id < 0) {
            fprintf(stderr, "accel-bench: a busy process: %s\n", strerror(errno));
            return false;
        }
        n->ids[i] = id;
    }
    return true;
}

void neighbours_end(neighbours *n)
{
    for (int i = 0; i < NEIGHBOURS; ++i) {
        if (n->ids[i] == 0)
            continue;
        kill(n->ids[i], SIGKILL);
        waitpid(n->ids[i], NULL, 0);
        n->ids[i] = 0;
    }
}
