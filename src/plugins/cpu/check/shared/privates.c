/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/shared/privates.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/shadow.h"
#include "plugins/cpu/check/surroundings.h"

enum { PRIVATES = 64 };

typedef struct private_values {
    const char *begin, *end, *limit; /* limit: of the array; from `end` on it is no thread's */
} private_values;

static private_values all[PRIVATES];
static size_t count;

static void forget(const private_values *self)
{
    check_shadow_remove(self->begin, (size_t)(self->end - self->begin));
}

void check_privates_forget(void)
{
    check_around.privates = (check_range){NULL, NULL};
    while (count != 0)
        forget(&all[--count]);
}

/* Those that lay where this one lies, in a part of the kernel that was left, are no more. */
static void replace(const private_values *made)
{
    for (size_t i = count; i-- != 0;) {
        if (made->begin >= all[i].limit || made->limit <= all[i].begin)
            continue;
        forget(&all[i]);
        all[i] = all[--count];
    }
}

void check_privates_add(const void *values, size_t each, size_t size)
{
    const size_t used = each * check_time.thread_count < size ? each * check_time.thread_count : size;
    const char *begin = values;
    const private_values made = {begin, begin + used, begin + size};
    check_range *range = &check_around.privates;
    replace(&made);
    if (count == PRIVATES)
        return;
    all[count++] = made;
    range->begin = range->begin == NULL || made.begin < range->begin ? made.begin : range->begin;
    range->end = made.limit > range->end ? made.limit : range->end;
    check_shadow_add(begin, used, false);
}

bool check_privates_have(const void *p, bool *used)
{
    const char *at = p;
    size_t i = 0;
    while (i < count && (at < all[i].begin || at >= all[i].limit))
        ++i;
    if (i == count)
        return false;
    *used = at < all[i].end;
    return true;
}
