/* SPDX-License-Identifier: Apache-2.0 */
/* What launches on queues of the CPU engine bring to the kernel, and who runs it. */
#include "cpu_commands.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/queue/queue.h"

#include <pthread.h>
#include <string.h>

static void check_alignment(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    (void)first;
    (void)count;
    ck_assert_uint_eq((uintptr_t)args % (launch->grid->elems[0] * launch->grid->elems[5]), 0);
    for (int i = 0; i < 24; ++i)
        ck_assert_uint_eq(((const unsigned char *)args)[i], (unsigned)i);
    ck_assert_ptr_nonnull(launch->grid->locks);
    ck_assert_uint_eq(launch->grid->lock_mask & (launch->grid->lock_mask + 1), 0);
}

START_TEST(K4_arguments_lie_as_the_kernel_wants_them)
{
    open_engine();
    static accel_descriptor kernels[13];
    unsigned char bytes[32];

    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        for (uint32_t power = 0; power <= 12; ++power) {
            kernels[power] = cpu_block_kernel(check_alignment, 24, (size_t)1 << power);
            accel_impl_kernel kernel = cpu_engine_kernel(&engine, &kernels[power]);
            for (size_t shift = 0; shift < 8; ++shift) {
                for (unsigned char i = 0; i < 24; ++i)
                    bytes[shift + i] = i;
                const accel_work line = accel_work_1d(1, 1, (size_t)1 << power);
                accel_work wide = line;
                wide.dims = 6;
                for (int d = 1; d < 6; ++d)
                    wide.blocks[d] = wide.threads[d] = wide.elems[d] = 1;
                ok(LAUNCH(queue, &kernel, &line, bytes + shift));
                ok(LAUNCH(queue, &kernel, &wide, bytes + shift));
            }
        }
        ok(q->wait(queue));
        q->destroy(queue);
    }
    cpu_engine_close(&engine);
}
END_TEST

static void check_grid(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    const accel_grid *grid = launch->grid;
    uint32_t dims = *(const uint32_t *)args;

    ck_assert_uint_eq(first, 0);
    ck_assert_uint_eq(grid->struct_size, sizeof(*grid));
    ck_assert_uint_eq(grid->dims, dims);
    ck_assert_uint_eq(count, launch->grid_extent[0] * launch->grid_extent[1] * launch->grid_extent[2]);
    size_t elems[3] = {1, 1, 1};
    for (uint32_t i = 0; i < 6; ++i) {
        ck_assert_uint_eq(grid->blocks[i], i < dims ? i + 1 : 1);
        ck_assert_uint_eq(grid->threads[i], i < dims && i < 3 ? i + 2 : 1);
        ck_assert_uint_eq(grid->elems[i], i < dims ? i + 3 : 1);
        elems[i < 2 ? i : 2] *= grid->elems[i];
    }
    for (int i = 0; i < 3; ++i)
        ck_assert_uint_eq(launch->elem_extent[i], elems[i]);
}

static void check_nothing(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    (void)launch;
    (void)args;
    (void)first;
    (void)count;
}

/* Also if the launch before had as many. */
START_TEST(K1_the_grid_arrives_whole_for_every_number_of_dimensions)
{
    open_engine();
    static accel_descriptor descriptor, before_descriptor;
    descriptor = cpu_block_kernel(check_grid, 4, 4);
    before_descriptor = cpu_block_kernel(check_nothing, 4, 4);
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &descriptor),
                      before = cpu_engine_kernel(&engine, &before_descriptor);

    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        for (uint32_t dims = 1; dims <= 6; ++dims) {
            accel_work work = ACCEL_WORK_INIT;
            work.dims = dims;
            for (uint32_t d = 0; d < dims; ++d)
                work.blocks[d] = work.threads[d] = work.elems[d] = 1;
            ok(LAUNCH(queue, &before, &work, &dims));
            for (uint32_t i = 0; i < dims; ++i) { /* i counts from the fastest */
                work.blocks[dims - 1 - i] = i + 1;
                work.threads[dims - 1 - i] = i < 3 ? i + 2 : 1;
                work.elems[dims - 1 - i] = i + 3;
            }
            ok(LAUNCH(queue, &kernel, &work, &dims));
        }
        ok(q->wait(queue));
        q->destroy(queue);
    }
    cpu_engine_close(&engine);
}
END_TEST

