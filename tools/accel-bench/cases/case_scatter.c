/* SPDX-License-Identifier: Apache-2.0 */
/* Updates that hit few cells many times: by atomics, and in copies of the cells that are combined afterwards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/cases.h"
#include "clock.h"
#include "kernels/bench_kernels.h"
#include "cases/scatter_values.h"

/* APART: bytes between copies. What one CPU's prefetching asks for behind its own copy, another one is writing. */
enum { APART = 512 };
enum { N = 10000000, QUICK_N = 20000, CELLS = 20 * 20 * 20, GPU_BLOCKS = 64, GPU_THREADS = 256 };

/* The order is that of the native ways. */
static const struct {
    const char *name, *by_atomics, *by_copies, *together;
    size_t size;
    int parts;
} types[] = {
    {"int", "scatter_int", "copies_int", "copies_int_together", sizeof(int), 1},
    {"double", "scatter_double", "copies_double", "copies_double_together", sizeof(double), 1},
    {"complex float", "scatter_complex_float", "copies_complex_float", "copies_complex_float_together",
     sizeof(complex_float), 2},
    {"complex double", "scatter_complex_double", "copies_complex_double", "copies_complex_double_together",
     sizeof(complex_double), 2},
};

typedef struct scatter_state {
    size_t type;
    accel_queue *queue;
    accel_kernel *kernel, *together;
    accel_work work, together_work;
    accel_buffer *cell, *value, *to, *copies;
    scatter_args args;
    size_t done; /* passes */
} scatter_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    scatter_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &s->args, sizeof s->args);
        if (s->together != NULL)
            status |= accel_launch(s->queue, s->together, &s->together_work, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    s->done += repetitions;
    return bench_check("scatter", status);
}

static bool validate(void *user)
{
    const scatter_state *s = user;
    static complex_double found[CELLS]; /* the largest type */
    static long long sum[CELLS][2];
    memset(sum, 0, sizeof sum);
    for (size_t i = 0; i < s->args.n; ++i)
        for (int part = 0; part < 2; ++part)
            sum[scatter_cell((uint32_t)i, CELLS)][part] += scatter_value((uint32_t)i, part);
    if (!bench_check("scatter", accel_read(s->queue, found, s->to)) ||
        !bench_check("scatter", accel_queue_wait(s->queue)))
        return false;
    for (size_t c = 0; c < CELLS; ++c)
        for (int part = 0; part < types[s->type].parts; ++part) {
            const double expected = (double)(sum[c][part] * (long long)s->done);
            if (scatter_part(found, s->type, c, part) != expected) {
                fprintf(stderr, "accel-bench: scatter: %s: part %d of cell %zu is %.17g, not %.17g\n",
                        types[s->type].name, part, c, scatter_part(found, s->type, c, part), expected);
                return false;
            }
        }
    return true;
}

static bool fill(scatter_state *s)
{
    const size_t n = s->args.n;
    uint32_t *cell = malloc(n * sizeof *cell);
    void *value = malloc(n * types[s->type].size);
    bool good = cell != NULL && value != NULL;
    for (size_t i = 0; good && i < n; ++i) {
        cell[i] = scatter_cell((uint32_t)i, CELLS);
        scatter_put(value, s->type, i, scatter_value((uint32_t)i, 0), scatter_value((uint32_t)i, 1));
    }
    good = good && bench_check("scatter", accel_write(s->queue, s->cell, cell)) &&
           bench_check("scatter", accel_write(s->queue, s->value, value));
    free(value);
    free(cell);
    return good;
}

