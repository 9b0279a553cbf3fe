/* SPDX-License-Identifier: Apache-2.0 */
#include "timing.h"
#include "../time/clock.h"
#include "settings.h"

#include <stddef.h>
#include <string.h>

/* The program's, if it has a clock. */
__attribute__((weak)) extern uint64_t gpusim_clock_now(void);
__attribute__((weak)) extern void gpusim_clock_work_until(uint64_t time);
__attribute__((weak)) extern void gpusim_clock_play_hardware(bool);

/* Sources: docs/notebook/gpu.md. */
enum {
    OPERATION_NS = 1000, /* from one operation of a stream to the next */
    COPY_NS = 2000,      /* until a copy's first byte is on the link */
    FUNCTION_NS = 15000, /* until a host function runs, and until what follows begins */
    SLEEP_NS = 20000,    /* an interrupt, and a thread that wakes by it */
    POLL_NS = 1000,      /* a thread that polls */
    OTHER_NS = 500       /* calls that are not in the list */
};

/* By a part of their names, which both drivers have; the first that fits counts. */
static const struct {
    const char *part;
    uint64_t nanoseconds;
} calls[] = {
    {"GetCurrent", 50},     {"SetCurrent", 100},  {"PushCurrent", 100}, {"PopCurrent", 100},   {"GetDevice", 50},
    {"SetDevice", 100},     {"EventQuery", 700},  {"StreamQuery", 700}, {"EventRecord", 1500}, {"WaitEvent", 1500},
    {"Memcpy", 5000},       {"Memset", 4000},     {"Launch", 4000},     {"AddCallback", 4000}, {"HostAlloc", 500000},
    {"HostMalloc", 500000}, {"FreeHost", 200000}, {"HostFree", 200000},
};

/* Under the engine's lock or not: one thread runs at a time. */
static uint64_t link_free_at[SIM_MAX_DEVICES][SIM_WAY_COUNT];

static bool has_clock(void)
{
    return gpusim_clock_now != NULL;
}

static void spend(uint64_t nanoseconds)
{
    if (has_clock())
        gpusim_clock_work_until(gpusim_clock_now() + nanoseconds);
}

void sim_time_call(const char *function)
{
    if (!has_clock())
        return;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        if (strstr(function, calls[i].part) != NULL) {
            spend(calls[i].nanoseconds);
            return;
        }
    }
    spend(OTHER_NS);
}

void sim_time_stream(void)
{
    if (has_clock())
        gpusim_clock_play_hardware(true);
}

void sim_time_copy(unsigned device, sim_way way, size_t bytes, bool pageable)
{
    if (!has_clock())
        return;
    uint64_t bandwidth = way == SIM_WAY_OTHER ? 1000 : sim_settings_here.link;
    if (pageable && bandwidth > CLOCK_COPY_BANDWIDTH)
        bandwidth = CLOCK_COPY_BANDWIDTH;
    spend(OPERATION_NS + COPY_NS);
    uint64_t *free_at = &link_free_at[device][way], now = gpusim_clock_now();
    *free_at = (*free_at > now ? *free_at : now) + bytes / bandwidth;
    gpusim_clock_work_until(*free_at);
}

void sim_time_begin_function(void)
{
    if (!has_clock())
        return;
    spend(FUNCTION_NS);
    gpusim_clock_play_hardware(false);
}

void sim_time_end_function(void)
{
    if (has_clock())
        gpusim_clock_play_hardware(true);
}

void sim_time_interrupt(bool sleeps)
{
    spend(sleeps ? SLEEP_NS : POLL_NS);
}
