/* SPDX-License-Identifier: Apache-2.0 */
#include "core/launch/pieces.h"
#include "core/launch/work_division.h"

static void set_elems(work_division *division, uint32_t d, size_t elems)
{
    division->work.elems[d] = elems != 0 ? elems : 1;
    division->work.blocks[d] = accel_divide_up(accel_division_units(division, d), division->work.elems[d]);
}

static size_t all_elements(const work_division *division)
{
    size_t total = 1;

    for (uint32_t d = 0; d < division->work.dims; ++d)
        total = accel_saturate(total, division->extent[d]);
    return total;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* By what the elements take: blocks that a thread of another CPU can take one by one, where elements differ. A short launch
 * has a block for as many CPUs as it repays waking. */
static size_t blocks_of_known_cost(const work_division *division, size_t total)
{
    enum { BLOCK_NS = 20000, LEAST_NS = 2000 };
    size_t ns = accel_saturate(total, division->wish.elem_ns);
    size_t wanted = smaller(ns / LEAST_NS, division->kernel->origin.device->properties.compute_units);

    return smaller(total, wanted > ns / BLOCK_NS ? wanted : ns / BLOCK_NS);
}

/* Not fewer than there are CPUs, as elements may be heavy. And if few more, the same number for each: three blocks on two CPUs
 * take as long as four. */
static size_t evenly_shared(size_t wanted, size_t total, size_t cpus)
{
    enum { FEW = 8 };

    if (wanted < cpus)
        return smaller(total, cpus);
    return cpus != 0 && wanted / cpus < FEW ? wanted - wanted % cpus : wanted;
}

/* As many blocks as fill the device, of at least `chunk` elements each, and more where these are too many for a cache. */
static size_t wanted_blocks(const work_division *division)
{
    const accel_suggestion *suggestion = &division->suggestion;
    const accel_device_properties *device = &division->kernel->origin.device->properties;
    size_t total = all_elements(division), wanted = total / suggestion->chunk;

    if (wanted > suggestion->blocks)
        wanted = suggestion->blocks;
    if (device->kind == ACCEL_DEVICE_CPU && division->wish.elem_ns != 0)
        wanted = blocks_of_known_cost(division, total);
    else if (device->kind == ACCEL_DEVICE_CPU)
        wanted = evenly_shared(wanted, total, device->compute_units);
    if (suggestion->cache_elems != 0 && accel_divide_up(total, suggestion->cache_elems) > wanted)
        wanted = accel_divide_up(total, suggestion->cache_elems);
    if (wanted > division->max_blocks)
        wanted = division->max_blocks;
    return wanted != 0 ? wanted : 1;
}

/* Elements per thread along dimension d, which is to have about `wanted` blocks, where the dimensions before it have
 * `outer`. If compute units get equal numbers of blocks, the fullest one should have hardly more than its part: 200 planes
 * of 200 rows for 64 units are not 200 or 400 blocks, of which some get 4 or 7 and others 3 or 6, but 1000. Blocks do not
 * get smaller than `chunk` for that, and along the fastest dimension they are whole vectors, as kernels make long ones. */
static size_t even_elems(const work_division *division, uint32_t d, size_t wanted, size_t outer)
{
    enum { TRIES = 64, TIMES = 4, NEAR = 32, VECTORS = 16, LONG = 256, LESS = 16 };
    size_t length = accel_division_units(division, d);
    bool fastest = d + 1 == division->work.dims && division->work.threads[d] == 1;
    size_t grain = fastest && length / LONG >= wanted ? VECTORS : 1;
    size_t compute_units = division->kernel->origin.device->properties.compute_units;
    size_t most = all_elements(division) / division->suggestion.chunk / outer;
    size_t elems = accel_divide_up(length, wanted), least = SIZE_MAX;
    size_t enough = wanted - wanted / LESS; /* whole vectors may make some blocks less, but one for each unit */

    if (compute_units == 0)
        compute_units = 1;
    if (accel_saturate(outer, enough) < compute_units)
        enough = wanted;
    if (most > accel_saturate(wanted, TIMES))
        most = accel_saturate(wanted, TIMES);
    for (size_t tries = 0, count = wanted; tries < TRIES && count <= length && (count <= most || tries == 0); ++tries) {
        size_t each = accel_saturate(accel_divide_up(accel_divide_up(length, count), grain), grain),
               blocks = accel_divide_up(length, each);
        size_t fullest = accel_saturate(accel_divide_up(accel_saturate(outer, blocks), compute_units), each);
        size_t part = accel_saturate(outer, length) / compute_units;
        if (blocks >= enough && fullest < least) {
            least = fullest;
            elems = each < length ? each : length;
        }
        if (least <= part + part / NEAR || each <= grain)
            break;
        size_t next = accel_divide_up(length, each - grain);
        count = next > count ? next : count + 1;
    }
    size_t rounded = accel_saturate(accel_divide_up(elems, grain), grain); /* as the kernel does; no block is empty */
    if (length > wanted && accel_divide_up(length, rounded) < enough)
        elems = length / wanted / grain * grain;
    return elems;
}

/* Do all units get about equal parts of so many pieces of n elements, the last of which may be short? */
static bool pieces_are_even(size_t pieces, size_t n, size_t units)
{
    enum { LESS = 16 };
    size_t each = pieces / units, over = pieces % units, part = n / units;
    size_t last = n - (pieces - each - (over != 0)) * ACCEL_PIECE_ELEMS,
           other = (each + (over > 1)) * ACCEL_PIECE_ELEMS;

    return (last > other ? last : other) <= part + part / LESS;
}

/* Elements of a plain loop's blocks if they are shared out like those of a reduction, else 0. There are at least as many blocks as
 * wanted. */
static size_t elems_like_pieces(const work_division *division, size_t wanted)
{
    enum { FEWEST = 8 }; /* whose last block kernels leave as short as it is */
    const accel_device_properties *device = &division->kernel->origin.device->properties;
    size_t total = all_elements(division), pieces = accel_pieces_of_few(total);
    bool plain = division->work.dims == 1 && division->work.threads[0] == 1 && division->wish.elem_ns == 0;

    if (device->kind != ACCEL_DEVICE_CPU || !plain || device->compute_units < 2 || pieces < FEWEST || pieces < wanted)
        return 0;
    if (pieces > division->max_blocks || !pieces_are_even(pieces, total, device->compute_units))
        return 0;
    return ACCEL_PIECE_ELEMS;
}

/* What is left of the wanted blocks once a dimension has its own. */
static size_t remaining(const work_division *division, size_t wanted, size_t blocks)
{
    if (blocks == 0)
        return wanted;
    if (!accel_division_is_cooperative(division))
        return accel_divide_up(wanted, blocks);
    return wanted > blocks ? wanted / blocks : 1; /* not one block more than wanted */
}

/* Where an axis has more blocks than the device allows, threads take more elements, if the caller left them to us. */
static void respect_block_limits(work_division *division)
{
    if (division->kernel->properties.form != ACCEL_KERNEL_FORM_BLOCK)
        return;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        while (accel_division_along(division, division->work.blocks, axis) > division->kernel->max_blocks[axis]) {
            uint32_t most = ACCEL_MAX_DIMS;
            for (uint32_t d = 0; d < division->work.dims; ++d) {
                if (accel_division_axis(division, d) == axis && division->wish.elems[d] == 0 &&
                    division->work.blocks[d] > 1 &&
                    (most == ACCEL_MAX_DIMS || division->work.blocks[d] > division->work.blocks[most]))
                    most = d;
            }
            if (most == ACCEL_MAX_DIMS) /* only wishes left: the check refuses them */
                break;
            set_elems(division, most, accel_saturate(division->work.elems[most], 2));
        }
    }
}

