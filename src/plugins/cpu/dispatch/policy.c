/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/dispatch/policy.h"

/* --- inline or parallel --- */

static void restart_samples(cpu_cost *cost, cpu_mode mode)
{
    cost->mode = mode;
    cost->sum[mode] = cost->longest[mode] = 0;
    if (mode == CPU_INLINE)
        cost->inline_ticks = 0;
}

void cpu_policy_begin_interval(cpu_cost *cost, cpu_mode mode, uint32_t launches)
{
    restart_samples(cost, mode);
    cost->trial = 0;
    cost->left = launches;
    cost->overruns = 0;
}

static void begin_trial(cpu_cost *cost, cpu_mode mode)
{
    restart_samples(cost, mode);
    cost->trial = 1;
    cost->left = CPU_POLICY_SETTLE_LAUNCHES + CPU_POLICY_SAMPLE_LAUNCHES;
}

void cpu_policy_judge(cpu_cost *cost)
{
    cpu_mode mode = cost->mode, other = mode == CPU_INLINE ? CPU_PARALLEL : CPU_INLINE;
    cost->sum[mode] -= cost->longest[mode];
    if (!cost->trial) {
        begin_trial(cost, other);
        return;
    }
    bool changes = cost->sum[mode] < cost->sum[other] || cost->sum[other] == 0; /* 0: not known */
    cost->interval = changes || cost->interval == 0 ? CPU_POLICY_DOUBT_LAUNCHES : 2 * cost->interval;
    if (cost->interval > CPU_POLICY_INTERVAL_LAUNCHES)
        cost->interval = CPU_POLICY_INTERVAL_LAUNCHES;
    cpu_policy_begin_interval(cost, changes ? mode : other, cost->interval);
}

void cpu_policy_note_misplaced(cpu_cost *cost, uint64_t ticks)
{
    if (cost->inline_ticks == 0 || ticks < cost->inline_ticks) /* the least: others may have been interrupted */
        cost->inline_ticks = ticks;
    cost->wary = CPU_POLICY_WARY_LAUNCHES;
    cost->calm = 0;
    if (cost->mode == CPU_INLINE && ++cost->overruns == CPU_POLICY_OVERRUN_LAUNCHES)
        cpu_policy_begin_interval(cost, CPU_PARALLEL, CPU_POLICY_SAMPLE_LAUNCHES); /* they may have been interrupted */
}

/* A parallel launch took `elapsed`, and its first blocks suggest `ticks` on one thread. They may be cheaper than the others, as
 * in a loop over a triangle. So a launch that ran inline lately counts, too. */
static uint64_t estimate(cpu_cost *cost, uint64_t ticks, uint64_t elapsed)
{
    if (ticks >= cost->inline_ticks)
        return ticks;
    if (elapsed <= CPU_TICKS_OF_NS(CPU_POLICY_PARALLEL_NS)) /* the launches may have become short */
        cost->inline_ticks -= cost->inline_ticks / CPU_POLICY_AGEING + 1;
    return cost->inline_ticks;
}

/* A parallel launch took longer than one thread would have. After some in a row, launches run inline for a while. */
static void note_loss(cpu_cost *cost, uint64_t ticks, uint64_t elapsed)
{
    bool is_long = ticks > CPU_TICKS_OF_NS(CPU_POLICY_PARALLEL_NS);
    if (!is_long && elapsed / CPU_POLICY_HEAVY_LOSS <= ticks)
        return; /* trials decide */
    if (elapsed - ticks < ticks / CPU_POLICY_LIGHT_LOSS)
        return;
    bool may_settle = is_long && elapsed - ticks < CPU_TICKS_OF_NS(CPU_POLICY_MOVE_NS);
    uint32_t enough = may_settle ? CPU_POLICY_SETTLE_LAUNCHES : CPU_POLICY_LOSS_LAUNCHES;
    if (++cost->losses < enough)
        return;
    uint64_t launches = CPU_POLICY_RECOVERY * (elapsed / (ticks + 1) + 1) * enough / CPU_POLICY_LOSS_LAUNCHES;
    cost->losses = 0;
    if (launches > CPU_POLICY_RECOVERY_MAX)
        launches = CPU_POLICY_RECOVERY_MAX;
    if (!is_long) {
        cpu_policy_begin_interval(cost, CPU_INLINE, (uint32_t)launches);
        return;
    }
    cost->backoff = (uint32_t)launches;
    cost->inline_ticks = 0; /* to be measured again */
}

