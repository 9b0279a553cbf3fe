/* SPDX-License-Identifier: Apache-2.0 */
/* What the child of a fork is told of a CUDA driver. It is the same code for HIP. */
#include "run.h"

#include "plugins/gpu/driver/cuda/cuda.h"
#include "opened.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child says: its exit code is 0 if that is as it should be. */
static void in_child(accel_status status, uint32_t state, const char *word, const char *variant)
{
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        opened_generation = opened_generation + 1;
        opened result = open_fake(&cuda_family, variant);
        _exit(result.status == status && result.state == state && strstr(result.text, word) != NULL ? 0 : 1);
    }
    int exited;
    ck_assert_int_eq(waitpid(child, &exited, 0), child);
    ck_assert_int_eq(exited, 0);
}

START_TEST(driver_that_was_opened_does_not_survive_a_fork)
{
    fake_load("cuda");
    ck_assert_uint_eq(open_fake(&cuda_family, "cuda").status, ACCEL_OK);
    in_child(ACCEL_FORKED, ACCEL_BACKEND_BROKEN, "fork", "cuda");
    ck_assert_uint_eq(open_fake(&cuda_family, "cuda").status, ACCEL_OK);
}
END_TEST

START_TEST(driver_that_failed_in_init_is_not_asked_again_after_a_fork)
{
    fake_load("cuda")->init_result = CUDA_RESULT_NO_DEVICE;
    ck_assert_uint_eq(open_fake(&cuda_family, "cuda").state, ACCEL_BACKEND_NO_DEVICE);
    in_child(ACCEL_FORKED, ACCEL_BACKEND_BROKEN, "fork", "cuda");
}
END_TEST

START_TEST(absent_driver_is_absent_in_a_child_as_well)
{
    ck_assert_uint_eq(open_fake(&cuda_family, "nowhere").state, ACCEL_BACKEND_NO_DRIVER);
    in_child(ACCEL_UNAVAILABLE, ACCEL_BACKEND_NO_DRIVER, "no driver library", "nowhere");
}
END_TEST

START_TEST(driver_that_nobody_has_opened_can_be_opened_in_a_child)
{
    fake_load("cuda");
    in_child(ACCEL_OK, ACCEL_BACKEND_USABLE, "", "cuda");
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cuda_fork");

    add(suite, driver_that_was_opened_does_not_survive_a_fork);
    add(suite, driver_that_failed_in_init_is_not_asked_again_after_a_fork);
    add(suite, absent_driver_is_absent_in_a_child_as_well);
    add(suite, driver_that_nobody_has_opened_can_be_opened_in_a_child);
    return suite;
}
