/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch is one parallel region of as many threads as OpenMP says (OMP_NUM_THREADS, omp_set_num_threads, OMP_DYNAMIC,
 * nesting); if nobody chose, no more than the control group's quota. Blocks go to threads in contiguous shares, or, if
 * OMP_SCHEDULE is set, by schedule(runtime).
 *
 * The runtimes keep a team of threads for each thread that ever led one. Of a device one team works at a time: a launch
 * that finds it at work begins alone, in small parts, and gets its team as soon as it is free. So several queues do not put
 * more threads to work than one has, and nobody waits.
 *
 * A sub-device has its part of those threads, as many as when it was made, on its CPUs; its team is led by a thread of its
 * own, while whoever launches waits. What the launching thread set for its own teams since then does not reach that one.
 */
#include "plugins/cpu/omp/omp.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/engine/failure.h"
#include "plugins/cpu/omp/omp_binding.h"
#include "plugins/cpu/omp/omp_environment.h"
#include "plugins/cpu/omp/omp_exit.h"
#include "plugins/cpu/omp/omp_leader.h"
#include "plugins/cpu/omp/omp_pinning.h"
#include "plugins/cpu/omp/omp_runtime.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/machine/thread.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PARTS: of what is left, in which a launch without a team looks for it again. FINER as in threads.c. */
enum { PARTS = 64, FINER = 4, LINE = 64 };

typedef struct omp_scratch {
    _Alignas(LINE) cpu_scratch scratch;
} omp_scratch;

typedef struct omp_device {
    cpu_executor executor;  /* first */
    uint32_t limit;         /* threads of a team */
    cpu_omp_leader *leader; /* owned; of a sub-device's team, which has `limit` threads; NULL: whoever launches */
    cpu_omp_binding binding;
    bool scheduled;                      /* by OMP_SCHEDULE */
    uint8_t leader_mask[CPU_MASK_BYTES]; /* where a leader starts, and so its team's threads */

    _Alignas(LINE) cpu_lock team; /* tried only; held by the launch whose team works, and guards the rest */
    uint32_t scratch_count;
    omp_scratch *scratches; /* owned; of the team's threads from 1 on. Thread 0 is the launch's, with the queue's */
} omp_device;

/* A part of a launch that a team runs. */
typedef struct job {
    omp_device *device;
    const cpu_launch *launch;
    cpu_scratch *scratch;
    size_t first, end; /* blocks */
    uint32_t threads;
    /* Thread 0's: what its blocks took. */
    uint64_t ticks;
    size_t done;
    cpu_failure failure;
} job;

/* Written by the first open, under `opening`; read-only afterwards. */
static cpu_omp_runtime runtime;
static cpu_lock opening;
static bool opened;
static uint32_t first_generation; /* of forks, when the runtime was found: in a later one its threads may be gone */

static omp_device *device_of(const cpu_executor *self)
{
    return (omp_device *)(uintptr_t)self;
}

static accel_status open(const cpu_executor *self, uint32_t *state)
{
    (void)self;
    accel_status status = ACCEL_OK;
    cpu_lock_acquire(&opening);
    if (!opened) {
        cpu_omp_count_cpus();
        cpu_omp_pinning before = cpu_omp_pinning_begin();
        status = cpu_omp_runtime_find(&runtime, cpu_host()->config("ACCEL_OMP_LIBRARY"), cpu_omp_libraries);
        if (status == ACCEL_OK && !cpu_omp_watch_exit())
            status = cpu_host()->error(ACCEL_OUT_OF_MEMORY, "cpu-omp: no memory to be told of the program's exit");
        opened = status == ACCEL_OK;
        if (opened) {
            first_generation = *cpu_host()->fork_generation;
            runtime.max_threads(); /* LLVM's does then what GNU's does when it is loaded */
        }
        cpu_omp_pinning_take_back(&before);
    }
    cpu_lock_release(&opening);
    if (status != ACCEL_OK)
        *state = ACCEL_BACKEND_NO_DRIVER;
    return status;
}

/* Threads of the next team that the calling thread leads. The runtime may be called. */
static uint32_t team_size(const omp_device *device)
{
    if (device->leader != NULL)
        return device->limit;
    int wanted = runtime.max_threads();
    uint32_t threads = wanted > 1 ? (uint32_t)wanted : 1;
    return threads < device->limit ? threads : device->limit;
}

static uint32_t compute_units(const cpu_executor *self)
{
    if (!cpu_omp_enter())
        return 1;
    uint32_t threads = team_size(device_of(self));
    cpu_omp_leave();
    return threads;
}

/* --- a team's threads --- */

