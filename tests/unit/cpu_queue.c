/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of the CPU engine: order, waiting, failures, lives. */
#include "cpu_engine.h"
#include "guard.h"
#include "module.h"
#include "queue.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAUNCH(queue, kernel, params) cpu_queue_vtable.launch(queue, kernel, params)

static cpu_engine engine;

static void open_engine(void)
{
    engine = cpu_engine_open(&cpu_executor_serial);
}

/* Adds `step` to a counter, after it checked that it finds it at `expected`, if that is not UINT64_MAX. */
typedef struct add_args {
    uint64_t *counter;
    uint64_t expected;
    uint64_t step;
} add_args;

static void add_blocks(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    const add_args *own = args;

    (void)launch;
    (void)first;
    if (own->expected != UINT64_MAX)
        ck_assert_uint_eq(*own->counter, own->expected);
    *own->counter += own->step * count;
}

static accel_kernel_descriptor add_kernel; /* outlives every launch, as an object does */

static accel_status launch_add(accel_impl_queue *queue, uint64_t *counter, uint64_t expected)
{
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &add_kernel);
    add_args args = {counter, expected, 1};
    accel_launch_params params = cpu_launch_of(1, 1, &args, sizeof(args));

    accel_status status = LAUNCH(queue, &kernel, &params);
    memset(&args, 0xff, sizeof(args)); /* Q6: copied */
    memset(&params, 0xff, sizeof(params));
    return status;
}

static void sleep_ms(int ms)
{
    usleep((useconds_t)ms * 1000);
}

static accel_impl_event *make_event(uint32_t flags)
{
    accel_impl_event *event = NULL;

    ck_assert_uint_eq(engine.plugin.device_vtable->event_create(engine.device, flags, &event), ACCEL_OK);
    return event;
}

/* A host function that waits until it is let go. */
typedef struct gate {
    _Atomic bool entered, open;
} gate;

static void pass_gate(void *user, accel_status status)
{
    gate *own = user;

    (void)status;
    own->entered = true;
    while (!own->open)
        sched_yield();
}

static void note_status(void *user, accel_status status)
{
    *(accel_status *)user = status;
}

#define ok(call) ck_assert_uint_eq(call, ACCEL_OK)
static const accel_queue_vtable *const q = &cpu_queue_vtable;
static const accel_event_vtable *const e = &cpu_event_vtable;