/* What a launch must be found to be. */
typedef struct shape_args {
    const accel_work *work;
    uint32_t *launches;
} shape_args;

static void check_shape(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    const shape_args *own = args;
    const accel_work *work = own->work;

    (void)first;
    (void)count;
    ck_assert_uint_eq(launch->grid->dims, work->dims);
    ck_assert_uint_eq(launch->shared_bytes, work->shared_bytes);
    for (uint32_t i = 0; i < 3; ++i) { /* i counts from the fastest */
        bool there = i < work->dims;
        uint32_t d = there ? work->dims - 1 - i : 0;
        size_t blocks = there ? work->blocks[d] : 1, threads = there ? work->threads[d] : 1;
        size_t elems = there ? work->elems[d] : 1;
        ck_assert_uint_eq(launch->grid_extent[i], blocks);
        ck_assert_uint_eq(launch->block_extent[i], threads);
        ck_assert_uint_eq(launch->elem_extent[i], elems);
        ck_assert_uint_eq(launch->grid->blocks[i], blocks);
        ck_assert_uint_eq(launch->grid->threads[i], threads);
        ck_assert_uint_eq(launch->grid->elems[i], elems);
    }
    ++*own->launches;
}

static void check_other_shape(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    check_shape(launch, args, first, count);
    *((const shape_args *)args)->launches += 1000;
}

/* Launches that differ from the one before in one number, or in nothing but the kernel. */
START_TEST(K1_no_launch_inherits_the_shape_of_the_one_before)
{
    enum { KERNEL = 11, CHANGES };
    open_engine();
    static accel_descriptor descriptors[2];
    descriptors[0] = cpu_block_kernel(check_shape, sizeof(shape_args), _Alignof(shape_args));
    descriptors[1] = cpu_block_kernel(check_other_shape, sizeof(shape_args), _Alignof(shape_args));
    accel_impl_kernel kernels[2] = {cpu_engine_kernel(&engine, &descriptors[0]),
                                    cpu_engine_kernel(&engine, &descriptors[1])};

    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        uint32_t launches = 0, expected = 0;
        for (int dims = 1; dims <= 3; ++dims)
            for (int change = 0; change < CHANGES; ++change)
                for (int changed = 0; changed < 3; ++changed) { /* no, yes, no */
                    const size_t ones[3] = {1, 1, 1};
                    accel_work work = accel_work_3d(ones, ones, ones);
                    bool yes = changed == 1;
                    work.dims = (uint32_t)dims;
                    if (yes && change < 9 && change % 3 < dims)
                        (change < 3 ? work.blocks : change < 6 ? work.threads : work.elems)[change % 3] = 2;
                    if (yes && change == 9)
                        work.shared_bytes = 64;
                    if (yes && change == 10)
                        work.dims = (uint32_t)dims % 3 + 1;
                    shape_args args = {&work, &launches};
                    ok(LAUNCH(queue, &kernels[yes && change == KERNEL], &work, &args));
                    ok(q->wait(queue)); /* the kernel looks at `work` */
                    expected += yes && change == KERNEL ? 1001 : 1;
                }
        ck_assert_uint_eq(launches, expected);
        q->destroy(queue);
    }
    cpu_engine_close(&engine);
}
END_TEST

typedef struct half {
    const cpu_launch *launch;
    size_t first, count;
    accel_status status;
} half;

static void *run_half(void *user)
{
    half *own = user;
    cpu_scratch scratch = {0};

    own->status = cpu_blocks_run(own->launch, &scratch, own->first, own->count);
    cpu_scratch_clear(&scratch);
    return NULL;
}

static uint32_t halves_units(const cpu_executor *self)
{
    (void)self;
    return 2;
}

static accel_status halves_run(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch)
{
    size_t second = launch->blocks / 2;
    half other = {.launch = launch, .first = 0, .count = second};
    pthread_t thread;

    (void)self;
    ck_assert_int_eq(pthread_create(&thread, NULL, run_half, &other), 0);
    accel_status status = cpu_blocks_run(launch, scratch, second, launch->blocks - second);
    pthread_join(thread, NULL);
    return status != ACCEL_OK ? status : other.status;
}

