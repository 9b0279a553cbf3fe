/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/fiber/fiber_pool.h"

#include <stdlib.h>

check_findings check_found;
void *check_exit[5];
bool check_abandoned;

void check_findings_begin(void)
{
    check_found.count = 0;
    check_abandoned = false;
}

static bool same(const check_finding *a, const check_finding *b)
{
    return a->kind == b->kind && a->mine.place == b->mine.place && a->has_other == b->has_other &&
           (!a->has_other || a->other.place == b->other.place);
}

void check_finding_add(const check_finding *finding)
{
    for (size_t i = 0; i < check_found.count; ++i) {
        check_finding *known = &check_found.items[i];
        if (same(known, finding)) {
            known->count += finding->access == 0 || finding->access != known->access;
            known->access = finding->access;
            return;
        }
    }
    if (check_found.count == CHECK_FINDINGS)
        return;
    check_finding *kept = &check_found.items[check_found.count++];
    *kept = *finding;
    kept->count = 1;
}

const char *check_finding_noun(const check_finding *finding, const check_side *side)
{
    switch (finding->kind) {
    case CHECK_FINDING_BARRIER:
        return "barrier";
    case CHECK_FINDING_ENDLESS:
        return finding->size == 0 ? "barrier" : NULL;
    case CHECK_FINDING_ASSERTION:
        return "assertion";
    case CHECK_FINDING_STACK:
        return "stack";
    case CHECK_FINDING_WARP:
    case CHECK_FINDING_WARP_FORM:
        return (side->how & CHECK_HOW_BARRIER) != 0 ? "barrier" : "warp operation";
    case CHECK_FINDING_REGION:
        return (side->how & CHECK_HOW_LOOP) != 0         ? "loop over elements"
               : (side->how & CHECK_HOW_COLLECTIVE) != 0 ? "collective"
                                                         : "region";
    default:
        return NULL;
    }
}

static int by_kind(const void *a, const void *b)
{
    const check_finding *one = a, *two = b;
    return one->kind != two->kind ? (one->kind > two->kind) - (one->kind < two->kind)
                                  : (one->order > two->order) - (one->order < two->order);
}

void check_findings_sort(void)
{
    for (size_t i = 0; i < check_found.count; ++i)
        check_found.items[i].order = i;
    qsort(check_found.items, check_found.count, sizeof(check_found.items[0]), by_kind);
}

void check_finding_abandon(void)
{
    check_abandoned = true;
    if (check_around.fiber != NULL)
        cpu_fiber_abandon(check_around.fiber);
    __builtin_longjmp(check_exit, 1);
}