void accel_division_choose_elems(work_division *division)
{
    bool one = division->kernel->properties.form != ACCEL_KERNEL_FORM_BLOCK;
    bool even = division->suggestion.cache_elems != 0 && !accel_division_is_cooperative(division);
    size_t wanted = wanted_blocks(division), outer = 1;

    for (uint32_t d = 0; d < division->work.dims; ++d) {
        if (division->wish.elems[d] == 0 && !one)
            continue;
        set_elems(division, d, one && division->wish.elems[d] == 0 ? 1 : division->wish.elems[d]);
        if (division->work.blocks[d] != 0) {
            wanted = remaining(division, wanted, division->work.blocks[d]);
            outer = accel_saturate(outer, division->work.blocks[d]);
        }
    }
    for (uint32_t d = 0; d < division->work.dims && !one; ++d) {
        if (division->wish.elems[d] != 0)
            continue;
        size_t pieces = even ? elems_like_pieces(division, wanted) : 0;
        set_elems(division, d,
                  pieces != 0 ? pieces
                  : even      ? even_elems(division, d, wanted, outer)
                              : accel_divide_up(accel_division_units(division, d), wanted));
        if (division->work.blocks[d] != 0) {
            wanted = remaining(division, wanted, division->work.blocks[d]);
            outer = accel_saturate(outer, division->work.blocks[d]);
        }
    }
    respect_block_limits(division);
}