START_TEST(Q2_a_blocking_queue_is_done_when_the_call_returns)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    uint64_t counter = 0;
    bool idle = false;

    for (uint64_t i = 0; i < 100; ++i) {
        ok(launch_add(queue, &counter, i));
        ck_assert_uint_eq(counter, i + 1);
    }
    ok(q->is_idle(queue, &idle));
    ck_assert(idle);
    ok(q->wait(queue));
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(Q1_Q5_Q6_commands_run_in_order_however_many_wait)
{
    enum { COMMANDS = 50000 };
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    gate first = {0};
    uint64_t counter = 0;
    bool idle = true;

    ok(q->call(queue, pass_gate, &first));
    for (uint64_t i = 0; i < COMMANDS; ++i)
        ok(launch_add(queue, &counter, i));
    ok(q->is_idle(queue, &idle));
    ck_assert(!idle);
    first.open = true;
    ok(q->wait(queue));
    ck_assert_uint_eq(counter, COMMANDS);
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(Q3_work_starts_without_another_call_whether_the_worker_is_awake_or_not)
{
    static const int pauses_ms[] = {0, 1, 3, 8, 20};
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);

    static gate started[20]; /* the worker may still be inside one when the next begins */
    for (int round = 0; round < 20; ++round) {
        started[round].open = true;
        sleep_ms(pauses_ms[round % 5]);
        ok(q->call(queue, pass_gate, &started[round]));
        while (!started[round].entered)
            sched_yield();
    }
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

static void note_thread(void *user, accel_status status)
{
    (void)status;
    *(_Atomic(pthread_t) *)user = pthread_self();
}

START_TEST(Q4_a_waiter_runs_what_it_waits_for_and_only_that)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    accel_impl_event *event = make_event(0);

    for (int round = 0; round < 2000; ++round) {
        _Atomic(pthread_t) before = 0, after = 0;
        ok(q->call(queue, note_thread, (void *)&before));
        ok(q->record(queue, event));
        ok(q->call(queue, note_thread, (void *)&after));
        ok(e->wait(event));
        ck_assert(before != 0);
        while (after == 0)
            sched_yield();
        ck_assert(!pthread_equal(after, pthread_self()));
    }
    e->destroy(event);
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(Q7_Q8_a_failure_sticks_is_inherited_and_reported_once)
{
    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        open_engine();
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags), *other = cpu_engine_queue(&engine, 0);
        accel_impl_event *event = make_event(0);
        accel_timeline *timeline = NULL;
        uint64_t counter = 0, value = 0;
        accel_status seen = ACCEL_OK, end = ACCEL_OK;

        ok(cpu_host()->timeline_create(&timeline));
        cpu_host()->timeline_signal(timeline, 1, ACCEL_DRIVER);
        accel_status status = q->wait_timeline(queue, timeline, 1);
        ck_assert_uint_eq(status, flags != 0 ? ACCEL_DRIVER : ACCEL_OK);
        status = launch_add(queue, &counter, UINT64_MAX);
        ck_assert_uint_eq(status, flags != 0 ? ACCEL_DRIVER : ACCEL_OK);
        ok(q->call(queue, note_status, &seen));
        ok(q->record(queue, event));
        ok(q->wait_event(other, event));
        ok(launch_add(other, &counter, UINT64_MAX));
        ck_assert_uint_eq(e->wait(event), ACCEL_DRIVER);
        ck_assert_uint_eq(q->wait(other), ACCEL_DRIVER);
        ck_assert_ptr_nonnull(strstr(accel_error_message(), "event"));
        ok(q->wait(other));
        ck_assert_uint_eq(q->wait(queue), ACCEL_DRIVER);
        ok(q->wait(queue));
        ck_assert_uint_eq(counter, 0);
        ck_assert_uint_eq(seen, ACCEL_DRIVER);
        ok(launch_add(queue, &counter, 0));
        ok(q->record(queue, event));
        ok(q->wait(queue));
        ok(e->wait(event));
        ck_assert_uint_eq(counter, 1);
        accel_timeline *points_to = NULL;
        ok(e->timeline(event, &points_to, &value));
        ck_assert(cpu_host()->timeline_reached(points_to, value, &end));
        ck_assert_uint_eq(end, ACCEL_OK);
        cpu_host()->timeline_release(points_to);
        cpu_host()->timeline_release(timeline);
        e->destroy(event);
        q->destroy(queue);
        q->destroy(other);
        cpu_engine_close(&engine);
    }
}
END_TEST

START_TEST(K10_device_loss_that_was_inherited_is_not_cleared)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    accel_timeline *timeline = NULL;

    ok(cpu_host()->timeline_create(&timeline));
    cpu_host()->timeline_signal(timeline, 1, ACCEL_DEVICE_LOST);
    ok(q->wait_timeline(queue, timeline, 1));
    ck_assert_uint_eq(q->wait(queue), ACCEL_DEVICE_LOST);
    ck_assert_uint_eq(q->wait(queue), ACCEL_DEVICE_LOST);
    cpu_host()->timeline_release(timeline);
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(O3_a_queue_with_work_pending_finishes_after_it_was_destroyed)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0), *parked = cpu_engine_queue(&engine, 0);
    accel_timeline *timeline = NULL;
    static gate middle, last = {.open = true};

    ok(cpu_host()->timeline_create(&timeline));
    ok(q->call(queue, pass_gate, &middle));
    ok(q->wait_timeline(parked, timeline, 7));
    ok(q->call(parked, pass_gate, &last));
    q->destroy(queue);
    q->destroy(parked);
    cpu_engine_close(&engine); /* the queues hold what they need */
    sleep_ms(10);
    ck_assert(!last.entered);
    middle.open = true;
    cpu_host()->timeline_signal(timeline, 7, ACCEL_OK);
    while (!middle.entered || !last.entered)
        sched_yield();
    cpu_host()->timeline_release(timeline);
    sleep_ms(20); /* the workers end: leak checkers see nothing of theirs */
}
END_TEST

/* A waiter holds `run`, so that the worker that was told of the end falls asleep again; the end is then the waiter's to
 * tell. */
