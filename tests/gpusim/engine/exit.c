/* SPDX-License-Identifier: Apache-2.0 */
#include "exit.h"
#include "device.h"
#include "entry.h"
#include "memory.h"
#include "report.h"
#include "stream.h"

#include <stdio.h>
#include <unistd.h>

enum { GRACE = 1000 }; /* milliseconds */

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

static bool anything_left(void)
{
    for (sim_kind kind = SIM_CONTEXT; kind <= SIM_MODULE; ++kind) {
        const sim_object *object;
        for (size_t n = 0; (object = sim_object_at(kind, n)) != NULL; ++n) {
            const sim_context *context = kind == SIM_CONTEXT ? (const void *)object : object->context;
            bool counts = kind == SIM_CONTEXT ? !context->implicit : !object->is_drivers;
            if (object->alive && counts && sim_context_state(context) == SIM_OK)
                return true;
        }
    }
    return sim_memory_left();
}

/* What work had in use is given back behind it, perhaps by a thread that is just about to. Called with the lock. */
static void wait_for_the_last(void)
{
    for (int i = 0; i < GRACE && !sim_streams_busy() && anything_left(); ++i) {
        pthread_mutex_unlock(&sim_engine_here.lock);
        usleep(1000);
        pthread_mutex_lock(&sim_engine_here.lock);
    }
}

void sim_exit(void)
{
    pthread_mutex_lock(&sim_engine_here.lock);
    wait_for_the_last();
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
