/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, blocks, barriers and loops: who runs next (context.h). */
#ifndef ACCEL_CPU_CHECK_CLOCK_H
#define ACCEL_CPU_CHECK_CLOCK_H

#include "plugins/cpu/check/clock/context.h"

/* Of 0 blocks: a copy or fill, with one context. */
void check_clock_launch(size_t blocks);
void check_clock_block(size_t block, size_t threads, uint32_t form);
/* A barrier. */
void check_clock_epoch(void);
void check_clock_loop(const accel_launch_context *, const size_t n[3], uint32_t kind);
/* The loop goes on, or ends. */
void check_clock_each(int more);
/* The loop goes on, if the next iteration has a number; else false, and nothing has happened. */
static inline bool check_clock_goes_on(void)
{
    if (check_time.coming == check_time.end)
        return false;
    check_time.now = check_time.coming++;
    return true;
}
/* A thread comes behind a barrier of its block; the first one that does opens the epoch. */
void check_clock_pass(size_t thread);
/* Numbers are nearly used up: they begin anew, and nothing that the shadow says of them counts. */
bool check_clock_is_full(void);
void check_clock_restart(void);

#endif
