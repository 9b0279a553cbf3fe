/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: vertices that give to their neighbours, or take from them; counts; work lists; trees. */
#include "variation.h"

/* --------------------------------------------------------------------------------- vertices that give -- */

ACCEL_KERNEL(push_forward, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        for (EDGES(e, v))
            MAX(acc, args.next + args.column[e], args.value[v]); /* race-threads, race-blocks here, other */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(push_backward, races_args, args)
{
    const size_t v = accel_global_index(acc).x;
    if (v >= args.vertices)
        return;
    for (EDGES_BACKWARDS(e, v))
        ADD(acc, args.real + args.column[e], (double)args.value[v]); /* race-threads, race-blocks here, other */
}

ACCEL_KERNEL(push_first, races_args, args)
{
    ACCEL_THREADS(acc, t) {
        const size_t v = PLACE(acc, t);
        if (v < args.vertices)
            MIN(acc, args.i + args.column[args.row[v]] % 50, -(int32_t)v); /* race-threads, race-blocks here, other */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(push_last, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        const uint32_t w = args.column[args.row[v + 1] - 1] / 2;
        ADD(acc, args.l + w, (uint64_t)v); /* race-threads, race-blocks here, other */
    }
}

ACCEL_KERNEL(push_until, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        for (EDGES(e, v)) {
            const uint32_t w = args.column[e];
            if (args.value[w] > args.value[v])
                break;
            ADD(acc, args.y + w, 1.0f); /* race-threads, race-blocks here, other */
        }
    }
}

/* The test before the atomic reads what others write. */
ACCEL_THREAD_KERNEL_NOSYNC(push_tested, races_args, args)
{
    const size_t v = accel_global_index(acc).x;
    if (v >= args.vertices)
        return;
    for (EDGES(e, v)) {
        uint32_t *to = args.next + args.column[e];
        if (PICK(1, *to < args.value[v]))             /* mixed-atomic here, other */
            accel_atomic_max(acc, to, args.value[v]); /* mixed-atomic here, other */
    }
}

/* A block takes a vertex, its threads take the edges. */
ACCEL_KERNEL(push_block, races_args, args)
{
    for (size_t v = accel_block_index(acc).x; v < args.vertices; v += accel_grid_extent(acc).x) {
        const uint32_t first = args.row[v], count = args.row[v + 1] - first;
        ACCEL_THREADS_FIRST(acc, t, count) {
            MAX(acc, args.next + args.column[first + t] / 8, args.value[v]); /* race-threads, race-blocks here, other */
        }
    }
}

ACCEL_KERNEL(push_bounds, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        for (uint32_t e = args.row[v]; e < args.row[v + 1] + PICK(0, 1); e++) {
            const uint32_t w = args.column[e];                   /* outside-memory here */
            accel_atomic_max(acc, args.next + w, args.value[v]); /* outside-memory here */
        }
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(push_guard, races_args, args)
{
    const size_t v = accel_global_index(acc).x;
    if (v >= PICK(args.vertices, args.n))
        return;
    for (EDGES(e, v))                                                     /* outside-memory here */
        accel_atomic_max(acc, args.next + args.column[e], args.value[v]); /* outside-memory here */
}

/* --------------------------------------------------------------------------------- vertices that take -- */

ACCEL_KERNEL(pull_forward, races_args, args)
{
    uint32_t *to = PICK(args.next, args.value);
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        uint32_t most = 0;
        for (EDGES(e, v))
            most |= args.value[args.column[e]]; /* race-threads, race-blocks here, other */
        to[v] = most;                           /* race-threads, race-blocks here, other */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(pull_backward, races_args, args)
{
    const size_t v = accel_global_index(acc).x;
    if (v >= args.vertices)
        return;
    double sum = 0;
    for (EDGES_BACKWARDS(e, v))
        sum += PICK(args.d, args.real)[args.column[e]]; /* race-threads, race-blocks here, other */
    args.real[v] = sum;                                 /* race-threads, race-blocks here, other */
}

ACCEL_KERNEL(pull_until, races_args, args)
{
    ACCEL_THREADS(acc, t) {
        const size_t v = PLACE(acc, t);
        if (v < args.vertices) {
            uint32_t found = 0;
            for (EDGES(e, v)) {
                found = PICK(args.value, args.next)[args.column[e]]; /* race-threads, race-blocks here, other */
                if (found % 4 == 1)
                    break;
            }
            args.next[v] = found + 1; /* race-threads, race-blocks here, other */
        }
    }
}

/* The block's threads find the greatest value around a vertex; one of them writes it. */
ACCEL_KERNEL(pull_block, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, most[1]);
    for (size_t v = accel_block_index(acc).x; v < args.vertices; v += accel_grid_extent(acc).x) {
        const uint32_t first = args.row[v], count = args.row[v + 1] - first;
        ACCEL_ONCE(acc) {
            most[0] = 0;
        }
        REGION(acc, t)
        {
            if (t < count)
                accel_atomic_max_block(acc, most, args.value[args.column[first + t]]); /* other */
        }
        ACCEL_ONCE(acc) {
            args.next[v] = most[0]; /* mixed-atomic here */
        }
    }
}

/* The result of a vertex goes to its neighbour. */
ACCEL_KERNEL(pull_misplaced, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        uint32_t sum = 0;
        for (EDGES(e, v))
            sum += args.value[args.column[e]];
        args.next[PICK(v, args.column[args.row[v]] / 2)] = sum; /* race-threads, race-blocks here, other */
    }
}

ACCEL_KERNEL(pull_bounds, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        double sum = 0;
        for (EDGES(e, v))
            sum += args.real[args.column[e] + PICK(0, 9)]; /* outside-memory here */
        args.d[v] = sum;
    }
}