START_TEST(O3_a_queue_ends_also_if_a_waiter_runs_its_last_command)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    accel_status status = ACCEL_INTERNAL;

    cpu_lock_acquire(&queue->run);
    ok(q->call(queue, note_status, &status));
    while (queue->worker != CPU_WORKER_ASLEEP)
        sched_yield();
    cpu_queue_retain(queue);
    q->destroy(queue);
    while (queue->worker != CPU_WORKER_ASLEEP)
        sched_yield();
    cpu_lock_release(&queue->run);
    cpu_queue_wait_ticket(queue, 1);
    ck_assert_uint_eq(status, ACCEL_OK);
    for (int i = 0; i < 2000 && queue->references != 1; ++i)
        sleep_ms(1);
    ck_assert_uint_eq(queue->worker, CPU_WORKER_ENDED);
    ck_assert_uint_eq(queue->references, 1);
    cpu_queue_release(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(E2_a_later_record_does_not_change_a_wait)
{
    open_engine();
    accel_impl_queue *first = cpu_engine_queue(&engine, 0), *second = cpu_engine_queue(&engine, 0);
    accel_impl_event *event = make_event(0);
    gate never = {0}, passed = {.open = true};
    bool complete = true;

    ok(q->wait_event(second, event)); /* E1: never recorded */
    ok(q->record(first, event));
    ok(q->wait_event(second, event));
    ok(q->call(first, pass_gate, &never));
    ok(q->record(first, event));
    ok(q->call(second, pass_gate, &passed));
    ok(q->wait(second));
    ck_assert(passed.entered);
    ok(e->is_complete(event, &complete));
    ck_assert(!complete);
    never.open = true;
    ok(e->wait(event));
    e->destroy(event);
    q->destroy(first);
    q->destroy(second);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(E4_elapsed_needs_two_timed_complete_records)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0),
                     *profiling = cpu_engine_queue(&engine, ACCEL_QUEUE_PROFILING);
    accel_impl_event *start = make_event(ACCEL_EVENT_TIMING), *end = make_event(ACCEL_EVENT_TIMING),
                     *plain = make_event(0);
    gate held = {0};
    uint64_t ns = 0;

    ck_assert_uint_eq(e->elapsed(start, end, &ns), ACCEL_INVALID);
    ok(q->record(queue, start));
    ok(q->record(queue, plain));
    ok(q->call(queue, pass_gate, &held));
    ok(q->record(queue, end));
    ck_assert_uint_eq(e->elapsed(start, end, &ns), ACCEL_NOT_READY);
    ck_assert_uint_eq(e->elapsed(start, plain, &ns), ACCEL_INVALID);
    while (!held.entered) /* from here on `start` is in the past */
        sleep_ms(1);
    sleep_ms(5);
    held.open = true;
    ok(q->wait(queue));
    ok(e->elapsed(start, end, &ns));
    ck_assert_uint_ge(ns, 1000000);
    ck_assert_uint_eq(e->elapsed(end, start, &ns), ACCEL_INVALID);
    ok(q->record(profiling, plain)); /* timed, asked or not */
    ok(e->wait(plain));
    ok(e->elapsed(end, plain, &ns));
    e->destroy(start);
    e->destroy(end);
    e->destroy(plain);
    q->destroy(queue);
    q->destroy(profiling);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(E5_a_parked_queue_wakes_when_its_timeline_moves)
{
    open_engine();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    accel_timeline *timeline = NULL;
    uint64_t counter = 0;

    ok(cpu_host()->timeline_create(&timeline));
    for (uint64_t round = 1; round <= 300; ++round) {
        ok(q->wait_timeline(queue, timeline, round));
        ok(launch_add(queue, &counter, round - 1));
        if (round % 3 == 0)
            sched_yield();
        if (round % 100 == 0)
            sleep_ms(10); /* the worker is asleep */
        cpu_host()->timeline_signal(timeline, round, ACCEL_OK);
        if (round % 2 == 0)
            ok(q->wait(queue));
    }
    ok(q->wait(queue));
    ck_assert_uint_eq(counter, 300);
    cpu_host()->timeline_release(timeline);
    q->destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(memory_goes_back_in_the_order_of_its_queue_and_never_waits)
{
    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        open_engine();
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        accel_memory_request request = {.struct_size = sizeof(request), .size = 4096, .alignment = 256};
        accel_impl_memory *memory = NULL;
        void *ptr = NULL, *host_ptr = NULL;
        gate held = {0};

        ok(q->allocate_async(queue, &request, &memory, &ptr, &host_ptr));
        ck_assert_uint_eq((uintptr_t)ptr % 256, 0);
        if (flags == 0) {
            ok(q->call(queue, pass_gate, &held));
            q->free_async(queue, memory);
            memset(ptr, 1, request.size); /* still there */
            held.open = true;
        } else {
            cpu_lock_acquire(&queue->run); /* as if another thread were inside */
            q->free_async(queue, memory);
            memset(ptr, 1, request.size);
            cpu_lock_release(&queue->run);
            ok(q->allocate_async(queue, &request, &memory, &ptr, &host_ptr));
            q->free_async(queue, memory); /* and takes the other along */
        }
        ok(q->wait(queue));
        q->destroy(queue);
        cpu_engine_close(&engine);
    }
}
END_TEST

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
    static accel_kernel_descriptor kernels[13];
    unsigned char bytes[32];

    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        for (uint32_t power = 0; power <= 12; ++power) {
            kernels[power] = cpu_block_kernel(check_alignment, 24, (size_t)1 << power);
            accel_impl_kernel kernel = cpu_engine_kernel(&engine, &kernels[power]);
            for (size_t shift = 0; shift < 8; ++shift) {
                for (unsigned char i = 0; i < 24; ++i)
                    bytes[shift + i] = i;
                accel_launch_params params = cpu_launch_of(1, 1, bytes + shift, 24);
                params.grid.dims = 6;
                params.grid.elems[5] = (uint64_t)1 << power;
                ok(LAUNCH(queue, &kernel, &params));
                ok(q->launch_line(queue, &kernel, 1, 1, (uint64_t)1 << power, bytes + shift));
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

START_TEST(K1_the_grid_arrives_whole_for_every_number_of_dimensions)
{
    open_engine();
    static accel_kernel_descriptor descriptor;
    descriptor = cpu_block_kernel(check_grid, 4, 4);
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &descriptor);

    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        for (uint32_t dims = 1; dims <= 6; ++dims) {
            accel_launch_params params = cpu_launch_of(1, 1, &dims, 4);
            params.grid.dims = dims;
            for (uint32_t i = 0; i < dims; ++i) {
                params.grid.blocks[i] = i + 1;
                params.grid.threads[i] = i < 3 ? i + 2 : 1;
                params.grid.elems[i] = i + 3;
                if (i < 3) {
                    params.blocks[i] = i + 1;
                    params.threads[i] = i + 2;
                } else {
                    params.blocks[2] *= i + 1;
                }
            }
            ok(LAUNCH(queue, &kernel, &params));
        }
        ok(q->wait(queue));
        q->destroy(queue);
    }
    cpu_engine_close(&engine);
}
END_TEST

/* What a launch must be found to be. */
typedef struct shape_args {
    const accel_launch_params *params;
    size_t shared_bytes;
    uint32_t *launches;
} shape_args;

static void check_shape(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    const shape_args *own = args;
    const accel_launch_params *params = own->params;

    (void)first;
    (void)count;
    ck_assert_uint_eq(launch->grid->dims, params->grid.dims);
    ck_assert_uint_eq(launch->shared_bytes, own->shared_bytes);
    for (int i = 0; i < 3; ++i) {
        ck_assert_uint_eq(launch->grid_extent[i], params->blocks[i]);
        ck_assert_uint_eq(launch->block_extent[i], params->threads[i]);
        ck_assert_uint_eq(launch->elem_extent[i], params->grid.elems[i]);
        ck_assert_uint_eq(launch->grid->blocks[i], params->blocks[i]);
        ck_assert_uint_eq(launch->grid->threads[i], params->threads[i]);
        ck_assert_uint_eq(launch->grid->elems[i], params->grid.elems[i]);
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
    static accel_kernel_descriptor descriptors[2];
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
                    accel_launch_params params = cpu_launch_of(1, 1, NULL, sizeof(shape_args));
                    bool yes = changed == 1;
                    params.grid.dims = (uint32_t)dims;
                    if (yes && change < 9 && change % 3 < dims) {
                        if (change < 3)
                            params.blocks[change % 3] = params.grid.blocks[change % 3] = 2;
                        else if (change < 6)
                            params.threads[change % 3] = params.grid.threads[change % 3] = 2;
                        else
                            params.grid.elems[change % 3] = 2;
                    }
                    if (yes && change == 9)
                        params.shared_bytes = 64;
                    if (yes && change == 10)
                        params.grid.dims = (uint32_t)dims % 3 + 1;
                    shape_args args = {&params, params.shared_bytes, &launches};
                    params.args = &args;
                    ok(LAUNCH(queue, &kernels[yes && change == KERNEL], &params));
                    ok(q->wait(queue)); /* params are looked at by the kernel */
                    expected += yes && change == KERNEL ? 1001 : 1;
                    if (params.grid.dims != 1 || params.shared_bytes != 0)
                        continue;
                    ok(q->launch_line(queue, &kernels[0], params.blocks[0], params.threads[0], params.grid.elems[0],
                                      &args));
                    ok(q->wait(queue));
                    ++expected;
                }
        ck_assert_uint_eq(launches, expected);
        q->destroy(queue);
    }
    cpu_engine_close(&engine);
}
END_TEST

