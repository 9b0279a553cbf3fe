/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint64_t operation;
static uint64_t state;

void fail(const char *format, ...)
{
    va_list list;

    fprintf(stderr, "operation %llu: ", (unsigned long long)operation);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

void draw_seed(uint64_t seed)
{
    state = seed;
}

/* splitmix64 */
uint64_t draw(uint64_t below)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

void check_status(const char *call, accel_status status)
{
    if (status != ACCEL_OK)
        fail("%s: %s: %s", call, accel_status_name(status), accel_error_message());
}

/* ------------------------------------------------------------------------------------------- memory -- */

memory memory_new(accel_device *device, uint32_t flags, size_t size, accel_queue *queue)
{
    static const char *const kinds[] = {"", " pinned", " mapped", " managed"};
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_buffer_properties buffer = ACCEL_BUFFER_PROPERTIES_INIT;
    accel_buffer_desc desc = accel_buffer_1d(1, size);
    memory m = {.device = device, .flags = flags, .size = size, .image = malloc(size)};
    const char *kind = kinds[flags == ACCEL_BUFFER_PINNED    ? 1
                             : flags == ACCEL_BUFFER_MAPPED  ? 2
                             : flags == ACCEL_BUFFER_MANAGED ? 3
                                                             : 0];

    if (m.image == NULL)
        abort();
    check(accel_device_info(device, &about));
    snprintf(m.name, sizeof(m.name), "%s%s", about.name, kind);
    desc.flags = flags;
    check(accel_buffer_create(device, &desc, &m.bytes));
    check(accel_buffer_info(m.bytes, &buffer));
    m.owner = queue != NULL && buffer.device == device ? device : NULL;
    for (size_t i = 0; i < size; ++i)
        m.image[i] = (unsigned char)draw(256);
    if (m.owner == NULL) {
        memcpy(buffer.host_ptr, m.image, size);
    } else {
        check(accel_write(queue, m.bytes, m.image));
        check(accel_queue_wait(queue));
    }
    return m;
}

void memory_free(memory *m)
{
    accel_buffer_release(m->bytes);
    free(m->image);
}

void memory_check(memory *m, accel_queue *queue, unsigned char *scratch)
{
    const unsigned char *seen = scratch;

    if (m->owner == NULL) {
        if (m->last != NULL)
            check(accel_event_wait(m->last));
        seen = accel_buffer_ptr(m->bytes);
    } else {
        if (m->last != NULL)
            check(accel_queue_wait_event(queue, m->last));
        check(accel_read(queue, scratch, m->bytes));
        check(accel_queue_wait(queue));
    }
    for (size_t i = 0; i < m->size; ++i) {
        if (seen[i] != m->image[i])
            fail("byte %zu of \"%s\" is %u and should be %u", i, m->name, seen[i], m->image[i]);
    }
}

/* ------------------------------------------------------------------------------------------- shapes -- */

/* A part of `whole` that leaves some of it out on both sides, but at least `extent`; moves `offset` along. */
static void narrow(uint32_t dims, const size_t whole[], const size_t extent[], size_t part[], size_t start[])
{
    for (uint32_t d = 0; d < dims; ++d) {
        size_t spare = whole[d] - extent[d];
        start[d] = draw(spare + 1);
        part[d] = extent[d] + draw(spare - start[d] + 1);
    }
}

bool box_new(box *b, const memory *m, uint32_t dims, const size_t extent[], size_t element, bool exact)
{
    accel_buffer_desc desc = ACCEL_BUFFER_DESC_INIT;
    size_t first[ACCEL_MAX_DIMS], second[ACCEL_MAX_DIMS], first_at[ACCEL_MAX_DIMS], second_at[ACCEL_MAX_DIMS];
    size_t pitch = element;
    accel_buffer *whole = NULL, *outer = NULL;

    desc.element_size = element;
    desc.dims = dims;
    desc.flags = m->flags;
    for (uint32_t d = dims; d-- > 0;) {
        desc.extent[d] = extent[d] + draw(3);
        if (d + 1 < dims)
            desc.pitch[d] = pitch;
        b->pitch[d] = pitch;
        pitch *= desc.extent[d] != 0 ? desc.extent[d] : 1;
        if (d > 0 && draw(2) == 0)
            pitch += element * draw(4);
        if (pitch > m->size)
            return false;
    }
    b->offset = draw(m->size - pitch + 1);
    if (draw(2) == 0)
        b->offset -= b->offset % element;
    check(accel_buffer_wrap(m->device, (unsigned char *)accel_buffer_ptr(m->bytes) + b->offset, &desc, &whole));
    narrow(dims, desc.extent, extent, first, first_at);
    narrow(dims, first, extent, second, second_at);
    if (exact)
        memcpy(second, extent, dims * sizeof(size_t));
    check(accel_buffer_view(whole, first_at, first, &outer));
    check(accel_buffer_view(outer, second_at, second, &b->view));
    accel_buffer_release(outer);
    accel_buffer_release(whole);
    for (uint32_t d = 0; d < dims; ++d)
        b->offset += (first_at[d] + second_at[d]) * b->pitch[d];
    return true;
}

void box_walk(uint32_t dims, const size_t extent[], const size_t a_pitch[], const size_t b_pitch[],
              void (*each)(void *user, size_t a, size_t b), void *user)
{
    size_t index[ACCEL_MAX_DIMS] = {0};

    for (uint32_t d = 0; d < dims; ++d)
        if (extent[d] == 0)
            return;
    for (;;) {
        size_t a = 0, b = 0;
        for (uint32_t d = 0; d < dims; ++d) {
            a += index[d] * a_pitch[d];
            b += index[d] * b_pitch[d];
        }
        each(user, a, b);
        uint32_t d = dims;
        while (d > 0 && ++index[d - 1] == extent[d - 1])
            index[--d] = 0;
        if (d == 0)
            return;
    }
}
