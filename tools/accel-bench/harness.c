/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "settle.h"

/* How one way is to be sampled. */
typedef struct sampling {
    size_t warm_up, repetitions;
    double seconds; /* of a turn, by the wall's clock */
} sampling;

typedef struct contest {
    const bench_plan *plan;
    const pid_t *processes;
    size_t process_count;
} contest;

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Doubles the repetitions until a sample lasts long enough. The first call also warms caches and page tables. */
static bool calibrate(const bench_plan *plan, const bench_way *way, sampling *s)
{
    double nanoseconds;
    *s = (sampling){.repetitions = way->repetitions};
    if (!way->cold && !way->sample(way->state, 1, &nanoseconds))
        return false;
    for (size_t repetitions = way->repetitions != 0 ? way->repetitions : 1;; repetitions *= 2) {
        const double start = clock_now();
        if (!way->sample(way->state, repetitions, &nanoseconds))
            return false;
        s->seconds = 1e-9 * (clock_now() - start);
        s->repetitions = repetitions;
        if (way->repetitions != 0 || 1e-9 * nanoseconds >= plan->sample_seconds || repetitions > ((size_t)1 << 40))
            break;
    }
    if (!way->cold) {
        const double each = 1e-9 * nanoseconds / (double)s->repetitions;
        s->warm_up = each > 0 ? (size_t)(plan->warm_seconds / each) : s->repetitions;
        s->warm_up = s->warm_up == 0 ? 1 : least_of(s->warm_up, s->repetitions);
    }
    return true;
}

/* The first repetitions find in the caches what another way left, so a way with fewer of them would seem slower. Where there are few,
 * all ways have as many as the one that has most, up to MOST_TIMES as many as they need. */
static void even_out(const bench_way *ways, sampling *samplings, size_t count)
{
    enum { FEW = 64, MOST_TIMES = 8 };
    size_t repetitions = 0, warm_up = 0;
    for (size_t w = 0; w < count; ++w) {
        if (ways[w].repetitions != 0)
            return;
        repetitions = samplings[w].repetitions > repetitions ? samplings[w].repetitions : repetitions;
        warm_up = samplings[w].warm_up > warm_up ? samplings[w].warm_up : warm_up;
    }
    for (size_t w = 0; w < count; ++w) {
        sampling *s = &samplings[w];
        const size_t before = s->repetitions, wanted = least_of(least_of(repetitions, FEW), MOST_TIMES * before);
        if (wanted <= before)
            continue;
        s->repetitions = wanted;
        s->seconds *= (double)wanted / (double)before;
        if (s->warm_up != 0)
            s->warm_up = least_of(warm_up, wanted);
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

static bool turn(const contest *c, const bench_way *way, const sampling *s, double *time)
{
    double nanoseconds;
    if (c->plan->settles)
        (void)settle(c->processes, c->process_count);
    if (s->warm_up != 0 && !way->sample(way->state, s->warm_up, &nanoseconds))
        return false;
    if (!way->sample(way->state, s->repetitions, &nanoseconds))
        return false;
    *time = nanoseconds / (double)s->repetitions / (double)(way->operations == 0 ? 1 : way->operations);
    return true;
}

bool harness_run(const bench_plan *plan, const pid_t *processes, size_t process_count, bench_way *ways, size_t count,
                 size_t *rounds_made)
{
    enum { SETTLE_SECONDS_PER_THOUSAND = 10 };
    const contest c = {plan, processes, process_count};
    sampling samplings[HARNESS_MOST_WAYS];
    double round_seconds = 0;
    for (size_t w = 0; w < count; ++w)
        if (!calibrate(plan, &ways[w], &samplings[w]))
            return false;
    even_out(ways, samplings, count);
    for (size_t w = 0; w < count; ++w) {
        round_seconds += samplings[w].seconds + plan->warm_seconds;
        round_seconds += plan->settles ? SETTLE_SECONDS_PER_THOUSAND * 1e-3 : 0;
    }
    const size_t rounds = choose_rounds(plan, round_seconds);
    double *times = malloc((count + 1) * rounds * sizeof *times);
    if (times == NULL) {
        fprintf(stderr, "accel-bench: no memory for %zu samples\n", count * rounds);
        return false;
    }
    bool good = true;
    for (size_t round = 0; good && round < rounds; ++round)
        for (size_t t = 0; good && t < count; ++t) {
            const size_t w = round % 2 == 0 ? t : count - 1 - t;
            good = turn(&c, &ways[w], &samplings[w], &times[w * rounds + round]);
        }
    if (good) {
        const double *last = times + (count - 1) * rounds;
        double *ratios = times + count * rounds;
        for (size_t w = 0; w < count; ++w) {
            for (size_t round = 0; round < rounds; ++round)
                ratios[round] = last[round] / times[w * rounds + round];
            ways[w].ratio = statistics_spread(ratios, rounds);
        }
        for (size_t w = 0; w < count; ++w) /* sorts, so the ratios come first */
            ways[w].nanoseconds = statistics_spread(times + w * rounds, rounds);
    }
    *rounds_made = rounds;
    free(times);
    return good;
}
