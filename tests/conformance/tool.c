/* SPDX-License-Identifier: Apache-2.0 */
/* Tools: what they see, and that programs do not notice. The tool is tests/fixtures/recorder, which writes a line for each
 * callback. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <accel/tool.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* An instance that is watched, beside the fixture's, which is not. */
typedef struct watched {
    accel_instance *instance;
    accel_device *device;
    accel_module *module;
    char path[4200]; /* of the recorder's file */
} watched;

static watched watched_open_into(const char *path, const char *backends)
{
    watched w = {0};
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    snprintf(w.path, sizeof w.path, "%s", path);
    setenv("RECORDER_FILE", w.path, 1);
    setenv("ACCEL_TOOL", "recorder", 1);
    desc.backends = backends != NULL ? backends : test.properties.backend;
    ok(accel_instance_create(&desc, &w.instance));
    unsetenv("ACCEL_TOOL");
    w.device = accel_instance_device(w.instance, 0);
    return w;
}

static watched watched_open(const char *backends)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/record", scratch_directory());
    watched w = watched_open_into(path, backends);
    ok(accel_module_load(w.device, "conformance", &w.module));
    return w;
}

static void watched_close(watched *w)
{
    accel_module_release(w->module);
    accel_instance_release(w->instance);
}

static accel_kernel *watched_kernel(const watched *w, const char *name)
{
    accel_kernel *kernel = NULL;
    ok(accel_module_kernel(w->module, name, &kernel));
    return kernel;
}

/* A line of the record. */
typedef struct line {
    char text[512], what[16], kind[16];
} line;

/* The record so far; the caller frees. */
static line *record_of(const watched *w, size_t *count)
{
    FILE *stream = fopen(w->path, "re");
    line *lines = NULL, next;
    *count = 0;
    ck_assert_ptr_nonnull(stream);
    while (fgets(next.text, sizeof next.text, stream) != NULL) {
        next.kind[0] = '\0';
        ck_assert_int_ge(sscanf(next.text, "%15s %15s", next.what, next.kind), 1);
        lines = realloc(lines, (*count + 1) * sizeof *lines);
        ck_assert_ptr_nonnull(lines);
        lines[(*count)++] = next;
    }
    fclose(stream);
    return lines;
}

static unsigned long long value_of(const line *l, const char *key)
{
    char pattern[32];
    snprintf(pattern, sizeof pattern, " %s=", key);
    const char *at = strstr(l->text, pattern);
    ck_assert_msg(at != NULL, "no %s in %s", key, l->text);
    return strtoull(at + strlen(pattern), NULL, 10);
}

static bool is(const line *l, const char *what, const char *kind)
{
    return strcmp(l->what, what) == 0 && strcmp(l->kind, kind) == 0;
}

/* The nth line of that sort, counted from 0. */
static const line *find(const line *lines, size_t count, const char *what, const char *kind, size_t nth)
{
    for (size_t i = 0; i < count; ++i) {
        if (is(&lines[i], what, kind) && nth-- == 0)
            return &lines[i];
    }
    ck_abort_msg("the record has no such line: %s %s", what, kind);
    return NULL;
}

static size_t count_of(const line *lines, size_t count, const char *what, const char *kind)
{
    size_t found = 0;
    for (size_t i = 0; i < count; ++i)
        found += is(&lines[i], what, kind);
    return found;
}

static accel_buffer *words_on(accel_device *device, size_t n)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), n);
    return buffer_new(device, &desc);
}

/* The same, written by the queue: kernels read only what was. */
static accel_buffer *zeros_on(accel_device *device, accel_queue *queue, size_t n)
{
    static const uint32_t zero;
    accel_buffer *buffer = words_on(device, n);
    ok(accel_fill(queue, buffer, &zero, sizeof zero, NULL));
    return buffer;
}

static void launch_add(accel_queue *queue, accel_kernel *kernel, accel_buffer *buffer, size_t n, size_t blocks)
{
    words_args args = {.words = (uint32_t *)accel_buffer_ptr(buffer), .n = n, .value = 1};
    accel_work work = work_of(blocks, 1);
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
}