enum { THREADS = 4, ROUNDS = 400, QUEUES = 3 };

typedef struct crowd {
    accel_impl_queue *queues[QUEUES];
    uint64_t counters[QUEUES];
    uint32_t seed;
} crowd;

static void *one_of_many(void *user)
{
    crowd *all = user;
    uint32_t random = __atomic_add_fetch(&all->seed, 0x9e3779b9u, __ATOMIC_RELAXED);
    accel_impl_event *event = make_event(ACCEL_EVENT_TIMING);

    for (int round = 0; round < ROUNDS; ++round) {
        random = random * 1664525u + 1013904223u;
        uint32_t a = random >> 8 & 0xff, mine = a % QUEUES, other = (random >> 16 & 0xff) % QUEUES;
        bool idle;
        uint64_t ns;
        ok(launch_add(all->queues[mine], &all->counters[mine], UINT64_MAX));
        switch (random >> 24 & 7) {
        case 0:
            ok(q->wait(all->queues[mine]));
            break;
        case 1:
            ok(q->record(all->queues[mine], event));
            ok(q->wait_event(all->queues[other], event));
            break;
        case 2:
            ok(q->record(all->queues[mine], event));
            ok(e->wait(event));
            ok(e->elapsed(event, event, &ns));
            break;
        case 3:
            ok(q->is_idle(all->queues[other], &idle));
            ok(e->is_complete(event, &idle));
            break;
        default:
            break;
        }
    }
    e->destroy(event);
    return NULL;
}

