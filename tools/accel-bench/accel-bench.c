/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel-bench - what libaccel costs, beside the native way.
 *
 *   cases.c, case_*.c   what is measured         harness.c            how: in turns, medians
 *   kernels/            the kernels              native/              the plain C beside them
 */
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "options.h"

static int run_cases(const bench_options *options, bench *b)
{
    int failures = 0;
    report_begin(&b->report, &b->about);
    for (size_t i = 0; i < bench_case_count; ++i)
        if (options->wanted[i] && bench_cases[i].run(b) == CASE_FAILED) {
            fprintf(stderr, "accel-bench: case %s failed: no numbers from it\n", bench_cases[i].name);
            failures++;
        }
    report_end(&b->report);
    return failures == 0 ? 0 : 1;
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
    case PARSED_HELP:
        result = 0;
        break;
    case PARSED:
        if (options.list) {
            for (size_t i = 0; i < bench_case_count; ++i)
                printf("%-14s %s\n", bench_cases[i].name, bench_cases[i].what);
            result = 0;
            break;
        }
        bench b = {.plan = {.rounds = 101, .fewest_rounds = 5, .case_seconds = 3, .sample_seconds = 5e-4},
                   .report = {.json = options.json}};
        if (options.rounds != 0)
            b.plan.rounds = b.plan.fewest_rounds = options.rounds;
        result = bench_open(&b, options.device) ? run_cases(&options, &b) : 1;
        bench_close(&b);
        break;
    }
    free(wanted);
    return result;
}
