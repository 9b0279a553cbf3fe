/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/dispatch/idle.h"

enum { FADES = 8 /* a gap changes the usual one by this part of the difference */ };

/* --- gaps --- */

/* A gap much shorter than usual may be a worker that came late and found the next launch at once. */
static void trust(cpu_idle *idle, uint64_t gap)
{
    if (idle->trust == 0)
        idle->usual = gap;
    else if (gap > idle->usual / 4)
        idle->usual =
            gap > idle->usual ? idle->usual + (gap - idle->usual) / FADES : idle->usual - (idle->usual - gap) / FADES;
    if (idle->trust < CPU_POLICY_TRUST_MAX)
        idle->trust++;
}

static void distrust(cpu_idle *idle)
{
    idle->trust -= idle->trust < 2 ? idle->trust : 2;
}

/* The wait before the work that ends now was longer than a spin: was it worth it? A launch on one thread takes at least twice
 * as long as the worker's part of it. */
static void judge(cpu_idle *idle, uint64_t now)
{
    if (idle->found == 0 || idle->gap <= idle->workers->spin_ns)
        return;
    if (idle->gap - idle->nap < (now - idle->found) * 2 * CPU_POLICY_POLL_WORK)
        trust(idle, idle->gap);
    else
        distrust(idle);
}

/* --- other threads --- */

static void note_jump(cpu_workers *workers, uint64_t now, uint64_t jump)
{
    uint64_t pause = atomic_load_explicit(&workers->pause, memory_order_relaxed);
    uint64_t resumed = atomic_load_explicit(&workers->resumes, memory_order_relaxed);
    bool again = now < resumed + 4 * pause;
    pause = again ? 2 * pause : 0;
    if (pause < jump)
        pause = jump;
    if (pause > CPU_POLICY_PAUSE_MAX * jump)
        pause = CPU_POLICY_PAUSE_MAX * jump;
    if (pause > CPU_POLICY_PAUSE_MAX_NS)
        pause = CPU_POLICY_PAUSE_MAX_NS;
    atomic_store_explicit(&workers->pause, pause, memory_order_relaxed);
    atomic_store_explicit(&workers->resumes, now + pause, memory_order_relaxed);
}

static bool may_wait(const cpu_workers *workers, uint64_t now)
{
    return workers->may_wait && now >= atomic_load_explicit(&workers->resumes, memory_order_relaxed);
}

/* --- a wait --- */

void cpu_idle_begin(cpu_idle *idle, uint64_t now)
{
    uint64_t spin = idle->workers->spin_ns;
    judge(idle, now);
    idle->found = 0;
    idle->begin = idle->looked = now;
    idle->polls = false;
    idle->nap = 0;
    idle->spin_end = idle->nap_end = idle->poll_end = now + spin;
    if (idle->trust == 0 || !may_wait(idle->workers, now))
        return;
    idle->nap = cpu_policy_nap(idle->usual);
    uint64_t poll = 2 * idle->usual - idle->nap;
    idle->nap_end = now + idle->nap;
    idle->poll_end = idle->nap_end + (poll < CPU_POLICY_POLL_NS ? poll : CPU_POLICY_POLL_NS);
    if (idle->poll_end < idle->spin_end)
        idle->poll_end = idle->spin_end;
}

bool cpu_idle_jumped(const cpu_idle *idle, uint64_t now)
{
    return idle->polls && now - idle->looked > CPU_POLICY_JUMP_NS;
}

void cpu_idle_lost_cpu(cpu_idle *idle, uint64_t now)
{
    note_jump(idle->workers, now, now - idle->looked);
    idle->poll_end = idle->spin_end;
}

cpu_idle_step cpu_idle_next(cpu_idle *idle, uint64_t now)
{
    idle->looked = now;
    idle->polls = now < idle->spin_end;
    if (idle->polls)
        return CPU_IDLE_POLL;
    if (now < idle->nap_end && now < idle->poll_end)
        return CPU_IDLE_NAP;
    idle->polls = now < idle->poll_end;
    if (idle->polls)
        return CPU_IDLE_YIELD;
    if (idle->poll_end > idle->spin_end) /* it waited in vain */
        distrust(idle);
    return CPU_IDLE_SLEEP;
}

void cpu_idle_found(cpu_idle *idle)
{
    idle->found = idle->looked;
    idle->gap = idle->found - idle->begin;
    idle->spin_end = idle->found + idle->workers->spin_ns;
    if (idle->poll_end < idle->spin_end)
        idle->poll_end = idle->spin_end;
}

void cpu_idle_woken(cpu_idle *idle, uint64_t now)
{
    uint64_t gap = atomic_load_explicit(&idle->workers->gap, memory_order_relaxed);
    idle->found = 0;
    if (gap != 0) {
        idle->usual = gap;
        if (idle->trust < CPU_POLICY_TRUST_WOKEN)
            idle->trust = CPU_POLICY_TRUST_WOKEN;
    }
    cpu_idle_begin(idle, now); /* in case that there is no work any more */
}
