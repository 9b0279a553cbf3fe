/* SPDX-License-Identifier: Apache-2.0 */
#include "fault.h"
#include "context.h"
#include "device.h"
#include "entry.h"
#include "front.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FAULTS = 16, EVERY_DEVICE = SIM_MAX_DEVICES };

static struct {
    sim_fault fault;
    unsigned long n;
    unsigned device;
} faults[MAX_FAULTS];
static size_t fault_count;

static struct {
    char function[60];
    unsigned long n;
    int code;
    bool sticky;
    atomic_ulong calls;
} failures[MAX_FAULTS];
static size_t failure_count;

static const char *const names[SIM_FAULT_COUNT] = {
    [SIM_FAULT_ALLOCATION] = "allocation",
    [SIM_FAULT_LAUNCH] = "launch",
    [SIM_FAULT_LAUNCH_FAILED] = "launch-failed",
    [SIM_FAULT_ILLEGAL_ADDRESS] = "illegal-address",
    [SIM_FAULT_LOST] = "lost",
    [SIM_FAULT_HANG] = "hang",
};

static void refuse(const char *variable, const char *item)
{
    fprintf(stderr, "gpusim: %s: \"%s\" is not understood\n", variable, item);
    _Exit(2);
}

static void read_fault(const char *item)
{
    char name[40] = "";
    unsigned long n = 0;
    unsigned device = EVERY_DEVICE;
    int parts = sscanf(item, "%39[^@]@%lu/%u", name, &n, &device);
    for (int f = SIM_FAULT_NONE + 1; f < SIM_FAULT_COUNT; ++f)
        if (parts >= 2 && strcmp(name, names[f]) == 0 && fault_count < MAX_FAULTS) {
            faults[fault_count].fault = (sim_fault)f;
            faults[fault_count].n = n;
            faults[fault_count++].device = device;
            return;
        }
    refuse("GPUSIM_FAULT", item);
}

static void read_failure(const char *item)
{
    char last = '\0';
    if (failure_count == MAX_FAULTS || sscanf(item, "%59[^@]@%lu=%d%c", failures[failure_count].function,
                                              &failures[failure_count].n, &failures[failure_count].code, &last) < 3)
        refuse("GPUSIM_FAIL", item);
    failures[failure_count++].sticky = last == '!';
}

static void each(const char *variable, void (*read)(const char *))
{
    const char *value = getenv(variable);
    if (value == NULL)
        return;
    char *copy = strdup(value), *rest = copy;
    for (char *item; copy != NULL && (item = strsep(&rest, ",")) != NULL;)
        if (item[0] != '\0')
            read(item);
    free(copy);
}

void sim_fault_read(void)
{
    each("GPUSIM_FAULT", read_fault);
    each("GPUSIM_FAIL", read_failure);
}

/* The fault between `first` and `last` that is asked for here, given how many there were in all and on the device. */
static sim_fault asked(sim_fault first, sim_fault last, unsigned device, unsigned long counts[SIM_MAX_DEVICES + 1])
{
    ++counts[EVERY_DEVICE];
    ++counts[device];
    for (size_t i = 0; i < fault_count; ++i)
        if (faults[i].fault >= first && faults[i].fault <= last &&
            (faults[i].device == EVERY_DEVICE || faults[i].device == device) && counts[faults[i].device] == faults[i].n)
            return faults[i].fault;
    return SIM_FAULT_NONE;
}

bool sim_fault_allocation(unsigned device)
{
    static unsigned long counts[SIM_MAX_DEVICES + 1];
    return asked(SIM_FAULT_ALLOCATION, SIM_FAULT_ALLOCATION, device, counts) != SIM_FAULT_NONE;
}

bool sim_fault_launch(unsigned device)
{
    static unsigned long counts[SIM_MAX_DEVICES + 1];
    return asked(SIM_FAULT_LAUNCH, SIM_FAULT_LAUNCH, device, counts) != SIM_FAULT_NONE;
}

sim_fault sim_fault_run(unsigned device)
{
    static unsigned long counts[SIM_MAX_DEVICES + 1];
    return asked(SIM_FAULT_LAUNCH_FAILED, SIM_FAULT_HANG, device, counts);
}

/* Everything on the first device's primary context fails from now on. */
static void fail_for_good(int code)
{
    pthread_mutex_lock(&sim_engine_here.lock);
    sim_context *context = sim_engine_here.initialized ? sim_devices[0].primary : NULL;
    if (context != NULL && context->object.alive)
        sim_context_fail(context, (sim_status)code);
    pthread_mutex_unlock(&sim_engine_here.lock);
}

int sim_fault_call(const char *function)
{
    for (size_t i = 0; i < failure_count; ++i) {
        if (strcmp(failures[i].function, function) != 0 || atomic_fetch_add(&failures[i].calls, 1) + 1 != failures[i].n)
            continue;
        if (failures[i].sticky)
            fail_for_good(failures[i].code);
        return failures[i].code;
    }
    return 0;
}
