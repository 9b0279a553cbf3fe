/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/report/report.h"
#include "plugins/cpu/check/report/copies.h"
#include "plugins/cpu/check/report/description.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/queues/objects.h"
#include "plugins/cpu/check/queues/track.h"
#include "plugins/cpu/check/report/json.h"
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/check/report/suppression.h"
#include "plugins/cpu/engine/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SEEN = 1024, TEXT = 3072 };

/* Places that were told once. */
typedef struct told {
    uint32_t kind;
    bool suppressed, refuted;
    const void *mine, *other;
    const char *file; /* of an assertion */
    uint32_t line;
} told;
static told seen[SEEN];
static size_t seen_count;
static const char *file, *suppressions;
static bool has_begun;

/* NULL with errno. */
static FILE *open_file(const char *name)
{
    return strcmp(name, "-") == 0 ? stderr : fopen(name, "ae");
}

static void close_file(FILE *stream)
{
    if (stream != stderr)
        fclose(stream);
}

static accel_status try_file(const char *variable, const char *name, const char *backend)
{
    FILE *stream = name != NULL ? open_file(name) : NULL;
    if (stream == NULL && name != NULL)
        return cpu_host()->error(ACCEL_IO, "%s: %s is \"%s\", which cannot be written: %s", backend, variable, name,
                                 strerror(errno));
    if (stream != NULL)
        close_file(stream);
    return ACCEL_OK;
}

accel_status check_report_open(const char *report, const char *json, const char *silenced, const char *backend)
{
    accel_status status = try_file("ACCEL_CHECK_REPORT", report, backend);
    if (status == ACCEL_OK)
        status = try_file("ACCEL_CHECK_JSON", json, backend);
    file = status == ACCEL_OK ? report : NULL;
    suppressions = silenced;
    check_json_to(status == ACCEL_OK ? json : NULL);
    return status;
}

/* What cannot be written is in the log. */
static void write_all(const char *text)
{
    FILE *stream = file != NULL ? open_file(file) : NULL;
    bool written = stream != NULL && fputs(text, stream) >= 0 && fflush(stream) == 0;
    if (file != NULL && !written)
        cpu_host()->log(ACCEL_LOG_WARNING, "cpu-check: \"%s\" cannot be written: %s\n%s", file, strerror(errno), text);
    if (stream != NULL)
        close_file(stream);
}

/* For accel-check, which tells why no kernel was checked. false: there is no file to be told. */
static bool tell_of_process(const char *begin)
{
    char text[64];
    if (file == NULL || strcmp(file, "-") == 0)
        return false;
    snprintf(text, sizeof(text), "%s: process %d\n", begin, (int)getpid());
    write_all(text);
    return true;
}

static void begin_file(void)
{
    has_begun = has_begun || tell_of_process("cpu-check");
}

void check_report_loaded(void)
{
    static bool told_so;
    told_so = told_so || tell_of_process("cpu-check loaded");
}

void check_report_refused(void)
{
    (void)tell_of_process("cpu-check refused");
}

/* Is there anything that tells more than the first finding of a launch? */
static bool is_wanted(void)
{
    return file != NULL || suppressions != NULL || check_json_is_open();
}

/* NULL: no room for more. */
static told *find(const check_finding *finding, bool *is_new)
{
    *is_new = false;
    for (size_t i = 0; i < seen_count; ++i)
        if (seen[i].kind == finding->kind && seen[i].mine == finding->mine.place &&
            seen[i].other == finding->other.place && seen[i].file == finding->file && seen[i].line == finding->line)
            return &seen[i];
    if (seen_count == SEEN)
        return NULL;
    *is_new = true;
    seen[seen_count] = (told){.kind = finding->kind,
                              .mine = finding->mine.place,
                              .other = finding->other.place,
                              .file = finding->file,
                              .line = finding->line};
    return &seen[seen_count++];
}

/* What ended the kernel is always told. */
static bool may_be_suppressed(const check_finding *finding)
{
    return !check_abandoned || (finding->kind != CHECK_FINDING_OUTSIDE && finding->kind != CHECK_FINDING_DIVISION &&
                                finding->kind != CHECK_FINDING_ENDLESS && finding->kind != CHECK_FINDING_STACK &&
                                finding->kind != CHECK_FINDING_MISALIGNED && finding->kind != CHECK_FINDING_CONSTANT);
}

static void tell_suppressed(const check_description *description, size_t by)
{
    char text[TEXT];
    snprintf(text, sizeof(text), "cpu-check suppressed: %s at %s, by %s:%zu\n",
             check_kind_title(description->finding->kind), description->mine, suppressions, by);
    write_all(text);
}

