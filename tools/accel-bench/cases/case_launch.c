/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <time.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"

static const uint64_t long_pause = 20 * 1000 * 1000; /* ns: pools fall asleep */

typedef struct launch_state {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel, *count;
    accel_work work;
    uint64_t pause_nanoseconds;
} launch_state;

static void empty(void)
{
}

static void (*volatile call)(void) = empty;

/* What one block without work comes down to. More have nothing beside them: calls one after the other are more work than blocks that
 * a loop in one call runs, and a team of threads is for blocks with work (launch-gaps). */
static bool sample_call(void *user, size_t repetitions, double *nanoseconds)
{
    (void)user;
    const double start = clock_now();
    for (size_t i = 0; i < repetitions; ++i)
        call();
    *nanoseconds = clock_now() - start;
    return true;
}

static bool sample_launch(void *user, size_t repetitions, double *nanoseconds)
{
    const launch_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t i = 0; i < repetitions; ++i) {
        status |= accel_launch(s->queue, s->kernel, &s->work, NULL, 0);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("launch", status);
}

static bool sample_asleep(void *user, size_t repetitions, double *nanoseconds)
{
    const launch_state *s = user;
    const struct timespec pause = {.tv_nsec = (long)s->pause_nanoseconds};
    double total = 0, time;
    for (size_t i = 0; i < repetitions; ++i) {
        nanosleep(&pause, NULL);
        if (!sample_launch(user, 1, &time))
            return false;
        total += time;
    }
    *nanoseconds = total;
    return true;
}

/* An empty kernel leaves no trace, so another one shows that each block of a launch on this queue runs once. */
static bool validate(const bench *b, const launch_state *s)
{
    enum { LAUNCHES = 1000 };
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(uint64_t), s->work.blocks[0]);
    const uint64_t zero = 0;
    accel_buffer *buffer = NULL;
    uint64_t counted[1024];
    bool good = bench_check("launch", accel_buffer_create(b->device, &desc, &buffer)) &&
                bench_check("launch", accel_fill(s->queue, buffer, &zero, sizeof zero, NULL));
    const count_args args = {accel_buffer_ptr(buffer)};
    for (int i = 0; good && i < LAUNCHES; ++i)
        good = bench_check("launch", accel_launch(s->queue, s->count, &s->work, &args, sizeof args));
    good = good && bench_check("launch", accel_read(s->queue, counted, buffer)) &&
           bench_check("launch", accel_queue_wait(s->queue));
    for (size_t i = 0; good && i < s->work.blocks[0]; ++i)
        if (counted[i] != LAUNCHES) {
            fprintf(stderr, "accel-bench: launch: block %zu of %d launches ran %llu times\n", i, LAUNCHES,
                    (unsigned long long)counted[i]);
            good = false;
        }
    accel_buffer_release(buffer);
    return good;
}

typedef struct launch_row {
    const char *name;
    uint32_t blocks;
    uint64_t pause_nanoseconds;
    double goal; /* ns on cpu-serial; 0: none */
} launch_row;

static bool run_row(bench *b, launch_state *s, const launch_row *row)
{
    bench_contest c = {.name = row->name,
                       .measure = MEASURE_TIME,
                       .goal = row->goal != 0 ? GOAL_AT_MOST : GOAL_NONE,
                       .goal_value = row->goal,
                       .goal_device = "cpu-serial"};
    s->work = accel_work_1d(row->blocks, 1, 1);
    s->pause_nanoseconds = b->quick ? row->pause_nanoseconds / 20 : row->pause_nanoseconds;
    if (row->blocks == 1 && s->pause_nanoseconds == 0) /* calls do not fall asleep */
        bench_add_way(&c, "call", sample_call, s);
    bench_way *ours = bench_add_way(&c, "libaccel", s->pause_nanoseconds != 0 ? sample_asleep : sample_launch, s);
    ours->cold = s->pause_nanoseconds != 0;
    ours->repetitions = ours->cold;
    return validate(b, s) && bench_run(b, &c, NULL, NULL);
}

static bool open_state(bench *b, launch_state *s, uint32_t flags)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = flags;
    *s = (launch_state){.work = ACCEL_WORK_INIT};
    return bench_check("launch", accel_queue_create(b->device, &desc, &s->queue)) &&
           bench_load(b, "bench", "empty", &s->module, &s->kernel) &&
           bench_check("launch", accel_module_kernel(s->module, "count", &s->count));
}

static enum case_result run_rows(bench *b, uint32_t flags, const launch_row *rows, size_t count)
{
    launch_state s;
    bool good = open_state(b, &s, flags);
    for (size_t i = 0; good && i < count; ++i)
        good = run_row(b, &s, &rows[i]);
    accel_module_release(s.module);
    accel_queue_release(s.queue);
    return good ? CASE_DONE : CASE_FAILED;
}

enum case_result case_launch(bench *b)
{
    const launch_row rows[] = {
        {"launch and wait, 1 block", 1, 0, 25},       {"launch and wait, 2 blocks", 2, 0, 0},
        {"launch and wait, 1024 blocks", 1024, 0, 0}, {"asleep, 2 blocks", 2, long_pause, 0},
        {"asleep, 1024 blocks", 1024, long_pause, 0},
    };
    return run_rows(b, ACCEL_QUEUE_BLOCKING, rows, sizeof rows / sizeof rows[0]);
}

enum case_result case_launch_non_blocking(bench *b)
{
    const launch_row rows[] = {
        {"non-blocking, 1 block", 1, 0, 0},
        {"non-blocking, 2 blocks", 2, 0, 0},
        {"non-blocking, 1024 blocks", 1024, 0, 0},
        {"non-blocking, asleep, 2 blocks", 2, long_pause, 0},
    };
    return run_rows(b, 0, rows, sizeof rows / sizeof rows[0]);
}