void cpu_policy_note_parallel(cpu_cost *cost, uint64_t ticks, uint64_t elapsed, bool whole)
{
    ticks = cost->ticks = estimate(cost, ticks, elapsed);
    if (cost->mode != CPU_PARALLEL) /* an inline launch that took longer than expected */
        return;
    if (elapsed <= ticks) {
        cost->losses = 0;
    } else {
        note_loss(cost, ticks, elapsed);
        if (cost->mode != CPU_PARALLEL)
            return;
    }
    if (ticks <= CPU_TICKS_OF_NS(CPU_POLICY_INLINE_NS) && elapsed <= CPU_TICKS_OF_NS(CPU_POLICY_PARALLEL_NS))
        cpu_policy_begin_interval(cost, CPU_INLINE, CPU_POLICY_INTERVAL_LAUNCHES);
    else if (whole && (ticks <= CPU_TICKS_OF_NS(CPU_POLICY_PARALLEL_NS) || cost->trial))
        cpu_policy_sample(cost, elapsed);
}

/* --- waking --- */

/* Would a worker have waited for a launch of this length, after such a gap, and another one before? */
static bool is_close(const cpu_workers *workers, uint64_t length, uint64_t gap, uint64_t before, uint64_t now)
{
    uint64_t nap = cpu_policy_nap(gap), poll = gap - nap;
    if (gap < workers->spin_ns)
        return true;
    if (!workers->may_wait || now < atomic_load_explicit(&workers->resumes, memory_order_relaxed) ||
        poll >= CPU_POLICY_POLL_WORK * length)
        return false;
    uint64_t difference = gap > before ? gap - before : before - gap;
    return gap < CPU_POLICY_GAP_NS || (gap < CPU_POLICY_GAP_MAX_NS && difference < poll / 2);
}

bool cpu_policy_is_worth_waking(cpu_workers *workers, uint64_t ticks, uint64_t now)
{
    uint64_t length = ticks != UINT64_MAX ? ticks / CPU_TICKS_PER_NS : 0; /* of an unknown launch 0 */
    uint64_t until = atomic_load_explicit(&workers->unhelped_until, memory_order_relaxed);
    uint64_t unhelped = atomic_load_explicit(&workers->unhelped, memory_order_relaxed);
    uint64_t before = atomic_load_explicit(&workers->last_gap, memory_order_relaxed);
    uint64_t gap = now > until ? now - until : 0; /* the end was an estimate */
    bool close = is_close(workers, length, gap, before, now);
    atomic_store_explicit(&workers->unhelped_until, now + length, memory_order_relaxed);
    atomic_store_explicit(&workers->last_gap, gap, memory_order_relaxed);
    atomic_store_explicit(&workers->gap, !close ? 0 : gap != 0 ? gap : 1, memory_order_relaxed);
    /* One launch loses little without help. Launches so close to each other that a worker would still wait when the next one
     * comes lose more together. */
    unhelped = close ? unhelped + length : length;
    bool worth = ticks >= CPU_TICKS_OF_NS(CPU_POLICY_WAKE_NS) || unhelped >= CPU_POLICY_WAKE_NS;
    atomic_store_explicit(&workers->unhelped, worth ? 0 : unhelped, memory_order_relaxed);
    return worth;
}

/* --- chunks --- */

uint32_t cpu_policy_worth_stealing(const cpu_cost *cost, size_t blocks, size_t chunk)
{
    if (cost->ticks == UINT64_MAX)
        return CPU_STEAL_LEAST;
    uint64_t each = cost->ticks / blocks * chunk, enough = CPU_TICKS_OF_NS(CPU_POLICY_STEAL_NS);
    return each > enough / CPU_STEAL_LEAST ? CPU_STEAL_LEAST : (uint32_t)(enough / (each != 0 ? each : 1));
}

size_t cpu_policy_chunk(const cpu_cost *cost, size_t blocks, uint32_t threads)
{
    size_t most = blocks / ((size_t)threads * CPU_POLICY_CHUNKS_PER_THREAD), chunk = 1;
    if (cost->ticks != UINT64_MAX) {
        uint64_t each = cost->ticks / blocks;
        chunk = each != 0 ? (size_t)(CPU_TICKS_OF_NS(CPU_POLICY_CHUNK_NS) / each) : most;
    }
    chunk = chunk < most ? chunk : most;
    return chunk != 0 ? chunk : 1;
}
