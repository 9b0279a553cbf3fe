/* SPDX-License-Identifier: Apache-2.0 */
#include "copy.h"
#include "device.h"
#include "report.h"
#include "settings.h"
#include "timing.h"

#include <stdlib.h>

enum { STAGE = 65536 };

typedef struct copy_command {
    sim_command command;
    sim_copy copy;
    bool pageable;
} copy_command;

sim_copy sim_copy_of(void *dst, sim_side dst_side, const void *src, sim_side src_side, size_t size)
{
    return (sim_copy){.dst = {.address = dst, .side = dst_side},
                      .src = {.address = (char *)(uintptr_t)src, .side = src_side},
                      .width = size,
                      .height = 1,
                      .depth = 1};
}

/* Rows, or planes, that lie densely on both sides are one longer row. */
static void merge(sim_copy *copy)
{
    if (copy->dst.pitch == copy->width && copy->src.pitch == copy->width &&
        (copy->depth == 1 || (copy->dst.slice == copy->width * copy->height && copy->src.slice == copy->dst.slice))) {
        copy->width *= copy->height * copy->depth;
        copy->height = copy->depth = 1;
    }
}

/* What is staged can be overlapped by nothing: both ends are the device's, or one is a file and the other memory. */
static bool copy_row(const sim_copy *copy, size_t to, size_t from)
{
    if (copy->dst.file < 0)
        return sim_place_read(&copy->src, from, copy->dst.address + to, copy->width);
    if (copy->src.file < 0)
        return sim_place_write(&copy->dst, to, copy->src.address + from, copy->width);
    char stage[STAGE];
    for (size_t done = 0; done < copy->width;) {
        size_t part = copy->width - done < STAGE ? copy->width - done : STAGE;
        if (!sim_place_read(&copy->src, from + done, stage, part) ||
            !sim_place_write(&copy->dst, to + done, stage, part))
            return false;
        done += part;
    }
    return true;
}

static sim_status begin(sim_command *command)
{
    sim_copy *copy = &((copy_command *)command)->copy;
    sim_status status = sim_place_begin(&copy->dst, "destination");
    return status == SIM_OK ? sim_place_begin(&copy->src, "source") : status;
}

static sim_way way_of(const sim_copy *copy)
{
    return copy->dst.file >= 0 && copy->src.file < 0   ? SIM_WAY_TO_DEVICE
           : copy->dst.file < 0 && copy->src.file >= 0 ? SIM_WAY_TO_HOST
                                                       : SIM_WAY_OTHER;
}

static sim_status run(sim_command *command)
{
    const sim_copy *copy = &((copy_command *)command)->copy;
    sim_time_copy(command->stream->object.context->device->ordinal, way_of(copy),
                  copy->width * copy->height * copy->depth, ((copy_command *)command)->pageable);
    for (size_t z = 0; z < copy->depth; ++z)
        for (size_t y = 0; y < copy->height; ++y)
            if (!copy_row(copy, z * copy->dst.slice + y * copy->dst.pitch, z * copy->src.slice + y * copy->src.pitch)) {
                sim_violation("host access", "memory of the host, %zu bytes, was gone when its copy's turn came",
                              copy->width);
                return SIM_ILLEGAL_ADDRESS;
            }
    return SIM_OK;
}

static bool is_pitch(const sim_place *place, const sim_copy *copy)
{
    return place->pitch <= SIM_MAX_PITCH && (place->pitch >= copy->width || (copy->height == 1 && copy->depth == 1)) &&
           (copy->depth == 1 || place->slice >= place->pitch * copy->height);
}

sim_status sim_copy_submit(sim_copy copy, void *handle)
{
    static const sim_command_type type = {.name = "copy", .begin = begin, .run = run};
    sim_stream *stream;
    sim_status status = sim_stream_of(handle, &stream);
    if (status != SIM_OK)
        return status;
    if (copy.width == 0 || copy.height == 0 || copy.depth == 0)
        return SIM_OK;
    if (!is_pitch(&copy.dst, &copy) || !is_pitch(&copy.src, &copy))
        return SIM_INVALID_VALUE;
    status = sim_place_check(&copy.dst, "destination", stream, copy.width, copy.height, copy.depth);
    if (status == SIM_OK)
        status = sim_place_check(&copy.src, "source", stream, copy.width, copy.height, copy.depth);
    if (status != SIM_OK)
        return status;
    if (copy.height == 1 && copy.depth == 1)
        sim_trace_work("copy %zu", copy.width);
    else
        sim_trace_work("copy %zux%zux%zu", copy.depth, copy.height, copy.width);
    bool pageable = sim_memory_find(copy.dst.address) == NULL || sim_memory_find(copy.src.address) == NULL;
    merge(&copy);
    copy_command *command = sim_command_new(&type, sizeof *command);
    if (command == NULL)
        return SIM_OUT_OF_MEMORY;
    command->copy = copy;
    command->pageable = pageable;
    return pageable && sim_settings_here.blocking_copies ? sim_submit_and_wait(stream, &command->command)
                                                         : sim_submit(stream, &command->command);
}
