/* SPDX-License-Identifier: Apache-2.0 */
/* Named regions of threads, for tools. */
#include "core/tools/range_library.h"
#include "core/tools/tools.h"

#include "core/base/error.h"

/* Regions that the thread has open, and the innermost names: regions deeper than that are popped without one. */
enum { NAMED = 64 };
static _Thread_local uint32_t depth;
static _Thread_local const char *names[NAMED];

ACCEL_API accel_status accel_region_push(const char *name)
{
    if (name == NULL)
        return accel_error_null("accel_region_push", "name");
    accel_ranges_push(name);
    if (accel_tools_loaded() != 0 && accel_tools_live()) {
        accel_tool_region region = {.name = accel_tools_text(name), .depth = depth};
        if (depth < NAMED)
            names[depth] = region.name;
        accel_tools_pushed(&region);
    } else if (depth < NAMED) {
        names[depth] = NULL; /* of no tool's concern when it ends */
    }
    ++depth;
    return ACCEL_OK;
}

ACCEL_API accel_status accel_region_pop(void)
{
    if (depth == 0)
        return accel_error_set(ACCEL_INVALID, "accel_region_pop: the thread has no region open; each pop needs a push "
                                              "before it on the same thread");
    --depth;
    const char *name = depth < NAMED ? names[depth] : "";

    if (name != NULL && accel_tools_loaded() != 0) {
        accel_tool_region region = {.name = name, .depth = depth};
        accel_tools_popped(&region);
    }
    accel_ranges_pop();
    return ACCEL_OK;
}
