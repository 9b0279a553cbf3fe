/* SPDX-License-Identifier: Apache-2.0 */
/*
 * New NaNs, on request. x86-64 notes in a flag that an operation had no result, and gives a NaN of one pattern for it. A thread
 * that has raised the flag, writes that pattern and has not read it from anywhere has made a NaN. The flag is looked at where
 * the thread comes to an access or barrier, so that the line is the first of these behind the operation. Comparisons with a NaN
 * raise the flag, too; by themselves they are none. Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_INVALID_H
#define ACCEL_CPU_CHECK_INVALID_H

#include <stddef.h>
#include <stdint.h>

/* A launch begins or ends, on this thread: its flag becomes what it would be without us. */
void check_invalid_launch(void);
void check_invalid_end(void);
/* A block begins: what follows is its code outside regions. */
void check_invalid_block(void);
/* A thread of a region, or an iteration, begins; or code outside regions goes on. */
void check_invalid_part(void);
void check_invalid_uniform(void);
/* A fiber's thread begins, or goes on behind a barrier or a warp operation that it has come to. */
void check_invalid_thread(size_t thread);
/* A thread of a region begins, which the block's code goes on as. */
void check_invalid_branch(size_t thread);
void check_invalid_leave(const void *place);
void check_invalid_resume(size_t thread);
/* The access is about to happen. */
void check_invalid_access(const volatile void *p, size_t size, uint32_t how, const void *place);
/* A division that was reported gives one. */
void check_invalid_known(void);

#endif
