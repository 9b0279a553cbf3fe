/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/workspace.h"
#include "output/object.h"

#include <accel/object.h>

#include <stdlib.h>
#include <string.h>

/* What the engine itself has on a fiber's stack, and a function of mathematics. */
enum { OTHERS = 1024, PAGE = 4096 };

void frames_flags(const accelcc_job *job, list *command)
{
    list_add(command, "-fstack-usage");
    if (job->compiler->is_clang && job->target->architecture != &architecture_x86_64)
        return; /* before clang 18 there are no probes for others */
    list_add(command, "-fstack-clash-protection");
    if (job->target->architecture == &architecture_aarch64) /* gcc takes guards of 64 KiB for granted */
        list_add(command, "--param=stack-clash-protection-guard-size=12");
}

static void report(const accelcc_job *job, const char *kernel, size_t frame)
{
    size_t needed = frame + OTHERS;
    const char *key = arena_format("frame of %s", kernel);
    if (needed <= ACCEL_THREAD_STACK_SIZE || list_contains(job->shown, key))
        return;
    list_add(job->shown, key);
    message_note("%s: each thread of kernel \"%s\" has %zu bytes of local variables, but its stack has %d on CPUs; "
                 "keep less in them, or run the program with ACCEL_CPU_STACK_SIZE=%zu or more",
                 job->name, kernel, frame, ACCEL_THREAD_STACK_SIZE, (needed + PAGE - 1) / PAGE * PAGE);
}

/* A line is "FILE:LINE:COLUMN:FUNCTION", a tab, the bytes, a tab, and a word. There is none where code is generated at link
 * time. */
static void read_frames(const char *object, list *lines)
{
    const char *path = workspace_path(arena_format("%.*s.su", (int)(strlen(object) - 2), object));
    size_t size = 0;
    const unsigned char *data = object_is_file(path) ? object_read(path, &size) : NULL;
    if (data != NULL)
        list_split(lines, arena_copy((const char *)data, size), "\n");
}

bool frames_has_threads(const char *object)
{
    list lines = {0};
    read_frames(object, &lines);
    for (size_t i = 0; i < lines.count; ++i) {
        if (strstr(lines.items[i], FRAMES_PREFIX) != NULL)
            return true;
    }
    return false;
}

void frames_report(const accelcc_job *job, const char *object)
{
    list lines = {0};
    read_frames(object, &lines);
    for (size_t i = 0; i < lines.count; ++i) {
        const char *tab = strchr(lines.items[i], '\t'), *name = strstr(lines.items[i], FRAMES_PREFIX);
        if (tab == NULL || name == NULL || name > tab)
            continue;
        name += strlen(FRAMES_PREFIX);
        report(job, arena_copy(name, strcspn(name, "\t(")), strtoul(tab + 1, NULL, 10));
    }
}