/* A program of every kind of operation, on a queue with these flags. */
static void use(const watched *w, uint32_t flags)
{
    uint32_t words[300], zero = 0;
    accel_queue *queue = queue_new(w->device, flags);
    accel_event *event = event_new(w->device, 0);
    accel_buffer *first = words_on(w->device, 300), *second = words_on(w->device, 300);
    ok(accel_object_name(ACCEL_OBJECT_QUEUE, queue, "left"));
    ok(accel_object_name(ACCEL_OBJECT_BUFFER, first, "residual"));
    ok(accel_fill(queue, first, &zero, sizeof zero, NULL));
    for (int i = 0; i < 3; ++i)
        launch_add(queue, watched_kernel(w, "add"), first, 300, 4);
    ok(accel_copy(queue, second, first, NULL));
    ok(accel_event_record(event, queue));
    ok(accel_queue_wait_event(queue, event));
    ok(accel_read(queue, words, second));
    ok(accel_queue_wait(queue));
    for (int i = 0; i < 300; ++i)
        ck_assert_uint_eq(words[i], 3);
    accel_buffer_release(first);
    accel_buffer_release(second);
    accel_event_release(event);
    accel_queue_release(queue);
}

START_TEST(w1_tools_see_every_object_once)
{
    static const char *const kinds[] = {"device", "queue", "event", "buffer", "module", "kernel"};
    watched w = watched_open(NULL);
    size_t count;
    use(&w, 0);
    watched_close(&w);
    line *lines = record_of(&w, &count);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        size_t made = count_of(lines, count, "created", kinds[k]);
        ck_assert_msg(made >= (strcmp(kinds[k], "buffer") == 0 ? 2 : 1), "%s: %zu", kinds[k], made);
        for (size_t i = 0; i < made; ++i) {
            unsigned long long id = value_of(find(lines, count, "created", kinds[k], i), "id"), ends = 0;
            for (size_t j = 0; j < count; ++j) {
                if (strcmp(lines[j].what, "released") == 0 && value_of(&lines[j], "id") == id) {
                    ck_assert_str_eq(lines[j].kind, kinds[k]);
                    ++ends;
                }
                if (strcmp(lines[j].what, "created") == 0 && value_of(&lines[j], "id") == id)
                    ck_assert_str_eq(lines[j].kind, kinds[k]);
            }
            ck_assert_uint_eq(ends, 1);
        }
    }
    ck_assert_ptr_nonnull(strstr(find(lines, count, "created", "device", 0)->text, test.properties.name));
    ck_assert_ptr_nonnull(strstr(find(lines, count, "created", "kernel", 0)->text, "name=add|"));
    ck_assert_ptr_nonnull(strstr(find(lines, count, "created", "module", 0)->text, "name=conformance|"));
    ck_assert_ptr_nonnull(strstr(find(lines, count, "named", "queue", 0)->text, "name=left|"));
    ck_assert_uint_eq(value_of(find(lines, count, "named", "queue", 0), "id"),
                      value_of(find(lines, count, "created", "queue", 0), "id"));
    ck_assert_ptr_nonnull(strstr(find(lines, count, "named", "buffer", 0)->text, "name=residual|"));
    free(lines);
}
END_TEST

static void check_times(const line *lines, size_t count)
{
    unsigned long long last = 0;
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(lines[i].what, "completed") != 0 || strcmp(lines[i].kind, "host-wait") == 0)
            continue;
        unsigned long long started = value_of(&lines[i], "started"), ended = value_of(&lines[i], "ended");
        ck_assert_msg(started >= last && ended >= started, "%s", lines[i].text);
        last = ended;
    }
    ck_assert_uint_ne(last, 0);
}

static void sees_operations(uint32_t flags)
{
    static const char *const expected[] = {"fill", "launch", "launch", "launch", "copy", "record", "wait", "copy"};
    watched w = watched_open(NULL);
    size_t count, submitted = 0, completed = 0;
    use(&w, flags);
    watched_close(&w);
    line *lines = record_of(&w, &count);
    unsigned long long ids[sizeof expected / sizeof expected[0]];
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(lines[i].what, "submitted") == 0) {
            ck_assert_str_eq(lines[i].kind, expected[submitted]);
            ids[submitted++] = value_of(&lines[i], "id");
        }
        if (strcmp(lines[i].what, "completed") == 0 && strcmp(lines[i].kind, "host-wait") != 0) {
            ck_assert_str_eq(lines[i].kind, expected[completed]);
            ck_assert_uint_eq(value_of(&lines[i], "id"), ids[completed++]);
            ck_assert_uint_eq(value_of(&lines[i], "status"), ACCEL_OK);
        }
    }
    ck_assert_uint_eq(submitted, sizeof expected / sizeof expected[0]);
    ck_assert_uint_eq(completed, submitted);
    check_times(lines, count);
    const line *launch = find(lines, count, "completed", "launch", 2);
    ck_assert_uint_eq(value_of(launch, "blocks"), 4);
    ck_assert_uint_eq(value_of(launch, "threads"), 1);
    ck_assert_ptr_nonnull(strstr(launch->text, "name=add\n"));
    ck_assert_uint_eq(value_of(find(lines, count, "completed", "fill", 0), "bytes"), 1200);
    ck_assert_uint_eq(value_of(find(lines, count, "completed", "copy", 0), "bytes"), 1200);
    ck_assert_uint_eq(value_of(find(lines, count, "completed", "copy", 0), "direction"), ACCEL_TOOL_DEVICE_TO_DEVICE);
    ck_assert_uint_eq(value_of(find(lines, count, "completed", "copy", 1), "direction"), ACCEL_TOOL_DEVICE_TO_HOST);
    free(lines);
}

