/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who runs. A context is a number that only grows: one for each thread of a block between two barriers, one for the code
 * outside regions, one for each iteration of a loop over elements. Launch, block and epoch (what lies between two barriers)
 * remember the number with which they began. So two accesses of one launch are unordered if the earlier one's context
 * precedes the block, or is of this epoch and another than the present one. Of contexts before the launch's,
 * queues/history.h knows which are unordered with it.
 *
 * One launch at a time, on one OS thread: none of it is locked.
 */
#ifndef ACCEL_CPU_CHECK_CLOCK_H
#define ACCEL_CPU_CHECK_CLOCK_H

#include <accel/object.h>
#include <stdbool.h>

enum { CHECK_CONTEXT_BITS = 38 };

typedef struct check_clock {
    uint64_t next;                 /* context */
    uint64_t launch, block, epoch; /* where they began */
    uint64_t ordered;              /* all before it are ordered before the launch; at most `launch` */
    uint64_t uniform, first;       /* of this epoch: code outside regions, thread 0 */
    uint64_t now;
    uint64_t outside;    /* `uniform` in block kernels, where it must not write; else 0, which is nobody's */
    uint32_t form;       /* ACCEL_FORM_*; 0: of this kernel no contexts are known, and races are not looked for */
    size_t block_number; /* linear */
    size_t thread_count; /* of the block */
    uint64_t atomic;     /* the context of the last atomic operation */
    size_t pending;      /* fences of the block that no atomic has followed yet */
    bool sampled;        /* races of this block are looked for */
    bool has_atomics;    /* in earlier epochs of the block */
    bool acquired;       /* the block has fenced behind one: it sees what other blocks released */
    bool meets;          /* a thread has fenced behind one in this epoch: it sees what others of its block released */
} check_clock;

extern check_clock check_time;

/* What a context is, for reports. */
typedef struct check_actor {
    enum {
        CHECK_ACTOR_UNKNOWN,
        CHECK_ACTOR_UNIFORM,
        CHECK_ACTOR_THREAD,
        CHECK_ACTOR_ITERATION,
        CHECK_ACTOR_BLOCK
    } what;
    size_t block, number; /* of the thread, or of the iteration in its block's share */
} check_actor;
check_actor check_actor_of(uint64_t context);

/* From now on races are looked for in one of `share` blocks: in the first two of each 2 * share, as neighbours are the
 * likeliest to race. 1: in all. */
void check_clock_sample(size_t share);
/* Are they looked for in this block? */
bool check_clock_samples(size_t block);
/* Of 0 blocks: a copy or fill, with one context. */
void check_clock_launch(size_t blocks);
void check_clock_block(size_t block, size_t threads, uint32_t form);
/* A barrier. */
void check_clock_epoch(void);
void check_clock_loop(const accel_launch_context *, const size_t n[3], uint32_t kind);
/* The loop goes on, or ends. */
void check_clock_each(int more);
/* A thread comes behind a barrier of its block; the first one that does opens the epoch. */
void check_clock_pass(size_t thread);
/* A fence for the device, or for the block alone. What lies before it is released by an atomic behind it. */
void check_clock_fence(int device);
void check_clock_publish(void);
/* An atomic operation. */
static inline void check_clock_atomic(void)
{
    check_time.atomic = check_time.now;
    if (__builtin_expect(check_time.pending != 0, 0))
        check_clock_publish();
}
/* Has that context released what this block, or this thread, has acquired? */
bool check_clock_is_fenced(uint64_t context);
/* Numbers are nearly used up: they begin anew, and nothing that the shadow says of them counts. */
bool check_clock_is_full(void);
void check_clock_restart(void);

#endif