/* ---------------------------------------------------------------------------------- counts and flags -- */

ACCEL_KERNEL(vertex_count, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        if (args.value[v] % 3 == 1)
            ADD(acc, args.c, 1u); /* race-threads, race-blocks here, other */
    }
}

/* All write the same. */
ACCEL_THREAD_KERNEL_NOSYNC(vertex_flag, races_args, args)
{
    const size_t v = accel_global_index(acc).x;
    if (v < args.vertices && args.value[v] > 20) {
#if defined(RACES_WRONG)
        args.c[1] = 1; /* race-threads, race-blocks here, other */
#else
        accel_atomic_or(acc, args.c + 1, 1u);
#endif
    }
}

ACCEL_KERNEL(vertex_greatest, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        if (PICK(1, args.c[2] < args.value[v]))               /* mixed-atomic here, other */
            accel_atomic_max(acc, args.c + 2, args.value[v]); /* mixed-atomic here, other */
    }
}

/* One counter for each block, in shared memory. */
ACCEL_KERNEL(vertex_count_block, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, count[1]);
    REGION(acc, t)
    {
        if (t == 0)
            count[0] = 0; /* other */
    }
    ACCEL_THREADS(acc, t) {
        const size_t v = PLACE(acc, t);
        if (v < args.vertices && args.value[v] % 2 == 1)
            accel_atomic_add_block(acc, count, 1u); /* mixed-atomic here */
    }
    ACCEL_ONCE(acc) {
        accel_atomic_add(acc, args.c, count[0]);
    }
}

