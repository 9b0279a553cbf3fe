/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/report/lines.h"
#include "plugins/gpu/engine/context.h"
#include "plugins/support/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 18, FIRST = sizeof(accel_print_buffer) / sizeof(uint32_t) };

struct gpu_lines {
    pthread_mutex_t lock; /* guards what follows; held around driver calls */
    uint32_t read;        /* words, as `used` counts them */
    uint32_t told;        /* of the dropped ones */
    uint32_t *memory;     /* the device's: the buffer's head, then its words */
};

static accel_print_buffer *buffer_of(const gpu_lines *lines)
{
    return (accel_print_buffer *)(void *)lines->memory;
}

static gpu_result clear(accel_impl_device *device, const gpu_lines *lines, accel_print_buffer **place)
{
    const gpu_driver *driver = device->driver;
    const accel_print_buffer head = {.limit = WORDS, .mask = WORDS - 1, .words = lines->memory + FIRST};
    accel_print_buffer *buffer = buffer_of(lines);

    gpu_result result = driver->fill_32(head.words, 0, WORDS, device->stream);
    if (result == 0)
        result = driver->copy(buffer, &head, sizeof(head), device->stream);
    if (result == 0)
        result = driver->copy(place, &buffer, sizeof(buffer), device->stream);
    gpu_result finished = gpu_stream_finish(driver, device->stream);
    return result == 0 ? finished : result;
}

accel_status gpu_lines_make(accel_impl_device *device, accel_print_buffer **place, gpu_lines **made)
{
    static const char what[] = "making the buffer of what kernels print";
    gpu_lines *lines = calloc(1, sizeof(*lines));
    void *memory = NULL;

    if (lines == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "\"%s\": %s: no memory for %zu bytes", device->label, what,
                                 sizeof(*lines));
    gpu_result result = device->driver->memory_allocate(&memory, (FIRST + WORDS) * sizeof(uint32_t));
    if (result == 0) {
        lines->memory = memory;
        result = clear(device, lines, place);
        if (result != 0)
            device->driver->memory_free(memory);
    }
    if (result != 0) {
        free(lines);
        return gpu_device_failed(device, what, result);
    }
    pthread_mutex_init(&lines->lock, NULL);
    *made = lines;
    return ACCEL_OK;
}

void gpu_lines_end(accel_impl_device *device, gpu_lines *lines, bool give_back)
{
    if (lines == NULL)
        return;
    if (give_back)
        device->driver->memory_free(lines->memory);
    pthread_mutex_destroy(&lines->lock);
    free(lines);
}

/* ----------------------------------------------------------------------------------------- records -- */

/* A record's words that are not read yet. */
typedef struct gpu_cursor {
    uint32_t *at;
    uint32_t left;
    bool broken; /* a kernel wrote something else there */
} gpu_cursor;

static uint32_t take(gpu_cursor *cursor)
{
    if (cursor->left == 0) {
        cursor->broken = true;
        return 0;
    }
    cursor->left--;
    return *cursor->at++;
}

static const char *take_text(gpu_cursor *cursor, uint32_t bytes)
{
    const uint32_t words = bytes / 4 + 1;
    char *text = (char *)cursor->at;

    if (words > cursor->left) {
        cursor->broken = true;
        return "";
    }
    text[bytes] = 0;
    cursor->at += words;
    cursor->left -= words;
    return text;
}

static accel_print_value take_value(gpu_cursor *cursor)
{
    const uint32_t head = take(cursor);
    accel_print_value value = {.kind = head & 0xffff, .bytes = head >> 16};

    if (value.kind == ACCEL_PRINT_TEXT) {
        value.word = (uintptr_t)take_text(cursor, value.bytes);
    } else {
        const uint32_t low = take(cursor);
        value.word = (uint64_t)take(cursor) << 32 | low;
    }
    return value;
}

static void print_record(uint32_t *words, uint32_t count)
{
    gpu_cursor cursor = {words + 1, count - 1, false};
    accel_print_value values[ACCEL_PRINT_VALUES];
    const uint32_t head = take(&cursor), value_count = head >> 16;

    for (uint32_t i = 0; i < value_count && i < ACCEL_PRINT_VALUES; ++i)
        values[i] = take_value(&cursor);
    const char *format = take_text(&cursor, head & 0xffff);
    if (!cursor.broken && value_count <= ACCEL_PRINT_VALUES)
        plugin_line_print(format, values, value_count);
}

