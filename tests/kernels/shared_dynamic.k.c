/* SPDX-License-Identifier: Apache-2.0 */
/* y is x with each block's entries in reverse order; address is 0 on CPUs, a multiple of 16 on GPUs. One dimension,
 * dynamic shared memory of 4 bytes per thread of a block. */
#include <accel/kernel.h>
#include "shared_dynamic.h"

ACCEL_KERNEL(reverse_block, shared_dynamic_args, args)
{
    uint32_t *line = (uint32_t *)accel_shared_dynamic(acc);
    const size_t threads = accel_block_extent(acc).x;
    const size_t first = accel_block_index(acc).x * threads;
    ACCEL_THREADS(acc, t)
        line[t] = args.x[first + t];
    ACCEL_THREADS(acc, t)
        args.y[first + t] = line[threads - 1 - t];
    ACCEL_ONCE(acc)
        args.address[accel_block_index(acc).x] = (uint64_t)(uintptr_t)line % 64;
}

ACCEL_THREAD_KERNEL(reverse_thread, shared_dynamic_args, args)
{
    uint32_t *line = (uint32_t *)accel_shared_dynamic(acc);
    const size_t t = accel_thread_index(acc).x;
    line[t] = args.x[accel_global_index(acc).x];
    accel_sync_block(acc);
    args.y[accel_global_index(acc).x] = line[accel_block_extent(acc).x - 1 - t];
    if (t == 0)
        args.address[accel_block_index(acc).x] = (uint64_t)(uintptr_t)line % 64;
}