static void run_blocks(job *own, uint32_t thread, size_t first, size_t count)
{
    cpu_scratch *scratch = thread == 0 ? own->scratch : &own->device->scratches[thread - 1].scratch;
    if (__builtin_expect(count == 0 || cpu_failure_status(&own->failure) != ACCEL_OK, 0))
        return;
    uint64_t begin = thread == 0 ? cpu_ticks() : 0;
    accel_status status = cpu_blocks_run(own->launch, scratch, first, count);
    if (thread == 0) {
        own->ticks += cpu_ticks() - begin;
        own->done += count;
    }
    if (__builtin_expect(status != ACCEL_OK, 0))
        cpu_failure_keep(&own->failure, status);
}

static size_t share_begin(size_t blocks, size_t shares, size_t share)
{
    size_t each = blocks / shares, left = blocks % shares;
    return each * share + (share < left ? share : left);
}

static void run_share(void *data)
{
    job *own = data;
    uint32_t thread = (uint32_t)runtime.thread_num(), team = (uint32_t)runtime.num_threads();
    cpu_omp_bind(&own->device->binding);
    size_t blocks = own->end - own->first;
    size_t begin = share_begin(blocks, team, thread), end = share_begin(blocks, team, thread + 1);
    run_blocks(own, thread, own->first + begin, end - begin);
}

static void run_scheduled(void *data)
{
    uint32_t thread = (uint32_t)runtime.thread_num();
    cpu_omp_bind(&((job *)data)->device->binding);
    long first, end;
    while (runtime.loop_next(&first, &end))
        run_blocks(data, thread, (size_t)first, (size_t)(end - first));
    runtime.loop_end();
}

static void run_team(void *data)
{
    job *own = data;
    if (own->device->scheduled && own->end <= LONG_MAX)
        runtime.parallel_loop(run_scheduled, own, own->threads, (long)own->first, (long)own->end, 1, 0);
    else
        runtime.parallel(run_share, own, own->threads, 0);
}

/* --- a launch --- */

/* Makes room for a team's scratches; fewer threads if memory is short. The team is held. */
static __attribute__((noinline)) uint32_t reserve(omp_device *device, uint32_t threads)
{
    omp_scratch *grown = aligned_alloc(LINE, (threads - 1) * sizeof(*grown));
    if (grown == NULL)
        return device->scratch_count + 1;
    memset(grown, 0, (threads - 1) * sizeof(*grown));
    if (device->scratch_count != 0)
        memcpy(grown, device->scratches, device->scratch_count * sizeof(*grown));
    free(device->scratches);
    device->scratches = grown;
    device->scratch_count = threads - 1;
    return threads;
}

/* The process's team in the child of a fork: see omp_leader.h. */
static cpu_omp_leader child_leader;

static void run_with_team(omp_device *device, job *own)
{
    cpu_omp_leader *leader = device->leader;
    if (leader == NULL) {
        cpu_omp_pin();
        if (__builtin_expect(*cpu_host()->fork_generation != first_generation && !runtime.survives_fork, 0) &&
            cpu_omp_leader_needed())
            leader = &child_leader;
    }
    if (leader == NULL)
        run_team(own);
    else if (!cpu_omp_leader_call(leader, run_team, own, device->leader_mask))
        run_blocks(own, 0, own->first, own->end - own->first);
}

/* The blocks from `first` on. The team is held. */
static accel_status lead(omp_device *device, const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost,
                         size_t first, uint32_t threads)
{
    job own;
    memset(&own, 0, offsetof(job, failure.text));
    own.device = device;
    own.launch = launch;
    own.scratch = scratch;
    own.first = first;
    own.end = launch->blocks;
    own.threads = threads - 1 <= device->scratch_count ? threads : reserve(device, threads);
    uint64_t begin = cpu_ticks();
    run_with_team(device, &own);
    if (own.done != 0) {
        double each = (double)own.ticks / (double)own.done;
        uint64_t elapsed = cpu_ticks() - begin;
        cpu_cost_compare(cost, elapsed, (uint64_t)(each * (double)(launch->blocks - first)));
        cpu_cost_note(cost, CPU_SHARED, (uint64_t)(each * (double)launch->blocks), first == 0 ? elapsed : 0);
    }
    return cpu_failure_report(&own.failure);
}

/* True: the launch was run, with a team. False: it is to go on alone, for so many blocks. */
static bool run_led(omp_device *device, const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost, size_t first,
                    accel_status *status, size_t *part)
{
    size_t left = launch->blocks - first;
    *part = left;
    if (__builtin_expect(!cpu_omp_enter(), 0))
        return false;
    uint32_t threads = team_size(device);
    bool leads = threads > 1 && cpu_lock_try(&device->team);
    if (leads) {
        *status = lead(device, launch, scratch, cost, first, threads);
        cpu_lock_release(&device->team);
    } else if (threads > 1) {
        *part = left / PARTS + 1;
    }
    cpu_omp_leave();
    return leads;
}

