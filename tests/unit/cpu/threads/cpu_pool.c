/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of cpu-threads: what it adds to what every executor does. */
#include "cpu_executors.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/queue/queue.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/threads/pool.h"
#include "plugins/cpu/threads/threads.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

/* All of its workers may be awake, however few CPUs there are. */
static cpu_executor *pool_of(uint32_t units)
{
    cpu_executor *made = marks_executor(&cpu_executor_threads, units);

    ck_assert_uint_eq(made->compute_units(made), units);
    ((cpu_pool *)made)->awake = units; /* its first member */
    return made;
}

START_TEST(half_of_a_range_can_be_stolen_and_its_last_chunk_cannot)
{
    enum { PLACE = 3 * CPU_RANGE_GROUPS + 31, LAST = CPU_RANGE_CHUNKS };
    uint64_t stolen = 0;
    cpu_range range = cpu_range_pack(PLACE, LAST - 5, LAST);

    ck_assert_uint_eq(cpu_range_slot(range), 3);
    ck_assert_uint_eq(cpu_range_group(range), 31);
    ck_assert(!cpu_range_steal(&range, 2, 2, &stolen)); /* of another slot */
    ck_assert(!cpu_range_steal(&range, 3, 6, &stolen)); /* too little is left */
    ck_assert(cpu_range_steal(&range, 3, 5, &stolen));
    ck_assert_uint_eq(atomic_load(&range), cpu_range_pack(PLACE, LAST - 5, LAST - 2));
    ck_assert_uint_eq(stolen, cpu_range_pack(PLACE, LAST - 2, LAST));
    ck_assert(cpu_range_steal(&range, -1, 2, &stolen));
    ck_assert_uint_eq(stolen, cpu_range_pack(PLACE, LAST - 3, LAST - 2));
    ck_assert(cpu_range_steal(&range, -1, 2, &stolen));
    ck_assert_uint_eq(stolen, cpu_range_pack(PLACE, LAST - 4, LAST - 3));
    ck_assert(!cpu_range_steal(&range, -1, 2, &stolen));
    ck_assert(!cpu_range_steal(&range, -1, 0, &stolen)); /* as of a slot that had no launch yet */
    ck_assert_uint_eq(atomic_load(&range), cpu_range_pack(PLACE, LAST - 5, LAST - 4));
    range = 0;
    ck_assert(!cpu_range_steal(&range, -1, 0, &stolen));
}
END_TEST

START_TEST(a_range_is_cut_at_multiples_of_the_grain_but_at_its_ends)
{
    static const uint32_t ends[] = {8, 12, 16, 18}; /* a quarter of what is left, up to a multiple of 4 */
    uint32_t next = 0;
    cpu_range range = cpu_range_pack(0, 1, 18);

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
        uint32_t count = cpu_range_take(&range, 4, &next);
        ck_assert_uint_eq(next, i == 0 ? 1 : ends[i - 1]);
        ck_assert_uint_eq(next + count, ends[i]);
    }
    ck_assert_uint_eq(cpu_range_take(&range, 4, &next), 0);
}
END_TEST

/* Who ran the first blocks, which take long. */
enum { THREADS = 20, BLOCKS = 4 * THREADS, HEAVY = BLOCKS / 5 };
typedef struct helpers {
    _Atomic int ids[HEAVY];
} helpers;

static void note_helper(marks *own, size_t block)
{
    helpers *found = own->user;

    if (block >= HEAVY)
        return;
    found->ids[block] = gettid();
    usleep(5000);
}

static size_t different(const helpers *found)
{
    size_t count = 0;

    for (size_t i = 0; i < HEAVY; ++i) {
        size_t j = 0;
        while (j < i && found->ids[j] != found->ids[i])
            j++;
        count += j == i;
    }
    return count;
}

/* Of three groups the first alone has something to do: at most six threads, the caller among them. */
START_TEST(threads_help_the_other_groups)
{
    cpu_executor *pool = pool_of(THREADS);
    cpu_scratch scratch = {0};
    helpers found = {0};
    size_t most = 0;

    for (int i = 0; i < 100 && most <= 6; ++i) {
        marks_launch(pool, BLOCKS, 1, (marks){.also = note_helper, .user = &found}, &scratch);
        size_t now = different(&found);
        most = now > most ? now : most;
    }
    ck_assert_uint_gt(most, 6);
    cpu_scratch_clear(&scratch);
    pool->destroy(pool);
}
END_TEST