START_TEST(O1_many_threads_share_queues)
{
    open_engine();
    crowd all = {.seed = 1};
    pthread_t threads[THREADS];

    for (int i = 0; i < QUEUES; ++i)
        all.queues[i] = cpu_engine_queue(&engine, i == 0 ? ACCEL_QUEUE_BLOCKING : 0);
    for (int i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, one_of_many, &all), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    uint64_t sum = 0;
    for (int i = 0; i < QUEUES; ++i) {
        ok(q->wait(all.queues[i]));
        sum += all.counters[i];
        q->destroy(all.queues[i]);
    }
    ck_assert_uint_eq(sum, THREADS * ROUNDS);
    cpu_engine_close(&engine);
}
END_TEST

/* An executor such as the parallel backends will be: half of the blocks run on another thread. */
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
    static accel_kernel_descriptor descriptor;
    static uint32_t marks[BLOCKS * THREADS_OF_BLOCK];
    uint32_t *args = marks;

    engine = cpu_engine_open(&halves);
    descriptor = cpu_thread_kernel(mark_thread, sizeof(args), sizeof(args));
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &descriptor);
    for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; ++flags) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        for (int round = 0; round < 3; ++round) {
            accel_launch_params params = cpu_launch_of(BLOCKS, THREADS_OF_BLOCK, &args, sizeof(args));
            params.shared_bytes = 4096;
            ok(LAUNCH(queue, &kernel, &params));
        }
        ok(q->wait(queue));
        q->destroy(queue);
    }
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); ++i)
        ck_assert_uint_eq(marks[i], 6);
    cpu_engine_close(&engine);
}
END_TEST

#if !defined(__SANITIZE_THREAD__) /* which does not support threads made after a fork */
START_TEST(O7_idle_queues_work_in_a_child_and_others_say_that_they_do_not)
{
    open_engine();
    accel_guard_watch_fork();
    accel_impl_queue *blocking = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING), *idle = cpu_engine_queue(&engine, 0),
                     *busy = cpu_engine_queue(&engine, 0);
    accel_impl_event *event = make_event(0);
    gate held = {0};
    uint64_t counter = 0;
    int status;

    ok(launch_add(idle, &counter, 0));
    ok(q->wait(idle));
    ok(q->call(busy, pass_gate, &held));
    ok(q->record(busy, event));
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        bool good = q->after_fork(blocking) == ACCEL_OK && q->after_fork(idle) == ACCEL_OK &&
                    q->after_fork(busy) == ACCEL_FORKED && e->wait(event) == ACCEL_FORKED;
        good = good && launch_add(idle, &counter, 1) == ACCEL_OK && q->wait(idle) == ACCEL_OK &&
               launch_add(blocking, &counter, 2) == ACCEL_OK && counter == 3;
        q->destroy(blocking);
        q->destroy(idle);
        q->destroy(busy);
        _exit(good ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    held.open = true;
    ok(q->wait(busy));
    e->destroy(event);
    q->destroy(blocking);
    q->destroy(idle);
    q->destroy(busy);
    cpu_engine_close(&engine);
}
END_TEST

