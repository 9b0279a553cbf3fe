/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large copies between a device and pageable memory, by the device's copier (transfer/copier.h). As behind a host function,
 * the queue defers what follows until the copier has done its part. So the copier's steps are in order without any command
 * that waits in the stream, and no more of them are submitted than there are pieces.
 *
 * Not for a stream where the program may submit besides: that would not wait. There staged_copy.h copies.
 */
#ifndef ACCEL_GPU_HELD_COPY_H
#define ACCEL_GPU_HELD_COPY_H

#include "plugins/gpu/queue/queue.h"

/* For a copy with one pageable end, of a queue that does not block: may the copier make it? */
bool gpu_copy_may_be_held(const accel_impl_queue *, const accel_copy_params *);
/* Before the queue defers what follows: shall it? Then gpu_copy_hold comes next, or gpu_copy_hold_not. */
bool gpu_copy_hold_begin(accel_impl_queue *);
void gpu_copy_hold_not(accel_impl_queue *);
/* With the context current; the queue admits it, and defers what follows, by gpu_deferred_hold or as a command that does.
 * `retired` (may be NULL) goes to the retire list behind the copy. On failure it stays the caller's, and the caller resumes
 * the queue. */
accel_status gpu_copy_hold(accel_impl_queue *, const accel_copy_params *, gpu_retired *);
/* The program gets the queue's stream: from now on no copy is held, none is under way, and what was deferred behind one is
 * in the stream. */
void gpu_copy_hold_no_more(accel_impl_queue *);

#endif
