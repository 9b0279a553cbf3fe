/* SPDX-License-Identifier: Apache-2.0 */
/* Programs do other work between launches. Will the other threads be there when the next launch comes, and what does it cost
 * that they are? */
#include <inttypes.h>
#include <stdio.h>

#include "cases/busy_steps.h"
#include "cases/cases.h"
#include "cases/neighbours.h"
#include "clock.h"
#include "kernels/busy.h"

enum { BLOCKS = 2, LONG_GAP_US = 1000, FEW = 10 /* repetitions with such gaps, which nobody times */ };

typedef struct gaps_state {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *buffer;
    busy_args args;
    double gap_ns;
} gaps_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const gaps_state *s = user;
    const accel_work work = accel_work_1d(BLOCKS, 1, 1);
    accel_status status = ACCEL_OK;
    double total = 0;
    for (size_t i = 0; i < repetitions; ++i) {
        clock_compute(s->gap_ns);
        const double start = clock_now();
        status |= accel_launch(s->queue, s->kernel, &work, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
        total += clock_now() - start;
    }
    *nanoseconds = total;
    return bench_check("launch-gaps", status);
}

static bool validate(void *user)
{
    const gaps_state *s = user;
    uint64_t found[BLOCKS];
    if (!bench_check("launch-gaps", accel_read(s->queue, found, s->buffer)) ||
        !bench_check("launch-gaps", accel_queue_wait(s->queue)))
        return false;
    for (uint64_t block = 0; block < BLOCKS; ++block)
        if (found[block] != busy_value(block, s->args.steps)) {
            fprintf(stderr, "accel-bench: launch-gaps: block %" PRIu64 " gives %" PRIu64 "\n", block, found[block]);
            return false;
        }
    return true;
}

/* `launches` in each sample; 0: as many as usual. */
static bool run_row(bench *b, gaps_state *s, double steps_per_us, unsigned block_us, unsigned gap_us, double goal,
                    const char *beside, size_t launches)
{
    char name[64];
    s->args.steps = (uint64_t)(block_us * steps_per_us);
    s->gap_ns = 1000.0 * gap_us;
    const uint64_t parameters[NATIVE_PARAMETERS] = {s->args.steps};
    bench_contest c = {.name = name,
                       .measure = MEASURE_TIME,
                       .goal = GOAL_RATIO,
                       .goal_value = goal,
                       .goal_device = "cpu-threads",
                       .pause_nanoseconds = (uint64_t)s->gap_ns};
    snprintf(name, sizeof name, "2 blocks of %u us after %u us%s", block_us, gap_us, beside);
    if (!bench_add_native(b, &c, BENCH_C, "omp-busy", parameters) ||
        !bench_add_native(b, &c, BENCH_ACTIVE, "omp-busy", parameters) ||
        !bench_add_native(b, &c, BENCH_PASSIVE, "omp-busy", parameters))
        return false;
    bench_add_way(&c, "libaccel", sample, s);
    for (size_t i = 0; launches != 0 && i < c.count; ++i)
        c.ways[i].repetitions = launches;
    return bench_run(b, &c, validate, s);
}

static bool open_state(bench *b, gaps_state *s, uint32_t flags)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    const accel_buffer_desc values = accel_buffer_1d(sizeof(uint64_t), BLOCKS);
    desc.flags = flags;
    if (!bench_check("launch-gaps", accel_queue_create(b->device, &desc, &s->queue)) ||
        !bench_load(b, "bench", "busy", &s->module, &s->kernel) ||
        !bench_check("launch-gaps", accel_buffer_create(b->device, &values, &s->buffer)))
        return false;
    s->args.value = accel_buffer_ptr(s->buffer);
    return true;
}

static void close_state(gaps_state *s)
{
    accel_buffer_release(s->buffer);
    accel_module_release(s->module);
    accel_queue_release(s->queue);
}

/* More runnable threads than CPUs. A sample is so long that each way loses its CPUs several times. */
static bool run_beside_others(bench *b, gaps_state *s, double steps_per_us)
{
    enum { LAUNCHES = 50, QUICK_LAUNCHES = 4 };
    neighbours others;
    const bool good =
        neighbours_start(&others) &&
        run_row(b, s, steps_per_us, 20, 300, 1.05, ", beside two busy processes", b->quick ? QUICK_LAUNCHES : LAUNCHES);
    neighbours_end(&others);
    return good;
}

