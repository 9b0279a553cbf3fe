/* SPDX-License-Identifier: Apache-2.0 */
/* ACCEL_SUMMARY=1: at the end, the time of each kernel, copy, fill and host function, on standard error. */
#include "tools/operation_name.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All operations of one name on one device. */
typedef struct row {
    struct row *next;
    uint64_t device, calls, failed, time, longest, bytes;
    const char *name;
    bool is_kernel; /* everything else stands in parentheses */
} row;

typedef struct device {
    struct device *next;
    uint64_t id, peak; /* bytes */
    char name[64];
} device;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the lists */
static row *rows;
static device *devices;
static uint64_t lost; /* operations for which there was no memory */

static device *find_device(uint64_t id)
{
    device *found = devices;

    while (found != NULL && found->id != id)
        found = found->next;
    return found;
}

static void created(void *user, const accel_tool_object *object)
{
    device *made;

    (void)user;
    if (object->kind == ACCEL_OBJECT_BUFFER) {
        pthread_mutex_lock(&lock);
        made = find_device(object->device);
        if (made != NULL && object->in_use > made->peak)
            made->peak = object->in_use;
        pthread_mutex_unlock(&lock);
    }
    if (object->kind != ACCEL_OBJECT_DEVICE)
        return;
    made = calloc(1, sizeof(*made));
    if (made == NULL)
        return;
    made->id = object->id;
    snprintf(made->name, sizeof(made->name), "%s", object->name);
    pthread_mutex_lock(&lock);
    made->next = devices;
    devices = made;
    pthread_mutex_unlock(&lock);
}

/* Records and waits do nothing. */
static bool does_something(uint32_t kind)
{
    return kind == ACCEL_TOOL_LAUNCH || kind == ACCEL_TOOL_COPY || kind == ACCEL_TOOL_FILL || kind == ACCEL_TOOL_CALL;
}

static void completed(void *user, const accel_tool_operation *operation)
{
    const char *name = tool_operation_name(operation);
    const bool is_kernel = operation->kind == ACCEL_TOOL_LAUNCH;
    uint64_t time = operation->ended - operation->started;
    row *found;

    (void)user;
    if (!does_something(operation->kind))
        return;
    pthread_mutex_lock(&lock);
    for (found = rows; found != NULL; found = found->next) {
        if (found->device == operation->device && found->is_kernel == is_kernel &&
            (found->name == name || strcmp(found->name, name) == 0))
            break;
    }
    if (found == NULL) {
        found = calloc(1, sizeof(*found));
        if (found != NULL) {
            found->device = operation->device;
            found->name = name;
            found->is_kernel = is_kernel;
            found->next = rows;
            rows = found;
        }
    }
    if (found != NULL) {
        ++found->calls;
        found->failed += operation->status != ACCEL_OK;
        found->time += time;
        found->bytes += operation->bytes;
        if (time > found->longest)
            found->longest = time;
    } else {
        ++lost;
    }
    pthread_mutex_unlock(&lock);
}

static int by_time(const void *a, const void *b)
{
    const row *one = *(row *const *)a, *other = *(row *const *)b;

    if (one->time != other->time)
        return one->time < other->time ? 1 : -1;
    return strcmp(one->name, other->name);
}

/* The rows of a device, longest first, and their number; NULL without memory. */
static row **sorted(uint64_t id, size_t *count, uint64_t *total)
{
    row **all;

    *count = 0;
    *total = 0;
    for (const row *each = rows; each != NULL; each = each->next)
        *count += each->device == id;
    all = malloc((*count + 1) * sizeof(*all));
    *count = 0;
    for (row *each = rows; each != NULL && all != NULL; each = each->next) {
        if (each->device == id) {
            all[(*count)++] = each;
            *total += each->time;
        }
    }
    if (all != NULL)
        qsort(all, *count, sizeof(*all), by_time);
    return all;
}

static void print_device(const device *each)
{
    size_t count;
    uint64_t total;
    row **all = sorted(each->id, &count, &total);

    if (all != NULL && count > 0) {
        fprintf(stderr, "libaccel: %s: %.3f ms in operations, at most %.3f MB of buffers\n", each->name,
                (double)total / 1e6, (double)each->peak / 1e6);
        fprintf(stderr, "%12s %7s %9s %12s %12s %12s %9s  %s\n", "time/ms", "share", "calls", "average/us",
                "longest/us", "MB", "GB/s", "what");
    }
    for (size_t i = 0; i < count && all != NULL; ++i) {
        const row *line = all[i];
        fprintf(stderr, "%12.3f %6.1f%% %9llu %12.3f %12.3f ", (double)line->time / 1e6,
                total != 0 ? 100.0 * (double)line->time / (double)total : 0.0, (unsigned long long)line->calls,
                (double)line->time / 1e3 / (double)line->calls, (double)line->longest / 1e3);
        if (line->bytes != 0)
            fprintf(stderr, "%12.3f %9.3f", (double)line->bytes / 1e6,
                    line->time != 0 ? (double)line->bytes / (double)line->time : 0.0);
        else
            fprintf(stderr, "%12s %9s", "", "");
        fprintf(stderr, line->is_kernel ? "  %s" : "  (%s)", line->name);
        if (line->failed != 0)
            fprintf(stderr, " (%llu failed or skipped)", (unsigned long long)line->failed);
        fprintf(stderr, "\n");
    }
    free(all);
}

static void finish(void *user)
{
    device *reversed = NULL, *next;

    (void)user;
    pthread_mutex_lock(&lock);
    for (device *each = devices; each != NULL; each = next) { /* in the order in which they were made */
        next = each->next;
        each->next = reversed;
        reversed = each;
    }
    devices = reversed;
    for (const device *each = devices; each != NULL; each = each->next)
        print_device(each);
    if (lost != 0)
        fprintf(stderr, "libaccel: %llu operations are missing here: there was no memory\n", (unsigned long long)lost);
    pthread_mutex_unlock(&lock);
}

accel_status accel_tool_init(const accel_tool_host *host, accel_tool_callbacks *callbacks)
{
    (void)host;
    callbacks->abi = ACCEL_TOOL_ABI;
    callbacks->created = created;
    callbacks->completed = completed;
    callbacks->finish = finish;
    return ACCEL_OK;
}
