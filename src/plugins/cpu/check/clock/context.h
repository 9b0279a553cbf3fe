/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who runs. A context is a number that only grows: one for each thread of a block between two barriers, one for the code
 * outside regions, one for each iteration of a loop over elements. Launch, block and epoch (what lies between two barriers)
 * remember the number with which they began. A thread that fences goes on with another one, so that what lies before the fence
 * is told from what lies behind it (fence.h). So two accesses of one launch are unordered if the earlier one's context
 * precedes the block, or is of this epoch and another thread's. Of contexts before the launch's,
 * queues/history.h knows which are unordered with it.
 *
 * One launch at a time, on one OS thread: none of it is locked.
 */
#ifndef ACCEL_CPU_CHECK_CONTEXT_H
#define ACCEL_CPU_CHECK_CONTEXT_H

#include "plugins/cpu/check/common/hidden.h"

#include <accel/object.h>
#include <stdbool.h>

enum { CHECK_CONTEXT_BITS = 38 };

/* The same times as the least words of shadow.h that are not before them. */
typedef struct check_words {
    uint64_t ordered, launch, block, epoch;
    uint64_t alone; /* `epoch`; behind a fence in it, greater than any word */
} check_words;

typedef struct check_clock {
    check_words words;
    uint64_t now;                  /* the running one */
    uint64_t next;                 /* context */
    uint64_t launch, block, epoch; /* where they began */
    uint64_t ordered;              /* all before it are ordered before the launch; at most `launch` */
    uint64_t uniform, first;       /* of this epoch: code outside regions, thread 0 */
    uint64_t coming, end; /* of the iterations that follow in a loop whose numbers are known; equal: none are */
    uint64_t outside;     /* `uniform` in block kernels, where it must not write; else 0, which is nobody's */
    uint32_t form;        /* ACCEL_FORM_*; 0: of this kernel no contexts are known, and races are not looked for */
    size_t block_number;  /* linear */
    size_t thread_count;  /* of the block */
    bool sampled;         /* races of this block are looked for */
    bool fenced;          /* a thread has gone on with another context in this epoch */
    bool acquired;        /* some of the block see what others released: fence.h */
    bool meets;           /* the same of this epoch, and of what threads of the block released */
} check_clock;

CHECK_HIDDEN extern check_clock check_time;

/* After each change of what they say: the words. */
void check_context_set_words(void);

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

/* What `next` and those behind it are, up to the next note: CHECK_ACTOR_*, of UNIFORM the code outside regions and the threads
 * behind it, of ITERATION from this number on. false: there is no memory, and reports will name fewer. */
bool check_context_note(uint32_t what, uint64_t number);
/* Changes with each note. */
size_t check_context_count(void);
/* A launch begins: notes of much earlier ones are forgotten. */
void check_context_launch(void);
void check_context_restart(void);
/* The running thread goes on with another context. Not outside regions, where writes are errors, nor if too many have. */
void check_context_divide(void);
/* The first of the contexts of the same thread in its epoch. */
uint64_t check_context_root_of(uint64_t context);
/* By thread: its last one; of this epoch if it is greater. */
extern uint64_t check_context_divided[ACCEL_MAX_BLOCK_THREADS];
/* That of a thread of this epoch. */
static inline uint64_t check_context_of_thread(size_t thread)
{
    return check_time.fenced && check_context_divided[thread] > check_time.epoch ? check_context_divided[thread]
                                                                                 : check_time.first + thread;
}
static inline uint64_t check_context_root(uint64_t context)
{
    return check_time.fenced && context >= check_time.epoch ? check_context_root_of(context) : context;
}
/* Is it the running thread's? */
static inline bool check_context_is_mine(uint64_t context)
{
    return context == check_time.now || (check_time.fenced && context >= check_time.epoch &&
                                         check_context_root_of(context) == check_context_root_of(check_time.now));
}
/* The block of an earlier context of this launch. false: it is not known. */
bool check_context_block_of(uint64_t context, size_t *block);
#endif
