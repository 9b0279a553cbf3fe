/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void rig_ok(const char *file, int line, const char *call, accel_status status)
{
    if (status != ACCEL_OK)
        ck_abort_msg("%s:%d: %s: %s: %s", file, line, call, accel_status_name(status), accel_error_message());
}

void rig_refused(const char *file, int line, accel_status expected, const char *call, accel_status status, ...)
{
    const char *piece;
    va_list pieces;
    if (status != expected)
        ck_abort_msg("%s:%d: %s gave %s, not %s: %s", file, line, call, accel_status_name(status),
                     accel_status_name(expected), status == ACCEL_OK ? "" : accel_error_message());
    va_start(pieces, status);
    while ((piece = va_arg(pieces, const char *)) != NULL)
        if (strstr(accel_error_message(), piece) == NULL)
            ck_abort_msg("%s:%d: %s: \"%s\" is missing in \"%s\"", file, line, call, piece, accel_error_message());
    va_end(pieces);
}

const char *rig_backend(void)
{
    const char *name = getenv("ACCEL_BACKEND");
    if (name == NULL)
        ck_abort_msg("ACCEL_BACKEND is not set");
    return name;
}

bool rig_is_cuda(void)
{
    return strcmp(rig_backend(), "cuda") == 0;
}

static rig begin(const accel_instance_desc *instance_desc)
{
    rig b = {0};
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), RIG_WORDS);
    ok(accel_instance_create(instance_desc, &b.instance));
    ck_assert_uint_ge(accel_instance_device_count(b.instance), 2);
    b.device = accel_instance_device(b.instance, 0);
    b.other = accel_instance_device(b.instance, 1);
    ok(accel_queue_create(b.device, NULL, &b.queue));
    ok(accel_buffer_create(b.device, &desc, &b.words));
    ok(accel_module_load(b.device, "conformance", &b.module));
    ok(accel_module_kernel(b.module, "add", &b.add));
    ok(accel_module_kernel(b.module, "set", &b.set));
    return b;
}

rig rig_begin(void)
{
    return begin(NULL);
}

rig rig_begin_beside(const char *backend)
{
    char both[64];
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    snprintf(both, sizeof(both), "%s,%s", rig_backend(), backend);
    desc.backends = both;
    return begin(&desc);
}

void rig_end(rig *b)
{
    accel_buffer_release(b->words);
    accel_module_release(b->module);
    accel_queue_release(b->queue);
    accel_instance_release(b->instance);
}

accel_status rig_launch(const rig *b, accel_queue *queue, accel_kernel *kernel, void *words)
{
    words_args args = {.words = words != NULL ? words : accel_buffer_ptr(b->words), .n = RIG_WORDS, .value = 5};
    accel_work work = accel_work_1d(4, 32, 1);
    return accel_launch(queue, kernel, &work, &args, sizeof(args));
}

accel_status rig_use(accel_device *device)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), RIG_WORDS);
    accel_queue *queue = NULL;
    accel_buffer *buffer = NULL;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_event *event = NULL;
    uint32_t seven = 7, words[RIG_WORDS] = {0};
    accel_work work = accel_work_1d(2, 32, 1);
    accel_status status = accel_queue_create(device, NULL, &queue);
    if (status == ACCEL_OK)
        status = accel_event_create(device, NULL, &event);
    if (status == ACCEL_OK)
        status = accel_buffer_create(device, &desc, &buffer);
    if (status == ACCEL_OK)
        status = accel_module_load(device, "conformance", &module);
    if (status == ACCEL_OK)
        status = accel_module_kernel(module, "add", &kernel);
    if (status == ACCEL_OK)
        status = accel_fill(queue, buffer, &seven, sizeof(seven), NULL);
    if (status == ACCEL_OK) {
        words_args args = {.words = accel_buffer_ptr(buffer), .n = RIG_WORDS, .value = 5};
        status = accel_launch(queue, kernel, &work, &args, sizeof(args));
    }
    if (status == ACCEL_OK)
        status = accel_read(queue, words, buffer);
    if (status == ACCEL_OK)
        status = accel_event_record(event, queue);
    if (status == ACCEL_OK)
        status = accel_event_wait(event);
    if (status == ACCEL_OK)
        status = accel_queue_wait(queue);
    for (int i = 0; status == ACCEL_OK && i < RIG_WORDS; ++i)
        if (words[i] != 12)
            status = ACCEL_INTERNAL;
    accel_event_release(event);
    accel_buffer_release(buffer);
    accel_module_release(module);
    accel_queue_release(queue);
    return status;
}

int rig_status_of(int (*function)(int), int argument)
{
    int status = 0;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        exit(function(argument));
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

unsigned rig_calls(const char *trace, const char *function)
{
    char line[256];
    unsigned calls = 0;
    FILE *file = fopen(trace, "r");
    ck_assert_msg(file != NULL, "%s was not written", trace);
    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        calls += function != NULL ? strcmp(line, function) == 0 : line[0] != ' ';
    }
    fclose(file);
    return calls;
}

const char *rig_work(const char *trace)
{
    static char work[4096];
    char line[256];
    size_t length = 0;
    FILE *file = fopen(trace, "r");
    ck_assert_msg(file != NULL, "%s was not written", trace);
    work[0] = '\0';
    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == ' ' && length < sizeof(work))
            length += (size_t)snprintf(work + length, sizeof(work) - length, "%s;", line + 1);
    }
    fclose(file);
    return work;
}

void rig_forget(const char *trace)
{
    ck_assert_int_eq(truncate(trace, 0), 0);
}

static void pass_gate(void *user, accel_status status)
{
    (void)status;
    while (!((rig_gate *)user)->open)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

void rig_gate_in(rig_gate *gate, accel_queue *queue)
{
    gate->open = false;
    ok(accel_queue_call(queue, pass_gate, gate));
}

static char scratch[64];
static pid_t scratch_owner; /* children have the exit handler too */

static void remove_scratch(void)
{
    char command[96];
    if (getpid() != scratch_owner)
        return;
    snprintf(command, sizeof(command), "rm -rf %s", scratch);
    if (system(command) != 0)
        perror(scratch);
}

const char *rig_scratch(const char *name)
{
    static char path[128];
    if (scratch[0] == '\0') {
        strcpy(scratch, "/tmp/gpusim-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(scratch));
        scratch_owner = getpid();
        atexit(remove_scratch);
    }
    snprintf(path, sizeof(path), "%s/%s", scratch, name);
    return path;
}
