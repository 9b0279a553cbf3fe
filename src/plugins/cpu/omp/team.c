/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/omp/team.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/omp/thread_limit.h"
#include "plugins/support/failure.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* PARTS: of what is left, after which a launch without a team tries to get it again. */
enum { PARTS = 64 };

/* What a team runs. */
typedef struct job {
    cpu_omp_team *team;
    const cpu_launch *launch;
    cpu_scratch *scratch;
    size_t first, end; /* blocks */
    uint32_t threads;
    int cpu; /* of the thread that leads */
    /* Thread 0's: what its blocks took. */
    uint64_t ticks;
    size_t done;
    plugin_failure failure;
} job;

/* --- its threads --- */

static void run_blocks(job *own, uint32_t thread, size_t first, size_t count)
{
    cpu_scratch *scratch = thread == 0 ? own->scratch : &own->team->scratches[thread - 1].scratch;
    if (__builtin_expect(count == 0 || plugin_failure_status(&own->failure) != ACCEL_OK, 0))
        return;
    uint64_t begin = thread == 0 ? cpu_ticks() : 0;
    accel_status status = cpu_blocks_run(own->launch, scratch, first, count);
    if (thread == 0) {
        own->ticks += cpu_ticks() - begin;
        own->done += count;
    }
    if (__builtin_expect(status != ACCEL_OK, 0))
        plugin_failure_keep(&own->failure, cpu_host(), status);
}

static size_t share_begin(size_t blocks, size_t shares, size_t share)
{
    size_t each = blocks / shares, left = blocks % shares;
    return each * share + (share < left ? share : left);
}

/* The thread begins its part. */
static void enter(const job *own, uint32_t thread)
{
    cpu_omp_bind(&own->team->binding);
    if (thread != 0 && __builtin_expect(sched_getcpu() == own->cpu, 0))
        cpu_omp_step_aside(own->cpu, own->threads);
}

static void run_share(void *data)
{
    job *own = data;
    uint32_t thread = (uint32_t)cpu_omp_process_runtime.thread_num(),
             threads = (uint32_t)cpu_omp_process_runtime.num_threads();
    enter(own, thread);
    size_t blocks = own->end - own->first;
    size_t begin = share_begin(blocks, threads, thread), end = share_begin(blocks, threads, thread + 1);
    run_blocks(own, thread, own->first + begin, end - begin);
}

static void run_scheduled(void *data)
{
    job *own = data;
    uint32_t thread = (uint32_t)cpu_omp_process_runtime.thread_num();
    enter(own, thread);
    long first, end;
    while (cpu_omp_process_runtime.loop_next(&first, &end))
        run_blocks(own, thread, (size_t)first, (size_t)(end - first));
    cpu_omp_process_runtime.loop_end();
}

/* By the thread that leads. */
static void run_region(void *data)
{
    job *own = data;
    own->threads = cpu_omp_allowed_threads(own->threads);
    own->cpu = sched_getcpu();
    if (own->team->scheduled && own->end <= LONG_MAX)
        cpu_omp_process_runtime.parallel_loop(run_scheduled, own, own->threads, (long)own->first, (long)own->end, 1, 0);
    else
        cpu_omp_process_runtime.parallel(run_share, own, own->threads, 0);
}

/* --- a launch --- */

uint32_t cpu_omp_team_size(const cpu_omp_team *team)
{
    if (team->leader != NULL)
        return team->limit;
    int wanted = cpu_omp_process_runtime.max_threads();
    uint32_t threads = wanted > 1 ? (uint32_t)wanted : 1;
    return threads < team->limit ? threads : team->limit;
}

/* Makes room for the scratches of so many threads. Returns for how many there is room: fewer if memory is short. */
static __attribute__((noinline)) uint32_t reserve(cpu_omp_team *team, uint32_t threads)
{
    cpu_omp_scratch *grown = aligned_alloc(CPU_OMP_LINE, (threads - 1) * sizeof(*grown));
    if (grown == NULL)
        return team->scratch_count + 1;
    memset(grown, 0, (threads - 1) * sizeof(*grown));
    if (team->scratch_count != 0)
        memcpy(grown, team->scratches, team->scratch_count * sizeof(*grown));
    free(team->scratches);
    team->scratches = grown;
    team->scratch_count = threads - 1;
    return threads;
}

