/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/queues/released.h"
#include "plugins/cpu/check/queues/objects.h"
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/engine/export.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { KEPT = 1024 }; /* as many as libaccel keeps */

static check_released kept[KEPT];
static uint64_t numbers;
static CPU_OF_THREAD check_released ended;

void check_released_end(uint32_t kind, const void *maker)
{
    ended = (check_released){.kind = kind, .maker = maker};
}

/* NULL if the release was put off until another call, or comes from a thread of libaccel's. A call at the end of a function
 * has no frame of that function's any more, and so no name. */
static const void *place_of_release(void)
{
    const char *entry = "";
    const void *place = check_line_here(&entry);
    Dl_info info, libc;
    if (place == NULL || (entry[0] != '\0' && strstr(entry, "_release") == NULL))
        return NULL;
    const bool known = dladdr(place, &info) != 0 && dladdr((const void *)(uintptr_t)getpid, &libc) != 0;
    return known && info.dli_fbase != libc.dli_fbase ? place : NULL;
}

uint64_t check_released_number(uint32_t kind)
{
    check_released made = {.kind = kind, .place = place_of_release()};
    if (ended.kind == kind)
        made.maker = ended.maker;
    ended = (check_released){0};
    check_objects_lock();
    made.number = ++numbers;
    kept[made.number % KEPT] = made;
    check_objects_unlock();
    return made.number;
}

bool check_released_find(uint64_t number, check_released *found)
{
    check_objects_lock();
    *found = kept[number % KEPT];
    check_objects_unlock();
    return found->number == number;
}
