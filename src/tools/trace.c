/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ACCEL_TRACE=FILE: a timeline in the format of Perfetto and Chrome. A device is a process there, a queue is a thread of it;
 * threads of the program are those of the process "host". Numbers of devices, queues and operations are those of
 * accel/tool.h.
 */
#include "tools/operation_name.h"
#include "tools/trace_file.h"

enum { HOST = 1, FIRST_DEVICE = 10, REMEMBERED = 1024 };

static uint64_t begun; /* time 0 of the trace */

/* Where what was recorded lately was recorded. Under the file's lock. */
static struct remembered {
    uint64_t operation, queue;
} remembered[REMEMBERED];

static void add_time(const char *key, uint64_t time)
{
    uint64_t since = time > begun ? time - begun : 0;

    trace_file_add(",\"%s\":%llu.%03u", key, (unsigned long long)(since / 1000), (unsigned)(since % 1000));
}

static void add_place(uint64_t process, uint64_t thread)
{
    trace_file_add(",\"pid\":%llu,\"tid\":%llu", (unsigned long long)process, (unsigned long long)thread);
}

static uint64_t process_of(uint64_t device)
{
    return device + FIRST_DEVICE;
}

/* Under the lock. */
static void name_track(const char *what, uint64_t process, uint64_t thread, const char *name)
{
    trace_file_begin();
    trace_file_add("{\"ph\":\"M\",\"name\":\"%s\"", what);
    add_place(process, thread);
    trace_file_add(",\"args\":{\"name\":");
    trace_file_add_text(name);
    trace_file_add("}}");
}

static void add_memory(const accel_tool_object *object)
{
    trace_file_begin();
    trace_file_add("{\"ph\":\"C\",\"name\":\"memory in use\"");
    add_place(process_of(object->device), 0);
    add_time("ts", object->time);
    trace_file_add(",\"args\":{\"bytes\":%llu}}", (unsigned long long)object->in_use);
}

static void created(void *user, const accel_tool_object *object)
{
    (void)user;
    trace_file_lock();
    if (object->kind == ACCEL_OBJECT_DEVICE)
        name_track("process_name", process_of(object->id), 0, object->name);
    else if (object->kind == ACCEL_OBJECT_QUEUE)
        name_track("thread_name", process_of(object->device), object->id,
                   (object->flags & ACCEL_QUEUE_BLOCKING) != 0 ? "queue, blocking" : "queue");
    else if (object->kind == ACCEL_OBJECT_BUFFER)
        add_memory(object);
    trace_file_unlock();
}

static void named(void *user, const accel_tool_object *object)
{
    (void)user;
    trace_file_lock();
    if (object->kind == ACCEL_OBJECT_DEVICE)
        name_track("process_name", process_of(object->id), 0, object->name);
    else if (object->kind == ACCEL_OBJECT_QUEUE)
        name_track("thread_name", process_of(object->device), object->id, object->name);
    trace_file_unlock();
}

static void released(void *user, const accel_tool_object *object)
{
    (void)user;
    if (object->kind != ACCEL_OBJECT_BUFFER)
        return;
    trace_file_lock();
    add_memory(object);
    trace_file_unlock();
}

/* ------------------------------------------------------------------------------------ operations -- */

static const char *name_of(const accel_tool_operation *operation)
{
    if (operation->kind == ACCEL_TOOL_HOST_WAIT)
        return operation->object != 0 ? "wait for an event" : "wait for a queue";
    return tool_operation_name(operation);
}

static const char *category_of(uint32_t kind)
{
    static const char *const names[] = {"", "kernel", "copy", "fill", "host function", "record", "wait", "host wait"};

    return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "";
}

