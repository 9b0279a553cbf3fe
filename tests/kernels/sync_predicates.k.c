/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers that count; the header says what each thread must have got. One dimension, any block size. */
#include <accel/kernel.h>
#include "sync_predicates.h"

ACCEL_THREAD_KERNEL(sync_predicates, sync_predicates_args, args)
{
    const size_t t = accel_thread_index(acc).x;
    const size_t m = accel_block_extent(acc).x;
    sync_predicates_result *result = &args.result[accel_global_index(acc).x];
    result->third = accel_sync_block_count(acc, t % 3 == 0);
    result->nobody = accel_sync_block_count(acc, 0);
    result->all = accel_sync_block_and(acc, 2);
    result->not_all = accel_sync_block_and(acc, t != m - 1);
    result->one = accel_sync_block_or(acc, t == m - 1);
    result->none = accel_sync_block_or(acc, 0);
}
