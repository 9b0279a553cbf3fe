/* SPDX-License-Identifier: Apache-2.0 */
/*
 * On request, what the host does by addresses with memory that pending operations use: it reads a result before it has waited
 * for it, or changes what an operation still needs. While the host is watched, queues begin late (queues/late.h), so that what
 * it does at once comes before them.
 */
#ifndef ACCEL_CPU_CHECK_HOST_H
#define ACCEL_CPU_CHECK_HOST_H

#include "plugins/cpu/check/queues/track.h"

/* The host is watched from now on, if that is wanted and possible; else the log says why not. `take` and `give` are the lock of
 * check.c. `whole`: all that kernels write is seen. */
void check_host_begin(bool wanted, bool whole, void (*take)(void), void (*give)(void));
bool check_host_is_watched(void);

/* What an operation uses that is about to be submitted, with its mark, which may be NULL. `entry` is the function that the
 * program has called. */
void check_host_launch(check_mark *, const accel_impl_queue *, const accel_impl_kernel *, const void *args);
void check_host_copy(check_mark *, const accel_impl_queue *, const accel_copy_params *, const char *entry,
                     const void *place);
void check_host_fill(check_mark *, const accel_impl_queue *, const accel_fill_params *, const void *place);
/* An accel_host_fn, in the place of check_mark_pass. */
void check_host_pass(void *mark, accel_status);

/* Under the lock of check.c: tells what the host has done, as far as it is known. */
void check_host_look(void);
/* The same without that lock: the host waits for something, or has waited. */
void check_host_waits(void);
/* Under the same lock: memory of a buffer goes. */
void check_host_forget(const void *data);
/* In the child of a fork, with both locks. */
void check_host_reset(void);

#endif
