/* SPDX-License-Identifier: Apache-2.0 */
#include "entry.h"
#include "device.h"
#include "exit.h"
#include "fault.h"
#include "report.h"
#include "settings.h"
#include "thread.h"
#include "timing.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

_Thread_local sim_thread sim_thread_here;

sim_engine sim_engine_here = {.lock = PTHREAD_MUTEX_INITIALIZER, .progress = PTHREAD_COND_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic bool has_begun;  /* initialised here, not in a parent */
static _Atomic bool is_a_child; /* of a process that had initialised the driver: nothing works, as with real ones */

/* Nothing that took the lock is there any more. */
static void in_child(void)
{
    if (atomic_load(&has_begun))
        atomic_store(&is_a_child, true);
    sim_device_forget();
}

static void begin(void)
{
    sim_settings_read();
    sim_fault_read();
    pthread_atfork(NULL, NULL, in_child);
}

void sim_begin(const char *function)
{
    pthread_once(&once, begin);
    sim_thread_here.function = function;
    sim_trace(function);
    sim_time_call(function);
}

sim_status sim_enter_early(const char *function)
{
    if (sim_thread_here.inside) {
        sim_violation("inside", "%s: called from inside a host function", function);
        return SIM_NOT_PERMITTED;
    }
    if (atomic_load(&is_a_child))
        return SIM_NOT_INITIALIZED;
    pthread_mutex_lock(&sim_engine_here.lock);
    return sim_engine_here.ended ? sim_leave(SIM_DEINITIALIZED) : SIM_OK;
}

sim_status sim_enter(const char *function)
{
    sim_status status = sim_enter_early(function);
    if (status == SIM_OK && !sim_engine_here.initialized)
        status = sim_leave(SIM_NOT_INITIALIZED);
    return status;
}

sim_status sim_leave(sim_status status)
{
    pthread_mutex_unlock(&sim_engine_here.lock);
    return status;
}

static void at_exit(void)
{
    if (atomic_load(&is_a_child) || !sim_settings_here.ends_early)
        return;
    pthread_mutex_lock(&sim_engine_here.lock);
    sim_engine_here.ended = true;
    pthread_mutex_unlock(&sim_engine_here.lock);
}

sim_status sim_initialize(int *result)
{
    uint32_t delay = sim_settings_here.init_delay;
    if (delay != 0)
        nanosleep(&(struct timespec){.tv_sec = delay / 1000, .tv_nsec = delay % 1000 * 1000000L}, NULL);
    *result = sim_settings_here.init_result;
    if (*result != 0)
        return SIM_UNKNOWN;
    if (sim_settings_here.devices == 0)
        return SIM_NO_DEVICE;
    if (sim_engine_here.initialized)
        return SIM_OK;
    sim_status status = sim_device_open_all();
    if (status != SIM_OK)
        return status;
    atexit(at_exit);
    sim_engine_here.initialized = true;
    atomic_store(&has_begun, true);
    return SIM_OK;
}

/* After all exit handlers of the program and of libraries that were loaded later. */
__attribute__((destructor)) static void at_end(void)
{
    if (atomic_load(&has_begun) && !atomic_load(&is_a_child))
        sim_exit();
}
