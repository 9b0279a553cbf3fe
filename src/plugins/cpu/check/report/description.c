/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/report/description.h"
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/shared/shared.h"

#include <accel/kernel/cpu/check_table.h>
#include <accel/plugin.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *title, *remedy;
} kinds[CHECK_FINDING_KINDS] = {
    [CHECK_FINDING_BARRIER] = {"barrier", "divergent barriers",
                               "let all threads of the block reach the same barrier: no barrier in a branch that only "
                               "some take"},
    [CHECK_FINDING_REGION] =
        {"barrier-region", "barrier in a region",
         "end the region or the loop before the next one, or the collective, begins: the end of each "
         "is a barrier, and on GPUs each thread runs it once"},
    [CHECK_FINDING_WARP] =
        {"warp", "warp operation without some of its lanes",
         "let all lanes come to it: no such operation in a branch that only some take, or with the mask "
         "of those that do"},
    [CHECK_FINDING_WARP_FORM] =
        {"warp-form", "warp that cannot be emulated",
         "move it into a region, or leave it out with ACCEL_CHECK_SUPPRESS: here its warps have one thread, in spite of ACCEL_CHECK_WARP"},
    [CHECK_FINDING_UNIFORM] = {"outside-regions", "write outside regions",
                               "put it into ACCEL_ONCE or another region: on GPUs every thread does it"},
    [CHECK_FINDING_VARIABLE] =
        {"block-variable", "write of a variable of the block",
         "declare it inside the region, or with ACCEL_PRIVATE or ACCEL_SHARED: on GPUs each thread "
         "has its own"},
    [CHECK_FINDING_THREADS] =
        {"race-threads", "race between threads of a block",
         "put a barrier between the two (the end of a region is one, accel_sync_block is one), or "
         "use atomics"},
    [CHECK_FINDING_BLOCKS] = {"race-blocks", "race between blocks",
                              "let each block write places of its own, use atomics, or make it two launches"},
    [CHECK_FINDING_MIXED] = {"mixed-atomic", "mixed atomic and plain accesses",
                             "make both accesses atomic, or put a barrier between them"},
    [CHECK_FINDING_QUEUES] =
        {"race-queues", "race between queues",
         "record an event behind the earlier operation and let the other queue wait for it, or use one queue"},
    [CHECK_FINDING_OUTSIDE] = {"outside-memory", "access outside memory",
                               "compare the index with the extent before the access"},
    [CHECK_FINDING_VIEW] =
        {"outside-view", "access outside a view",
         "compare the index with the view's extent; if the kernel is to reach the buffer around it, give it the "
         "buffer's address and an offset"},
    [CHECK_FINDING_HOST_MEMORY] =
        {"host-memory", "access to memory of the host",
         "copy it to a buffer and give the kernel accel_buffer_ptr: GPUs do not reach it; memory that CPUs alone are to "
         "use may be wrapped (accel_buffer_wrap)"},
    [CHECK_FINDING_MISALIGNED] =
        {"misaligned", "misaligned access",
         "let the address be a multiple of the type's alignment, or copy the bytes with memcpy: GPUs refuse it"},
    [CHECK_FINDING_CONSTANT] = {"constant", "write of a constant",
                                "write an ACCEL_GLOBAL or a buffer instead: GPUs keep constants in memory that kernels "
                                "only read"},
    [CHECK_FINDING_RELEASED] = {"released", "use after release",
                                "release the buffer after the last launch that uses it"},
    [CHECK_FINDING_ASSERTION] = {"assertion", "failed assertion",
                                 "correct what makes the condition false, or the condition"},
    [CHECK_FINDING_STACK] = {"stack", "stack overflow",
                             "keep less in local variables, call less deeply, or raise ACCEL_CPU_STACK_SIZE"},
    [CHECK_FINDING_ENDLESS] = {"endless", "block that does not end",
                               "let the loop end; a block cannot wait for another, which may begin only after it; "
                               "accel-check --limit allows more seconds"},
    [CHECK_FINDING_LIMITS] =
        {"limits", "more than the named GPU has",
         "take smaller blocks or fewer, or keep less in shared memory; with the block's extents fixed "
         "(ACCEL_KERNEL_BLOCK) compilers use fewer registers: that GPU refuses the launch"},
    [CHECK_FINDING_LEAK] = {"leak", "buffer that was never released",
                            "release it with accel_buffer_release before the program ends"},
    [CHECK_FINDING_MISSED] = {"unawaited", "result that the host never waited for",
                              "wait for the queue, or for an event behind the copy, before the host reads the result"},
    [CHECK_FINDING_OBJECT] =
        {"leak-object", "object that was never released",
         "release it with accel_queue_release, accel_event_release, accel_module_release or accel_instance_release "
         "before the program ends; a kernel that is retained holds its module, and a device its instance"},
    [CHECK_FINDING_MISUSE] = {"released-object", "use of a released object",
                              "release an object behind its last use, once for each time that it was made or retained"},
    [CHECK_FINDING_EARLY] =
        {"early", "result that the host used too early",
         "wait for the queue, or for an event behind the operation, before the host uses its result"},
    [CHECK_FINDING_CHANGED] =
        {"changed", "host memory that pending work uses was changed",
         "wait for the queue, or for an event behind the operation, before the host changes what it uses"},
    [CHECK_FINDING_DIVISION] = {"division", "division by zero", "compare the divisor with 0 before the division"},
    [CHECK_FINDING_OVERFLOW] = {"overflow", "overflow of a signed integer",
                                "use a wider type, or an unsigned one where it is meant to wrap"},
    [CHECK_FINDING_CONVERSION] = {"conversion", "conversion out of range",
                                  "compare the value with the least and the greatest of the integer's type first"},
    [CHECK_FINDING_NAN] =
        {"nan", "new NaN",
         "compare the operands before this line first: a root of a negative number, and infinity minus "
         "infinity or times 0, have no value"},
    [CHECK_FINDING_UNWRITTEN] = {"unwritten", "read of memory that was never written",
                                 "fill the buffer, or write the shared memory, before it is read"},
};

