/* SPDX-License-Identifier: Apache-2.0 */
#include "shares.h"

#include <stdlib.h>

#define PROBE 128     /* the first share of each device is one of so many parts of all rows */
#define GROWTH 4      /* the next share is at most so many times the last: a short one tells little about the speed */
#define AHEAD 4       /* a share is one of so many parts of what the device would do of all that is left */
#define LEAST 0.001   /* seconds: shorter shares would cost more than they balance */
#define MOST_OF_ALL 4 /* no share is more than one of so many parts of all rows */

bool shares_open(shares *s, size_t rows, size_t returns)
{
    *s = (shares){.rows = rows, .returned = calloc(returns, sizeof(range))};
    return s->returned != NULL;
}

void shares_close(shares *s)
{
    free(s->returned);
}

size_t shares_left(const shares *s)
{
    size_t left = s->rows - s->next;
    for (size_t i = 0; i < s->returned_count; ++i)
        left += s->returned[i].count;
    return left;
}

size_t shares_most(size_t rows)
{
    return (rows + MOST_OF_ALL - 1) / MOST_OF_ALL;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t shares_size(const shares *s, double rate, double all, size_t last)
{
    const size_t left = shares_left(s);
    if (rate <= 0)
        return least(left, s->rows / PROBE + 1);
    /* A part of what the device would do of the rest. So the shares become smaller, and all devices end together. */
    const double fair = (double)left * rate / all / AHEAD, shortest = rate * LEAST;
    const double wish = fair > shortest ? fair : shortest, most = (double)least(shares_most(s->rows), GROWTH * last);
    const size_t size = (size_t)(wish < most ? wish : most);
    return least(left, size == 0 ? 1 : size);
}

range shares_take(shares *s, size_t count)
{
    if (s->returned_count == 0) {
        const range taken = {s->next, least(count, s->rows - s->next)};
        s->next += taken.count;
        return taken;
    }
    range *const last = &s->returned[s->returned_count - 1];
    const range taken = {last->first, least(count, last->count)};
    last->first += taken.count;
    last->count -= taken.count;
    s->returned_count -= last->count == 0;
    return taken;
}

void shares_return(shares *s, range rows)
{
    s->returned[s->returned_count++] = rows;
}
