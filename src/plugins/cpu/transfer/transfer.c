/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/transfer/transfer.h"

/* LONG_ROW: rows below this are written through the caches; head and tail of each would cost more than is gained.
 * ALONE: a thread is done with this much before another has taken half of it. */
enum { LONG_ROW = 4096, ALONE = 96 << 10 };

/* Up to so many bytes the caches are worth their detour. A copy's end with the second levels, because what is read takes
 * its place there too. A fill has some of the third beside: how much nobody says, as others use it as well and virtual machines
 * show all of it. Filled by two cores, six times their second levels took as long either way. */
static size_t kept_bytes(const cpu_transfer_site *site, size_t sides)
{
    enum { MOST = 5 };
    size_t units = site->executor->compute_units(site->executor);
    size_t second = site->caches.second, third = site->caches.third;
    if (sides > 1)
        return second * units;
    return (second + (third < second ? second : third > MOST * second ? MOST * second : third)) * units;
}

void cpu_transfer_run(const cpu_transfer_site *site, cpu_transfer *transfer, size_t sides,
                      const accel_kernel_descriptor *kernel, const void *job)
{
    const cpu_pieces *pieces = &transfer->pieces;
    size_t bytes = pieces->row * pieces->rows;
    transfer->past_caches = pieces->row >= LONG_ROW && bytes > kept_bytes(site, sides);

    uint32_t blocks = (uint32_t)pieces->count;
    if (bytes <= ALONE || blocks != pieces->count) { /* a hand-out of terabytes gains nothing from finer blocks */
        kernel->run_blocks(NULL, job, 0, pieces->count);
        return;
    }
    const size_t count = blocks, one = 1;
    const cpu_work work = {1, &count, &one, &one, 0};
    cpu_launch_site launches = {.settings = site->settings};
    cpu_launch launch;
    accel_grid grid;
    cpu_launch_prepare(&launch, &grid, kernel, &work, job, &launches);
    /* Without shared memory and fibers there is nothing that could fail. */
    (void)site->executor->run(site->executor, &launch, site->scratch);
}