const char *check_kind_name(uint32_t kind)
{
    return kinds[kind].name;
}

const char *check_kind_title(uint32_t kind)
{
    return kinds[kind].title;
}

/* Where nothing lies, as no more than an index was added to NULL. */
static bool is_null(const check_finding *finding)
{
    enum { NEAR = 1 << 20 }; /* programs begin above it */
    return finding->kind == CHECK_FINDING_OUTSIDE && finding->text == NULL && (uintptr_t)finding->at < NEAR;
}

const char *check_description_remedy(const check_description *self)
{
    if (is_null(self->finding))
        return "set the pointer before the launch: it is probably a member of the kernel's arguments";
    if (self->finding->kind == CHECK_FINDING_THREADS && self->finding->mine.actor.what == CHECK_ACTOR_ITERATION)
        return "let each iteration write places of its own, or use atomics: no barrier orders iterations of one loop";
    return kinds[self->finding->kind].remedy;
}

void check_index_split(size_t number, const size_t extent[3], size_t index[3])
{
    index[0] = number % extent[0];
    index[1] = number / extent[0] % extent[1];
    index[2] = number / extent[0] / extent[1];
}

size_t check_line_split(const char *line, size_t *length)
{
    const char *colon = strrchr(line, ':');
    *length = strlen(line);
    if (colon == NULL || colon[1] == '\0' || colon[1 + strspn(colon + 1, "0123456789")] != '\0')
        return 0;
    *length = (size_t)(colon - line);
    return strtoul(colon + 1, NULL, 10);
}

/* Which view it is, and which buffer that is a part of. */
static void add_buffer(const check_finding *finding, check_description *made)
{
    char buffer[sizeof(made->memory)] = "";
    (void)check_memory_describe(finding->at, buffer, sizeof(buffer), made->buffer);
    snprintf(made->memory, sizeof(made->memory), "%.200s; %.300s", finding->text, buffer);
}

/* The compiler notes an assertion's file as the user has named it. Whole it is where the kernel's own file is that. */
static void place_assertion(const check_finding *finding, char *text, size_t size)
{
    char line[CHECK_LINE];
    size_t length;
    const size_t named = strlen(finding->file);
    check_line_of(finding->mine.place, line, sizeof(line));
    (void)check_line_split(line, &length);
    const bool whole =
        length > named && line[length - named - 1] == '/' && memcmp(line + length - named, finding->file, named) == 0;
    snprintf(text, size, "%.*s:%u", whole ? (int)length : (int)named, whole ? line : finding->file, finding->line);
}

void check_description_make(const check_finding *finding, const check_operation *operation, check_description *made)
{
    *made = (check_description){.finding = finding, .operation = operation};
    if (finding->file != NULL)
        place_assertion(finding, made->mine, sizeof(made->mine));
    else
        check_line_of(finding->mine.place, made->mine, sizeof(made->mine));
    if (finding->has_other)
        check_line_of(finding->other.place, made->other, sizeof(made->other));
    if (finding->kind == CHECK_FINDING_VIEW) {
        add_buffer(finding, made);
        return;
    }
    if (is_null(finding)) {
        snprintf(made->memory, sizeof(made->memory), "at address 0x%zx: the pointer is NULL", (uintptr_t)finding->at);
        return;
    }
    if (finding->kind == CHECK_FINDING_HOST_MEMORY) {
        snprintf(made->memory, sizeof(made->memory), "at address %p, memory of the program that no buffer has",
                 (const void *)finding->at);
        return;
    }
    if (finding->text != NULL)
        snprintf(made->memory, sizeof(made->memory), "%s%s",
                 finding->kind == CHECK_FINDING_ASSERTION ? "the condition is " : "", finding->text);
    if (finding->text != NULL || finding->at == NULL ||
        check_shared_describe(finding->at, finding->light, made->memory, sizeof(made->memory)) ||
        check_memory_describe(finding->at, made->memory, sizeof(made->memory), made->buffer))
        return;
    snprintf(made->memory, sizeof(made->memory), "at address %p, in no buffer and in no shared memory",
             (const void *)finding->at);
}

