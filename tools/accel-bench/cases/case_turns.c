/* SPDX-License-Identifier: Apache-2.0 */
/* A DAXPY and a dot product in turns on the same arrays, as iterative solvers have them. One is divided into blocks, the other into
 * tiles, whose numbers differ. Each CPU should get the same elements in both, or the arrays move between the CPUs' caches. */
#include <accel/pattern.h>
#include <stdio.h>

#include "cases/axpy_vectors.h"
#include "cases/cases.h"
#include "clock.h"

typedef struct turns_state {
    axpy_vectors vectors;
    accel_kernel *dot;
    accel_buffer *result;
    double squares; /* the dot product of x with itself */
} turns_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    turns_state *s = user;
    axpy_vectors *v = &s->vectors;
    const size_t n = v->args.n;
    const pattern_args arrays = {v->args.x, v->args.y};
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(v->queue, v->kernel, &v->work, &v->args, sizeof v->args);
        status |= accel_reduce(v->queue, s->dot, 1, &n, &arrays, sizeof arrays, s->result);
        status |= accel_queue_wait(v->queue);
    }
    *nanoseconds = clock_now() - start;
    v->done += (double)repetitions;
    return bench_check("turns", status);
}

static bool validate(void *user)
{
    const turns_state *s = user;
    const double dot = *(const double *)accel_buffer_ptr(s->result), expected = s->vectors.done * s->squares;
    if (dot != expected)
        fprintf(stderr, "accel-bench: turns: the dot product of %zu numbers is %.17g, not %.17g\n", s->vectors.args.n,
                dot, expected);
    return dot == expected && axpy_vectors_valid(&s->vectors);
}

static bool run_size(bench *b, turns_state *s, size_t n)
{
    char name[64];
    const uint64_t parameters[NATIVE_PARAMETERS] = {n};
    const double bytes = 40.0 * (double)n, flops = 4.0 * (double)n;
    bench_contest c = {.name = name,
                       .measure = MEASURE_BANDWIDTH,
                       .amount = bytes,
                       .bytes = bytes,
                       .flops = flops,
                       .goal = GOAL_RATIO,
                       .goal_value = 0.98,
                       .goal_device = "cpu-threads"};
    snprintf(name, sizeof name, "axpy and dot in turns, n = %zu", n);
    s->squares = 0;
    for (size_t i = 0; i < n; ++i)
        s->squares += axpy_vectors_x(i) * axpy_vectors_x(i);
    bool good = axpy_vectors_create(b, &s->vectors, n) && bench_add_native(b, &c, BENCH_C, "turns-omp", parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample, s);
        good = bench_run(b, &c, validate, s);
    }
    axpy_vectors_release(&s->vectors);
    return good;
}

enum case_result case_turns(bench *b)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    const accel_buffer_desc result = accel_buffer_1d(sizeof(double), 1);
    accel_module *module = NULL, *again = NULL;
    turns_state s = {.vectors = {.work = ACCEL_WORK_INIT}};
    const bool good = bench_check("turns", accel_queue_create(b->device, &desc, &s.vectors.queue)) &&
                      bench_check("turns", accel_buffer_create(accel_instance_host(b->instance), &result, &s.result)) &&
                      bench_load(b, "bench", "axpy", &module, &s.vectors.kernel) &&
                      bench_load(b, "bench", "pattern_dot", &again, &s.dot) && run_size(b, &s, 100000) &&
                      run_size(b, &s, 1 << 18) && (b->quick || (run_size(b, &s, 1 << 20) && run_size(b, &s, 10000000)));
    accel_buffer_release(s.result);
    accel_module_release(again);
    accel_module_release(module);
    accel_queue_release(s.vectors.queue);
    return good ? CASE_DONE : CASE_FAILED;
}