static accel_status run_shared(omp_device *device, const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost,
                               size_t first)
{
    accel_status status = ACCEL_OK;
    size_t part;
    while (!run_led(device, launch, scratch, cost, first, &status, &part)) {
        status = cpu_blocks_run(launch, scratch, first, part);
        first += part;
        if (status != ACCEL_OK || first == launch->blocks)
            break;
    }
    return status;
}

/* By the caller alone, as it is expected to be over sooner than with a team. If it is not, the team runs the rest. */
static accel_status run_alone(omp_device *device, const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost,
                              uint64_t limit)
{
    size_t done;
    accel_status status = cpu_launch_run_alone(launch, scratch, cost, limit, &done);
    return done == launch->blocks ? status : run_shared(device, launch, scratch, cost, done);
}

static accel_status run(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch)
{
    if (launch->blocks == 1)
        return cpu_blocks_run(launch, scratch, 0, 1);
    cpu_cost *cost = cpu_launch_cost(launch, scratch);
    if (cpu_cost_is_alone(cost))
        return run_alone(device_of(self), launch, scratch, cost, CPU_COST_PATIENT);
    if (__builtin_expect(cost->alone != 0, 0)) {
        cost->alone--;
        return run_alone(device_of(self), launch, scratch, cost, cost->ticks);
    }
    return run_shared(device_of(self), launch, scratch, cost, 0);
}

static uint32_t parts(const cpu_executor *self)
{
    uint32_t units = compute_units(self);
    return units > 1 && device_of(self)->scheduled ? units * FINER : units;
}

static void describe(const cpu_executor *self, accel_device_properties *properties)
{
    (void)self;
    size_t length = strlen(properties->description);
    snprintf(properties->description + length, sizeof(properties->description) - length, "%s%s",
             length != 0 ? ", " : "", runtime.name);
    properties->runtime_version = runtime.version;
}

/* --- its life --- */

/* Its team has a leader. */
static bool become_part(omp_device *device, const cpu_placement *place)
{
    uint64_t cpus = cpu_mask_count(place->mask), all = cpu_mask_count(place->whole);
    device->limit = (uint32_t)((compute_units(&device->executor) * cpus + all - 1) / all);
    device->leader = calloc(1, sizeof(*device->leader));
    return device->leader != NULL;
}

/* A part's team keeps to its CPUs. */
static void take_place(omp_device *device, const cpu_placement *place, const cpu_settings *settings)
{
    memcpy(device->leader_mask, place->whole, CPU_MASK_BYTES);
    if (device->leader == NULL)
        return;
    device->leader->spin_ns = settings->spin_ns;
    cpu_omp_binding_make(&device->binding, place->mask);
}

static accel_status create(const cpu_executor *self, const cpu_placement *place, const cpu_settings *settings,
                           cpu_executor **made)
{
    omp_device *device = aligned_alloc(LINE, sizeof(*device));
    if (device == NULL)
        goto no_memory;
    memset(device, 0, sizeof(*device));
    device->executor = *self;
    device->limit = cpu_omp_most_threads(place->root, place->whole);
    device->scheduled = cpu_omp_is_scheduled();
    cpu_omp_after_fork(); /* before become_part enters */
    if (memcmp(place->mask, place->whole, CPU_MASK_BYTES) != 0 && !become_part(device, place)) {
        free(device);
        goto no_memory;
    }
    take_place(device, place, settings);
    *made = &device->executor;
    return ACCEL_OK;
no_memory:
    return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for the device", self->name);
}

static void leave_cpus(void *data)
{
    static const cpu_omp_binding none;
    (void)data;
    cpu_omp_bind_thread(&none);
}

/* By a leader that ends: LLVM's runtime lends its team's threads to others. */
static void release_team(void *threads)
{
    if (!cpu_omp_enter())
        return;
    runtime.parallel(leave_cpus, NULL, (unsigned)(uintptr_t)threads, 0);
    cpu_omp_leave();
}

static void destroy(cpu_executor *self)
{
    omp_device *device = device_of(self);
    for (uint32_t i = 0; i < device->scratch_count; ++i)
        cpu_scratch_clear(&device->scratches[i].scratch);
    free(device->scratches);
    if (device->leader != NULL)
        cpu_omp_leader_end(device->leader, release_team, (void *)(uintptr_t)device->limit);
    free(device);
}

/* Scratches that a team was using stay behind, because its fibers may be anywhere. */
static void after_fork(cpu_executor *self, const cpu_placement *place, const cpu_settings *settings)
{
    omp_device *device = device_of(self);
    cpu_omp_after_fork();
    if (cpu_lock_is_held(&device->team)) {
        device->scratches = NULL;
        device->scratch_count = 0;
    }
    device->team = (cpu_lock){0};
    if (place == NULL)
        return;
    uint32_t most = cpu_omp_most_threads(place->root, place->mask);
    device->limit = most < device->limit ? most : device->limit;
    take_place(device, place, settings);
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