static void add(char *text, size_t size, const char *format, ...) ACCEL_PRINTF_FORMAT(3, 4);
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
    size_t index[3];
    check_index_split(number, extent, index);
    if (extent[1] == 1 && extent[2] == 1)
        add(text, size, "%s %zu", noun, number);
    else
        add(text, size, "%s (%zu, %zu, %zu)", noun, index[0], index[1], index[2]);
}

static void add_actor(char *text, size_t size, const check_description *self, const check_side *side)
{
    const check_operation *operation = check_description_operation(self, side);
    const check_actor *actor = &side->actor;
    if (operation->kernel[0] == '\0') {
        add(text, size, "a %s", operation->noun);
        return;
    }
    switch (actor->what) {
    case CHECK_ACTOR_THREAD:
        add_index(text, size, "thread", actor->number, operation->block);
        break;
    case CHECK_ACTOR_ITERATION:
        add(text, size, "iteration %zu of a loop over elements", actor->number);
        break;
    case CHECK_ACTOR_UNIFORM:
        add(text, size, "the code outside regions");
        break;
    case CHECK_ACTOR_BLOCK:
        add(text, size, "a thread");
        break;
    default:
        add(text, size, "a thread of the launch");
    }
    if (actor->what != CHECK_ACTOR_UNKNOWN)
        add_index(text, size, " of block", actor->block, operation->grid);
    if (side->operation != NULL)
        add(text, size, " of kernel \"%s\"", operation->kernel);
}

static void add_side(char *text, size_t size, const check_description *self, bool other)
{
    const check_finding *finding = self->finding;
    const check_side *side = other ? &finding->other : &finding->mine;
    const char *noun = check_finding_noun(finding, side);
    if (finding->kind == CHECK_FINDING_LIMITS) {
        add(text, size, "\n  defined\n    at %s", self->mine);
        return;
    }
    if (noun != NULL)
        add(text, size, "\n  %s of ", noun);
    else if (check_finding_is_trap(finding->kind))
        add(text, size, "\n  operation");
    else
        add(text, size, "\n  %s%s%s",
            !other                                    ? ""
            : check_finding_is_of_host(finding->kind) ? "unawaited "
                                                      : "earlier ",
            (side->how & ACCEL_CHECK_ATOMIC) != 0 ? "atomic " : "",
            (side->how & ACCEL_CHECK_WRITE) != 0 ? "write" : "read");
    if (noun == NULL && !other && finding->size != 0)
        add(text, size, " of %zu bytes by ", finding->size);
    else if (noun == NULL)
        add(text, size, " by ");
    add_actor(text, size, self, side);
    add(text, size, "\n    at %s", other ? self->other : self->mine);
}

/* The host has no thread that is known. */
static void add_host(char *text, size_t size, const check_description *self)
{
    const check_finding *finding = self->finding;
    const char *access = (finding->mine.how & ACCEL_CHECK_WRITE) != 0 ? "write" : "read";
    add(text, size, "cpu-check: %s\n", kinds[finding->kind].title);
    if (!finding->has_other) {
        add(text, size, "  between this call and the %s that it submitted\n    at %s", finding->other.operation->noun,
            self->mine);
    } else {
        add(text, size, "  %s by the host\n    at %s", access, self->mine);
        add_side(text, size, self, true);
    }
    add(text, size, "\n  %s\n  %s\n", self->memory, kinds[finding->kind].remedy);
}

void check_description_text(const check_description *self, char *text, size_t size)
{
    const check_finding *finding = self->finding;
    text[0] = '\0';
    if (finding->kind == CHECK_FINDING_MISUSE) {
        add(text, size, "cpu-check: %s\n  %s of %s\n    at %s\n", kinds[finding->kind].title, finding->entry,
            self->memory, self->mine);
        if (finding->has_other)
            add(text, size, "  released\n    at %s\n", self->other);
        add(text, size, "  %s\n", kinds[finding->kind].remedy);
        return;
    }
    if (check_finding_is_of_host(finding->kind)) {
        add_host(text, size, self);
        return;
    }
    if (check_finding_is_of_program(finding->kind)) {
        add(text, size, "cpu-check: %s\n  %s, %s\n    at %s\n  %s\n", kinds[finding->kind].title, self->memory,
            finding->kind == CHECK_FINDING_MISSED ? "submitted" : "made", self->mine, kinds[finding->kind].remedy);
        return;
    }
    add(text, size, "cpu-check: %s in ", kinds[finding->kind].title);
    if (self->operation->kernel[0] != '\0')
        add(text, size, "kernel \"%s\"", self->operation->kernel);
    else
        add(text, size, "a %s", self->operation->noun);
    add_side(text, size, self, false);
    if (finding->has_other)
        add_side(text, size, self, true);
    if (self->memory[0] != '\0')
        add(text, size, "\n  %s", self->memory);
    add(text, size, "\n  %s\n", check_description_remedy(self));
    if (finding->count > 1)
        add(text, size, "  %zu times in this %s\n", finding->count, self->operation->noun);
}
