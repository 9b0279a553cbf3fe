/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

/* Doubles the repetitions until a sample lasts long enough. The first call also warms caches and page tables. *seconds
 * is how long a sample then takes, pauses that it does not count included. */
static bool calibrate(const bench_plan *plan, const bench_way *way, size_t *repetitions, double *seconds)
{
    double nanoseconds;
    if (!way->sample(way->state, 1, &nanoseconds))
        return false;
    for (*repetitions = 1;; *repetitions *= 2) {
        const double start = clock_now();
        if (!way->sample(way->state, *repetitions, &nanoseconds))
            return false;
        *seconds = 1e-9 * (clock_now() - start);
        if (*seconds >= plan->sample_seconds || *repetitions > ((size_t)1 << 40))
            return true;
    }
}

static size_t choose_rounds(const bench_plan *plan, double round_seconds)
{
    const double affordable = plan->case_seconds / round_seconds;
    if (affordable >= (double)plan->rounds)
        return plan->rounds;
    const size_t rounds = (size_t)affordable;
    const size_t fewest = plan->fewest_rounds < plan->rounds ? plan->fewest_rounds : plan->rounds;
    return rounds > fewest ? rounds : fewest;
}

static bool run_rounds(const bench_way *ways, size_t count, const size_t *repetitions, size_t rounds, double *times)
{
    for (size_t round = 0; round < rounds; ++round)
        for (size_t turn = 0; turn < count; ++turn) {
            const size_t w = round % 2 == 0 ? turn : count - 1 - turn;
            double nanoseconds;
            if (!ways[w].sample(ways[w].state, repetitions[w], &nanoseconds))
                return false;
            times[w * rounds + round] = nanoseconds / (double)repetitions[w];
        }
    return true;
}

bool harness_run(const bench_plan *plan, bench_way *ways, size_t count)
{
    size_t repetitions[HARNESS_MOST_WAYS];
    double round_seconds = 0;
    for (size_t w = 0; w < count; ++w) {
        double seconds;
        if (!calibrate(plan, &ways[w], &repetitions[w], &seconds))
            return false;
        round_seconds += seconds;
    }
    const size_t rounds = choose_rounds(plan, round_seconds);
    double *times = malloc((count + 1) * rounds * sizeof *times);
    if (times == NULL) {
        fprintf(stderr, "accel-bench: no memory for %zu samples\n", count * rounds);
        return false;
    }
    const bool good = run_rounds(ways, count, repetitions, rounds, times);
    if (good) {
        double *ratios = times + count * rounds;
        for (size_t w = 0; w < count; ++w) {
            for (size_t round = 0; round < rounds; ++round)
                ratios[round] = times[round] / times[w * rounds + round];
            ways[w].ratio = statistics_spread(ratios, rounds).median;
        }
        for (size_t w = 0; w < count; ++w) /* sorts, so the ratios come first */
            ways[w].nanoseconds = statistics_spread(times + w * rounds, rounds);
    }
    free(times);
    return good;
}