START_TEST(w2_operations_are_told_in_order_with_times_that_do_not_overlap)
{
    sees_operations(0);
}
END_TEST

START_TEST(w2_operations_of_blocking_queues_are_told_with_times)
{
    sees_operations(ACCEL_QUEUE_BLOCKING);
}
END_TEST

START_TEST(w2_a_kernel_that_runs_longer_has_a_longer_time)
{
    gate door;
    watched w = watched_open(NULL);
    accel_queue *queue = queue_new(w.device, 0);
    accel_buffer *buffer = zeros_on(w.device, queue, 10);
    size_t count;
    launch_add(queue, watched_kernel(&w, "add"), buffer, 10, 1);
    gate_init(&door);
    gate_in(&door, queue);
    gate_entered(&door);
    sleep_ms(30);
    gate_open(&door);
    ok(accel_queue_wait(queue));
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    watched_close(&w);
    gate_destroy(&door);
    line *lines = record_of(&w, &count);
    const line *call = find(lines, count, "completed", "call", 0);
    ck_assert_uint_ge(value_of(call, "ended") - value_of(call, "started"), 20 * 1000000);
    ck_assert_uint_ge(value_of(call, "started"), value_of(find(lines, count, "completed", "launch", 0), "ended"));
    free(lines);
}
END_TEST

/* Launches of several kernels in shapes that change: some while others are pending, and the last when the queue is released. */
START_TEST(w2_a_launch_is_completed_as_it_was_submitted)
{
    static const char *const names[] = {"set", "add", "chain", "copy", "free", "each", "add", "set", "set"};
    static const char *const keys[] = {"queue", "device", "object", "blocks", "threads", "thread", "submitted"};
    enum { ROUNDS = 20, NAMES = sizeof names / sizeof names[0] };
    gate door;
    watched w = watched_open(NULL);
    accel_queue *queue = queue_new(w.device, 0);
    size_t count, launches = 0;
    gate_init(&door);
    gate_in(&door, queue);
    gate_entered(&door);
    for (size_t round = 0; round < ROUNDS; ++round) {
        for (size_t i = 0; i < NAMES; ++i) {
            const words_args args = {.n = 0};
            const accel_work work = work_of(1 + i % 3, 1 + round % 2);
            const accel_status status = accel_launch(queue, watched_kernel(&w, names[i]), &work, &args, sizeof args);
            if (round % 2 == 1 && status != ACCEL_OK)
                continue; /* one thread a block here */
            ok(status);
            ++launches;
        }
        if (round == 1)
            gate_open(&door);
    }
    ok(accel_queue_wait(queue));
    for (size_t i = 0; i < NAMES; ++i)
        launch_add(queue, watched_kernel(&w, names[1]), NULL, 0, 1);
    accel_queue_release(queue); /* with work under way */
    watched_close(&w);
    gate_destroy(&door);
    line *lines = record_of(&w, &count);
    const size_t told = count_of(lines, count, "completed", "launch");
    ck_assert_uint_ge(told, launches);
    for (size_t i = 0; i < told; ++i) {
        const line *end = find(lines, count, "completed", "launch", i);
        const line *begin = find(lines, count, "submitted", "launch", i);
        ck_assert_uint_eq(value_of(begin, "id"), value_of(end, "id"));
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k)
            ck_assert_uint_eq(value_of(begin, keys[k]), value_of(end, keys[k]));
        ck_assert_str_eq(strstr(begin->text, " name="), strstr(end->text, " name="));
    }
    check_times(lines, count);
    free(lines);
}
END_TEST

