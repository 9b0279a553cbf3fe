/* SPDX-License-Identifier: Apache-2.0 */
/* What the child of a fork is told of a CUDA driver. It is the same code for HIP. */
#include "run.h"

#include "plugins/gpu/driver/cuda/cuda.h"
#include "opened.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child says: its exit code is 0 if that is as it should be. */
static void in_child(accel_status status, uint32_t state, const char *word, opened (*open)(const gpu_family *))
{
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        opened_generation = opened_generation + 1;
        opened result = open(&cuda_family);
        _exit(result.status == status && result.state == state && strstr(result.text, word) != NULL ? 0 : 1);
    }
    int exited;
    ck_assert_int_eq(waitpid(child, &exited, 0), child);
    ck_assert_int_eq(exited, 0);
}

START_TEST(driver_that_was_opened_does_not_survive_a_fork)
{
    ck_assert_uint_eq(open_simulated(&cuda_family).status, ACCEL_OK);
    in_child(ACCEL_FORKED, ACCEL_BACKEND_BROKEN, "fork", open_simulated);
    ck_assert_uint_eq(open_simulated(&cuda_family).status, ACCEL_OK);
}
END_TEST

START_TEST(driver_that_failed_in_init_is_not_asked_again_after_a_fork)
{
    setenv("GPUSIM_INIT", "100", 1);
    ck_assert_uint_eq(open_simulated(&cuda_family).state, ACCEL_BACKEND_NO_DEVICE);
    in_child(ACCEL_FORKED, ACCEL_BACKEND_BROKEN, "fork", open_simulated);
}
END_TEST

static opened open_absent(const gpu_family *family)
{
    const char *names[] = {"libaccel-no-such-driver.so.1", NULL};

    return open_names(family, names, "/there/is/no/such/directory");
}

START_TEST(absent_driver_is_absent_in_a_child_as_well)
{
    ck_assert_uint_eq(open_absent(&cuda_family).state, ACCEL_BACKEND_NO_DRIVER);
    in_child(ACCEL_UNAVAILABLE, ACCEL_BACKEND_NO_DRIVER, "no driver library", open_absent);
}
END_TEST

START_TEST(driver_that_nobody_has_opened_can_be_opened_in_a_child)
{
    in_child(ACCEL_OK, ACCEL_BACKEND_USABLE, "", open_simulated);
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
