/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/scatter.h - scatters for host compilers.
 *
 * Which threads run kernels, and how many at once, nobody knows: pools, teams and callers of several queues and devices may
 * all add to one scatter. So a set is claimed, by a compare-exchange, and given back when the kernel leaves the scope. A
 * thread that finds no free set adds to set 0 by atomics; set 0 is never claimed. Nothing waits. Fibers of a block share
 * an OS thread, so a set that a thread claims again is its own already.
 */
#ifndef ACCEL_KERNEL_CPU_SCATTER_H
#define ACCEL_KERNEL_CPU_SCATTER_H

/* One per set, a cache line each. */
typedef struct accel_scatter_claim {
    uintptr_t owner; /* atomic; 0: free, else an address that only one thread has */
    uint32_t
        depth; /* the owner's: how often it has claimed the set. Of set 0: blocks of a contribution that are done, atomic */
    uint32_t used; /* atomic; the cells may have changed since they were reset */
    unsigned char line[48];
} accel_scatter_claim;

/* Its address is the thread's name, its value the set that the thread claimed last, which its caches may still hold. */
static __thread uint64_t accel_scatter_latest __attribute__((unused));

ACCEL_INLINE_ void accel_scatter_use(accel_scatter_claim *claim)
{
    if (__atomic_load_n(&claim->used, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&claim->used, 1u, __ATOMIC_RELAXED);
}

/* A set for the calling thread alone, or 0. */
static __attribute__((noinline, unused)) uint64_t accel_scatter_search(accel_scatter_claim *claims, uint64_t copies)
{
#if defined(ACCEL_TARGET_CHECK) /* all by atomics: cpu-check does not follow how blocks hand sets on */
    (void)copies;
    ACCEL_CHECK_(accel_check_trust(1));
    accel_scatter_use(&claims[0]);
    ACCEL_CHECK_(accel_check_trust(0));
    return 0;
#else
    const uintptr_t me = (uintptr_t)&accel_scatter_latest;
    uint64_t set = accel_scatter_latest;
    if (set == 0) /* threads begin in different places */
        set = ((uint64_t)me * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
    if (set == 0 || set >= copies)
        set = set % (copies - 1) + 1;
    for (uint64_t left = copies - 1; left != 0; left--) {
        uintptr_t owner = __atomic_load_n(&claims[set].owner, __ATOMIC_RELAXED);
        if (owner == me || (owner == 0 && __atomic_compare_exchange_n(&claims[set].owner, &owner, me, 0,
                                                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))) {
            claims[set].depth++;
            accel_scatter_use(&claims[set]);
            accel_scatter_latest = set;
            return set;
        }
        set = set + 1 < copies ? set + 1 : 1;
    }
    accel_scatter_use(&claims[0]);
    return 0;
#endif
}

ACCEL_INLINE_ uint64_t accel_scatter_set(const accel_core core, const accel_scatter_view view)
{
    if (view.claims != NULL)
        return accel_scatter_search((accel_scatter_claim *)view.claims, view.copies);
    return view.copies == 1 ? 0 : core.block % view.copies;
}

ACCEL_INLINE_ accel_scatter_claim *accel_scatter_claimed(const accel_scatter_view view, uint64_t set)
{
    return set != 0 && view.claims != NULL ? (accel_scatter_claim *)view.claims + set : NULL;
}

ACCEL_INLINE_ void accel_scatter_close(accel_scatter_claim *claim)
{
    if (claim != NULL && --claim->depth == 0)
        __atomic_store_n(&claim->owner, (uintptr_t)0, __ATOMIC_RELEASE);
}

/* However the scope is left. */
#define ACCEL_SCATTER_SCOPE_(name) __attribute__((unused, cleanup(accel_scatter_leave_##name)))

/* --------------------------------------------------------------------------------------- contribution -- */

/* The first cell of a block. Long shares begin where vectors do. */
ACCEL_INLINE_ size_t accel_scatter_begin(const accel_launch_context *launch, size_t n, size_t block)
{
    const size_t blocks = launch->grid_extent[0], each = (n / blocks + (n % blocks != 0) + 15) / 16 * 16;
    return block * each < n ? block * each : n;
}

ACCEL_INLINE_ int accel_scatter_has(const accel_scatter_task *task, uint64_t set)
{
    const accel_scatter_claim *claims = (const accel_scatter_claim *)task->view.claims;
    return claims == NULL || task->fresh != 0 || __atomic_load_n(&claims[set].used, __ATOMIC_RELAXED) != 0;
}

/* The last of the blocks notes that no set has anything left. The others have read the notes before they were counted. */
ACCEL_INLINE_ void accel_scatter_finish(const accel_launch_context *launch, const accel_scatter_task *task,
                                        size_t first, size_t count)
{
    accel_scatter_claim *claims = (accel_scatter_claim *)task->view.claims;
    if (claims == NULL)
        return;
    if (task->fresh != 0) {
        if (first == 0)
            __builtin_memset(claims, 0, task->view.copies * sizeof(*claims));
        return;
    }
    if (__atomic_add_fetch(&claims[0].depth, (uint32_t)count, __ATOMIC_ACQ_REL) != launch->grid_extent[0])
        return;
    __atomic_store_n(&claims[0].depth, 0u, __ATOMIC_RELAXED);
    for (uint64_t set = 0; set < task->view.copies; set++)
        __atomic_store_n(&claims[set].used, 0u, __ATOMIC_RELAXED);
}

#define ACCEL_DEFINE_SCATTER_(name, T)                                                                                 \
    ACCEL_INLINE_ void accel_scatter_leave_##name(const accel_scatter_of_##name *accel_s)                              \
    {                                                                                                                  \
        accel_scatter_close(accel_s->claim);                                                                           \
    }                                                                                                                  \
    static __attribute__((flatten)) void accel_run_##name(                                                             \
        const accel_launch_context *accel_launch, const void *accel_args, size_t accel_first, size_t accel_count)      \
    {                                                                                                                  \
        const accel_all_##name *const accel_all = (const accel_all_##name *)accel_args;                                \
        const accel_scatter_task accel_task = accel_all->args;                                                         \
        T *const __restrict__ accel_target = (T *)accel_task.target;                                                   \
        const size_t accel_n = (size_t)accel_all->places.n;                                                            \
        const size_t accel_from = accel_scatter_begin(accel_launch, accel_n, accel_first);                             \
        const size_t accel_to = accel_scatter_begin(accel_launch, accel_n, accel_first + accel_count);                 \
        for (uint64_t accel_set = 0; accel_set < accel_task.view.copies; accel_set++) {                                \
            T *const __restrict__ accel_cell =                                                                         \
                (T *)((unsigned char *)accel_task.view.cells + accel_set * accel_task.view.stride);                    \
            if (!accel_scatter_has(&accel_task, accel_set))                                                            \
                continue;                                                                                              \
            for (size_t accel_i = accel_from; accel_target != NULL && accel_i < accel_to; accel_i++)                   \
                accel_scatter_join_##name(&accel_target[accel_i], &accel_cell[accel_i]);                               \
            for (size_t accel_i = accel_from; accel_i < accel_to; accel_i++)                                           \
                accel_cell[accel_i] = accel_scatter_start_##name();                                                    \
        }                                                                                                              \
        accel_scatter_finish(accel_launch, &accel_task, accel_first, accel_count);                                     \
    }                                                                                                                  \
    ACCEL_EXTERN_ __attribute__((visibility("default"))) const accel_pattern_descriptor accel_descriptor_##name;       \
    const accel_pattern_descriptor accel_descriptor_##name = ACCEL_PATTERN_DESCRIPTOR_(                                \
        accel_all_##name, accel_scatter_task, T, ACCEL_KIND_SCATTER, 1, #name, accel_run_##name);

#endif
