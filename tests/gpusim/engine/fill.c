/* SPDX-License-Identifier: Apache-2.0 */
#include "copy.h"
#include "device.h"
#include "report.h"

#include <string.h>

enum { STAGE = 16384 };

typedef struct sim_fill {
    sim_place dst;
    size_t width, height; /* bytes, rows */
    uint32_t value;
    unsigned value_size; /* 1, 2 or 4 */
} sim_fill;

typedef struct fill_command {
    sim_command command;
    sim_fill fill;
} fill_command;

static sim_status begin(sim_command *command)
{
    return sim_place_begin(&((fill_command *)command)->fill.dst, "destination");
}

static sim_status run(sim_command *command)
{
    const sim_fill *fill = &((fill_command *)command)->fill;
    char stage[STAGE];
    for (size_t i = 0; i < STAGE; i += fill->value_size)
        memcpy(&stage[i], &fill->value, fill->value_size);
    for (size_t y = 0; y < fill->height; ++y)
        for (size_t done = 0; done < fill->width;) {
            size_t part = fill->width - done < STAGE ? fill->width - done : STAGE;
            if (!sim_place_write(&fill->dst, y * fill->dst.pitch + done, stage, part))
                return SIM_UNKNOWN;
            done += part;
        }
    return SIM_OK;
}

/* A fill is a kernel: it runs on the stream's device, on memory that is visible there. */
static sim_status check_device(const sim_fill *fill, const sim_stream *stream)
{
    const sim_block *block = sim_memory_find(fill->dst.address);
    const sim_context *context = stream->object.context;
    if (block == NULL || block->kind == SIM_MEMORY_PINNED || block->kind == SIM_MEMORY_MANAGED ||
        block->context->device == context->device || (context->peers & 1u << block->context->device->ordinal) != 0)
        return SIM_OK;
    sim_violation("wrong context", "memory of device %u is filled in a stream of device %u",
                  block->context->device->ordinal, context->device->ordinal);
    return SIM_INVALID_VALUE;
}

sim_status sim_fill_submit(void *dst, size_t pitch, uint32_t value, unsigned value_size, size_t width, size_t height,
                           void *handle)
{
    static const sim_command_type type = {.name = "fill", .begin = begin, .run = run};
    sim_fill fill = {.dst = {.address = dst, .side = SIM_SIDE_DEVICE, .pitch = pitch},
                     .width = width * value_size,
                     .height = height,
                     .value = value,
                     .value_size = value_size};
    sim_stream *stream;
    sim_status status = sim_stream_here(handle, &stream);
    if (status != SIM_OK)
        return status;
    if (fill.width == 0 || fill.height == 0)
        return SIM_OK;
    if ((uintptr_t)fill.dst.address % fill.value_size != 0 || fill.dst.pitch % fill.value_size != 0 ||
        fill.dst.pitch > SIM_MAX_PITCH || (fill.height > 1 && fill.dst.pitch < fill.width))
        return SIM_INVALID_VALUE;
    status = sim_place_check(&fill.dst, "destination", stream, fill.width, fill.height, 1);
    if (status == SIM_OK)
        status = check_device(&fill, stream);
    if (status != SIM_OK)
        return status;
    if (height == 1)
        sim_trace_work("fill%u %zu", 8 * value_size, width);
    else
        sim_trace_work("fill%u %zux%zu", 8 * value_size, height, width);
    fill_command *command = sim_command_new(&type, sizeof *command);
    if (command == NULL)
        return SIM_OUT_OF_MEMORY;
    command->fill = fill;
    return sim_submit(stream, &command->command);
}
