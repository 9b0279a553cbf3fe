/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of sums.h, with LANES and MIN_LANES accumulators and with eight, as runs of a native way. For a file that defines
 * REAL and these two, and then a `sums_state` with n, x, y, sum and minimum. */
#include "sums.h"
#undef LANES
#undef MIN_LANES
#undef SUMS
#define LANES 8
#define MIN_LANES 8
#define SUMS(name) name##_by_eight
#include "sums.h"

#define RUN(name, call)                                                                                                \
    static void name(void *state, size_t repetitions)                                                                  \
    {                                                                                                                  \
        sums_state *s = state;                                                                                         \
        for (size_t r = 0; r < repetitions; ++r)                                                                       \
            s->sum = call;                                                                                             \
    }

RUN(run_sum, sum_of(s->n, s->x))
RUN(run_sum_alone, sum_alone(s->n, s->x))
RUN(run_dot, dot_of(s->n, s->x, s->y))
RUN(run_dot_alone, dot_alone(s->n, s->x, s->y))
RUN(run_min_sum, min_sum_of(s->n, s->x, &s->minimum))
RUN(run_min_sum_alone, min_sum_alone(s->n, s->x, &s->minimum))
RUN(run_sum_eight, sum_of_by_eight(s->n, s->x))
RUN(run_sum_eight_alone, sum_alone_by_eight(s->n, s->x))
RUN(run_dot_eight, dot_of_by_eight(s->n, s->x, s->y))
RUN(run_dot_eight_alone, dot_alone_by_eight(s->n, s->x, s->y))
RUN(run_min_sum_eight, min_sum_of_by_eight(s->n, s->x, &s->minimum))
RUN(run_min_sum_eight_alone, min_sum_alone_by_eight(s->n, s->x, &s->minimum))