/* Arguments of any size, all of whose bytes are the same. */
static _Atomic uint64_t right_blocks;
static _Atomic uint32_t args_size, args_align, args_blocks;
static _Atomic int args_byte;
static void look_at_args(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    const unsigned char *bytes = args;
    bool right = (uintptr_t)args % args_align == 0 && launch->grid_extent[0] == args_blocks;

    (void)first;
    for (size_t i = 0; i < args_size; ++i)
        right = right && bytes[i] == args_byte;
    for (volatile int turn = 0; turn < 500; ++turn)
        continue; /* until others take part */
    if (right)
        atomic_fetch_add(&right_blocks, count);
}

/* What threads keep of a launch is not taken for a part of the next one, which resembles it. */
START_TEST(each_launch_has_its_own_arguments)
{
    static const uint32_t shapes[][2] = {{1, 1}, {16, 8}, {191, 1}, {192, 64}, {193, 1}, {128, 128}, {4096, 64}};
    static _Alignas(128) unsigned char args[4096];
    cpu_executor *pool = pool_of(4);
    cpu_scratch scratch = {0};

    for (uint32_t turn = 0; turn < 4000; ++turn) {
        const uint32_t *shape = shapes[turn / 5 % 7]; /* a few times the same */
        accel_descriptor kernel = cpu_block_kernel(look_at_args, shape[0], shape[1]);
        right_blocks = 0;
        args_blocks = 2 + turn / 3 % 40;
        args_size = shape[0];
        args_align = shape[1];
        args_byte = (int)(turn % 100);
        memset(args, args_byte, sizeof(args));
        ck_assert_uint_eq(marks_run(pool, &kernel, args_blocks, 1, args, &marks_settings, &scratch), ACCEL_OK);
        ck_assert_uint_eq(right_blocks, args_blocks);
    }
    cpu_scratch_clear(&scratch);
    pool->destroy(pool);
}
END_TEST

/* What a worker found: the thread that launches, its CPU, whether the worker may run elsewhere too. */
typedef struct finding {
    int launcher, cpu;
    uint8_t allowed[CPU_MASK_BYTES];
    _Atomic bool elsewhere, done;
} finding;

static void look_at_mask(marks *own, size_t block)
{
    finding *found = own->user;
    cpu_set_t set;

    (void)block;
    usleep(1000);
    if (gettid() == found->launcher)
        return;
    ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        ck_assert(!CPU_ISSET(cpu, &set) || cpu_mask_has(found->allowed, cpu));
    found->elsewhere = CPU_COUNT(&set) != 1 || !CPU_ISSET((size_t)found->cpu, &set);
    found->done = true;
}

START_TEST(workers_have_the_cpus_of_the_process_and_not_those_of_the_launcher)
{
    cpu_set_t before, one;
    cpu_scratch scratch = {0};
    finding found = {.launcher = gettid(), .cpu = sched_getcpu()};
    marks own = {.counts = calloc(64, sizeof(*own.counts)), .also = look_at_mask, .user = &found}, *args = &own;

    cpu_process_cpus(found.allowed);
    ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)found.cpu, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0); /* as libgomp does with OMP_PROC_BIND */
    cpu_executor *pool = pool_of(4);
    for (int i = 0; i < 100 && !found.done; ++i)
        ck_assert_uint_eq(marks_run(pool, &marks_kernel, 64, 1, &args, &marks_settings, &scratch), ACCEL_OK);
    ck_assert(found.done); /* somebody helped */
    if (CPU_COUNT(&before) > 1)
        ck_assert(found.elsewhere);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    pool->destroy(pool);
}
END_TEST

