/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_marks.h"
#include "core/plugins/services.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cpu_settings marks_settings = {.spin_ns = 20000, .stack_size = 16384};
accel_descriptor marks_kernel;

static void note_thread(marks *own)
{
    int self = gettid();

    for (int i = 0; i < MARK_THREADS; ++i) {
        int seen = 0;
        if (atomic_compare_exchange_strong(&own->ran[i], &seen, self) || seen == self)
            return;
    }
}

static void mark(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    marks *own = *(marks *const *)args;

    if (first + count > launch->grid_extent[0])
        abort(); /* Check takes a lock, which is no good beside a fork */
    note_thread(own);
    for (size_t block = first; block < first + count; ++block) {
        atomic_fetch_add_explicit(&own->counts[block], 1, memory_order_relaxed);
        if (own->also != NULL)
            own->also(own, block);
        if (own->nap_us != 0 && block * 2654435761u % 16 == 3)
            usleep((useconds_t)(block * 2654435761u % own->nap_us));
        for (uint32_t i = 0; i < own->turns; ++i)
            __asm__ volatile("" ::: "memory");
    }
}

void marks_fibers(const accel_thread_context *thread, const void *args)
{
    const marks *own = *(marks *const *)args;
    const accel_launch_context *launch = thread->launch;

    ck_assert_uint_eq(launch->sync(thread, ACCEL_SYNC_COUNT, 1), launch->block_extent[0]);
    atomic_fetch_add_explicit(&own->counts[thread->block_index[0]], 1, memory_order_relaxed);
    launch->sync(thread, ACCEL_SYNC_PLAIN, 0);
    ck_assert_uint_eq(own->counts[thread->block_index[0]] % launch->block_extent[0], 0);
}

void marks_init(void)
{
    atomic_store(&cpu_host_services, &accel_services);
    marks_kernel = cpu_block_kernel(mark, 8, 8);
}

cpu_executor *marks_executor(const cpu_executor *like, uint32_t units)
{
    cpu_placement place = {.units = units, .pin = CPU_PIN_NONE, .root = ""};
    cpu_executor *made = NULL;
    uint32_t state;

    cpu_process_cpus(place.mask);
    memcpy(place.whole, place.mask, CPU_MASK_BYTES);
    if (like->open != NULL)
        ck_assert_uint_eq(like->open(like, &state), ACCEL_OK);
    ck_assert_uint_eq(like->create(like, &place, &marks_settings, &made), ACCEL_OK);
    return made;
}

accel_status marks_run(cpu_executor *executor, const accel_descriptor *kernel, uint32_t blocks, uint32_t threads,
                       const void *args, const cpu_settings *settings, cpu_scratch *scratch)
{
    const accel_work given = accel_work_1d(blocks, threads, 1);
    const cpu_work work = cpu_work_of(&given);
    cpu_launch_site site = {.settings = settings};
    cpu_launch launch;
    accel_grid grid;

    cpu_launch_prepare(&launch, &grid, kernel, &work, args, &site);
    return executor->run(executor, &launch, scratch);
}

void marks_check(const marks *own, uint32_t blocks, uint32_t times)
{
    for (uint32_t i = 0; i < blocks; ++i)
        ck_assert_uint_eq(own->counts[i], times);
}

void marks_launch(cpu_executor *executor, uint32_t blocks, uint32_t times, marks like, cpu_scratch *scratch)
{
    marks *own = &like;

    like.counts = calloc(blocks, sizeof(*like.counts));
    ck_assert_ptr_nonnull(like.counts);
    for (uint32_t i = 0; i < times; ++i)
        ck_assert_uint_eq(marks_run(executor, &marks_kernel, blocks, 1, &own, &marks_settings, scratch), ACCEL_OK);
    marks_check(own, blocks, times);
    free(like.counts);
}

uint32_t marks_threads(const marks *own)
{
    uint32_t count = 0;

    while (count < MARK_THREADS && own->ran[count] != 0)
        count++;
    return count;
}
