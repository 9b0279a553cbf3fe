/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/chunks.h - a scan by one launch, for host compilers, whose threads hardly wait for each other.
 *
 * A thread takes chunks of tiles and makes their totals. It keeps what it has not scanned yet in a row. In turns it scans a
 * tile of the oldest chunk and makes the total of a tile of a new one. So elements are in its caches still when they are
 * scanned, and memory is read and written at the same time. Some chunks side by side are one thread's, so that from call to
 * call the same data is in its caches; of a thread that falls behind others take some.
 *
 * What precedes a chunk is known when the totals of all before are there. Whoever needs them makes of them what precedes
 * tiles and groups, in the order of docs/semantics.md, P7. A thread whose row is full, and does not become shorter, takes the
 * first chunk that nobody has, or else waits. A thread that waits has no totals to make, so whoever makes some waits for
 * nobody. But that thread may not run just now, or its elements may have crashed. So nobody waits for long: a thread then leaves
 * its row to the step REST, and ends.
 */
#ifndef ACCEL_KERNEL_CPU_CHUNKS_H
#define ACCEL_KERNEL_CPU_CHUNKS_H

/* How often a thread that waits pauses, and then lets others have its CPU: a few milliseconds if nobody wants it. */
#define ACCEL_SCAN_PAUSES_ 1024
#define ACCEL_SCAN_YIELDS_ 4096

/* Chunks side by side that are one thread's. A row is as many as a thread gets behind those before it, as many until it asks
 * what has become known, and some more, in which threads may differ. */
#define ACCEL_SCAN_OWN_ 8u
#define ACCEL_SCAN_ASKS_ ACCEL_SCAN_OWN_
#define ACCEL_SCAN_STUCK_ (ACCEL_SCAN_OWN_ + ACCEL_SCAN_OWN_ / 2)
#define ACCEL_SCAN_ROW_ (ACCEL_SCAN_KEPT_CHUNKS - 1)

enum { ACCEL_CHUNK_FREE_, ACCEL_CHUNK_TAKEN_, ACCEL_CHUNK_HAS_TOTALS_ };

ACCEL_INLINE_ size_t accel_scan_all_tiles(const accel_scan_places *places)
{
    return ((size_t)places->n + ACCEL_SCAN_TILE_ELEMS - 1) / ACCEL_SCAN_TILE_ELEMS;
}

ACCEL_INLINE_ size_t accel_scan_chunks(const accel_scan_places *places)
{
    return (accel_scan_all_tiles(places) + (size_t)places->chunk - 1) / (size_t)places->chunk;
}

/* The end of a chunk's tiles. */
ACCEL_INLINE_ size_t accel_scan_chunk_end(const accel_scan_places *places, size_t chunk)
{
    const size_t end = (chunk + 1) * (size_t)places->chunk, all = accel_scan_all_tiles(places);
    return end < all ? end : all;
}

/* The chunk that a thread has left, and 1 more, whose runs are its k-th; 0: none. */
ACCEL_INLINE_ uint64_t *accel_scan_left(const accel_scan_places *places, size_t thread, size_t k)
{
    return (uint64_t *)(void *)(places->progress + 1) + thread * ACCEL_SCAN_KEPT_CHUNKS + k;
}

ACCEL_INLINE_ uint8_t *accel_scan_states(const accel_scan_places *places)
{
    return (uint8_t *)(void *)accel_scan_left(places, (size_t)places->end, 0);
}

ACCEL_INLINE_ void accel_scan_begin(const accel_scan_places *places)
{
    uint8_t *const begin = (uint8_t *)(void *)places->progress, *const end = accel_scan_states(places);
    __builtin_memset(begin, 0, (size_t)(end - begin) + accel_scan_chunks(places));
}

/* Of how many chunks, from the first, it is known what precedes them. */
ACCEL_INLINE_ size_t accel_scan_known(const accel_scan_places *places)
{
    return (size_t)__atomic_load_n(&places->progress->known, __ATOMIC_ACQUIRE);
}

