/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What OpenMP has for work that goes on while its submitter does: tasks of which each waits for the one before, as launches of
 * a queue do. Parameter 0: how many of them in a row, the last of which is waited for.
 */
#include <stdlib.h>

#include "way.h"

typedef struct tasks_state {
    size_t row;
    uint64_t created, count;
} tasks_state;

static void *open_tasks(const uint64_t parameters[NATIVE_PARAMETERS])
{
    tasks_state *s = malloc(sizeof *s);
    if (s != NULL)
        *s = (tasks_state){.row = parameters[0]};
    return s;
}

static void run_tasks(void *state, size_t repetitions)
{
    tasks_state *s = state;
    uint64_t *count = &s->count;
#pragma omp parallel
#pragma omp single
    for (size_t r = 0; r < repetitions; ++r) {
        for (size_t i = 0; i < s->row; ++i) {
#pragma omp task depend(inout : count[0])
            ++*count;
        }
#pragma omp taskwait
    }
    s->created += repetitions * s->row;
}

static bool check_tasks(void *state)
{
    const tasks_state *s = state;
    return s->count == s->created;
}

const native_way native_tasks = {
    .name = "omp-tasks", .open = open_tasks, .run = run_tasks, .check = check_tasks, .close = free};