enum case_result case_launch_gaps(bench *b)
{
    static const struct {
        unsigned us;
        double goal;
    } gaps[] = {{0, 1.05}, {30, 1.05}, {100, 1.05}, {300, 1.05}, {1000, 1.05}, {10000, 1.2}};
    static const struct {
        unsigned us;
        size_t gaps; /* so many of them */
        double goal; /* without a gap; 0: as with other lengths */
    } blocks[] = {{1, 2, 0.7}, {4, 2, 0}, {10, 6, 0}, {20, 6, 0}, {40, 6, 0}};
    gaps_state s = {0};
    const double steps = busy_steps_per_us();
    bool good = open_state(b, &s, ACCEL_QUEUE_BLOCKING);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        for (size_t j = 0; j < blocks[i].gaps; ++j)
            if (good && (!b->quick || (i == 0 && j < 2)))
                good = run_row(b, &s, steps, blocks[i].us, gaps[j].us,
                               j == 0 && blocks[i].goal != 0 ? blocks[i].goal : gaps[j].goal, "",
                               gaps[j].us >= LONG_GAP_US ? FEW : 0);
    good = good && run_beside_others(b, &s, steps);
    close_state(&s);
    return good ? CASE_DONE : CASE_FAILED;
}

/* --- CPU time --- */

enum { LAUNCHES = 32, USES = 100, AFTER_NS = 100 * 1000 * 1000 };

typedef struct idle_state {
    gaps_state **queues; /* a blocking one, and another */
    long idle_ns;
} idle_state;

