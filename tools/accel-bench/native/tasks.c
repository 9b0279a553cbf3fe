/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenMP's form of work that runs beside its submitter: tasks, each of which waits for the one before, like launches of
 * a queue. Parameter 0: the number of tasks in a row. The submitter waits for the last.
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