/* The waiter is told before the worker gives `run` back, and the worker looks around before it sleeps: neither makes the
 * queue busy. Locks of atomics that kernels held are free. */
START_TEST(O7_a_queue_is_idle_whatever_its_worker_holds_at_the_fork)
{
    open_engine();
    accel_guard_watch_fork();
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0), *submitting = cpu_engine_queue(&engine, 0);
    cpu_process *process = cpu_process_get();
    uint64_t counter = 0;
    int status;

    ok(launch_add(queue, &counter, 0));
    ok(q->wait(queue));
    cpu_lock_acquire(&queue->run);
    cpu_lock_look(&queue->ring.lock);
    cpu_lock_spin(&submitting->ring.lock);
    process->locks[7] = 1;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(20);
        accel_impl_queue *made = NULL;
        bool good = engine.plugin.device_vtable->queue_create(engine.device, 0, 0, &made) == ACCEL_OK;
        good = good && process->locks[7] == 0;
        good = good && q->after_fork(queue) == ACCEL_OK && launch_add(queue, &counter, 1) == ACCEL_OK &&
               q->wait(queue) == ACCEL_OK && counter == 2;
        good = good && q->after_fork(submitting) == ACCEL_FORKED;
        q->destroy(queue);
        q->destroy(made);
        _exit(good ? 0 : 1);
    }
    process->locks[7] = 0;
    cpu_lock_release(&submitting->ring.lock);
    cpu_lock_release(&queue->ring.lock);
    cpu_lock_release(&queue->run);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    q->destroy(queue);
    q->destroy(submitting);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(O7_an_event_that_was_pending_at_the_fork_has_no_timeline)
{
    open_engine();
    accel_guard_watch_fork();
    accel_impl_queue *busy = cpu_engine_queue(&engine, 0);
    accel_impl_event *event = make_event(0);
    gate held = {0};
    int status;

    ok(q->call(busy, pass_gate, &held));
    ok(q->record(busy, event));
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        accel_timeline *timeline = NULL;
        uint64_t value = 0;
        _exit(e->timeline(event, &timeline, &value) == ACCEL_FORKED && timeline == NULL ? 0 : 1);
    }
    held.open = true;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    e->destroy(event);
    q->destroy(busy);
    cpu_engine_close(&engine);
}
END_TEST
#endif

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_queue");

    add_kernel = cpu_block_kernel(add_blocks, sizeof(add_args), _Alignof(add_args));
    add(suite, Q2_a_blocking_queue_is_done_when_the_call_returns);
    add(suite, Q1_Q5_Q6_commands_run_in_order_however_many_wait);
    add(suite, Q3_work_starts_without_another_call_whether_the_worker_is_awake_or_not);
    add(suite, Q4_a_waiter_runs_what_it_waits_for_and_only_that);
    add(suite, Q7_Q8_a_failure_sticks_is_inherited_and_reported_once);
    add(suite, K10_device_loss_that_was_inherited_is_not_cleared);
    add(suite, O3_a_queue_with_work_pending_finishes_after_it_was_destroyed);
    add(suite, O3_a_queue_ends_also_if_a_waiter_runs_its_last_command);
    add(suite, E2_a_later_record_does_not_change_a_wait);
    add(suite, E4_elapsed_needs_two_timed_complete_records);
    add(suite, E5_a_parked_queue_wakes_when_its_timeline_moves);
    add(suite, memory_goes_back_in_the_order_of_its_queue_and_never_waits);
    add(suite, K4_arguments_lie_as_the_kernel_wants_them);
    add(suite, K1_the_grid_arrives_whole_for_every_number_of_dimensions);
    add(suite, K1_no_launch_inherits_the_shape_of_the_one_before);
    add(suite, O1_many_threads_share_queues);
    add(suite, an_executor_may_run_blocks_on_any_threads);
#if !defined(__SANITIZE_THREAD__)
    add(suite, O7_idle_queues_work_in_a_child_and_others_say_that_they_do_not);
    add(suite, O7_a_queue_is_idle_whatever_its_worker_holds_at_the_fork);
    add(suite, O7_an_event_that_was_pending_at_the_fork_has_no_timeline);
#endif
    return suite;
}
