/* SPDX-License-Identifier: Apache-2.0 */
/* accel_launch_over: remembered divisions are those that accel_work_divide makes, whoever else looks them up. */
#include "core/launch/launch.h"
#include "fake_backend.h"
#include "core/api/module.h"
#include "run.h"

#include <pthread.h>
#include <string.h>

static size_t draw(uint64_t *state, size_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (size_t)(*state % below);
}

static uint32_t random_extent(uint64_t *state, size_t kinds, size_t extent[ACCEL_MAX_DIMS])
{
    uint32_t dims = 1 + (uint32_t)draw(state, 3);

    for (uint32_t d = 0; d < dims; ++d)
        extent[d] = 1 + 37 * draw(state, kinds);
    return dims;
}

static bool same(const accel_work *found, const accel_work *expected)
{
    bool equal = found->struct_size == sizeof(*found) && found->flags == 0 && found->shared_bytes == 0 &&
                 found->dims == expected->dims;

    for (uint32_t d = 0; d < expected->dims && equal; ++d)
        equal = found->blocks[d] == expected->blocks[d] && found->threads[d] == expected->threads[d] &&
                found->elems[d] == expected->elems[d];
    return equal;
}

START_TEST(k2_it_launches_what_divide_and_launch_do)
{
    fake_backend *fake = fake_open(NULL);
    uint64_t state = 88172645463325252u;
    size_t extent[ACCEL_MAX_DIMS];

    fake->suggestion =
        (accel_suggestion){.struct_size = sizeof(accel_suggestion), .threads = 8, .blocks = 12, .chunk = 4};
    accel_kernel *kernel = fake_kernel("random");
    for (int round = 0; round < 20000; ++round) {
        uint32_t dims = random_extent(&state, round < 10000 ? 3 : 1000, extent); /* few extents, then many */
        accel_work work = ACCEL_WORK_INIT;

        ck_assert_uint_eq(accel_work_divide(kernel, dims, extent, NULL, &work), ACCEL_OK);
        memset(&fake->launched, 0, sizeof(fake->launched));
        ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, dims, extent, NULL, 0), ACCEL_OK);
        ck_assert(same(&fake->launched, &work));
    }
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(a_second_launch_over_an_extent_asks_for_no_division)
{
    fake_backend *fake = fake_open(NULL);
    size_t extent[] = {1000, 1001};
    accel_work first;

    fake->suggestion =
        (accel_suggestion){.struct_size = sizeof(accel_suggestion), .threads = 8, .blocks = 12, .chunk = 4};
    accel_kernel *kernel = fake_kernel("remembered");
    ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 2, extent, NULL, 0), ACCEL_OK);
    first = fake->launched;
    fake->suggestion.threads = 16; /* another division would show */
    ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 2, extent, NULL, 0), ACCEL_OK);
    ck_assert(same(&fake->launched, &first));
    ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 1, extent, NULL, 0), ACCEL_OK); /* another extent */
    ck_assert_uint_ne(fake->launched.threads[0], first.threads[0]);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(without_memory_to_remember_it_divides_each_time)
{
    fake_backend *fake = fake_open(NULL);
    size_t extent = 500;
    accel_kernel *kernel = fake_kernel("forgetful");

    run_fail_allocation(1);
    ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 1, &extent, NULL, 0), ACCEL_OK);
    ck_assert(run_allocation_failed());
    run_fail_allocation(0);
    ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 1, &extent, NULL, 0), ACCEL_OK);
    ck_assert_uint_eq(fake->launches, 2);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(refusals_begin_with_its_name)
{
    fake_backend *fake = fake_open(NULL);
    size_t extent[ACCEL_MAX_DIMS + 1] = {5, 5, 5, 5, 5, 5, 5}, none = 0;
    uint64_t args = 0;
    accel_kernel *kernel = fake_kernel("empty");

#define BEGINS(part) ck_assert_msg(strncmp(accel_error_message(), part, strlen(part)) == 0, "%s", accel_error_message())
    ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 0, extent, NULL, 0), ACCEL_INVALID);
    BEGINS("accel_launch_over: dims is 0");
    ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 7, extent, NULL, 0), ACCEL_INVALID);
    BEGINS("accel_launch_over: dims is 7");
    ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 1, NULL, NULL, 0), ACCEL_INVALID);
    BEGINS("accel_launch_over: parameter \"extent\"");
    for (int round = 0; round < 2; ++round) {
        ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 1, extent, &args, 8), ACCEL_INVALID);
        BEGINS("accel_launch_over: args_size is 8");
    }
    ck_assert_uint_eq(fake->launches, 0);
    ck_assert_uint_eq(accel_launch_over(fake->queue, kernel, 1, &none, NULL, 0), ACCEL_OK); /* K3 */
    ck_assert_uint_eq(fake->launches, 0);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

static _Thread_local accel_work seen;

static accel_status see(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work, const void *args)
{
    (void)queue, (void)kernel, (void)args;
    seen = *work;
    return ACCEL_OK;
}

typedef struct crowd {
    accel_queue *queue;
    accel_kernel *kernel;
    uint64_t state;
} crowd;

static void *launch_over_and_over(void *user)
{
    crowd *own = user;
    size_t extent[ACCEL_MAX_DIMS];

    for (int round = 0; round < 20000; ++round) {
        uint32_t dims = random_extent(&own->state, 5, extent);
        accel_work work = ACCEL_WORK_INIT;

        if (accel_work_divide(own->kernel, dims, extent, NULL, &work) != ACCEL_OK)
            return "accel_work_divide";
        if (accel_launch_over(own->queue, own->kernel, dims, extent, NULL, 0) != ACCEL_OK)
            return "accel_launch_over";
        if (!same(&seen, &work))
            return "another division";
    }
    return NULL;
}

START_TEST(o1_threads_that_look_up_and_remember_at_once_never_mix_divisions)
{
    enum { THREADS = 4 };
    fake_backend *fake = fake_open(NULL);
    pthread_t threads[THREADS];
    crowd crowds[THREADS];

    fake->suggestion =
        (accel_suggestion){.struct_size = sizeof(accel_suggestion), .threads = 8, .blocks = 12, .chunk = 4};
    accel_kernel *kernel = fake_kernel("shared");
    fake->queue->launch = see;
    for (uint64_t i = 0; i < THREADS; ++i) {
        crowds[i] = (crowd){fake->queue, kernel, 88172645463325252u + 977 * i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_over_and_over, &crowds[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        void *wrong = NULL;
        pthread_join(threads[i], &wrong);
        ck_assert_msg(wrong == NULL, "%s", (const char *)wrong);
    }
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("launch over");

    add(suite, k2_it_launches_what_divide_and_launch_do);
    add(suite, a_second_launch_over_an_extent_asks_for_no_division);
    add(suite, without_memory_to_remember_it_divides_each_time);
    add(suite, refusals_begin_with_its_name);
    add(suite, o1_threads_that_look_up_and_remember_at_once_never_mix_divisions);
    return suite;
}