void check_report_failure(const char *text)
{
    char line[320];
    snprintf(line, sizeof(line), "cpu-check failed: %s\n", text);
    write_all(line);
    cpu_host()->log(ACCEL_LOG_WARNING, "cpu-check: %s", text);
}

static void tell(const check_description *description, const char *text)
{
    char failure[256];
    write_all(text);
    if (check_json_write(description))
        return;
    snprintf(failure, sizeof(failure), "the file of ACCEL_CHECK_JSON cannot be written: %s", strerror(errno));
    check_report_failure(failure);
}

/* Barriers that a compiler has copied are one. */
static bool is_one_barrier(const check_description *description)
{
    return description->finding->kind == CHECK_FINDING_BARRIER && strcmp(description->mine, description->other) == 0;
}

size_t check_report(const check_operation *operation, char *text, size_t size)
{
    static check_description description; /* large, and under the lock */
    size_t count = 0;
    bool is_new;
    text[0] = '\0';
    begin_file();
    check_copies_unite();
    check_findings_sort();
    for (size_t i = 0; i < check_found.count; ++i) {
        const check_finding *finding = &check_found.items[i];
        char one[TEXT];
        told *known = find(finding, &is_new);
        if (known != NULL && (known->refuted || (known->suppressed && may_be_suppressed(finding))))
            continue;
        if (count != 0 && finding->kind != CHECK_FINDING_BARRIER && !(is_new && is_wanted())) {
            count++;
            continue;
        }
        check_description_make(finding, operation, &description);
        size_t by = may_be_suppressed(finding) ? check_suppression_of(&description) : 0;
        if (known != NULL) {
            known->refuted = is_one_barrier(&description);
            known->suppressed = by != 0;
        }
        if (is_one_barrier(&description))
            continue;
        if (by != 0) {
            if (is_new)
                tell_suppressed(&description, by);
            continue;
        }
        check_description_text(&description, one, sizeof(one));
        if (count++ == 0)
            snprintf(text, size, "%s", one);
        if (is_new)
            tell(&description, one);
    }
    if (count > 1 && strlen(text) < size)
        snprintf(text + strlen(text), size - strlen(text),
                 "  and %zu more places of this %s; ACCEL_CHECK_REPORT=- shows them\n", count - 1, operation->noun);
    return count;
}

/* Of no launch. */
static void tell_or_suppress(const check_description *description)
{
    char text[TEXT];
    const size_t by = check_suppression_of(description);
    check_description_text(description, text, sizeof(text));
    if (by != 0)
        tell_suppressed(description, by);
    else
        tell(description, text);
}

/* ------------------------------------------------------------------------------------------- leaks -- */

/* LEAKS: lines that are told apart. */
enum { LEAKS = 256, RESULT = CHECK_OBJECT_KINDS };
static struct {
    const void *maker;
    int kind; /* CHECK_OBJECT_* or RESULT */
    size_t count, bytes;
    char line[CHECK_LINE]; /* the maker's, once they are told */
} leaks[LEAKS];
static size_t leak_count;

static void add_leak(const void *maker, int kind, size_t bytes)
{
    size_t at = 0;
    while (at < leak_count && (leaks[at].maker != maker || leaks[at].kind != kind))
        ++at;
    if (at == LEAKS)
        return;
    leak_count = at == leak_count ? at + 1 : leak_count;
    leaks[at].maker = maker;
    leaks[at].kind = kind;
    leaks[at].count++;
    leaks[at].bytes += bytes;
}

static void add_buffer(const void *data, const void *maker, size_t bytes)
{
    if (!check_object_is_returned(data))
        add_leak(maker, CHECK_OBJECT_BUFFER, bytes);
}

static void add_result(const void *maker, size_t bytes)
{
    add_leak(maker, RESULT, bytes);
}

static void add_object(const void *maker, int kind)
{
    if (kind != CHECK_OBJECT_INSTANCE)
        add_leak(maker, kind, 0);
}

/* Objects that are left keep their instance. */
static void add_instance(const void *maker, int kind)
{
    if (kind == CHECK_OBJECT_INSTANCE)
        add_leak(maker, kind, 0);
}

