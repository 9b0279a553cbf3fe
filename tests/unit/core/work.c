/* SPDX-License-Identifier: Apache-2.0 */
/* accel_work_divide: every division covers the extent and is launched (K2). */
#include "fake_backend.h"
#include "core/launch/launch.h"
#include "core/api/module.h"
#include "run.h"

#include <accel/object.h>

#include <string.h>

static uint64_t state = 88172645463325252u;

static size_t draw(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % below);
}

/* Mostly small, sometimes large, sometimes 0. */
static size_t random_extent(void)
{
    switch (draw(8)) {
    case 0:
        return draw(3);
    case 1:
        return draw((size_t)1 << 40);
    case 2:
        return SIZE_MAX - draw(3);
    default:
        return 1 + draw(3000);
    }
}

static void random_limits(fake_backend *fake)
{
    accel_device_properties *device = &fake->device->properties;

    memset(device->max_threads, 0, sizeof(device->max_threads));
    memset(device->max_blocks, 0, sizeof(device->max_blocks));
    device->kind = draw(2) != 0 ? ACCEL_DEVICE_CPU : ACCEL_DEVICE_GPU;
    device->max_block_threads = (uint32_t)draw(1200);
    device->compute_units = (uint32_t)draw(100);
    for (int d = 0; d < 3; ++d) {
        device->max_threads[d] = draw(2) != 0 ? draw(1025) : 0;
        device->max_blocks[d] = draw(2) != 0 ? 1 + draw(70000) : 0;
    }
    fake->kernel.form = ACCEL_KERNEL_FORM_BLOCK + (uint32_t)draw(3);
    fake->kernel.max_threads = (uint32_t)draw(1500);
    fake->kernel.max_shared_bytes = draw(65536);
    memset(fake->kernel.fixed_block, 0, sizeof(fake->kernel.fixed_block));
    for (int d = 0; d < 3 && draw(3) == 0; ++d)
        fake->kernel.fixed_block[d] = 1 + (uint32_t)draw(10);
    memset(&fake->suggestion, 0, sizeof(fake->suggestion));
    if (draw(3) != 0) {
        fake->suggestion.threads = 1 + (uint32_t)draw(2000);
        fake->suggestion.blocks = (uint32_t)draw(draw(2) != 0 ? 1000 : UINT32_MAX);
        fake->suggestion.chunk = (uint32_t)draw(10000);
        fake->suggestion.cache_elems = draw(2) != 0 ? 1 + (uint32_t)draw(draw(4) == 0 ? UINT32_MAX - 1 : 100000) : 0;
    }
}

static accel_divide_desc random_wishes(uint32_t dims)
{
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;

    if (draw(2) == 0)
        return wish;
    for (uint32_t d = 0; d < dims; ++d) {
        wish.threads[d] = draw(3) == 0 ? 1 + draw(40) : 0;
        wish.elems[d] = draw(3) == 0 ? 1 + draw(draw(4) == 0 ? SIZE_MAX - 1 : 100) : 0;
    }
    wish.max_threads = draw(3) == 0 ? 1 + draw(300) : 0;
    wish.elem_ns = draw(3) == 0 ? draw(draw(4) == 0 ? SIZE_MAX : 100000) : 0;
    wish.shared_bytes = draw(3) == 0 ? draw(40000) : 0;
    return wish;
}

static bool covers(const accel_work *work, const size_t extent[])
{
    for (uint32_t d = 0; d < work->dims; ++d) {
        if (extent[d] == 0) /* nothing runs */
            return work->blocks[d] == 0;
    }
    for (uint32_t d = 0; d < work->dims; ++d) {
        __extension__ unsigned __int128 reach = (unsigned __int128)work->blocks[d] * work->threads[d];
        if (reach < extent[d] && reach * work->elems[d] < extent[d])
            return false;
    }
    return true;
}

static void keeps_wishes(const accel_work *work, const accel_divide_desc *wish)
{
    size_t threads = 1;

    for (uint32_t d = 0; d < work->dims; ++d) {
        threads *= work->threads[d];
        ck_assert(wish->threads[d] == 0 || wish->threads[d] == work->threads[d]);
        ck_assert(wish->elems[d] == 0 || wish->elems[d] == work->elems[d]);
    }
    ck_assert(wish->max_threads == 0 || threads <= wish->max_threads);
    ck_assert_uint_eq(work->shared_bytes, wish->shared_bytes);
}