ACCEL_KERNEL(edge_count, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        for (EDGES(e, v)) {
            if (args.value[v] < args.value[args.column[e]])
                ADD(acc, args.c + v % 16, 1u); /* race-threads, race-blocks here, other */
        }
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(edge_sum, races_args, args)
{
    const size_t v = accel_global_index(acc).x;
    if (v < args.vertices) {
        for (EDGES_BACKWARDS(e, v))
            ADD(acc, args.y, args.x[args.column[e]]); /* race-threads, race-blocks here, other */
    }
}

/* Each thread has a sum of its own, and adds it to its block's. */
ACCEL_KERNEL(edge_private, races_args, args)
{
    ACCEL_PRIVATE(acc, double, sum);
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(sum, t) = 0;
    }
    ACCEL_FOR_EACH_THREAD(acc, t, v, args.vertices) {
        for (EDGES(e, v))
            ACCEL_MY(sum, t) += args.real[args.column[e]];
    }
    ACCEL_THREADS(acc, t) {
        ADD(acc, args.d + accel_block_index(acc).x, ACCEL_MY(sum, t)); /* race-threads here, other */
    }
}

/* ---------------------------------------------------------------------------------------- work lists -- */

ACCEL_KERNEL(list_append, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        if (args.value[v] % 2 == 0) {
            const uint32_t slot = TAKE(acc, args.c); /* race-threads, race-blocks here, other */
            args.list[slot] = (uint32_t)v;
        }
    }
}

/* A block reserves room for all that its threads append. */
ACCEL_KERNEL(list_reserve, races_args, args)
{
    ACCEL_SHARED(acc, uint32_t, here[2]);
    ACCEL_ONCE(acc) {
        here[0] = 0;
    }
    ACCEL_THREADS(acc, t) {
        if (PLACE(acc, t) < args.vertices)
            accel_atomic_add_block(acc, here, 1u);
    }
    ACCEL_ONCE(acc) {
#if defined(RACES_WRONG)
        here[1] = args.c[0];           /* race-blocks here, other */
        args.c[0] = here[1] + here[0]; /* race-blocks here, other */
#else
        here[1] = accel_atomic_add(acc, args.c, here[0]);
#endif
    }
    ACCEL_THREADS(acc, t) {
        if (PLACE(acc, t) < args.vertices)
            args.list[here[1] + t] = (uint32_t)t;
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(list_overflow, races_args, args)
{
    const uint32_t slot = accel_atomic_add(acc, args.c, 1u);
    if (slot < PICK(args.vertices, args.n))
        args.list[slot] = (uint32_t)accel_global_index(acc).x; /* outside-memory here */
}

/* Takes from the list to which others append. */
ACCEL_KERNEL(list_consume, races_args, args)
{
    const uint32_t *from = PICK(args.value, args.list);
    ACCEL_FOR_EACH(acc, k, args.vertices) {
        const uint32_t v = from[args.vertices - 1 - k];          /* race-threads, race-blocks here, other */
        args.list[accel_atomic_add(acc, args.c, 1u)] = v % 1000; /* race-threads, race-blocks here, other */
    }
}

/* --------------------------------------------------------------------------------------------- trees -- */

ACCEL_KERNEL(tree_jump, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        const uint32_t parent = (uint32_t)v / 2;
        const uint32_t above = args.value[parent];        /* race-threads, race-blocks here, other */
        PICK(args.next, args.value)[v] = above % 100 + 1; /* race-threads, race-blocks here, other */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(tree_hook, races_args, args)
{
    const size_t v = accel_global_index(acc).x;
    if (v < args.vertices)
        MIN(acc, args.value + args.column[args.row[v]] / 3, (uint32_t)v); /* race-threads, race-blocks here, other */
}

/* Finds a root while others shorten the paths. An atomic that adds nothing reads. */
ACCEL_KERNEL(tree_compress, races_args, args)
{
    ACCEL_FOR_EACH(acc, v, args.vertices) {
        uint32_t *parent = args.value;
        uint32_t at = (uint32_t)v / 4;
        for (int k = 0; k < 3; k++)
            at = PICK(accel_atomic_add(acc, parent + at, 0u), parent[at]) / 2; /* mixed-atomic here, other */
        accel_atomic_min(acc, parent + v / 2, at);                             /* mixed-atomic here, other */
    }
}
