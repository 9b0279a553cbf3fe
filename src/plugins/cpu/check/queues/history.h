/* SPDX-License-Identifier: Apache-2.0 */
/* The latest operations that were executed, and whether the present one is ordered behind them. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_HISTORY_H
#define ACCEL_CPU_CHECK_HISTORY_H

#include "plugins/cpu/check/queues/operation.h"

#include <accel/plugin.h>

/* The queue executes this operation, and the contexts of its threads begin with check_time.launch. Tells check_time from
 * where on contexts may be unordered with it. Returns a copy that knows its place, valid until the next one is added. */
const check_operation *check_history_add(const accel_impl_queue *, const check_operation *);
/* The operation of a context, of before the present one's; NULL if the present one is ordered behind it, or if it is so old
 * that nobody remembers. Valid until the next one is added. */
const check_operation *check_history_unordered(uint64_t context);
/* The operation of a context, and its number; NULL: it is not known any more. Valid until the next one is added. */
const check_operation *check_history_find(uint64_t context, uint32_t *track, uint64_t *number);
/* Contexts begin anew. */
void check_history_forget(void);

#endif
