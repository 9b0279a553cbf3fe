/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of sums.h and sums_eight.h as runs of a native way. For a file that defines what these ask for, and then a `sums_state`
 * with n, x, y, sum and minimum. */
#include "sums.h"
#include "sums_eight.h"

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
