/* SPDX-License-Identifier: Apache-2.0 */
#include "exit.h"
#include "device.h"
#include "entry.h"
#include "memory.h"
#include "report.h"
#include "stream.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static size_t count_contexts(bool tell)
{
    size_t left = 0;
    const sim_context *context;
    for (size_t n = 0; (context = sim_object_at(SIM_CONTEXT, n)) != NULL; ++n) {
        if (!context->object.alive || context->implicit || sim_context_state(context) != SIM_OK)
            continue;
        ++left;
        if (tell && context->primary)
            sim_violation("leak", "the primary context of device %u, retained %u times", context->device->ordinal,
                          context->references);
        else if (tell)
            sim_violation("leak", "a context of device %u", context->device->ordinal);
    }
    return left;
}

/* What the program did not give back; told, or only counted. */
static size_t count_leaks(bool tell)
{
    size_t all = count_contexts(tell) + sim_memory_leaks(tell);
    for (sim_kind kind = SIM_STREAM; kind <= SIM_MODULE; ++kind) {
        size_t left = 0;
        const sim_object *object;
        for (size_t n = 0; (object = sim_object_at(kind, n)) != NULL; ++n)
            left += object->alive && sim_context_state(object->context) == SIM_OK && !object->is_drivers;
        if (tell && left > 0)
            sim_violation("leak", "%zu %ss", left, sim_kind_name(kind));
        all += left;
    }
    return all;
}

/* A thread of the program may be about to give back what work held that is done only now. And a stream whose last function
 * has told the program that it is over may be about to note it. */
static void await_other_threads(void)
{
    enum { TURNS = 200, BUSY_TURNS = 20 };
    for (int turn = 0; turn < (sim_streams_busy() ? BUSY_TURNS : TURNS) && count_leaks(false) > 0; ++turn) {
        pthread_mutex_unlock(&sim_engine_here.lock);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        pthread_mutex_lock(&sim_engine_here.lock);
    }
}

void sim_exit(void)
{
    pthread_mutex_lock(&sim_engine_here.lock);
    if (!sim_violation_allowed("leak"))
        await_other_threads();
    sim_engine_here.stopped = true;
    if (sim_streams_busy())
        sim_log("work is pending at the end: what is left is no leak");
    else
        count_leaks(true);
    for (unsigned i = 0; i < sim_settings_here.devices; ++i)
        sim_process_stop(&sim_devices[i].process);
    pthread_mutex_unlock(&sim_engine_here.lock);
    sim_log(sim_violations() ? "the process ends with violations" : "the process ends");
    if (sim_violations() && sim_settings_here.exit_status != 0) {
        fflush(NULL);
        _exit(sim_settings_here.exit_status);
    }
}