static bool open_state(bench *b, scatter_state *s, size_t type)
{
    const bool cpu = b->about.kind == ACCEL_DEVICE_CPU;
    const size_t n = b->quick ? QUICK_N : N, size = types[type].size;
    const size_t copies = cpu ? b->about.compute_units : (size_t)GPU_BLOCKS;
    const accel_buffer_desc cells = accel_buffer_1d(size, CELLS), values = accel_buffer_1d(size, n),
                            indices = accel_buffer_1d(sizeof(uint32_t), n),
                            all_copies = accel_buffer_1d(size, (CELLS + APART / size) * copies);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    const uint64_t zero = 0;
    *s = (scatter_state){.type = type, .work = ACCEL_WORK_INIT, .together_work = ACCEL_WORK_INIT};
    if (!bench_check("scatter", accel_queue_create(b->device, &desc, &s->queue)) ||
        !bench_check("scatter", accel_buffer_create(b->device, &indices, &s->cell)) ||
        !bench_check("scatter", accel_buffer_create(b->device, &values, &s->value)) ||
        !bench_check("scatter", accel_buffer_create(b->device, &cells, &s->to)) ||
        !bench_check("scatter", accel_buffer_create(b->device, &all_copies, &s->copies)))
        return false;
    s->args = (scatter_args){.n = n,
                             .cells = CELLS,
                             .cell = accel_buffer_ptr(s->cell),
                             .value = accel_buffer_ptr(s->value),
                             .to = accel_buffer_ptr(s->to),
                             .copies = accel_buffer_ptr(s->copies),
                             .copy_count = copies,
                             .copy_stride = CELLS + APART / size};
    return bench_check("scatter", accel_fill(s->queue, s->to, &zero, size < 8 ? size : 8, NULL)) && fill(s);
}

static void close_state(scatter_state *s)
{
    accel_buffer_release(s->copies);
    accel_buffer_release(s->to);
    accel_buffer_release(s->value);
    accel_buffer_release(s->cell);
    accel_queue_release(s->queue);
}

/* A block per copy. */
static bool divide_copies(bench *b, scatter_state *s)
{
    const size_t cells = CELLS * (size_t)types[s->type].parts,
                 threads = b->about.kind == ACCEL_DEVICE_CPU ? 1 : GPU_THREADS;
    s->work = accel_work_1d(s->args.copy_count, threads, 1);
    return bench_check("scatter", accel_work_divide(s->together, 1, &cells, NULL, &s->together_work));
}

/* Whether reading ahead pays depends on the processor. The natives have it both ways, too. */
static bool choose_copies(scatter_state *s, accel_module *module)
{
    enum { TRIALS = 5 };
    char name[64];
    accel_kernel *const plain = s->kernel;
    accel_kernel *ahead;
    double best[2] = {0};
    snprintf(name, sizeof name, "%s_ahead", types[s->type].by_copies);
    if (!bench_check("scatter", accel_module_kernel(module, name, &ahead)))
        return false;
    for (int trial = 0; trial < 2 * TRIALS; ++trial) {
        double nanoseconds;
        s->kernel = trial % 2 == 0 ? plain : ahead;
        if (!sample(s, 1, &nanoseconds))
            return false;
        if (trial < 2 || nanoseconds < best[trial % 2])
            best[trial % 2] = nanoseconds;
    }
    s->kernel = best[0] <= best[1] ? plain : ahead;
    return true;
}

static bool run_type(bench *b, size_t type, bool copies)
{
    char name[64];
    scatter_state s;
    accel_module *module = NULL;
    const uint64_t parameters[NATIVE_PARAMETERS] = {b->quick ? QUICK_N : N, CELLS, type};
    bench_contest c = {.name = name,
                       .measure = MEASURE_RATE,
                       .amount = (double)parameters[0],
                       .goal = GOAL_RATIO,
                       .goal_value = copies ? 1 : 1.1,
                       .goal_device = "cpu-threads"};
    snprintf(name, sizeof name, "scatter %s, %s", copies ? "into copies" : "by atomics", types[type].name);
    bool good = open_state(b, &s, type) &&
                bench_load(b, "bench", copies ? types[type].by_copies : types[type].by_atomics, &module, &s.kernel) &&
                (!copies || bench_check("scatter", accel_module_kernel(module, types[type].together, &s.together))) &&
                (copies ? divide_copies(b, &s) && choose_copies(&s, module)
                        : bench_check("scatter", accel_work_divide(s.kernel, 1, &s.args.n, NULL, &s.work))) &&
                bench_add_native(b, &c, BENCH_C, copies ? "scatter-copies-omp" : "scatter-omp", parameters) &&
                bench_add_native(b, &c, BENCH_C, copies ? "scatter-copies-ahead-omp" : "scatter-ahead-omp", parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    accel_module_release(module);
    close_state(&s);
    return good;
}

enum case_result case_scatter(bench *b)
{
    for (size_t type = 0; type < SCATTER_TYPES; ++type)
        if (!run_type(b, type, false) || !run_type(b, type, true))
            return CASE_FAILED;
    return CASE_DONE;
}
