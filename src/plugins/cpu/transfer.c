/* SPDX-License-Identifier: Apache-2.0 */
#include "transfer.h"

/* LONG_ROW: rows below this are written through the caches; head and tail of each would cost more than is gained.
 * ALONE: a thread is done with this much before another has taken half of it. */
enum { LONG_ROW = 4096, ALONE = 96 << 10 };

void cpu_transfer_run(const cpu_transfer_site *site, cpu_transfer *transfer, size_t sides,
                      const accel_kernel_descriptor *kernel, const void *job)
{
    const cpu_pieces *pieces = &transfer->pieces;
    size_t caches = site->cache_bytes * site->executor->compute_units(site->executor);
    size_t bytes = pieces->row * pieces->rows;
    transfer->past_caches = pieces->row >= LONG_ROW && bytes > 2 * caches / sides;

    uint32_t blocks = (uint32_t)pieces->count;
    if (bytes <= ALONE || blocks != pieces->count) { /* a hand-out of terabytes gains nothing from finer blocks */
        kernel->run_blocks(NULL, job, 0, pieces->count);
        return;
    }
    accel_grid grid = {.struct_size = sizeof(grid),
                       .dims = 1,
                       .blocks = {blocks, 1, 1, 1, 1, 1},
                       .threads = {1, 1, 1, 1, 1, 1},
                       .elems = {1, 1, 1, 1, 1, 1}};
    static const uint32_t one[3] = {1, 1, 1};
    cpu_launch launch;
    cpu_launch_site launches = {.settings = site->settings};
    cpu_launch_prepare(&launch, kernel, (uint32_t[3]){blocks, 1, 1}, one, 0, &grid, job, &launches);
    /* Without shared memory and fibers there is nothing that could fail. */
    (void)site->executor->run(site->executor, &launch, site->scratch);
}
