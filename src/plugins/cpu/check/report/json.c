/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/report/json.h"
#include "plugins/cpu/engine/host.h"
#include "text/json.h"

#include <accel/kernel/cpu/check_table.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *file;

void check_json_to(const char *name)
{
    file = name;
}

bool check_json_is_open(void)
{
    return file != NULL;
}

static void write_string(FILE *to, const char *text, size_t length)
{
    char character[JSON_CHARACTER];
    putc('"', to);
    for (size_t at = 0; at < length; fputs(character, to))
        at += json_character(text + at, length - at, character);
    putc('"', to);
}

static void write_member(FILE *to, const char *name, const char *text)
{
    fprintf(to, ",\"%s\":", name);
    write_string(to, text, strlen(text));
}

static void write_index(FILE *to, const char *name, size_t number, const size_t extent[3])
{
    size_t index[3];
    check_index_split(number, extent, index);
    fprintf(to, ",\"%s\":[%zu,%zu,%zu]", name, index[0], index[1], index[2]);
}

static void write_side(FILE *to, const char *name, const check_description *self, const check_side *side,
                       const char *line)
{
    const check_operation *operation = check_description_operation(self, side);
    size_t length, number = check_line_split(line, &length);
    const bool other = side == &self->finding->other;
    const char *access = (side->how & ACCEL_CHECK_WRITE) != 0 ? "write" : "read";
    const char *noun = check_finding_noun(self->finding, side);
    if (noun != NULL)
        access = noun;
    else if (self->finding->kind == CHECK_FINDING_MISUSE)
        access = other || strncmp(self->finding->entry, "accel_", 6) != 0 ? "release" : "use";
    else if (check_finding_is_of_host(self->finding->kind) && !self->finding->has_other)
        access = "submission";
    else if (check_finding_is_of_program(self->finding->kind))
        access = self->finding->kind == CHECK_FINDING_MISSED ? "write" : "creation";
    else if (self->finding->kind == CHECK_FINDING_LIMITS)
        access = "definition";
    else if (check_finding_is_trap(self->finding->kind))
        access = "operation";
    fprintf(to, ",\"%s\":{\"access\":\"%s\"", name, access);
    fprintf(to, ",\"atomic\":%s,\"file\":", (side->how & ACCEL_CHECK_ATOMIC) != 0 ? "true" : "false");
    write_string(to, line, length);
    if (number != 0)
        fprintf(to, ",\"line\":%zu", number);
    else
        fprintf(to, ",\"line\":null");
    if (check_finding_is_of_host(self->finding->kind) && !other && self->finding->has_other)
        write_member(to, "operation", "host");
    else if (check_finding_is_of_host(self->finding->kind))
        write_member(to, "operation", self->finding->other.operation->noun);
    else if (self->finding->kind == CHECK_FINDING_QUEUES)
        write_member(to, "operation", operation->noun);
    if (side->operation != NULL && operation->kernel[0] != '\0')
        write_member(to, "kernel", operation->kernel);
    if (side->actor.what != CHECK_ACTOR_UNKNOWN)
        write_index(to, "block", side->actor.block, operation->grid);
    if (side->actor.what == CHECK_ACTOR_THREAD)
        write_index(to, "thread", side->actor.number, operation->block);
    else if (side->actor.what == CHECK_ACTOR_ITERATION)
        fprintf(to, ",\"iteration\":%zu", side->actor.number);
    putc('}', to);
}

bool check_json_write(const check_description *self)
{
    const check_finding *finding = self->finding;
    if (file == NULL)
        return true;
    FILE *to = fopen(file, "ae");
    if (to == NULL)
        return false;
    fprintf(to, "{\"kind\":\"%s\"", check_kind_name(finding->kind));
    write_member(to, "title", check_kind_title(finding->kind));
    if (self->operation != NULL && self->operation->kernel[0] != '\0')
        write_member(to, "kernel", self->operation->kernel);
    write_side(to, "here", self, &finding->mine, self->mine);
    if (finding->has_other)
        write_side(to, "other", self, &finding->other, self->other);
    if (finding->size != 0)
        fprintf(to, ",\"bytes\":%zu", finding->size);
    if (finding->kind == CHECK_FINDING_ASSERTION)
        write_member(to, "condition", finding->text);
    else if (self->memory[0] != '\0')
        write_member(to, "memory", self->memory);
    if (self->buffer[0] != '\0')
        write_member(to, "buffer", self->buffer);
    write_member(to, "remedy", check_description_remedy(self));
    fprintf(to, ",\"count\":%zu,\"process\":%ld}\n", finding->count, (long)getpid());
    bool failed = fflush(to) != 0 || ferror(to) != 0;
    int reason = errno;
    fclose(to);
    errno = reason;
    return !failed;
}
