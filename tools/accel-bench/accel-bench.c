/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel-bench - measures libaccel beside the native way.
 *
 *   cases.c, case_*.c   what is measured         harness.c, settle.c  how: in turns, medians
 *   kernels/            the kernels              native/              the programs beside them
 *   bench.c             what cases share         report*.c            table, JSON, page
 */
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "options.h"

/* The roofs of the roofline: what native programs reach on all cores. */
static bool measure_roof(bench *b)
{
    const double flops = 1e9;
    const size_t n = b->quick ? 100000 : 10000000;
    const uint64_t peak[NATIVE_PARAMETERS] = {(uint64_t)flops}, triad[NATIVE_PARAMETERS] = {n};
    const bench_plan plan = {
        .rounds = b->quick ? 1 : 5, .fewest_rounds = 1, .case_seconds = 1, .sample_seconds = b->quick ? 0 : 1e-2};
    bench_contest c = {.name = "roof"};
    size_t rounds;
    if (!bench_add_native(b, &c, BENCH_C, "peak-omp", peak) || !bench_add_native(b, &c, BENCH_C, "stream-triad", triad))
        return false;
    if (c.count == 2 && harness_run(&plan, NULL, 0, c.ways, c.count, &rounds))
        b->report.roof = (bench_roof){flops / c.ways[0].nanoseconds.low, 24.0 * (double)n / c.ways[1].nanoseconds.low};
    return bench_finish(&c);
}

/* Returns false after a message. */
static bool run_case(const bench_case *which, bool named, bench *b)
{
    b->case_name = which->name;
    switch (which->run(b)) {
    case CASE_SKIPPED:
        if (named)
            fprintf(stderr, "accel-bench: case %s skipped: it is for GPUs, and %s is none; --backend names a device\n",
                    which->name, b->about.name);
        break;
    case CASE_FAILED:
        fprintf(stderr, "accel-bench: case %s failed: no numbers from it\n", which->name);
        return false;
    case CASE_DONE:
        break;
    }
    return true;
}

static int run_cases(const bench_options *options, bench *b)
{
    int failures = 0;
    if (!report_open(&b->report))
        return 1;
    b->case_name = "roof";
    b->report.signal = bench_signal(b);
    if (!measure_roof(b))
        return 1;
    if (!report_begin(&b->report))
        return 1;
    for (size_t i = 0; i < bench_case_count; ++i)
        failures += options->wanted[i] && !run_case(&bench_cases[i], options->named, b);
    return report_end(&b->report) && failures == 0 ? 0 : 1;
}

static bench_plan make_plan(const bench_options *options)
{
    bench_plan plan = {.rounds = 101,
                       .fewest_rounds = 7,
                       .case_seconds = 2,
                       .sample_seconds = 5e-4,
                       .warm_seconds = 2e-4,
                       .settles = true};
    if (options->quick)
        plan = (bench_plan){.rounds = 2, .fewest_rounds = 2, .case_seconds = 1};
    if (options->rounds != 0)
        plan.rounds = plan.fewest_rounds = options->rounds;
    return plan;
}

/* 0, or 1 after a message. */
static int end_answer(void)
{
    if (fflush(stdout) == 0)
        return 0;
    fputs("accel-bench: standard output could not be written\n", stderr);
    return 1;
}

int main(int argc, char **argv)
{
    bool *wanted = calloc(bench_case_count, sizeof *wanted);
    if (wanted == NULL)
        return 1;
    int result = 2;
    bench_options options;
    switch (options_parse(argc, argv, wanted, &options)) {
    case PARSE_FAILED:
        break;
    case PARSED_ANSWERED:
        result = end_answer();
        break;
    case PARSED:
        if (options.list) {
            for (size_t i = 0; i < bench_case_count; ++i)
                printf("%-20s %s\n", bench_cases[i].name, bench_cases[i].what);
            result = end_answer();
            break;
        }
        bench b = {
            .plan = make_plan(&options),
            .quick = options.quick,
            .itself = options.itself,
            .report = {.json = options.json, .html = options.html, .quick = options.quick, .itself = options.itself}};
        result = bench_open(&b, options.device) ? run_cases(&options, &b) : 1;
        bench_close(&b);
        break;
    }
    free(wanted);
    return result;
}
