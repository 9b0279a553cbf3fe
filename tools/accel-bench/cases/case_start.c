/* SPDX-License-Identifier: Apache-2.0 */
/* What a program pays before it computes: new processes, because a library is loaded once in each. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cases/cases.h"
#include "clock.h"
#include "start/told.h"

/* Which of a new process's numbers counts. */
enum what { CREATE, PROGRAM, MEMORY };

typedef struct start_state {
    char path[sizeof((bench *)NULL)->directory + 32]; /* of the program */
    const char *kernels;
    const char *variables[2]; /* of its environment; without a value: not set */
    enum what what;
} start_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const start_state *s = user;
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        start_told told;
        const double start = clock_now();
        if (!process_run(s->path, s->kernels, s->variables, &told, sizeof told))
            return false;
        *nanoseconds += s->what == CREATE ? told.create_ns : s->what == PROGRAM ? clock_now() - start : told.peak_kib;
    }
    return true;
}

/* Beside this program in a build tree, in the private directory of an installation. */
static bool find(const bench *b, const char *name, start_state *s)
{
    const char *const directories[] = {b->beside, b->directory};
    for (int i = 0; i < 2; ++i) {
        snprintf(s->path, sizeof s->path, "%s/%s", directories[i], name);
        if (access(s->path, X_OK) == 0)
            return true;
    }
    return false;
}

static bool run(bench *b, const char *name, enum what what, const char *backends, double goal)
{
    start_state ours = {.kernels = b->directory, .variables = {backends, NULL}, .what = what};
    start_state native = {.variables = {"OMP_PROC_BIND", NULL}, .what = what};
    start_state bound = {.variables = {"OMP_PROC_BIND=true", NULL}, .what = what};
    bench_contest c = {.name = name,
                       .measure = what == MEMORY ? MEASURE_MEMORY : MEASURE_TIME,
                       .goal = goal != 0 ? GOAL_AT_MOST : GOAL_NONE,
                       .goal_value = goal,
                       .goal_device = "cpu-threads"};
    if (!find(b, "first-launch", &ours)) {
        fprintf(stderr,
                "accel-bench: start: there is no first-launch beside the kernels; install all of accel-bench\n");
        return false;
    }
    if (what != CREATE && bench_has_host_memory(b) && find(b, "first-region", &native) &&
        find(b, "first-region", &bound)) {
        bench_add_way(&c, "omp-program", sample, &native);
        bench_add_way(&c, "omp-program bound", sample, &bound);
    }
    bench_add_way(&c, "libaccel", sample, &ours);
    for (size_t i = 0; what == MEMORY && i < c.count; ++i)
        c.ways[i].repetitions = 1;
    return bench_run(b, &c, NULL, NULL);
}

enum case_result case_start(bench *b)
{
    char one[96];
    const char *const all = "ACCEL_BACKEND"; /* without a value: not set */
    snprintf(one, sizeof one, "ACCEL_BACKEND=%s", b->about.backend);
    const bool good = run(b, "accel_instance_create, all backends", CREATE, all, 2e6) &&
                      run(b, "accel_instance_create, this backend", CREATE, one, 0) &&
                      run(b, "first launch of a program, all backends", PROGRAM, all, 4e6) &&
                      run(b, "first launch of a program, this backend", PROGRAM, one, 2.5e6) &&
                      run(b, "peak memory of it, all backends", MEMORY, all, 0) &&
                      run(b, "peak memory of it, this backend", MEMORY, one, 0);
    return good ? CASE_DONE : CASE_FAILED;
}