START_TEST(w3_failures_are_the_programs_own_and_are_told)
{
    accel_device *partner = need_partner();
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    uint32_t value = 7;
    ok(accel_device_info(partner, &properties));
    char path[4200];
    snprintf(path, sizeof path, "%s/record", scratch_directory());
    watched w = watched_open_into(path, properties.backend);
    size_t count;
    accel_queue *queue = queue_new(w.device, 0);
    accel_buffer *buffer = words_on(w.device, 10);
    faulty_queue_control *control = queue_control(queue);
    control->fail_next(control, ACCEL_KERNEL_FAULT);
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL));
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL)); /* skipped */
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(queue), "");
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL));
    ok(accel_queue_wait(queue));
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    watched_close(&w);
    line *lines = record_of(&w, &count);
    ck_assert_uint_eq(count_of(lines, count, "completed", "fill"), 3);
    ck_assert_uint_eq(value_of(find(lines, count, "completed", "fill", 2), "status"), ACCEL_OK);
    ck_assert_uint_eq(value_of(find(lines, count, "completed", "host-wait", 0), "status"), ACCEL_KERNEL_FAULT);
    free(lines);
}
END_TEST

START_TEST(w4_a_wait_names_what_was_recorded_also_on_another_backend)
{
    accel_device_properties partner = ACCEL_DEVICE_PROPERTIES_INIT;
    char backends[160];
    size_t count;
    ok(accel_device_info(need_partner(), &partner));
    snprintf(backends, sizeof backends, "%s,%s", test.properties.backend, partner.backend);
    watched w = watched_open(backends);
    accel_device *other = accel_instance_device(w.instance, accel_instance_device_count(w.instance) - 1);
    accel_queue *queue = queue_new(w.device, 0), *near = queue_new(w.device, 0), *far = queue_new(other, 0);
    accel_event *event = event_new(w.device, 0), *never = event_new(w.device, 0);
    accel_buffer *buffer = zeros_on(w.device, queue, 10);
    launch_add(queue, watched_kernel(&w, "add"), buffer, 10, 1);
    ok(accel_event_record(event, queue));
    ok(accel_queue_wait_event(near, event));
    ok(accel_queue_wait_event(far, event));
    ok(accel_queue_wait_event(near, never));
    ok(accel_event_wait(event));
    ok(accel_queue_wait(near));
    ok(accel_queue_wait(far));
    accel_event_release(event);
    accel_event_release(never);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_queue_release(near);
    accel_queue_release(far);
    watched_close(&w);
    line *lines = record_of(&w, &count);
    unsigned long long recorded = value_of(find(lines, count, "submitted", "record", 0), "id");
    ck_assert_uint_eq(value_of(find(lines, count, "submitted", "wait", 0), "awaited"), recorded);
    ck_assert_uint_eq(value_of(find(lines, count, "submitted", "wait", 1), "awaited"), recorded);
    ck_assert_uint_eq(value_of(find(lines, count, "submitted", "wait", 2), "awaited"), 0);
    ck_assert_uint_eq(value_of(find(lines, count, "completed", "host-wait", 0), "awaited"), recorded);
    free(lines);
}
END_TEST

START_TEST(w5_memory_in_use_adds_up)
{
    watched w = watched_open(NULL);
    accel_queue *queue = queue_new(w.device, 0);
    accel_buffer_desc desc = accel_buffer_1d(1, 1000), more = accel_buffer_1d(1, 50000);
    accel_buffer *first = buffer_new(w.device, &desc), *second = buffer_new(w.device, &more), *third = NULL;
    size_t count;
    ok(accel_buffer_create_async(queue, &desc, &third));
    accel_buffer_release(second);
    ok(accel_queue_wait(queue));
    line *lines = record_of(&w, &count);
    ck_assert_uint_eq(value_of(find(lines, count, "created", "buffer", 0), "in_use"), 1000);
    ck_assert_uint_eq(value_of(find(lines, count, "created", "buffer", 1), "in_use"), 51000);
    ck_assert_uint_eq(value_of(find(lines, count, "created", "buffer", 2), "in_use"), 52000);
    ck_assert_uint_eq(value_of(find(lines, count, "released", "buffer", 0), "in_use"), 2000);
    ck_assert_uint_eq(value_of(find(lines, count, "released", "buffer", 0), "bytes"), 50000);
    free(lines);
    accel_buffer_release(first);
    accel_buffer_release(third);
    ok(accel_queue_wait(queue)); /* and ends what the queue gave back */
    accel_queue_release(queue);
    watched_close(&w);
    lines = record_of(&w, &count);
    ck_assert_uint_eq(count_of(lines, count, "released", "buffer"), 3);
    ck_assert_uint_eq(value_of(find(lines, count, "released", "buffer", 2), "in_use"), 0);
    free(lines);
}
END_TEST

