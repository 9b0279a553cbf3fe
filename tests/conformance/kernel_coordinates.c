/* SPDX-License-Identifier: Apache-2.0 */
/* What every thread knows of its place, in one to six dimensions. */
#include "../kernels/coordinates.h"
#include "trial.h"

/* Extents of the host, as x, y, z: the third and further dimensions fold into z. */
static void fold(const size_t *extent, uint32_t dims, size_t folded[3])
{
    folded[0] = folded[1] = folded[2] = 1;
    for (uint32_t d = 0; d < dims; ++d) {
        uint32_t axis = dims - 1 - d < 2 ? dims - 1 - d : 2;
        folded[axis] *= extent[d];
    }
}

/* Takes a linear index apart, the last dimension of the host, or x, the fastest. */
static void unfold_host(size_t linear, const size_t *extent, uint32_t dims, uint64_t coordinate[6])
{
    memset(coordinate, 0, 6 * sizeof *coordinate);
    for (uint32_t d = dims; d-- > 0; linear /= extent[d])
        coordinate[d] = linear % extent[d];
}

static void unfold_xyz(size_t linear, const size_t extent[3], uint64_t index[3])
{
    for (int axis = 0; axis < 3; ++axis, linear /= extent[axis - 1])
        index[axis] = linear % extent[axis];
}

static void check(trial *t)
{
    const accel_work *work = &t->work;
    const size_t per_block = trial_block_threads(t), count = trial_threads(t);
    coordinates_view *views = host_memory(count * sizeof *views);
    size_t blocks[3], threads[3], elems[3];
    fold(work->blocks, work->dims, blocks);
    fold(work->threads, work->dims, threads);
    fold(work->elems, work->dims, elems);
    memset(views, 0xff, count * sizeof *views);
    coordinates_args args = {.view = trial_memory(t, views, count * sizeof *views)};
    trial_launch(t, &args, sizeof args);
    trial_read(t, args.view, views, count * sizeof *views);
    for (size_t i = 0; i < count; ++i) {
        coordinates_view expected = {.dims = work->dims};
        unfold_host(i / per_block, work->blocks, work->dims, expected.block);
        unfold_host(i % per_block, work->threads, work->dims, expected.thread);
        for (uint32_t d = 0; d < work->dims; ++d) {
            expected.blocks[d] = work->blocks[d];
            expected.threads[d] = work->threads[d];
            expected.elems[d] = work->elems[d];
        }
        unfold_xyz(i / per_block, blocks, expected.block_index);
        unfold_xyz(i % per_block, threads, expected.thread_index);
        for (int axis = 0; axis < 3; ++axis) {
            expected.grid_extent[axis] = blocks[axis];
            expected.block_extent[axis] = threads[axis];
            expected.elem_extent[axis] = elems[axis];
            expected.global_index[axis] = expected.block_index[axis] * threads[axis] + expected.thread_index[axis];
        }
        /* All members are 64 bits wide, after two of 32: no padding. */
        const uint64_t *found = (const uint64_t *)(const void *)&views[i],
                       *right = (const uint64_t *)(const void *)&expected;
        for (size_t k = 0; k < sizeof expected / sizeof *found; ++k)
            trial_assert(t, found[k] == right[k], "thread %zu: member at byte %zu is %llu, not %llu", i,
                         k * sizeof *found, (unsigned long long)found[k], (unsigned long long)right[k]);
    }
    free(views);
}

static const trial_shape shapes[] = {
    {.dims = 1, .blocks = {1}, .threads = {1}, .elems = {1}},
    {.dims = 1, .blocks = {5}, .threads = {33}, .elems = {4}},
    {.dims = 1, .blocks = {2}, .threads = {1024}, .elems = {1}},
    {.dims = 2, .blocks = {3, 2}, .threads = {1, 7}, .elems = {5, 6}},
    {.dims = 2, .blocks = {1, 4}, .threads = {8, 3}, .elems = {1, 2}},
    {.dims = 3, .blocks = {2, 3, 5}, .threads = {4, 1, 3}, .elems = {7, 8, 9}},
    {.dims = 3, .blocks = {1, 1, 2}, .threads = {8, 8, 16}, .elems = {1, 1, 1}},
    {.dims = 4, .blocks = {2, 3, 1, 4}, .threads = {3, 2, 2, 1}, .elems = {2, 3, 4, 5}},
    {.dims = 5, .blocks = {3, 1, 2, 2, 3}, .threads = {2, 2, 1, 3, 2}, .elems = {1, 2, 3, 4, 5}},
    {.dims = 6, .blocks = {2, 3, 1, 2, 3, 2}, .threads = {2, 1, 2, 3, 1, 2}, .elems = {1, 2, 3, 4, 5, 6}},
    {.dims = 6, .blocks = {1, 1, 1, 1, 1, 1}, .threads = {3, 2, 3, 2, 3, 2}, .elems = {1, 1, 1, 1, 1, 1}},
};
static const trial_shapes all_dimensions = {sizeof shapes / sizeof shapes[0], shapes};

START_TEST(k1_k5_block_kernels_know_their_place_in_one_to_six_dimensions)
{
    try_kernel("coordinates_block", TRIAL_SIZES(1), all_dimensions, check);
}
END_TEST

START_TEST(k1_k5_thread_kernels_know_their_place_in_one_to_six_dimensions)
{
    try_kernel("coordinates_thread", TRIAL_SIZES(1), all_dimensions, check);
}
END_TEST

void coordinates_tests(Suite *suite)
{
    add(suite, k1_k5_block_kernels_know_their_place_in_one_to_six_dimensions);
    add(suite, k1_k5_thread_kernels_know_their_place_in_one_to_six_dimensions);
}
