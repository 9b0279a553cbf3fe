/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices of cpu-omp. A launch has as many threads as OpenMP says (OMP_NUM_THREADS, omp_set_num_threads, OMP_DYNAMIC, nesting).
 * If nobody chose a number, it has no more than the control group's quota.
 */
#include "plugins/cpu/omp/omp.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/machine/control_group.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/omp/team.h"
#include "plugins/cpu/omp/thread_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* BLOCKS_PER_THREAD: with a schedule, several, so that a thread that lost its CPU, or has a slow one, can be helped. */
enum { BLOCKS_PER_THREAD = 4 };

typedef struct omp_device {
    cpu_executor executor; /* first */
    cpu_omp_team team;
} omp_device;

static cpu_omp_team *team_of(const cpu_executor *self)
{
    return &((omp_device *)(uintptr_t)self)->team;
}

/* --- what OMP_ variables and the system leave to decide --- */

static uint32_t counted_cpus; /* of the process when the runtime was loaded, which makes them its number of threads */

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

static void count_cpus(void)
{
    uint8_t mask[CPU_MASK_BYTES];
    cpu_process_cpus(mask);
    counted_cpus = cpu_mask_count(mask);
}

/* Threads of a team on the CPUs of the mask. UINT32_MAX: as many as the runtime says, because of OMP_NUM_THREADS, or because
 * nothing limits them. Else the control group's quota, or the number of CPUs if the process has lost some since the runtime
 * counted them. */
static uint32_t most_threads(const char *root, const uint8_t mask[CPU_MASK_BYTES])
{
    if (is_set("OMP_NUM_THREADS"))
        return UINT32_MAX;
    uint32_t quota = cpu_group_quota(root), cpus = cpu_mask_count(mask);
    return cpus < counted_cpus && cpus < quota ? cpus : quota;
}

/* --- the backend --- */

static accel_status find_runtime(void)
{
    count_cpus();
    cpu_omp_pinning before = cpu_omp_pinning_begin();
    const char *chosen = cpu_host()->config("ACCEL_OMP_LIBRARY");
    accel_status status = cpu_omp_runtime_find(&cpu_omp_process_runtime, chosen, cpu_omp_libraries);
    if (status == ACCEL_OK && !cpu_omp_watch_exit())
        status = cpu_host()->error(ACCEL_OUT_OF_MEMORY, "cpu-omp: no memory to be told of the program's exit");
    if (status == ACCEL_OK)
        cpu_omp_process_runtime
            .max_threads(); /* makes LLVM's runtime initialise itself, as GNU's does when it is loaded */
    cpu_omp_pinning_undo(&before);
    return status;
}

static accel_status open(const cpu_executor *self, uint32_t *state)
{
    static cpu_lock opening;
    static bool opened; /* guarded by `opening` */
    accel_status status = ACCEL_OK;
    (void)self;
    cpu_lock_acquire(&opening);
    if (!opened) {
        status = find_runtime();
        opened = status == ACCEL_OK;
    }
    cpu_lock_release(&opening);
    if (status != ACCEL_OK)
        *state = ACCEL_BACKEND_NO_DRIVER;
    return status;
}

static uint32_t compute_units(const cpu_executor *self)
{
    if (!cpu_omp_enter())
        return 1;
    uint32_t threads = cpu_omp_team_size(team_of(self));
    cpu_omp_leave();
    return threads;
}

static accel_status run_parallel(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch,
                                 cpu_cost *cost, cpu_decision decision, size_t first)
{
    (void)decision; /* the runtime wakes its threads */
    return cpu_omp_team_run(team_of(self), launch, scratch, cost, first);
}

static __attribute__((noinline)) accel_status run_timed(const cpu_executor *self, const cpu_launch *launch,
                                                        cpu_scratch *scratch, cpu_cost *cost)
{
    return cpu_dispatch_timed(self, launch, scratch, cost, NULL, run_parallel);
}

static accel_status run(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch)
{
    if (launch->blocks == 1)
        return cpu_blocks_run(launch, scratch, 0, 1);
    return cpu_dispatch(self, launch, scratch, run_timed);
}

static uint32_t parts(const cpu_executor *self)
{
    uint32_t units = compute_units(self);
    return units > 1 && team_of(self)->scheduled ? units * BLOCKS_PER_THREAD : units;
}

static void describe(const cpu_executor *self, accel_device_properties *properties)
{
    const cpu_omp_runtime *runtime = &cpu_omp_process_runtime;
    (void)self;
    size_t length = strlen(properties->description);
    snprintf(properties->description + length, sizeof(properties->description) - length, "%s%s",
             length != 0 ? ", " : "", runtime->name);
    properties->runtime_version = runtime->version;
}

/* --- devices --- */

/* A sub-device has its part of the threads, and a leader. */
static bool become_part(omp_device *device, const cpu_placement *place)
{
    uint64_t cpus = cpu_mask_count(place->mask), all = cpu_mask_count(place->whole);
    device->team.limit = (uint32_t)((compute_units(&device->executor) * cpus + all - 1) / all);
    device->team.leader = calloc(1, sizeof(*device->team.leader));
    return device->team.leader != NULL;
}

/* The team of a sub-device keeps to its CPUs. */
static void take_place(cpu_omp_team *team, const cpu_placement *place, const cpu_settings *settings)
{
    memcpy(team->leader_mask, place->whole, CPU_MASK_BYTES);
    if (team->leader == NULL)
        return;
    team->leader->spin_ns = settings->spin_ns;
    cpu_omp_binding_make(&team->binding, place->mask);
}

static void forget_parent(void)
{
    if (cpu_omp_after_fork())
        cpu_omp_thread_limit_after_fork();
}

static accel_status create(const cpu_executor *self, const cpu_placement *place, const cpu_settings *settings,
                           cpu_executor **made)
{
    omp_device *device = aligned_alloc(CPU_OMP_LINE, sizeof(*device));
    if (device == NULL)
        goto no_memory;
    memset(device, 0, sizeof(*device));
    device->executor = *self;
    device->team.limit = most_threads(place->root, place->whole);
    device->team.scheduled = is_set("OMP_SCHEDULE");
    forget_parent(); /* before become_part enters */
    if (memcmp(place->mask, place->whole, CPU_MASK_BYTES) != 0 && !become_part(device, place)) {
        free(device);
        goto no_memory;
    }
    take_place(&device->team, place, settings);
    *made = &device->executor;
    return ACCEL_OK;
no_memory:
    return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for the device", self->name);
}

static void destroy(cpu_executor *self)
{
    cpu_omp_team_clear(team_of(self));
    free(self);
}

static void after_fork(cpu_executor *self, const cpu_placement *place, const cpu_settings *settings)
{
    cpu_omp_team *team = team_of(self);
    forget_parent();
    cpu_omp_team_after_fork(team);
    if (place == NULL)
        return;
    uint32_t most = most_threads(place->root, place->mask);
    team->limit = most < team->limit ? most : team->limit;
    take_place(team, place, settings);
}

const cpu_executor cpu_executor_omp = {
    .name = "cpu-omp",
    .compute_units = compute_units,
    .run = run,
    .parts = parts,
    .open = open,
    .describe = describe,
    .create = create,
    .destroy = destroy,
    .after_fork = after_fork,
    .divisible = true,
};
