/* SPDX-License-Identifier: Apache-2.0 */
/* accel_launch: what the plugin is handed, and that the inlined compares refuse exactly what the check with texts does. */
#include "core/launch/launch.h"
#include "fake_backend.h"
#include "core/api/module.h"
#include "run.h"

#include <string.h>

static uint64_t state = 88172645463325252u;

static size_t draw(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % below);
}

static accel_work random_work(void)
{
    accel_work work = ACCEL_WORK_INIT;

    work.dims = (uint32_t)draw(20) == 0 ? (uint32_t)draw(9) : 1 + (uint32_t)draw(6);
    work.flags = draw(50) == 0;
    for (uint32_t d = 0; d < work.dims && d < ACCEL_MAX_DIMS; ++d) {
        work.blocks[d] = draw(10) == 0 ? draw(SIZE_MAX) : draw(40);
        work.threads[d] = draw(20) == 0 ? draw(SIZE_MAX) : draw(12);
        work.elems[d] = draw(20) == 0 ? draw(SIZE_MAX) : 1 + draw(5);
    }
    work.shared_bytes = draw(2) != 0 ? draw(2000) : 0;
    return work;
}

static bool has_blocks(const accel_work *work)
{
    for (uint32_t d = 0; d < work->dims; ++d) {
        if (work->blocks[d] == 0)
            return false;
    }
    return true;
}

static void handed_over(const accel_work *work, const accel_work *launched)
{
    ck_assert_uint_eq(launched->struct_size, sizeof(*launched));
    ck_assert_uint_eq(launched->flags, work->flags);
    ck_assert_uint_eq(launched->dims, work->dims);
    ck_assert_uint_eq(launched->shared_bytes, work->shared_bytes);
    for (uint32_t d = 0; d < work->dims; ++d) {
        ck_assert_uint_eq(launched->blocks[d], work->blocks[d]);
        ck_assert_uint_eq(launched->threads[d], work->threads[d]);
        ck_assert_uint_eq(launched->elems[d], work->elems[d]);
    }
}

START_TEST(k2_launch_refuses_exactly_what_the_check_refuses)
{
    fake_backend *fake = fake_open(NULL);
    size_t launched = 0, refused = 0;

    for (size_t i = 0; i < 500000; ++i) {
        accel_device_properties *device = &fake->device->properties;
        device->max_block_threads = draw(2) != 0 ? 256 : 0;
        for (int d = 0; d < 3; ++d) {
            device->max_threads[d] = draw(2) != 0 ? 64 : 0;
            device->max_blocks[d] = draw(2) != 0 ? 1 + draw(2000) : 0;
            fake->kernel.fixed_block[d] = 0;
        }
        for (int d = 0; d < 3 && draw(4) == 0; ++d)
            fake->kernel.fixed_block[d] = 1 + (uint32_t)draw(4);
        fake->kernel.max_shared_bytes = 1500;
        fake->kernel.args_size = 8;
        accel_kernel *kernel = fake_kernel("random");
        accel_work work = random_work();
        uint64_t args = 1;
        size_t before = fake->launches;
        accel_status expected = accel_launch_check("accel_launch", kernel, &work);
        accel_status status = accel_launch(fake->queue, kernel, &work, &args, sizeof(args));

        ck_assert_msg(status == expected, "round %zu: %u, not %u: %s", i, status, expected, accel_error_message());
        ck_assert_uint_eq(fake->launches - before, status == ACCEL_OK && has_blocks(&work));
        if (fake->launches != before) {
            handed_over(&work, &fake->launched);
            ck_assert_ptr_eq(fake->launched_args, &args);
            ++launched;
        }
        refused += status != ACCEL_OK;
        accel_kernel_destroy(kernel);
    }
    ck_assert_msg(launched > 20000 && refused > 20000, "%zu launched, %zu refused", launched, refused);
    fake_close();
}
END_TEST