/* Those that are complete, up to the first that is not. Returns how many words they are. */
static uint32_t print_records(uint32_t *words, uint32_t count)
{
    uint32_t at = 0;

    while (at < count && words[at] != 0) {
        if (words[at] < 2 || words[at] > count - at)
            return count; /* a kernel wrote something else there: nothing behind it can be found */
        print_record(words + at, words[at]);
        at += words[at];
    }
    return at;
}

/* ----------------------------------------------------------------------------------------- reading -- */

/* The words behind those that were read, `count` of them: copied to the host, or made 0. Not waited for. */
static gpu_result each_part(const accel_impl_device *device, const gpu_lines *lines, uint32_t *host, uint32_t count)
{
    const gpu_driver *driver = device->driver;
    gpu_result result = 0;

    for (uint32_t done = 0; done < count && result == 0;) {
        const uint32_t at = (lines->read + done) % WORDS;
        const uint32_t part = count - done < WORDS - at ? count - done : WORDS - at;
        uint32_t *words = lines->memory + FIRST + at;
        result = host != NULL ? driver->copy(host + done, words, part * sizeof(*words), device->stream)
                              : driver->fill_32(words, 0, part, device->stream);
        done += part;
    }
    return result;
}

static gpu_result print_words(const accel_impl_device *device, gpu_lines *lines, uint32_t *host, uint32_t count)
{
    const gpu_driver *driver = device->driver;
    gpu_result result = each_part(device, lines, host, count);
    gpu_result finished = gpu_stream_finish(driver, device->stream);

    if (result != 0 || finished != 0)
        return result != 0 ? result : finished;
    count = print_records(host, count);
    result = each_part(device, lines, NULL, count);
    lines->read += count;
    if (result == 0)
        result = driver->fill_32(&buffer_of(lines)->limit, lines->read + WORDS, 1, device->stream);
    finished = gpu_stream_finish(driver, device->stream);
    return result != 0 ? result : finished;
}

static void tell_dropped(const accel_impl_device *device, gpu_lines *lines, uint32_t dropped)
{
    if (dropped != lines->told)
        printf("accel: \"%s\": kernels printed %u lines more: only %zu bytes are kept until the queue is waited for\n",
               device->label, dropped - lines->told, WORDS * sizeof(uint32_t));
    lines->told = dropped;
}

static accel_status print_now(accel_impl_device *device, gpu_lines *lines, const char *what)
{
    accel_print_buffer head;
    gpu_result result = device->driver->copy(&head, lines->memory, sizeof(head), device->stream);
    gpu_result finished = gpu_stream_finish(device->driver, device->stream);

    if (result != 0 || finished != 0)
        return gpu_device_failed(device, what, result != 0 ? result : finished);
    const uint32_t count = head.used - lines->read;
    if (count > WORDS)
        return gpu_host()->error(ACCEL_KERNEL_FAULT, "\"%s\": %s: a kernel wrote into it", device->label, what);
    if (count != 0) {
        uint32_t *host = malloc(count * sizeof(*host));
        if (host == NULL)
            return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "\"%s\": %s: no memory for %zu bytes", device->label, what,
                                     count * sizeof(*host));
        result = print_words(device, lines, host, count);
        free(host);
    }
    if (result != 0)
        return gpu_device_failed(device, what, result);
    tell_dropped(device, lines, head.dropped);
    return ACCEL_OK;
}

accel_status gpu_lines_print(accel_impl_device *device, gpu_lines *lines)
{
    static const char what[] = "reading the buffer of what kernels print";
    gpu_scope scope;
    accel_status status = gpu_scope_enter(&scope, device, what);

    if (status != ACCEL_OK)
        return status;
    pthread_mutex_lock(&lines->lock);
    status = print_now(device, lines, what);
    pthread_mutex_unlock(&lines->lock);
    gpu_scope_leave(&scope, device);
    return status;
}