START_TEST(k2_every_division_covers_the_extent_and_is_launched)
{
    fake_backend *fake = fake_open(NULL);
    size_t divided = 0, refused = 0;

    for (size_t i = 0; i < 200000; ++i) {
        uint32_t dims = 1 + (uint32_t)draw(6);
        size_t extent[ACCEL_MAX_DIMS], args = 1;
        random_limits(fake);
        accel_kernel *kernel = fake_kernel("random");
        accel_divide_desc wish = random_wishes(dims);
        accel_work work = ACCEL_WORK_INIT;
        for (uint32_t d = 0; d < dims; ++d)
            extent[d] = random_extent();

        accel_status status = accel_work_divide(kernel, dims, extent, &wish, &work);

        if (status == ACCEL_OK) {
            ck_assert_msg(covers(&work, extent), "round %zu", i);
            keeps_wishes(&work, &wish);
            ck_assert_msg(accel_launch(fake->queue, kernel, &work, &args, 1) == ACCEL_OK, "round %zu: %s", i,
                          accel_error_message());
            ++divided;
        } else {
            ck_assert_msg(status == ACCEL_LIMIT, "round %zu: %s", i, accel_error_message());
            ++refused;
        }
        accel_kernel_destroy(kernel);
    }
    ck_assert_msg(divided > 50000 && refused > 1000, "%zu divided, %zu refused", divided, refused);
    fake_close();
}
END_TEST

START_TEST(k2_without_wishes_block_kernels_are_always_divided)
{
    fake_backend *fake = fake_open(NULL);

    for (size_t i = 0; i < 50000; ++i) {
        uint32_t dims = 1 + (uint32_t)draw(3);
        const size_t extent[3] = {random_extent(), random_extent(), random_extent()};
        accel_work work = ACCEL_WORK_INIT;
        random_limits(fake);
        fake->kernel.form = ACCEL_KERNEL_FORM_BLOCK;
        memset(fake->kernel.fixed_block, 0, sizeof(fake->kernel.fixed_block));
        accel_kernel *kernel = fake_kernel("random");
        ck_assert_msg(accel_work_divide(kernel, dims, extent, NULL, &work) == ACCEL_OK, "%s", accel_error_message());
        accel_kernel_destroy(kernel);
    }
    fake_close();
}
END_TEST

