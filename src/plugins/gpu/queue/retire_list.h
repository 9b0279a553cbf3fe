/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a queue's operations hold, and memory that goes back behind them. Submitting appends to a list and does nothing
 * else: the retire thread records an event of the driver behind the list from time to time, asks for it, and gives back
 * what was listed before it.
 */
#ifndef ACCEL_GPU_RETIRE_LIST_H
#define ACCEL_GPU_RETIRE_LIST_H

#include "plugins/gpu/queue/queue.h"

/* Lists it, for an operation that was submitted; NULL does nothing. */
void gpu_retire_add(accel_impl_queue *, gpu_retired *);
/* Around waiting for the stream: all that is listed now, to be given back by gpu_retired_give_back. The retire thread no
 * longer asks the driver for it: a stream that was waited for has nothing of that thread's. */
plugin_list gpu_retire_take(accel_impl_queue *);

/* The caller gives a wrapped queue back, and may end its stream next: it is not touched any more. With the context current.
 * Tells whether nothing is pending. */
bool gpu_retire_leave(accel_impl_queue *);
/* The last reference to the queue has gone: has its stream done everything? `again`: this was asked before. */
bool gpu_retire_is_over(accel_impl_queue *, bool again);

#endif