static void *regions_of_a_thread(void *user)
{
    (void)user;
    ok(accel_region_push("of a thread"));
    ok(accel_region_pop());
    return NULL;
}

START_TEST(w6_regions_are_of_their_thread_and_nest)
{
    pthread_t thread;
    size_t count;
    refused(ACCEL_INVALID, accel_region_pop(), "push");
    ok(accel_region_push("before any tool"));
    watched w = watched_open(NULL);
    ok(accel_region_pop());
    ok(accel_region_push("outer"));
    ok(accel_region_push("inner"));
    ck_assert_int_eq(pthread_create(&thread, NULL, regions_of_a_thread, NULL), 0);
    pthread_join(thread, NULL);
    ok(accel_region_pop());
    ok(accel_region_pop());
    refused(ACCEL_INVALID, accel_region_pop(), "push");
    refused(ACCEL_INVALID, accel_region_push(NULL), "name");
    watched_close(&w);
    line *lines = record_of(&w, &count);
    ck_assert_uint_eq(count_of(lines, count, "pushed", "region"), 3);
    ck_assert_uint_eq(count_of(lines, count, "popped", "region"), 3);
    const line *outer = find(lines, count, "pushed", "region", 0), *inner = find(lines, count, "pushed", "region", 1);
    const line *other = find(lines, count, "pushed", "region", 2);
    ck_assert_ptr_nonnull(strstr(outer->text, "name=outer\n"));
    ck_assert_uint_eq(value_of(outer, "depth"), 0);
    ck_assert_uint_eq(value_of(inner, "depth"), 1);
    ck_assert_uint_eq(value_of(outer, "thread"), value_of(inner, "thread"));
    ck_assert_uint_ne(value_of(other, "thread"), value_of(inner, "thread"));
    ck_assert_uint_eq(value_of(other, "depth"), 0);
    ck_assert_ptr_nonnull(strstr(find(lines, count, "popped", "region", 1)->text, "name=inner\n"));
    ck_assert_ptr_nonnull(strstr(find(lines, count, "popped", "region", 2)->text, "name=outer\n"));
    free(lines);
}
END_TEST

static void tool_is_refused(accel_status status, const char *tool, const char *piece)
{
    accel_instance *instance = NULL;
    setenv("ACCEL_TOOL", tool, 1);
    refused(status, accel_instance_create(NULL, &instance), "ACCEL_TOOL", piece);
    ck_assert_ptr_null(instance);
    unsetenv("ACCEL_TOOL");
}

START_TEST(w7_a_tool_that_cannot_be_used_is_refused_before_anything_runs)
{
    accel_instance *instance = NULL;
    char path[4200];
    tool_is_refused(ACCEL_NOT_FOUND, "/nonexistent/tool.so", "/nonexistent/tool.so");
    tool_is_refused(ACCEL_NOT_FOUND, "recoder", "libacceltool-recoder.so");
    tool_is_refused(ACCEL_INVALID, "here/tool.so", "absolute");
    tool_is_refused(ACCEL_INCOMPATIBLE, "none", "accel_tool_init");
    snprintf(path, sizeof path, "%s/text.so", scratch_directory());
    write_file(path, "no shared object", 16);
    tool_is_refused(ACCEL_INCOMPATIBLE, path, path);
    setenv("RECORDER_MODE", "refuse", 1);
    tool_is_refused(ACCEL_UNAVAILABLE, "recorder", "told to refuse (42)");
    setenv("RECORDER_MODE", "abi", 1);
    tool_is_refused(ACCEL_INCOMPATIBLE, "recorder", "version 2 of accel/tool.h");
    unsetenv("RECORDER_MODE");
    setenv("ACCEL_TOOL", "recorder::recorder:", 1);
    ok(accel_instance_create(NULL, &instance));
    accel_instance_release(instance);
}
END_TEST

/* Of a forked child, where Check's assertions would end in the parent's report. */
static void in_child(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "in the child: %s: %s\n", what, accel_error_message());
    _exit(1);
}

