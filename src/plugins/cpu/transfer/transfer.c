/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/transfer/transfer.h"

#include "plugins/cpu/machine/futex.h"

/* Head and tail of a row go through the caches, unless they are whole lines. So shorter rows are written through them, too, and
 * rows that are not long learn routes of their own. */
enum { SHORT_ROW = 512, LONG_ROW = 16384 };

/* Second levels have at least so much. Up to here nothing asks how large they are: the first who asks waits a millisecond. */
enum { SMALL = 256 << 10 };

_Static_assert(2 * (CPU_CLEAR + 1) == CPU_ROUTES_KINDS, "each kind of transfer has routes, with long rows and without");

/* Up to how many bytes writing through the caches is expected to pay; then it is tried (routes.h). A copy has the second levels
 * only, because what it reads takes its place there too. A fill has a part of the third level as well. How large a part is
 * unknown: others use that level too, and virtual machines report all of it. Filled by two cores, six times their second levels
 * took as long either way. A victim cache keeps three quarters of its size for both. */
static size_t kept_bytes(const cpu_caches *caches, cpu_transfer_kind kind)
{
    enum { MOST = 5 };
    const size_t sides = kind == CPU_COPY ? 2 : 1; /* regions that take space */
    size_t second = caches->second, third = caches->third;
    size_t kept = second;
    if (sides == 1)
        kept += third < second ? second : third > MOST * second ? MOST * second : third;
    if (caches->third_is_victim && third / 4 * 3 / sides > kept)
        kept = third / 4 * 3 / sides;
    return kept;
}

static cpu_route route_of(const cpu_transfer_site *site, const cpu_chunks *chunks, cpu_transfer_kind kind, size_t bytes)
{
    if (chunks->row < SHORT_ROW || bytes <= SMALL)
        return (cpu_route){.past_caches = false};
    cpu_caches caches = cpu_device_caches(site->device);
    size_t units = site->executor->compute_units(site->executor);
    const unsigned known_as = chunks->row < LONG_ROW ? CPU_CLEAR + 1 + (unsigned)kind : (unsigned)kind;
    return cpu_routes_choose(&site->device->routes, known_as, bytes, kept_bytes(&caches, kind) * units,
                             caches.second * units);
}

/* Of few chunks all are equal, and their number is even: two threads would wait for the one that has a whole chunk more. */
cpu_chunks cpu_transfer_chunks(uint32_t dims, const size_t extent[], size_t unit)
{
    enum { FEW = 16 };
    size_t bytes = extent[dims - 1], size = CPU_TRANSFER_CHUNK;
    for (uint32_t d = 0; d + 1 < dims; ++d)
        bytes *= extent[d];
    if (bytes < FEW * (size_t)CPU_TRANSFER_CHUNK) {
        const size_t pairs = (bytes + 2 * size - 1) / (2 * size), even = (bytes + 2 * pairs - 1) / (2 * pairs);
        const size_t step = extent[dims - 1] <= even ? extent[dims - 1] : unit; /* whole rows, or whole units */
        size = (even + step - 1) / step * step;
    }
    return cpu_chunks_of(dims, extent, size, unit);
}

/* Long rows leave time for the processor's own fetching, and what goes past the caches is not to be in them. */
static size_t rows_ahead(const cpu_transfer *transfer)
{
    const cpu_chunks *chunks = &transfer->chunks;
    if (transfer->past_caches || transfer->pitch[1] == NULL || chunks->rows == 1 || chunks->row >= LONG_ROW)
        return 0;
    const size_t step = transfer->pitch[1][chunks->dims - 2];
    return step < CPU_BYTES_AHEAD ? CPU_BYTES_AHEAD / step : 1;
}

void cpu_transfer_run(const cpu_transfer_site *site, cpu_transfer *transfer, cpu_transfer_kind kind,
                      const accel_descriptor *kernel, const void *job)
{
    const cpu_chunks *chunks = &transfer->chunks;
    size_t bytes = chunks->row * chunks->rows;
    cpu_route route = route_of(site, chunks, kind, bytes);
    transfer->past_caches = route.past_caches;
    transfer->ahead = rows_ahead(transfer);

    uint32_t blocks = (uint32_t)chunks->count;
    if (cpu_transfer_is_small(site, bytes) || blocks != chunks->count) { /* finer blocks gain nothing with terabytes */
        kernel->run_blocks(NULL, job, 0, chunks->count);
        return;
    }
    const size_t count = blocks, one = 1;
    const cpu_work work = {1, &count, &one, &one, 0};
    cpu_launch_site launches = {.settings = site->settings};
    cpu_launch launch;
    accel_grid grid;
    cpu_launch_prepare(&launch, &grid, kernel, &work, job, &launches);
    uint64_t start = route.counts ? cpu_clock_ns() : 0;
    /* Without shared memory and fibers there is nothing that could fail. */
    (void)site->executor->run(site->executor, &launch, site->scratch);
    if (route.counts)
        cpu_routes_took(&site->device->routes, route, bytes, cpu_clock_ns() - start);
}