static void mark_thread(const accel_thread_context *thread, const void *args)
{
    uint32_t *marks = *(uint32_t *const *)args;
    const accel_launch_context *launch = thread->launch;

    ck_assert_uint_eq(launch->sync(thread, ACCEL_SYNC_COUNT, 1), launch->block_extent[0]);
    memset(launch->shared, (int)thread->block_index[0], launch->shared_bytes);
    launch->sync(thread, ACCEL_SYNC_PLAIN, 0);
    ck_assert_uint_eq(*(unsigned char *)launch->shared, thread->block_index[0]);
    marks[thread->block_index[0] * launch->block_extent[0] + thread->thread_index[0]]++;
}

START_TEST(an_executor_may_run_blocks_on_any_threads)
{
    enum { BLOCKS = 30, THREADS_OF_BLOCK = 40 };
    static const cpu_executor halves = {
        .name = "halves", .compute_units = halves_units, .run = halves_run, .parts = NULL};
    static accel_descriptor descriptor;
    static uint32_t marks[BLOCKS * THREADS_OF_BLOCK];
    uint32_t *args = marks;

    engine = cpu_engine_open(&halves);
    descriptor = cpu_thread_kernel(mark_thread, sizeof(args), sizeof(args));
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &descriptor);
    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        for (int round = 0; round < 3; ++round) {
            accel_work work = accel_work_1d(BLOCKS, THREADS_OF_BLOCK, 1);
            work.shared_bytes = 4096;
            ok(LAUNCH(queue, &kernel, &work, &args));
        }
        ok(q->wait(queue));
        q->destroy(queue);
    }
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); ++i)
        ck_assert_uint_eq(marks[i], 6);
    cpu_engine_close(&engine);
}
END_TEST

/* What a watched launch carries: where the counter is, and what was seen. `last` is the last byte of the copy. */
typedef struct watched {
    uint64_t *counter;
    uint64_t *told; /* times of `end` */
    accel_status *status;
    unsigned char last;
} watched;

static uint64_t watch_begin(const void *data)
{
    const watched *self = data;
    ck_assert_uint_eq((uintptr_t)data % 8, 0);
    return *self->counter;
}

static void watch_end(const void *data, uint64_t begun, accel_status status)
{
    const watched *self = data;
    ck_assert_uint_eq(*self->counter, begun + (status == ACCEL_OK));
    ck_assert_uint_eq(self->last, 7);
    *self->status = status;
    ++*self->told;
}

START_TEST(a_watched_launch_calls_before_and_behind_it)
{
    uint64_t counter = 0, told = 0;
    accel_status status = ACCEL_DRIVER;
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &add_kernel);
    const accel_work work = accel_work_1d(1, 1, 1);
    unsigned char data[ACCEL_MAX_WATCH_DATA] = {0};
    const watched given = {.counter = &counter, .told = &told, .status = &status, .last = 7};
    memcpy(data, &given, sizeof(given));
    accel_operation_watch watch = {.begin = watch_begin, .end = watch_end};
    for (size_t size = sizeof(given); size <= sizeof(data); ++size) {
        const add_args args = {&counter, counter, 1};
        watch.data_size = size;
        ok(q->launch_watched(queue, &kernel, &work, &args, &watch, data));
        ok(q->wait(queue));
        ck_assert_uint_eq(status, ACCEL_OK);
    }
    const uint64_t launches = counter;
    ck_assert_uint_eq(told, launches);

    accel_timeline *timeline = NULL;
    ok(cpu_host()->timeline_create(&timeline));
    cpu_host()->timeline_signal(timeline, 1, ACCEL_DRIVER);
    ok(q->wait_timeline(queue, timeline, 1));
    const add_args skipped = {&counter, UINT64_MAX, 1};
    ok(q->launch_watched(queue, &kernel, &work, &skipped, &watch, data));
    ck_assert_uint_eq(q->wait(queue), ACCEL_DRIVER);
    ck_assert_uint_eq(status, ACCEL_DRIVER);
    ck_assert_uint_eq(told, launches + 1);
    ck_assert_uint_eq(counter, launches);
    q->destroy(queue);
    cpu_host()->timeline_release(timeline);
    cpu_engine_close(&engine);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_queue_launch");

    add(suite, K4_arguments_lie_as_the_kernel_wants_them);
    add(suite, K1_the_grid_arrives_whole_for_every_number_of_dimensions);
    add(suite, K1_no_launch_inherits_the_shape_of_the_one_before);
    add(suite, an_executor_may_run_blocks_on_any_threads);
    add(suite, a_watched_launch_calls_before_and_behind_it);
    return suite;
}