START_TEST(w8_tools_watch_the_process_that_loaded_them)
{
    watched w = watched_open(NULL);
    size_t before, after;
    accel_queue *queue = queue_new(w.device, 0);
    accel_kernel *kernel = watched_kernel(&w, "add");
    accel_buffer *buffer = zeros_on(w.device, queue, 10);
    launch_add(queue, kernel, buffer, 10, 1);
    ok(accel_queue_wait(queue));
    free(record_of(&w, &before));
    pid_t child = fork();
    if (child == 0) {
        accel_instance *instance = NULL;
        accel_status expected = test.properties.kind == ACCEL_DEVICE_CPU ? ACCEL_OK : ACCEL_FORKED;
        words_args args = {.words = (uint32_t *)accel_buffer_ptr(buffer), .n = 10, .value = 1};
        accel_work work = work_of(1, 1);
        in_child(accel_region_push("in the child") == ACCEL_OK && accel_region_pop() == ACCEL_OK, "a region");
        in_child(accel_launch(queue, kernel, &work, &args, sizeof args) == expected, "a launch");
        in_child(expected != ACCEL_OK || accel_queue_wait(queue) == ACCEL_OK, "a wait");
        setenv("ACCEL_TOOL", "recorder", 1);
        accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
        desc.backends = test.properties.backend;
        in_child(expected != ACCEL_OK || accel_instance_create(&desc, &instance) == ACCEL_OK, "another instance");
        accel_instance_release(instance);
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    free(record_of(&w, &after));
    ck_assert_uint_eq(after, before);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    watched_close(&w);
}
END_TEST

START_TEST(w8_finish_is_called_once_when_the_process_ends)
{
    watched w = {0};
    size_t count;
    int ends[2];
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("drivers do not survive a fork");
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork(); /* whose files of the test go with it: it writes into a pipe */
    if (child == 0) {
        snprintf(w.path, sizeof w.path, "/proc/self/fd/%d", ends[1]);
        watched_open_into(w.path, NULL); /* and never closed */
        exit(0);
    }
    close(ends[1]);
    snprintf(w.path, sizeof w.path, "/proc/self/fd/%d", ends[0]);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    line *lines = record_of(&w, &count);
    ck_assert_uint_eq(count_of(lines, count, "finished", ""), 1);
    ck_assert_str_eq(lines[count - 1].what, "finished");
    free(lines);
}
END_TEST

START_TEST(names_of_objects_are_checked_and_need_no_tool)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 5, 1), *view = NULL;
    ok(accel_buffer_view(buffer, NULL, NULL, &view));
    ok(accel_object_name(ACCEL_OBJECT_QUEUE, queue, "a queue"));
    ok(accel_object_name(ACCEL_OBJECT_BUFFER, view, "a view"));
    ok(accel_object_name(ACCEL_OBJECT_DEVICE, test.host, "the host"));
    refused(ACCEL_INVALID, accel_object_name(0, queue, "a queue"), "kind is 0");
    refused(ACCEL_INVALID, accel_object_name(7, queue, "a queue"), "kind is 7");
    refused(ACCEL_INVALID, accel_object_name(ACCEL_OBJECT_QUEUE, NULL, "a queue"), "object");
    refused(ACCEL_INVALID, accel_object_name(ACCEL_OBJECT_QUEUE, queue, NULL), "name");
    accel_buffer_release(view);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

Suite *tool_suite(void)
{
    Suite *suite = suite_create("tool");
    suite_tags = "tools"; /* not for runs under a tool */
    add(suite, w1_tools_see_every_object_once);
    add(suite, w2_operations_are_told_in_order_with_times_that_do_not_overlap);
    add(suite, w2_operations_of_blocking_queues_are_told_with_times);
    add(suite, w2_a_kernel_that_runs_longer_has_a_longer_time);
    add(suite, w2_a_launch_is_completed_as_it_was_submitted);
    add(suite, w3_failures_are_the_programs_own_and_are_told);
    add(suite, w4_a_wait_names_what_was_recorded_also_on_another_backend);
    add(suite, w5_memory_in_use_adds_up);
    add(suite, w6_regions_are_of_their_thread_and_nest);
    add(suite, w7_a_tool_that_cannot_be_used_is_refused_before_anything_runs);
    add(suite, w8_tools_watch_the_process_that_loaded_them);
    add(suite, w8_finish_is_called_once_when_the_process_ends);
    add(suite, names_of_objects_are_checked_and_need_no_tool);
    suite_tags = NULL;
    return suite;
}