/* Takes a chunk if it is free. */
ACCEL_INLINE_ int accel_scan_take(const accel_scan_places *places, size_t chunk)
{
    uint8_t *const state = accel_scan_states(places) + chunk, found = ACCEL_CHUNK_FREE_;
    return __atomic_load_n(state, __ATOMIC_RELAXED) == found &&
           __atomic_compare_exchange_n(state, &found, (uint8_t)ACCEL_CHUNK_TAKEN_, 0, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

/* The first chunk that is free; the number of chunks if none is. */
ACCEL_INLINE_ size_t accel_scan_first_free(const accel_scan_places *places)
{
    const uint8_t *const states = accel_scan_states(places);
    const size_t chunks = accel_scan_chunks(places);
    size_t first = accel_scan_known(places);
    while (first < chunks && __atomic_load_n(&states[first], __ATOMIC_RELAXED) != ACCEL_CHUNK_FREE_)
        first++;
    return first;
}

/* Of every ACCEL_SCAN_OWN_ chunks for each thread these are its own. */
ACCEL_INLINE_ size_t accel_scan_next_own(const accel_scan_places *places, size_t own)
{
    return (own + 1) % ACCEL_SCAN_OWN_ != 0 ? own + 1 : own + 1 + ((size_t)places->end - 1) * ACCEL_SCAN_OWN_;
}

/* Takes the next free one of a thread's own chunks, of which `own` is the first, or the first free one of all. Returns the number of
 * chunks if none is free. */
ACCEL_INLINE_ size_t accel_scan_take_next(const accel_scan_places *places, size_t *own, int takes_first)
{
    const size_t chunks = accel_scan_chunks(places);
    size_t first;
    for (; !takes_first && *own < chunks; *own = accel_scan_next_own(places, *own))
        if (accel_scan_take(places, *own))
            return *own;
    do
        first = accel_scan_first_free(places);
    while (first < chunks && !accel_scan_take(places, first));
    return first;
}

/* Whether the thread should go on waiting. */
ACCEL_INLINE_ int accel_scan_waits(const accel_launch_context *launch, unsigned *waited)
{
    if (*waited == ACCEL_SCAN_PAUSES_ + ACCEL_SCAN_YIELDS_)
        return 0;
    if (*waited < ACCEL_SCAN_PAUSES_)
        accel_cpu_pause();
    else
        launch->yield();
    ++*waited;
    return 1;
}

#define ACCEL_CPU_SCAN_CHUNKS_(name, V)                                                                                \
    /* Makes known what the totals allow, unless somebody does already. */                                             \
    static __attribute__((noinline)) void accel_know_more_of_##name(const accel_scan_places *accel_given)              \
    {                                                                                                                  \
        accel_scan_places accel_p = *accel_given;                                                                      \
        accel_scan_progress *const accel_progress = accel_p.progress;                                                  \
        const uint8_t *const accel_states = accel_scan_states(&accel_p);                                               \
        const size_t accel_all = accel_scan_chunks(&accel_p);                                                          \
        if (__atomic_load_n(&accel_progress->held, __ATOMIC_RELAXED) != 0 ||                                           \
            __atomic_exchange_n(&accel_progress->held, 1u, __ATOMIC_ACQUIRE) != 0)                                     \
            return;                                                                                                    \
        const size_t accel_known = accel_scan_known(&accel_p);                                                         \
        size_t accel_c = accel_known;                                                                                  \
        while (accel_c < accel_all &&                                                                                  \
               __atomic_load_n(&accel_states[accel_c], __ATOMIC_ACQUIRE) == ACCEL_CHUNK_HAS_TOTALS_)                   \
            accel_c++;                                                                                                 \
        if (accel_c > accel_known) {                                                                                   \
            accel_p.total_begin = accel_known * accel_p.chunk;                                                         \
            accel_p.total_end = accel_scan_chunk_end(&accel_p, accel_c - 1);                                           \
            accel_p.begin = accel_p.total_begin / ACCEL_SCAN_RUNS;                                                     \
            accel_p.end = (accel_p.total_end + ACCEL_SCAN_RUNS - 1) / ACCEL_SCAN_RUNS;                                 \
            for (size_t accel_g = 0; accel_p.begin + accel_g < accel_p.end; accel_g++)                                 \
                accel_group_of_##name(&accel_p, accel_g);                                                              \
            if (accel_c == accel_all || accel_p.total_end % ACCEL_SCAN_RUNS != 0)                                      \
                accel_p.end--; /* the last group is not whole, or nothing follows it */                                \
            accel_carries_of_##name(&accel_p);                                                                         \
            __atomic_store_n(&accel_progress->known, accel_c, __ATOMIC_RELEASE);                                       \
        }                                                                                                              \
        __atomic_store_n(&accel_progress->held, 0u, __ATOMIC_RELEASE);                                                 \
    }                                                                                                                  \
    /* Scans one chunk and makes the totals of another; either may be behind the last. */                              \
    static void accel_chunk_of_##name(const accel_all_##name *accel_given, size_t accel_scanned,                       \
                                      const V *accel_old_runs, size_t accel_taken, V *accel_runs)                      \
    {                                                                                                                  \
        accel_all_##name accel_all = *accel_given;                                                                     \
        accel_scan_places *const accel_p = &accel_all.places;                                                          \
        /* As in the step TILES, so that the functions of a tile know which other tile is done beside it. */           \
        accel_p->begin = accel_scanned * accel_p->chunk;                                                               \
        accel_p->end = accel_scan_chunk_end(accel_p, accel_scanned);                                                   \
        accel_p->total_begin = accel_taken * accel_p->chunk;                                                           \
        accel_p->total_end = accel_scan_chunk_end(accel_p, accel_taken);                                               \
        for (size_t accel_k = 0; accel_k < accel_p->chunk; accel_k++) {                                                \
            if (accel_p->begin + accel_k < accel_p->end)                                                               \
                accel_scan_tile_of_##name(&accel_all, (size_t)accel_p->begin + accel_k,                                \
                                          accel_old_runs + accel_k * ACCEL_SCAN_RUNS);                                 \
            if (accel_p->total_begin + accel_k < accel_p->total_end)                                                   \
                accel_total_tile_of_##name(&accel_all, (size_t)accel_p->total_begin + accel_k,                         \
                                           accel_runs + accel_k * ACCEL_SCAN_RUNS);                                    \
        }                                                                                                              \
        if (accel_p->total_begin < accel_p->total_end)                                                                 \
            __atomic_store_n(&accel_scan_states(&accel_given->places)[accel_taken], ACCEL_CHUNK_HAS_TOTALS_,           \
                             __ATOMIC_RELEASE);                                                                        \
    }                                                                                                                  \
    /* A place for the runs of a chunk. */                                                                             \
    static V *accel_kept_of_##name(const accel_scan_places *accel_p, size_t accel_i, size_t accel_k)                   \
    {                                                                                                                  \
        return (V *)accel_p->runs +                                                                                    \
               (ACCEL_SCAN_KEPT_CHUNKS * accel_i + accel_k) * (size_t)accel_p->chunk * ACCEL_SCAN_RUNS;                \
    }                                                                                                                  \
    static int accel_knows_of_##name(const accel_scan_places *accel_p, size_t accel_chunk)                             \
    {                                                                                                                  \
        if (accel_scan_known(accel_p) <= accel_chunk)                                                                  \
            accel_know_more_of_##name(accel_p);                                                                        \
        return accel_scan_known(accel_p) > accel_chunk;                                                                \
    }                                                                                                                  \
    /* Takes the chunk that others wait for, and scans it. 0: it is not free; -1: it is left. */                       \
    static int accel_helps_of_##name(const accel_launch_context *accel_launch, const accel_all_##name *accel_all,      \
                                     size_t accel_i)                                                                   \
    {                                                                                                                  \
        const accel_scan_places *const accel_p = &accel_all->places;                                                   \
        const size_t accel_none = accel_scan_chunks(accel_p), accel_next = accel_scan_known(accel_p);                  \
        V *const accel_runs = accel_kept_of_##name(accel_p, accel_i, ACCEL_SCAN_ROW_);                                 \
        unsigned accel_waited = 0;                                                                                     \
        if (accel_next >= accel_none || !accel_scan_take(accel_p, accel_next))                                         \
            return 0;                                                                                                  \
        accel_chunk_of_##name(accel_all, accel_none, NULL, accel_next, accel_runs);                                    \
        while (!accel_knows_of_##name(accel_p, accel_next))                                                            \
            if (!accel_scan_waits(accel_launch, &accel_waited)) {                                                      \
                *accel_scan_left(accel_p, accel_i, ACCEL_SCAN_ROW_) = accel_next + 1;                                  \
                return -1;                                                                                             \
            }                                                                                                          \
        accel_chunk_of_##name(accel_all, accel_next, accel_runs, accel_none, NULL);                                    \
        return 1;                                                                                                      \
    }                                                                                                                  \
    static void accel_chunks_of_##name(const accel_launch_context *accel_launch, const accel_all_##name *accel_all,    \
                                       size_t accel_i)                                                                 \
    {                                                                                                                  \
        const accel_scan_places *const accel_p = &accel_all->places;                                                   \
        const size_t accel_none = accel_scan_chunks(accel_p);                                                          \
        size_t accel_chunk[ACCEL_SCAN_ROW_], accel_first = 0, accel_count = 0; /* the row */                           \
        size_t accel_own = accel_i * ACCEL_SCAN_OWN_, accel_taken = 0;                                                 \
        unsigned accel_waited = 0;                                                                                     \
        if (accel_i >= accel_p->end)                                                                                   \
            return;                                                                                                    \
        while (accel_count != 0 || accel_taken != accel_none) {                                                        \
            const size_t accel_old = accel_first % ACCEL_SCAN_ROW_,                                                    \
                         accel_new = (accel_first + accel_count) % ACCEL_SCAN_ROW_;                                    \
            size_t accel_scanned = accel_none;                                                                         \
            if (accel_count != 0 && (accel_scan_known(accel_p) > accel_chunk[accel_old] ||                             \
                                     ((accel_count >= ACCEL_SCAN_ASKS_ || accel_taken == accel_none) &&                \
                                      accel_knows_of_##name(accel_p, accel_chunk[accel_old]))))                        \
                accel_scanned = accel_chunk[accel_old];                                                                \
            accel_taken = accel_none;                                                                                  \
            if (accel_count < ACCEL_SCAN_ROW_)                                                                         \
                accel_taken = accel_scan_take_next(accel_p, &accel_own, accel_count >= ACCEL_SCAN_STUCK_);             \
            if (accel_scanned != accel_none || accel_taken != accel_none) {                                            \
                accel_chunk_of_##name(accel_all, accel_scanned, accel_kept_of_##name(accel_p, accel_i, accel_old),     \
                                      accel_taken, accel_kept_of_##name(accel_p, accel_i, accel_new));                 \
                accel_chunk[accel_new] = accel_taken;                                                                  \
                accel_first += accel_scanned != accel_none;                                                            \
                accel_count += (size_t)(accel_taken != accel_none) - (size_t)(accel_scanned != accel_none);            \
                accel_waited = 0;                                                                                      \
            } else if (accel_count != 0) {                                                                             \
                const int accel_helps = accel_helps_of_##name(accel_launch, accel_all, accel_i);                       \
                if (accel_helps > 0 || (accel_helps == 0 && accel_scan_waits(accel_launch, &accel_waited)))            \
                    continue;                                                                                          \
                for (size_t accel_k = accel_first; accel_k < accel_first + accel_count; accel_k++)                     \
                    *accel_scan_left(accel_p, accel_i, accel_k % ACCEL_SCAN_ROW_) =                                    \
                        accel_chunk[accel_k % ACCEL_SCAN_ROW_] + 1;                                                    \
                return;                                                                                                \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void accel_rest_of_##name(const accel_all_##name *accel_all, size_t accel_i)                                \
    {                                                                                                                  \
        const accel_scan_places *const accel_p = &accel_all->places;                                                   \
        for (size_t accel_k = 0; accel_i < accel_p->end && accel_k < ACCEL_SCAN_KEPT_CHUNKS; accel_k++) {              \
            const size_t accel_left = (size_t)*accel_scan_left(accel_p, accel_i, accel_k);                             \
            if (accel_left != 0 && accel_scan_known(accel_p) >= accel_left)                                            \
                accel_chunk_of_##name(accel_all, accel_left - 1, accel_kept_of_##name(accel_p, accel_i, accel_k),      \
                                      accel_scan_chunks(accel_p), NULL);                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static __attribute__((noinline)) void accel_chunk_step_of_##name(                                                  \
        const accel_launch_context *accel_launch, const accel_all_##name *accel_all, size_t accel_i)                   \
    {                                                                                                                  \
        if (accel_all->places.step == ACCEL_SCAN_STEP_BEGIN)                                                           \
            accel_scan_begin(&accel_all->places);                                                                      \
        else if (accel_all->places.step == ACCEL_SCAN_STEP_CHUNKS)                                                     \
            accel_chunks_of_##name(accel_launch, accel_all, accel_i);                                                  \
        else if (accel_all->places.step == ACCEL_SCAN_STEP_KNOWN)                                                      \
            accel_know_more_of_##name(&accel_all->places);                                                             \
        else                                                                                                           \
            accel_rest_of_##name(accel_all, accel_i);                                                                  \
    }

#endif