START_TEST(k4_argument_sizes_must_agree)
{
    fake_backend *fake = fake_open(NULL);
    accel_work work = accel_work_1d(1, 1, 1);
    uint64_t args[2] = {0, 0};

    fake->kernel.args_size = 16;
    accel_kernel *kernel = fake_kernel("daxpy");
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, args, 8), ACCEL_INVALID);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"daxpy\""));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "16 bytes"));
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 16), ACCEL_INVALID);
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 0), ACCEL_INVALID);
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, args, 16), ACCEL_OK);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(k4_no_arguments_are_null_or_accel_no_args)
{
    fake_backend *fake = fake_open(NULL);
    accel_work work = accel_work_1d(1, 1, 1);
    accel_no_args none = {0};
    accel_kernel *kernel = fake_kernel("empty");

    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 0), ACCEL_OK);
    ck_assert_ptr_nonnull(fake->launched_args); /* plugins see one way only */
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, &none, sizeof(none)), ACCEL_OK);
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, &none, 8), ACCEL_INVALID);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(null_handles_are_named)
{
    fake_backend *fake = fake_open(NULL);
    accel_work work = accel_work_1d(1, 1, 1);
    accel_kernel *kernel = fake_kernel("empty");

    ck_assert_uint_eq(accel_launch(NULL, kernel, &work, NULL, 0), ACCEL_INVALID);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"queue\""));
    ck_assert_uint_eq(accel_launch(fake->queue, NULL, &work, NULL, 0), ACCEL_INVALID);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"kernel\""));
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, NULL, NULL, 0), ACCEL_INVALID);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"work\""));
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(o6_work_of_a_newer_program_is_launched_if_its_new_fields_are_0)
{
    fake_backend *fake = fake_open(NULL);
    struct {
        accel_work work;
        uint64_t newer;
    } work = {accel_work_1d(3, 1, 1), 0};
    accel_kernel *kernel = fake_kernel("empty");

    work.work.struct_size = sizeof(work);
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work.work, NULL, 0), ACCEL_OK);
    ck_assert_uint_eq(fake->launched.blocks[0], 3);
    work.newer = 1;
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work.work, NULL, 0), ACCEL_INVALID);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(k10_a_lost_device_is_not_asked_again)
{
    fake_backend *fake = fake_open(NULL);
    accel_work work = accel_work_1d(1, 1, 1);
    accel_queue *queue = NULL;
    accel_kernel *kernel = fake_kernel("empty");

    fake->answer = ACCEL_DEVICE_LOST;
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 0), ACCEL_DEVICE_LOST);
    fake->answer = ACCEL_OK;
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 0), ACCEL_DEVICE_LOST);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "\"fake:0\""));
    ck_assert_uint_eq(fake->launches, 1);
    ck_assert_uint_eq(accel_queue_create(fake->device, NULL, &queue), ACCEL_DEVICE_LOST);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(o7_without_an_answer_to_forks_the_queue_is_forked)
{
    fake_backend *fake = fake_open(NULL);
    accel_work work = accel_work_1d(1, 1, 1);
    accel_kernel *kernel = fake_kernel("empty");

    accel_guard_fork_generation = accel_guard_fork_generation + 1; /* as the child's handler does */
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 0), ACCEL_FORKED);
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 0), ACCEL_FORKED);
    ck_assert_uint_eq(fake->launches, 0);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

START_TEST(q8_no_launch_inside_a_host_function)
{
    fake_backend *fake = fake_open(NULL);
    accel_work work = accel_work_1d(1, 1, 1);
    accel_kernel *kernel = fake_kernel("empty");

    accel_guard_enter();
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 0), ACCEL_INVALID);
    accel_guard_leave(true);
    ck_assert_uint_eq(accel_launch(fake->queue, kernel, &work, NULL, 0), ACCEL_OK);
    accel_kernel_destroy(kernel);
    fake_close();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("launch");

    add(suite, k2_launch_refuses_exactly_what_the_check_refuses);
    add(suite, k4_argument_sizes_must_agree);
    add(suite, k4_no_arguments_are_null_or_accel_no_args);
    add(suite, null_handles_are_named);
    add(suite, o6_work_of_a_newer_program_is_launched_if_its_new_fields_are_0);
    add(suite, k10_a_lost_device_is_not_asked_again);
    add(suite, o7_without_an_answer_to_forks_the_queue_is_forked);
    add(suite, q8_no_launch_inside_a_host_function);
    return suite;
}
