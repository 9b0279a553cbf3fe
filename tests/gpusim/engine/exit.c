/* SPDX-License-Identifier: Apache-2.0 */
#include "exit.h"
#include "device.h"
#include "entry.h"
#include "memory.h"
#include "report.h"
#include "stream.h"

#include <stdio.h>
#include <unistd.h>

static void tell_leaks(void)
{
    const sim_context *context;
    for (size_t n = 0; (context = sim_object_at(SIM_CONTEXT, n)) != NULL; ++n) {
        if (!context->object.alive || context->implicit || sim_context_state(context) != SIM_OK)
            continue;
        if (context->primary)
            sim_violation("leak", "the primary context of device %u, retained %u times", context->device->ordinal,
                          context->references);
        else
            sim_violation("leak", "a context of device %u", context->device->ordinal);
    }
    for (sim_kind kind = SIM_STREAM; kind <= SIM_MODULE; ++kind) {
        size_t left = 0;
        const sim_object *object;
        for (size_t n = 0; (object = sim_object_at(kind, n)) != NULL; ++n)
            left += object->alive && sim_context_state(object->context) == SIM_OK && !object->is_drivers;
        if (left > 0)
            sim_violation("leak", "%zu %ss", left, sim_kind_name(kind));
    }
    sim_memory_leaks();
}

void sim_exit(void)
{
    pthread_mutex_lock(&sim_engine_here.lock);
    sim_engine_here.stopped = true;
    if (sim_streams_busy())
        sim_log("work is pending at the end: what is left is no leak");
    else
        tell_leaks();
    pthread_mutex_unlock(&sim_engine_here.lock);
    for (unsigned i = 0; i < sim_settings_here.devices; ++i)
        sim_process_stop(&sim_devices[i].process);
    sim_log(sim_violations() ? "the process ends with violations" : "the process ends");
    if (sim_violations() && sim_settings_here.exit_status != 0) {
        fflush(NULL);
        _exit(sim_settings_here.exit_status);
    }
}