START_TEST(M8_devices_are_parted_and_run_kernels)
{
    static const uint32_t ways[] = {ACCEL_PARTITION_NUMA, ACCEL_PARTITION_CACHE, ACCEL_PARTITION_CORES,
                                    ACCEL_PARTITION_EQUAL};
    cpu_engine whole = cpu_engine_open(&cpu_executor_threads);
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    uint32_t first = 0, wrong = CPU_MASK_BITS - 1;

    while (!cpu_mask_has(whole.device->mask, first))
        first++;
    for (size_t i = 0; i < 4; ++i) {
        accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
        accel_impl_device *parts[64];
        size_t count = 0;
        uint32_t cpus = 0;
        desc.by = ways[i];
        desc.cores = &first;
        desc.core_count = desc.share_count = 1;
        ck_assert_uint_eq(cpu_device_partition(whole.device, &desc, parts, 64, &count), ACCEL_OK);
        ck_assert_uint_ge(count, 1);
        for (size_t j = 0; j < count && j < 64; ++j) {
            accel_impl_queue *queue = NULL;
            marks own = {.counts = calloc(40, sizeof(*own.counts))}, *args = &own;
            accel_impl_kernel kernel = {.descriptor = &marks_kernel, .device = parts[j]};
            accel_work work = accel_work_1d(40, 1, 1);
            ck_assert_uint_eq(cpu_device_vtable.info(parts[j], &properties), ACCEL_OK);
            cpus += cpu_mask_count(parts[j]->mask);
            ck_assert_uint_eq(cpu_queue_create(parts[j], ACCEL_QUEUE_BLOCKING, 0, &queue), ACCEL_OK);
            ck_assert_uint_eq(cpu_queue_vtable.launch(queue, &kernel, &work, &args), ACCEL_OK);
            marks_check(&own, 40, 1);
            free(own.counts);
            cpu_queue_vtable.destroy(queue);
            cpu_device_release(parts[j]);
        }
        ck_assert_uint_eq(cpus, ways[i] == ACCEL_PARTITION_CORES ? 1 : cpu_mask_count(whole.device->mask));
        desc.cores = &wrong;
        desc.share_count = CPU_MASK_BITS;
        accel_status status = ways[i] == ACCEL_PARTITION_CORES   ? ACCEL_INVALID
                              : ways[i] == ACCEL_PARTITION_EQUAL ? ACCEL_LIMIT
                                                                 : ACCEL_OK;
        ck_assert_uint_eq(cpu_device_partition(whole.device, &desc, NULL, 0, &count), status);
    }
    cpu_engine_close(&whole);
}
END_TEST

/* Whatever the number of chunks is, a thread has the same part of the data: what it left in its caches, or on its node, is there.
 * And shares differ by a chunk at most. */
START_TEST(shares_lie_in_the_order_of_threads)
{
    enum { MOST_CHUNKS = 70, MOST_THREADS = 9 };
    static cpu_slot slot;

    for (slot.chunks = 1; slot.chunks <= MOST_CHUNKS; ++slot.chunks) {
        for (slot.shares = 1; slot.shares <= MOST_THREADS && slot.shares <= slot.chunks; ++slot.shares) {
            uint32_t end = 0;
            for (uint32_t share = 0; share < slot.shares; ++share) {
                const uint64_t range = cpu_pool_share(&slot, 1, 2, share);
                ck_assert_uint_eq(cpu_range_next(range), end);
                end = cpu_range_end(range);
                ck_assert_uint_ge(end - cpu_range_next(range), slot.chunks / slot.shares);
                ck_assert_uint_le(end - cpu_range_next(range), slot.chunks / slot.shares + 1);
            }
            ck_assert_uint_eq(end, slot.chunks);
        }
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_pool");

    cpu_executors_add(suite, pool_of);
    add(suite, half_of_a_range_can_be_stolen_and_its_last_chunk_cannot);
    add(suite, a_range_is_cut_at_multiples_of_the_grain_but_at_its_ends);
    add(suite, shares_lie_in_the_order_of_threads);
    add(suite, threads_help_the_other_groups);
    add(suite, workers_have_the_cpus_of_the_process_and_not_those_of_the_launcher);
    add(suite, each_launch_has_its_own_arguments);
    add(suite, M8_devices_are_parted_and_run_kernels);
    return suite;
}