static void add_arguments(const accel_tool_operation *operation)
{
    uint64_t duration = operation->ended - operation->started;
    const struct remembered *source = &remembered[operation->awaited % REMEMBERED];

    trace_file_add(",\"args\":{\"operation\":%llu", (unsigned long long)operation->id);
    if (operation->kind == ACCEL_TOOL_LAUNCH)
        trace_file_add(",\"blocks\":%llu,\"threads\":%llu", (unsigned long long)operation->blocks,
                       (unsigned long long)operation->threads);
    if (operation->bytes != 0)
        trace_file_add(",\"bytes\":%llu", (unsigned long long)operation->bytes);
    if (operation->bytes != 0 && duration != 0)
        trace_file_add(",\"GB/s\":%.3f", (double)operation->bytes / (double)duration);
    if (operation->awaited != 0)
        trace_file_add(",\"waits for operation\":%llu", (unsigned long long)operation->awaited);
    if (operation->awaited != 0 && source->operation == operation->awaited)
        trace_file_add(",\"of queue\":%llu", (unsigned long long)source->queue);
    else if (operation->kind == ACCEL_TOOL_HOST_WAIT && operation->queue != 0)
        trace_file_add(",\"of queue\":%llu", (unsigned long long)operation->queue);
    if (operation->status != ACCEL_OK)
        trace_file_add(",\"status\":%u", operation->status);
    add_time("submitted", operation->submitted);
    trace_file_add("}");
}

/* One end of an arrow from what was recorded to who waited for it. */
static void add_arrow(const char *phase, uint64_t id, uint64_t process, uint64_t thread, uint64_t time)
{
    trace_file_begin();
    trace_file_add("{\"ph\":\"%s\",\"bp\":\"e\",\"name\":\"event\",\"cat\":\"wait\",\"id\":%llu", phase,
                   (unsigned long long)id);
    add_place(process, thread);
    add_time("ts", time);
    trace_file_add("}");
}

/* A wait may be told before the record is that it waited for. */
static void submitted(void *user, const accel_tool_operation *operation)
{
    (void)user;
    if (operation->kind != ACCEL_TOOL_RECORD)
        return;
    trace_file_lock();
    remembered[operation->id % REMEMBERED] = (struct remembered){operation->id, operation->queue};
    trace_file_unlock();
}

static void completed(void *user, const accel_tool_operation *operation)
{
    bool of_host = operation->kind == ACCEL_TOOL_HOST_WAIT;
    uint64_t process = of_host ? HOST : process_of(operation->device);
    uint64_t thread = of_host ? operation->thread : operation->queue;

    (void)user;
    trace_file_lock();
    trace_file_begin();
    trace_file_add("{\"ph\":\"X\",\"name\":");
    trace_file_add_text(name_of(operation));
    trace_file_add(",\"cat\":\"%s\"", category_of(operation->kind));
    add_place(process, thread);
    add_time("ts", operation->started);
    add_time("dur", begun + operation->ended - operation->started);
    add_arguments(operation);
    trace_file_add("}");
    if (operation->kind == ACCEL_TOOL_RECORD)
        add_arrow("s", operation->id, process, thread, operation->started);
    else if (operation->awaited != 0)
        add_arrow("f", operation->awaited, process, thread, operation->ended);
    trace_file_unlock();
}

static void add_region(const char *phase, const accel_tool_region *region)
{
    trace_file_lock();
    trace_file_begin();
    trace_file_add("{\"ph\":\"%s\",\"cat\":\"region\",\"name\":", phase);
    trace_file_add_text(region->name);
    add_place(HOST, region->thread);
    add_time("ts", region->time);
    trace_file_add("}");
    trace_file_unlock();
}

static void pushed(void *user, const accel_tool_region *region)
{
    (void)user;
    add_region("B", region);
}

static void popped(void *user, const accel_tool_region *region)
{
    (void)user;
    add_region("E", region);
}

static void finish(void *user)
{
    (void)user;
    trace_file_lock();
    trace_file_end();
    trace_file_unlock();
}

accel_status accel_tool_init(const accel_tool_host *host, accel_tool_callbacks *callbacks)
{
    const char *name = host->variable("ACCEL_TRACE");
    accel_status status;

    if (name == NULL || name[0] == '\0')
        return host->error(ACCEL_INVALID, "the tool \"trace\" needs a file: ACCEL_TRACE=FILE.json");
    status = trace_file_open(host, name);
    if (status != ACCEL_OK)
        return status;
    begun = host->clock();
    trace_file_lock();
    name_track("process_name", HOST, 0, "host");
    trace_file_unlock();
    callbacks->abi = ACCEL_TOOL_ABI;
    callbacks->created = created;
    callbacks->named = named;
    callbacks->released = released;
    callbacks->submitted = submitted;
    callbacks->completed = completed;
    callbacks->pushed = pushed;
    callbacks->popped = popped;
    callbacks->finish = finish;
    return ACCEL_OK;
}