static void describe_leak(check_description *description, int kind)
{
    static const char *const nouns[] = {[CHECK_OBJECT_QUEUE] = "queue",
                                        [CHECK_OBJECT_EVENT] = "event",
                                        [CHECK_OBJECT_MODULE] = "module",
                                        [CHECK_OBJECT_INSTANCE] = "instance"};
    const check_finding *finding = description->finding;
    char *text = description->memory;
    const size_t size = sizeof(description->memory);
    const bool one = finding->count == 1;
    if (kind == RESULT && one)
        snprintf(text, size, "a copy of %zu bytes to the host's memory", finding->size);
    else if (kind == RESULT)
        snprintf(text, size, "%zu copies of %zu bytes in all to the host's memory", finding->count, finding->size);
    else if (kind == CHECK_OBJECT_BUFFER && one)
        snprintf(text, size, "a buffer of %zu bytes", finding->size);
    else if (kind == CHECK_OBJECT_BUFFER)
        snprintf(text, size, "%zu buffers of %zu bytes in all", finding->count, finding->size);
    else if (one)
        snprintf(text, size, "%s %s", kind == CHECK_OBJECT_EVENT || kind == CHECK_OBJECT_INSTANCE ? "an" : "a",
                 nouns[kind]);
    else
        snprintf(text, size, "%zu %ss", finding->count, nouns[kind]);
}

static uint32_t kind_of(int leak)
{
    return leak == CHECK_OBJECT_BUFFER ? CHECK_FINDING_LEAK
           : leak == RESULT            ? CHECK_FINDING_MISSED
                                       : CHECK_FINDING_OBJECT;
}

/* Compilers unroll loops: a line that makes several objects may be several makers. */
static void add_to_same_line(size_t leak)
{
    for (size_t i = 0; i < leak; ++i) {
        if (leaks[i].kind == leaks[leak].kind && strcmp(leaks[i].line, leaks[leak].line) == 0) {
            leaks[i].count += leaks[leak].count;
            leaks[i].bytes += leaks[leak].bytes;
            leaks[leak].count = 0;
            return;
        }
    }
}

static void tell_leaks(void)
{
    static check_description description;
    for (size_t i = 0; i < leak_count; ++i) {
        check_line_of(leaks[i].maker, leaks[i].line, sizeof(leaks[i].line));
        add_to_same_line(i);
    }
    for (size_t i = 0; i < leak_count; ++i) {
        if (leaks[i].count == 0)
            continue;
        const check_finding finding = {.kind = kind_of(leaks[i].kind),
                                       .size = leaks[i].bytes,
                                       .mine.place = leaks[i].maker,
                                       .count = leaks[i].count};
        description = (check_description){.finding = &finding};
        memcpy(description.mine, leaks[i].line, sizeof(description.mine));
        describe_leak(&description, leaks[i].kind);
        tell_or_suppress(&description);
    }
    memset(leaks, 0, leak_count * sizeof(leaks[0]));
    leak_count = 0;
}

void check_report_leaks(void)
{
    check_memory_each_live(add_buffer);
    check_objects_each(add_object);
    if (leak_count == 0)
        check_objects_each(add_instance);
    tell_leaks();
}

void check_report_misses(void)
{
    check_host_misses(add_result);
    tell_leaks();
}

/* -------------------------------------------------------------------------------------------- host -- */

void check_report_host(const check_finding *finding)
{
    static check_description description; /* under the lock */
    bool is_new = false;
    const told *known = find(finding, &is_new);
    begin_file();
    if (known != NULL && !is_new)
        return;
    check_description_make(finding, NULL, &description);
    tell_or_suppress(&description);
}

/* -------------------------------------------------------------------------------- released objects -- */

static const char *noun_of(uint32_t kind)
{
    return kind == ACCEL_OBJECT_QUEUE    ? "a queue"
           : kind == ACCEL_OBJECT_EVENT  ? "an event"
           : kind == ACCEL_OBJECT_BUFFER ? "a buffer"
           : kind == ACCEL_OBJECT_MODULE ? "a module"
                                         : "an instance";
}

void check_report_misuse(const check_released *released, const char *function, char *text, size_t size)
{
    static check_description description; /* under the lock */
    bool is_new = false;
    const check_finding finding = {.kind = CHECK_FINDING_MISUSE,
                                   .mine.place = check_line_here(NULL),
                                   .other.place = released->place,
                                   .has_other = released->place != NULL,
                                   .text = noun_of(released->kind),
                                   .entry = function != NULL ? function : "another release",
                                   .count = 1};
    char maker[CHECK_LINE];
    told *known = find(&finding, &is_new);
    check_description_make(&finding, NULL, &description);
    if (released->maker != NULL) {
        check_line_of(released->maker, maker, sizeof(maker));
        snprintf(description.memory, sizeof(description.memory), "%s, made at %.480s", finding.text, maker);
    }
    snprintf(text, size, "%s: %s, was released%s%s", finding.entry, description.memory,
             finding.has_other ? " at " : " before", description.other);
    if (known == NULL || is_new)
        tell_or_suppress(&description);
}