/* Of all threads, from the first launch on; gaps are the caller's own and count. What the other way left awake sleeps by then. */
static bool sample_cpu(void *user, size_t repetitions, double *nanoseconds)
{
    const gaps_state *s = user;
    const accel_work work = accel_work_1d(BLOCKS, 1, 1);
    const struct timespec settle = {.tv_nsec = 8 * 1000 * 1000};
    accel_status status = ACCEL_OK;
    nanosleep(&settle, NULL);
    const double start = clock_cpu();
    for (size_t i = 0; i < repetitions; ++i) {
        clock_compute(s->gap_ns);
        status |= accel_launch(s->queue, s->kernel, &work, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_cpu() - start;
    return bench_check("launch-cpu", status);
}

/* With long gaps, enough launches for the gaps between them to count. */
static void set_repetitions(bench_contest *c, unsigned gap_us)
{
    for (size_t i = 0; gap_us >= LONG_GAP_US / 10 && i < c->count; ++i)
        c->ways[i].repetitions = LAUNCHES;
}

static bool run_cpu(bench *b, gaps_state *queues[2], double steps_per_us, double block_us, unsigned gap_us)
{
    char name[64];
    bench_contest c = {
        .name = name, .measure = MEASURE_TIME, .goal = GOAL_RATIO, .goal_value = 1.1, .goal_device = "cpu-threads"};
    snprintf(name, sizeof name, "CPU time, 2 blocks of %g us after %u us", block_us, gap_us);
    for (int i = 0; i < 2; ++i) {
        queues[i]->args.steps = (uint64_t)(block_us * steps_per_us);
        queues[i]->gap_ns = 1000.0 * gap_us;
        bench_add_way(&c, i == 0 ? "blocking" : "libaccel", sample_cpu, queues[i]);
    }
    set_repetitions(&c, gap_us);
    return bench_run(b, &c, validate, queues[1]);
}

/* A launch of two blocks every millisecond, beside OpenMP's default, whose threads poll after a region. */
static bool run_cpu_native(bench *b, gaps_state *s, double steps_per_us)
{
    enum { BLOCK_US = 20 };
    s->args.steps = (uint64_t)(BLOCK_US * steps_per_us);
    s->gap_ns = 1000.0 * LONG_GAP_US;
    const uint64_t parameters[NATIVE_PARAMETERS] = {s->args.steps};
    bench_contest c = {.name = "CPU time beside OpenMP's, each ms",
                       .measure = MEASURE_TIME,
                       .goal = GOAL_RATIO,
                       .goal_value = 1,
                       .goal_device = "cpu-threads",
                       .pause_nanoseconds = (uint64_t)s->gap_ns,
                       .counts_cpu = true};
    if (!bench_add_native(b, &c, BENCH_C, "omp-busy", parameters))
        return false;
    bench_add_way(&c, "libaccel", sample_cpu, s);
    set_repetitions(&c, LONG_GAP_US);
    return bench_run(b, &c, validate, s);
}

/* CPU time in a second of a program that has launched nothing for a while; both queues were in use. */
static bool sample_idle(void *user, size_t repetitions, double *nanoseconds)
{
    const idle_state *s = user;
    const struct timespec pause = {.tv_nsec = 100 * 1000 * 1000}, idle = {.tv_nsec = s->idle_ns};
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        double time;
        for (int i = 0; i < 2; ++i)
            if (!sample(s->queues[i], USES, &time))
                return false;
        nanosleep(&pause, NULL);
        const double start = clock_now(), used = clock_cpu();
        nanosleep(&idle, NULL);
        *nanoseconds += 1e9 * (clock_cpu() - used) / (clock_now() - start);
    }
    return true;
}

/* Under 1 % of a CPU. */
static bool run_idle(bench *b, gaps_state *queues[2])
{
    idle_state s = {.queues = queues, .idle_ns = b->quick ? 50 * 1000 * 1000 : 999 * 1000 * 1000};
    bench_contest c = {.name = "CPU time of an idle second",
                       .measure = MEASURE_TIME,
                       .goal = GOAL_AT_MOST,
                       .goal_value = 1e7,
                       .most_rounds = 3};
    bench_way *way = bench_add_way(&c, "libaccel", sample_idle, &s);
    way->cold = true;
    way->repetitions = 1;
    return bench_run(b, &c, validate, queues[1]);
}

/* CPU time from the last launch on, while the threads find out that no other follows. */
static bool sample_after(void *user, size_t repetitions, double *nanoseconds)
{
    const struct timespec idle = {.tv_nsec = AFTER_NS};
    *nanoseconds = 0;
    for (size_t r = 0; r < repetitions; ++r) {
        double time;
        if (!sample(user, USES, &time))
            return false;
        const double used = clock_cpu();
        nanosleep(&idle, NULL);
        *nanoseconds += clock_cpu() - used;
    }
    return true;
}

/* Under 1 % of a CPU, after a launch every millisecond: through such gaps workers wait longest. */
static bool run_after(bench *b, const char *name, gaps_state *s, double steps_per_us)
{
    s->args.steps = (uint64_t)(20 * steps_per_us);
    s->gap_ns = 1000.0 * LONG_GAP_US;
    bench_contest c = {.name = name, .measure = MEASURE_TIME, .goal = GOAL_AT_MOST, .goal_value = AFTER_NS / 100.0};
    bench_way *way = bench_add_way(&c, "libaccel", sample_after, s);
    way->cold = true;
    way->repetitions = 1;
    return bench_run(b, &c, validate, s);
}

enum case_result case_launch_cpu(bench *b)
{
    static const struct {
        double block_us;
        unsigned gap_us;
    } rows[] = {{0, 0}, {0, 30}, {20, 0}, {20, 100}, {20, 1000}};
    gaps_state blocking = {0}, other = {0}, *queues[2] = {&blocking, &other};
    const double steps = busy_steps_per_us();
    bool good = open_state(b, &blocking, ACCEL_QUEUE_BLOCKING) && open_state(b, &other, 0);
    for (size_t i = 0; good && i < sizeof rows / sizeof rows[0]; ++i)
        good = run_cpu(b, queues, steps, rows[i].block_us, rows[i].gap_us);
    good = good && run_cpu_native(b, &blocking, steps) && run_idle(b, queues) &&
           run_after(b, "CPU time in 100 ms after launches, blocking", &blocking, steps) &&
           run_after(b, "CPU time in 100 ms after launches", &other, steps);
    close_state(&other);
    close_state(&blocking);
    return good ? CASE_DONE : CASE_FAILED;
}
