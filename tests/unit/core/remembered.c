/* SPDX-License-Identifier: Apache-2.0 */
/* A remembered division that is read while another thread writes it is not used. */
#include "core/api/module.h"
#include "core/api/queue.h"
#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/launch/launch.h"
#include "run.h"

#include <string.h>

#include "store_buffer.h"

#include "core/launch/launch_over.c" /* NOLINT: with the accesses of store_buffer.h */

static const size_t extent[1] = {100};
static remembered entry;

static accel_work work_of(size_t blocks)
{
    return accel_work_1d(blocks, 1, 100 / blocks);
}

static void make_entry(void)
{
    accel_work work = work_of(4);
    memset(&entry, 0, sizeof(entry));
    write(&entry, extent, &work);
    store_drain_all(0);
}

START_TEST(k2_an_entry_that_is_being_written_is_not_read)
{
    accel_work work = ACCEL_WORK_INIT;
    make_entry();
    ck_assert(recall(&entry, 1, extent, &work));
    ck_assert_uint_eq(work.blocks[0], 4);
    ck_assert_uint_eq(work.elems[0], 25);
    store_now(&entry.sequence, sizeof(entry.sequence), 3);
    ck_assert(!recall(&entry, 1, extent, &work));
}
END_TEST

static void write_another(void *user)
{
    accel_work work = work_of(5);
    (void)user;
    write(&entry, extent, &work);
}

START_TEST(k2_an_entry_that_is_written_during_a_look_is_not_read)
{
    const volatile void *const points[] = {&entry.sequence,      &entry.dims,           &entry.dim[0].extent,
                                           &entry.dim[0].blocks, &entry.dim[0].threads, &entry.dim[0].elems};
    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); ++i) {
        accel_work work = ACCEL_WORK_INIT;
        make_entry();
        store_second_thread = write_another;
        store_point = points[i];
        ck_assert_msg(!recall(&entry, 1, extent, &work), "written behind load %zu", i);
        ck_assert_ptr_null((const void *)store_point);
        ck_assert(recall(&entry, 1, extent, &work));
        ck_assert_uint_eq(work.blocks[0], 5);
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("remembered");

    add(suite, k2_an_entry_that_is_being_written_is_not_read);
    add(suite, k2_an_entry_that_is_written_during_a_look_is_not_read);
    return suite;
}
