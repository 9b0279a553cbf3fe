/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/report.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/line.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/shared.h"

#include <accel/kernel/cpu/check_table.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SEEN = 1024, LINE = 192, TEXT = 2048 };

static const char *const titles[CHECK_FINDING_KINDS] = {
    [CHECK_FINDING_THREADS] = "race between threads of a block",
    [CHECK_FINDING_BLOCKS] = "race between blocks",
    [CHECK_FINDING_MIXED] = "mixed atomic and plain accesses",
    [CHECK_FINDING_OUTSIDE] = "access outside memory",
    [CHECK_FINDING_RELEASED] = "use after release",
    [CHECK_FINDING_UNWRITTEN] = "read of memory that was never written",
    [CHECK_FINDING_BARRIER] = "divergent barriers",
    [CHECK_FINDING_UNIFORM] = "write outside regions",
};
static const char *const remedies[CHECK_FINDING_KINDS] = {
    [CHECK_FINDING_THREADS] = "put a barrier between the two (the end of a region is one, accel_sync_block is one), or "
                              "use atomics",
    [CHECK_FINDING_BLOCKS] = "let each block write places of its own, use atomics, or make it two launches",
    [CHECK_FINDING_MIXED] = "make both accesses atomic, or put a barrier between them",
    [CHECK_FINDING_OUTSIDE] = "compare the index with the extent before the access",
    [CHECK_FINDING_RELEASED] = "release the buffer after the last launch that uses it",
    [CHECK_FINDING_UNWRITTEN] = "fill the buffer, or write the shared memory, before it is read",
    [CHECK_FINDING_BARRIER] =
        "let all threads of the block reach the same barrier: no barrier in a branch that only some "
        "take",
    [CHECK_FINDING_UNIFORM] = "put it into ACCEL_ONCE or another region: on GPUs every thread does it",
};

static struct {
    uint32_t kind;
    const void *mine, *other;
} seen[SEEN];
static size_t seen_count;
static const char *file;
static bool has_begun;

void check_report_to(const char *name)
{
    file = name;
}

static void add(char *text, size_t size, const char *format, ...) ACCEL_PRINTF(3, 4);
static void add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    if (length < size)
        vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* "(3, 1, 0)" in more dimensions than one, x first; else the number. */
static void add_index(char *text, size_t size, const char *noun, size_t number, const size_t extent[3])
{
    if (extent[1] == 1 && extent[2] == 1)
        add(text, size, "%s %zu", noun, number);
    else
        add(text, size, "%s (%zu, %zu, %zu)", noun, number % extent[0], number / extent[0] % extent[1],
            number / extent[0] / extent[1]);
}

static void add_actor(char *text, size_t size, const check_actor *actor, const accel_launch_context *launch)
{
    switch (actor->what) {
    case CHECK_ACTOR_THREAD:
        add_index(text, size, "thread", actor->number, launch->block_extent);
        break;
    case CHECK_ACTOR_ITERATION:
        add(text, size, "iteration %zu of a loop over elements", actor->number);
        break;
    case CHECK_ACTOR_UNIFORM:
        add(text, size, "the code outside regions");
        break;
    default:
        add(text, size, "a thread of the launch");
        return;
    }
    add_index(text, size, " of block", actor->block, launch->grid_extent);
}

static void add_side(char *text, size_t size, const check_finding *finding, bool other, const char *line,
                     const accel_launch_context *launch)
{
    const check_side *side = other ? &finding->other : &finding->mine;
    if (finding->kind == CHECK_FINDING_BARRIER)
        add(text, size, "\n  barrier of ");
    else
        add(text, size, "\n  %s%s%s by ", other ? "earlier " : "",
            (side->how & ACCEL_CHECK_ATOMIC) != 0 ? "atomic " : "",
            (side->how & ACCEL_CHECK_WRITE) != 0 ? "write" : "read");
    if (!other && finding->size != 0 && finding->kind != CHECK_FINDING_BARRIER)
        text[strlen(text) - strlen(" by ")] = '\0', add(text, size, " of %zu bytes by ", finding->size);
    add_actor(text, size, &side->actor, launch);
    add(text, size, "\n    at %s", line);
}

static void write_all(const char *text)
{
    FILE *stream = strcmp(file, "-") == 0 ? stderr : fopen(file, "ae");
    if (stream == NULL)
        return;
    fprintf(stream, "%s", text);
    fflush(stream);
    if (stream != stderr)
        fclose(stream);
}

static void begin_file(void)
{
    char text[64];
    if (has_begun || file == NULL)
        return;
    has_begun = true;
    if (strcmp(file, "-") == 0)
        return;
    snprintf(text, sizeof(text), "cpu-check: process %d\n", (int)getpid());
    write_all(text);
}

static bool is_new(const check_finding *finding)
{
    for (size_t i = 0; i < seen_count; ++i)
        if (seen[i].kind == finding->kind && seen[i].mine == finding->mine.place &&
            seen[i].other == finding->other.place)
            return false;
    if (seen_count == SEEN)
        return false;
    seen[seen_count].kind = finding->kind;
    seen[seen_count].mine = finding->mine.place;
    seen[seen_count++].other = finding->other.place;
    return true;
}

/* false: it is none after all. Barriers that a compiler has copied are one. */
static bool tell(const check_finding *finding, const cpu_launch *launch, char *text, size_t size)
{
    char mine[LINE], other[LINE] = "", object[512];
    check_line_of(finding->mine.place, mine, sizeof(mine));
    if (finding->has_other)
        check_line_of(finding->other.place, other, sizeof(other));
    if (finding->kind == CHECK_FINDING_BARRIER && strcmp(mine, other) == 0)
        return false;
    add(text, size, "cpu-check: %s in kernel \"%s\"", titles[finding->kind], launch->kernel->name);
    add_side(text, size, finding, false, mine, &launch->context);
    if (finding->has_other)
        add_side(text, size, finding, true, other, &launch->context);
    if (finding->at != NULL) {
        if (check_shared_describe(finding->at, object, sizeof(object)) ||
            check_memory_describe(finding->at, object, sizeof(object)))
            add(text, size, "\n  %s", object);
        else
            add(text, size, "\n  at address %p, in no buffer and in no shared memory", (const void *)finding->at);
    }
    add(text, size, "\n  %s\n", remedies[finding->kind]);
    if (finding->count > 1)
        add(text, size, "  %zu times in this launch\n", finding->count);
    return true;
}

size_t check_report(const cpu_launch *launch, char *text, size_t size)
{
    size_t count = 0, shown = 0;
    text[0] = '\0';
    begin_file();
    check_findings_sort();
    for (size_t i = 0; i < check_found.count; ++i) {
        const check_finding *finding = &check_found.items[i];
        char one[TEXT] = "";
        bool first = shown == 0, fresh = file != NULL && is_new(finding);
        if (!first && !fresh && finding->kind != CHECK_FINDING_BARRIER) {
            count++;
            continue;
        }
        if (!tell(finding, launch, one, sizeof(one)))
            continue;
        count++;
        if (first)
            add(text, size, "%s", one);
        shown++;
        if (fresh)
            write_all(one);
    }
    if (count > 1)
        add(text, size, "  and %zu more places of this launch; ACCEL_CHECK_REPORT=- shows them\n", count - 1);
    return count;
}