START_TEST(k2_thread_kernels_get_one_element_per_thread)
{
    fake_backend *fake = fake_open(NULL);
    const size_t extent[2] = {100, 1000};
    accel_work work = ACCEL_WORK_INIT;

    fake->device->properties.kind = ACCEL_DEVICE_GPU;
    fake->kernel.form = ACCEL_KERNEL_FORM_THREAD;
    fake->suggestion = (accel_suggestion){sizeof(accel_suggestion), 256, 1000, 1, 0};
    accel_kernel *kernel = fake_kernel("thread");
    ck_assert_uint_eq(accel_work_divide(kernel, 2, extent, NULL, &work), ACCEL_OK);
    ck_assert_uint_eq(work.threads[1], 256); /* along the fastest dimension */
    ck_assert_uint_eq(work.threads[0], 1);
    ck_assert_uint_eq(work.elems[0] * work.elems[1], 1);
    ck_assert_uint_eq(work.blocks[0], 100);
    ck_assert_uint_eq(work.blocks[1], 4);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(k2_thread_kernels_get_more_threads_where_blocks_run_out)
{
    fake_backend *fake = fake_open(NULL);
    const size_t extent[3] = {100, 1000, 64};
    accel_work work = ACCEL_WORK_INIT;

    fake->device->properties.max_blocks[1] = 65;
    fake->device->properties.max_blocks[2] = 65;
    fake->kernel.form = ACCEL_KERNEL_FORM_THREAD;
    fake->suggestion = (accel_suggestion){sizeof(accel_suggestion), 64, 8, 1, 0};
    accel_kernel *kernel = fake_kernel("thread");
    ck_assert_uint_eq(accel_work_divide(kernel, 3, extent, NULL, &work), ACCEL_OK);
    ck_assert_uint_eq(work.threads[0], 2);
    ck_assert_uint_eq(work.threads[1], 16);
    ck_assert_uint_eq(work.threads[2], 2); /* what is left of 64 */
    ck_assert_uint_eq(work.elems[0] * work.elems[1] * work.elems[2], 1);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(k2_block_kernels_fill_the_device_with_contiguous_blocks)
{
    fake_backend *fake = fake_open(NULL);
    const size_t extent[2] = {1000, 1000}, little[1] = {5000};
    accel_work work = ACCEL_WORK_INIT;

    fake->suggestion = (accel_suggestion){sizeof(accel_suggestion), 1, 8, 1024, 0};
    accel_kernel *kernel = fake_kernel("block");
    ck_assert_uint_eq(accel_work_divide(kernel, 2, extent, NULL, &work), ACCEL_OK);
    ck_assert_uint_eq(work.blocks[0], 8); /* split along the slowest */
    ck_assert_uint_eq(work.blocks[1], 1);
    ck_assert_uint_eq(work.elems[0], 125);
    ck_assert_uint_eq(work.elems[1], 1000);
    ck_assert_uint_eq(accel_work_divide(kernel, 1, little, NULL, &work), ACCEL_OK);
    ck_assert_uint_eq(work.blocks[0], 4); /* of at least 1024 elements */
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

/* Elements of the unit that has most, if units get equal numbers of blocks, one after the other. */
static size_t fullest_unit(const accel_work *work, const size_t extent[], size_t unit_count)
{
    size_t blocks = 1, most = 0, unit = 0, begin = 0, own = 0;

    for (uint32_t d = 0; d < work->dims; ++d)
        blocks *= work->blocks[d];
    for (size_t block = 0; block < blocks; ++block) {
        size_t elements = 1, rest = block;
        for (uint32_t d = work->dims; d-- > 0; rest /= work->blocks[d]) {
            size_t first = rest % work->blocks[d] * work->elems[d], left = extent[d] - first;
            elements *= work->elems[d] < left ? work->elems[d] : left;
        }
        if (block == begin + (blocks - begin) / (unit_count - unit) && own != 0) {
            ++unit;
            begin = block;
            own = 0;
        }
        own += elements;
        most = own > most ? own : most;
    }
    return most;
}

/* Processors of many kinds: how many units, and what their caches suggest. */
static const struct {
    uint32_t compute_units, chunk, cache_elems;
} processors[] = {{1, 512, 43648}, {2, 512, 43648},  {3, 320, 5440},   {6, 320, 10880},  {14, 320, 13632},
                  {24, 320, 5440}, {64, 320, 10880}, {96, 512, 20800}, {128, 512, 43648}};
enum { PROCESSORS = sizeof(processors) / sizeof(processors[0]) };

static void be_processor(fake_backend *fake, size_t number)
{
    fake->device->properties.compute_units = processors[number].compute_units;
    fake->suggestion = (accel_suggestion){.struct_size = sizeof(accel_suggestion),
                                          .threads = 1,
                                          .blocks = processors[number].compute_units * 4,
                                          .chunk = processors[number].chunk,
                                          .cache_elems = processors[number].cache_elems};
}

START_TEST(k2_blocks_of_loops_fit_caches_and_fill_all_units_evenly)
{
    static const struct {
        uint32_t dims;
        size_t extent[3];
    } loops[] = {{1, {10000000}},      {1, {999983}},        {2, {3000, 2000}},  {2, {7, 1000003}},
                 {2, {1000003, 7}},    {3, {200, 200, 200}}, {3, {101, 97, 89}}, {3, {4, 1000, 1000}},
                 {3, {1000, 4, 1000}}, {3, {65, 1000, 100}}, {1, {65536}},       {2, {129, 4096}}};
    fake_backend *fake = fake_open(NULL);
    accel_kernel *kernel = fake_kernel("loop");

    for (size_t p = 0; p < PROCESSORS; ++p) {
        for (size_t l = 0; l < sizeof(loops) / sizeof(loops[0]); ++l) {
            const size_t *extent = loops[l].extent;
            accel_work work = ACCEL_WORK_INIT;
            size_t total = 1, blocks = 1, elems = 1, each = processors[p].compute_units;
            be_processor(fake, p);
            ck_assert_uint_eq(accel_work_divide(kernel, loops[l].dims, extent, NULL, &work), ACCEL_OK);
            ck_assert(covers(&work, extent));
            for (uint32_t d = 0; d < work.dims; ++d) {
                total *= extent[d];
                blocks *= work.blocks[d];
                elems *= work.elems[d];
            }
            /* Whole vectors and rows may be a little more than the caches have room for. */
            ck_assert_msg(elems <= processors[p].cache_elems + processors[p].cache_elems / 8, "%zu %zu: %zu", p, l,
                          elems);
            /* Whole vectors may make a sixteenth of the blocks less. */
            ck_assert_msg(blocks >= each * 4 - each * 4 / 16 || total / blocks < processors[p].chunk * 2,
                          "%zu %zu: %zu", p, l, blocks);
            ck_assert_msg(blocks <= 1 || total / blocks >= processors[p].chunk / 2, "%zu %zu: %zu", p, l, blocks);
            if (total >= each * 8 * processors[p].chunk) {
                size_t most = fullest_unit(&work, extent, each), part = total / each;
                ck_assert_msg(most <= part + part / 8, "%zu units, loop %zu: %zu instead of %zu in %zu x %zu x %zu",
                              each, l, most, part, work.blocks[0], work.blocks[1], work.blocks[2]);
            }
        }
    }
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

static size_t elems_of_loop(accel_kernel *kernel, size_t n)
{
    accel_work work = ACCEL_WORK_INIT;

    ck_assert_uint_eq(accel_work_divide(kernel, 1, &n, NULL, &work), ACCEL_OK);
    ck_assert(covers(&work, &n));
    return work.elems[0];
}

/* A reduction of as many elements has blocks of 4096, and a CPU should have the same elements in both. */
START_TEST(k2_loops_of_few_tiles_are_divided_like_reductions_where_shares_are_even)
{
    static const size_t alike[] = {40960, 98304, 100000, 102400, 114688, 262144, 1 << 20},
                        other[] = {16384, 36864, (1 << 20) + 1, 10000000};
    enum { ALIKE = sizeof(alike) / sizeof(alike[0]), OTHER = sizeof(other) / sizeof(other[0]) };
    fake_backend *fake = fake_open(NULL);
    accel_kernel *kernel = fake_kernel("loop");

    be_processor(fake, 1);
    for (size_t i = 0; i < ALIKE; ++i)
        ck_assert_uint_eq(elems_of_loop(kernel, alike[i]), ACCEL_PIECE_ELEMS);
    for (size_t i = 0; i < OTHER; ++i)
        ck_assert_uint_ne(elems_of_loop(kernel, other[i]), ACCEL_PIECE_ELEMS);
    be_processor(fake, 6); /* 64 units: 25 pieces are not enough */
    ck_assert_uint_ne(elems_of_loop(kernel, 100000), ACCEL_PIECE_ELEMS);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(k2_blocks_of_extreme_loops_are_neither_none_nor_too_many)
{
    static const size_t lengths[] = {
        1, 2, 15, 16, 17, 511, 513, (size_t)1 << 32, ((size_t)1 << 45) + 1, SIZE_MAX - 1, SIZE_MAX};
    enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };
    fake_backend *fake = fake_open(NULL);
    accel_kernel *kernel = fake_kernel("loop");

    for (size_t round = 0; round < (size_t)PROCESSORS * LENGTHS * LENGTHS * LENGTHS; ++round) {
        const size_t extent[3] = {lengths[round % LENGTHS], lengths[round / LENGTHS % LENGTHS],
                                  lengths[round / LENGTHS / LENGTHS % LENGTHS]};
        uint32_t dims = 1 + (uint32_t)(round % 3);
        accel_work work = ACCEL_WORK_INIT;
        be_processor(fake, round % PROCESSORS);
        ck_assert_uint_eq(accel_work_divide(kernel, dims, extent, NULL, &work), ACCEL_OK);
        ck_assert(covers(&work, extent));
        for (uint32_t d = 0; d < dims; ++d) {
            ck_assert_uint_ge(work.blocks[d], 1);
            ck_assert_uint_ge(work.elems[d], 1);
            ck_assert_uint_le(work.blocks[d], extent[d]);
            ck_assert_uint_le(work.elems[d], extent[d]);
        }
    }
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

static size_t blocks_of(accel_kernel *kernel, uint32_t dims, const size_t extent[], size_t elem_ns)
{
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = ACCEL_WORK_INIT;
    size_t blocks = 1;

    wish.elem_ns = elem_ns;
    ck_assert_uint_eq(accel_work_divide(kernel, dims, extent, &wish, &work), ACCEL_OK);
    ck_assert(covers(&work, extent));
    for (uint32_t d = 0; d < dims; ++d)
        blocks *= work.blocks[d];
    return blocks;
}

START_TEST(k12_every_cpu_gets_a_block_if_there_are_as_many_elements)
{
    static const size_t planes[][3] = {{3, 40, 1}, {10, 10, 1}, {40, 3, 1}, {7, 9, 1},
                                       {8, 8, 8},  {1, 1, 129}, {512, 1, 2}};
    fake_backend *fake = fake_open(NULL);
    accel_kernel *kernel = fake_kernel("heavy");

    for (size_t p = 0; p < PROCESSORS; ++p) {
        size_t units = processors[p].compute_units;
        be_processor(fake, p);
        for (size_t n = 1; n < 70000; n += 1 + n / 64) {
            size_t blocks = blocks_of(kernel, 1, &n, 0);
            size_t share = (n + blocks - 1) / blocks, rounded = share < 256 ? share : (share + 15) / 16 * 16;
            ck_assert_msg(blocks >= (n < units ? n : units), "%zu units, %zu elements: %zu blocks", units, n, blocks);
            ck_assert_msg((blocks - 1) * rounded < n, "%zu units, %zu elements: empty blocks", units, n);
        }
        for (size_t l = 0; l < sizeof(planes) / sizeof(planes[0]); ++l) {
            size_t total = planes[l][0] * planes[l][1] * planes[l][2], blocks = blocks_of(kernel, 3, planes[l], 0);
            ck_assert_msg(blocks >= (total < units ? total : units), "%zu units, extent %zu: %zu blocks", units, l,
                          blocks);
        }
    }
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

/* Three blocks on two units would take as long as four. */
START_TEST(k12_few_blocks_are_shared_evenly)
{
    enum { VECTORS = 16 };
    fake_backend *fake = fake_open(NULL);
    accel_kernel *kernel = fake_kernel("short");

    for (size_t p = 0; p < PROCESSORS; ++p) {
        size_t units = processors[p].compute_units;
        size_t least = units < VECTORS ? 1 : 2; /* one block each of many is some elements more, and others have none */
        be_processor(fake, p);
        for (size_t n = units * processors[p].chunk * least; n < units * processors[p].chunk * 8; n += 1 + n / 64) {
            accel_work work = ACCEL_WORK_INIT;
            ck_assert_uint_eq(accel_work_divide(kernel, 1, &n, NULL, &work), ACCEL_OK);
            size_t most = fullest_unit(&work, &n, units), part = n / units;
            ck_assert_msg(most <= part + part / 8 + VECTORS, "%zu units, %zu elements: %zu instead of %zu", units, n,
                          most, part);
        }
    }
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

/* Two units: heavy elements one by one, light ones all at once, others in blocks of 20 us. */
START_TEST(k12_the_wished_cost_of_an_element_divides_the_extent)
{
    static const struct {
        size_t elements, ns, blocks;
    } rows[] = {{64, 1000000, 64}, {64, 10, 1},      {64, 2000, 6},       {64, 100, 2},
                {1, 1000000, 1},   {2, SIZE_MAX, 2}, {1000, 20000, 1000}, {100000, 100, 500}};
    fake_backend *fake = fake_open(NULL);
    accel_kernel *kernel = fake_kernel("heavy");
    const size_t tiles[2] = {8, 64};

    be_processor(fake, 1);
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); ++r) {
        size_t blocks = blocks_of(kernel, 1, &rows[r].elements, rows[r].ns);
        ck_assert_msg(blocks == rows[r].blocks, "row %zu: %zu blocks", r, blocks);
    }
    ck_assert_uint_eq(blocks_of(kernel, 2, tiles, 50000), 512);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(k2_wishes_that_no_division_satisfies_are_a_limit)
{
    fake_backend *fake = fake_open(NULL);
    const size_t extent[2] = {64, 64};
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = ACCEL_WORK_INIT;

    fake->kernel.fixed_block[0] = 16;
    fake->kernel.fixed_block[1] = 16;
    accel_kernel *fixed = fake_kernel("tile");
    ck_assert_uint_eq(accel_work_divide(fixed, 1, extent, NULL, &work), ACCEL_LIMIT);
    wish.threads[0] = 8;
    ck_assert_uint_eq(accel_work_divide(fixed, 2, extent, &wish, &work), ACCEL_LIMIT);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "16 x 16"));
    wish.threads[0] = 0;
    wish.max_threads = 255;
    ck_assert_uint_eq(accel_work_divide(fixed, 2, extent, &wish, &work), ACCEL_LIMIT);
    wish.max_threads = 256;
    ck_assert_uint_eq(accel_work_divide(fixed, 2, extent, &wish, &work), ACCEL_OK);
    ck_assert_uint_eq(work.threads[0] * work.threads[1], 256);
    wish.max_threads = 0;
    wish.shared_bytes = 1;
    ck_assert_uint_eq(accel_work_divide(fixed, 2, extent, &wish, &work), ACCEL_LIMIT);
    accel_kernel_destroy(fixed);
    fake_close();
}
END_TEST

static accel_status holds_five(accel_impl_kernel *kernel, uint32_t threads, size_t shared_bytes, uint64_t *blocks)
{
    (void)kernel;
    (void)threads;
    (void)shared_bytes;
    *blocks = 5;
    return ACCEL_OK;
}

/* Three blocks along the first dimension leave room for one, not for two along the second. */
START_TEST(k2_a_cooperative_division_has_no_block_more_than_the_device_holds)
{
    fake_backend *fake = fake_open(NULL);
    const size_t extent[2] = {3, 100};
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    accel_work work = ACCEL_WORK_INIT;

    fake->device->properties.features |= ACCEL_FEATURE_COOPERATIVE;
    fake->device->backend->module_vtable.resident_blocks = holds_five;
    fake->kernel.form = ACCEL_KERNEL_FORM_BLOCK;
    fake->suggestion =
        (accel_suggestion){.struct_size = sizeof(fake->suggestion), .threads = 1, .blocks = 64, .chunk = 1};
    accel_kernel *kernel = fake_kernel("cooperative");
    wish.flags = ACCEL_DIVIDE_COOPERATIVE;
    ck_assert_msg(accel_work_divide(kernel, 2, extent, &wish, &work) == ACCEL_OK, "%s", accel_error_message());
    ck_assert_uint_eq(work.blocks[0] * work.blocks[1], 3);
    ck_assert(covers(&work, extent));
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(k3_zero_extents_give_no_blocks)
{
    fake_backend *fake = fake_open(NULL);
    const size_t extent[3] = {4, 0, 4};
    accel_work work = ACCEL_WORK_INIT;
    accel_kernel *kernel = fake_kernel("none");

    ck_assert_uint_eq(accel_work_divide(kernel, 3, extent, NULL, &work), ACCEL_OK);
    ck_assert_uint_eq(work.blocks[1], 0);
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 0), ACCEL_OK);
    ck_assert_uint_eq(fake->launches, 0);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("work");

    add(suite, k2_every_division_covers_the_extent_and_is_launched);
    add(suite, k2_without_wishes_block_kernels_are_always_divided);
    add(suite, k2_thread_kernels_get_one_element_per_thread);
    add(suite, k2_thread_kernels_get_more_threads_where_blocks_run_out);
    add(suite, k2_block_kernels_fill_the_device_with_contiguous_blocks);
    add(suite, k2_blocks_of_loops_fit_caches_and_fill_all_units_evenly);
    add(suite, k2_loops_of_few_tiles_are_divided_like_reductions_where_shares_are_even);
    add(suite, k2_blocks_of_extreme_loops_are_neither_none_nor_too_many);
    add(suite, k12_every_cpu_gets_a_block_if_there_are_as_many_elements);
    add(suite, k12_the_wished_cost_of_an_element_divides_the_extent);
    add(suite, k12_few_blocks_are_shared_evenly);
    add(suite, k2_wishes_that_no_division_satisfies_are_a_limit);
    add(suite, k2_a_cooperative_division_has_no_block_more_than_the_device_holds);
    add(suite, k3_zero_extents_give_no_blocks);
    return suite;
}