/* Leads teams in the child of a fork: see leader.h. */
static cpu_omp_leader child_leader;

static void begin_region(cpu_omp_team *team, job *own)
{
    cpu_omp_leader *leader = team->leader;
    if (leader == NULL) {
        cpu_omp_pin();
        if (__builtin_expect(*cpu_host()->fork_generation != cpu_omp_process_runtime.generation, 0) &&
            !cpu_omp_process_runtime.survives_fork && cpu_omp_leader_needed())
            leader = &child_leader;
    }
    if (leader == NULL)
        run_region(own);
    else if (!cpu_omp_leader_call(leader, run_region, own, team->leader_mask))
        run_blocks(own, 0, own->first, own->end - own->first);
}

/* The blocks from `first` on, with the team, which is held. */
static accel_status run_with(cpu_omp_team *team, const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost,
                             size_t first, uint32_t threads)
{
    job own;
    memset(&own, 0, offsetof(job, failure.text));
    plugin_failure_begin(&own.failure);
    own.team = team;
    own.launch = launch;
    own.scratch = scratch;
    own.first = first;
    own.end = launch->blocks;
    own.threads = threads - 1 <= team->scratch_count ? threads : reserve(team, threads);
    uint64_t begin = cpu_ticks();
    begin_region(team, &own);
    if (own.done != 0) {
        double each = (double)own.ticks / (double)own.done;
        uint64_t ticks = (uint64_t)(each * (double)(launch->blocks - first));
        cpu_policy_note_parallel(cost, ticks, cpu_ticks() - begin, first == 0);
    }
    accel_status status = plugin_failure_report(&own.failure, cpu_host());
    plugin_failure_end(&own.failure);
    return status;
}

/* Runs the blocks from `first` on if the team is free: true. False: so many are to be run inline before the next try. */
static bool try_run(cpu_omp_team *team, const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost, size_t first,
                    accel_status *status, size_t *part)
{
    size_t left = launch->blocks - first;
    *part = left;
    if (__builtin_expect(!cpu_omp_enter(), 0))
        return false;
    uint32_t threads = cpu_omp_team_size(team);
    bool runs = threads > 1 && cpu_lock_try(&team->busy);
    if (runs) {
        *status = run_with(team, launch, scratch, cost, first, threads);
        cpu_lock_release(&team->busy);
    } else if (threads > 1) {
        *part = left / PARTS + 1;
    }
    cpu_omp_leave();
    return runs;
}

accel_status cpu_omp_team_run(cpu_omp_team *team, const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost,
                              size_t first)
{
    accel_status status = ACCEL_OK;
    size_t part;
    while (!try_run(team, launch, scratch, cost, first, &status, &part)) {
        status = cpu_blocks_run(launch, scratch, first, part);
        first += part;
        if (status != ACCEL_OK || first == launch->blocks)
            break;
    }
    return status;
}

/* --- its life --- */

static void unbind(void *data)
{
    static const cpu_omp_binding none;
    (void)data;
    cpu_omp_bind_thread(&none);
}

/* By a leader that ends: LLVM's runtime moves its team's threads to other teams. */
static void release_threads(void *data)
{
    (void)data;
    if (!cpu_omp_enter())
        return;
    cpu_omp_process_runtime.parallel(unbind, NULL, cpu_omp_prepared_threads, 0);
    cpu_omp_leave();
}

void cpu_omp_team_clear(cpu_omp_team *team)
{
    for (uint32_t i = 0; i < team->scratch_count; ++i)
        cpu_scratch_clear(&team->scratches[i].scratch);
    free(team->scratches);
    if (team->leader != NULL)
        cpu_omp_leader_end(team->leader, release_threads, NULL);
}

void cpu_omp_team_after_fork(cpu_omp_team *team)
{
    if (cpu_lock_is_held(&team->busy)) {
        team->scratches = NULL;
        team->scratch_count = 0;
    }
    team->busy = (cpu_lock){0};
}
