/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/queues/results.h"

#include <stdbool.h>
#include <stdlib.h>

struct check_result {
    struct check_result *next;
    const void *place;
    size_t bytes;
    uint32_t track;
    uint64_t number; /* 0: not executed yet */
    bool removed;    /* but a mark still has it */
};

enum { MOST = 4096 };

static check_result *all;
static size_t count;

check_result *check_result_add(const void *place, size_t bytes)
{
    check_result *made = count < MOST ? malloc(sizeof(*made)) : NULL;
    if (made == NULL)
        return NULL;
    *made = (check_result){.next = all, .place = place, .bytes = bytes};
    all = made;
    count++;
    return made;
}

static void take_out(check_result **at)
{
    check_result *taken = *at;
    *at = taken->next;
    count--;
    if (taken->number != 0)
        free(taken);
    else
        taken->removed = true;
}

void check_result_remove(check_result *result)
{
    check_result **at = &all;
    while (*at != NULL && *at != result)
        at = &(*at)->next;
    result->number = 1; /* no mark has it any more */
    if (*at != NULL)
        take_out(at);
    else
        free(result);
}

void check_result_executed(check_result *result, uint32_t track, uint64_t number)
{
    if (result->removed) {
        free(result);
        return;
    }
    result->track = track;
    result->number = number;
}

void check_results_forget(const check_stamp *known)
{
    for (check_result **at = &all; *at != NULL;) {
        if ((*at)->number != 0 && known->reached[(*at)->track] >= (*at)->number)
            take_out(at);
        else
            at = &(*at)->next;
    }
}

void check_results_each(void (*call)(const void *place, size_t bytes))
{
    while (all != NULL) {
        if (call != NULL)
            call(all->place, all->bytes);
        take_out(&all);
    }
}
