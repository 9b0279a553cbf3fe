/* SPDX-License-Identifier: Apache-2.0 */
/* What libaccel says if its own kernels have no object for a device. */
#include "core/algorithms/library.h"
#include "core/api/instance.h"
#include "fake_backend.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64], other[80], absent[80], object[128];
static char *path[] = {root, other, absent, NULL};
static fake_backend *fake;

static void set_up(void)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(root, sizeof(root), "%s/accel-unit-XXXXXX", tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(other, sizeof(other), "%s/2", root);
    snprintf(absent, sizeof(absent), "%s/3", root);
    snprintf(object, sizeof(object), "%s/accel-algorithms.rank-0.so", other);
    ck_assert_int_eq(mkdir(other, 0700), 0);
    fake = fake_open(path);
    fake->device->instance->algorithm_path = path;
}

static void tear_down(void)
{
    fake_close();
    unlink(object);
    rmdir(other);
    rmdir(root);
}

static void is_missing(const char *words)
{
    accel_kernel *kernel = NULL;

    ck_assert_uint_eq(accel_own_kernel_get("accel_sort", fake->queue, ACCEL_OWN_SORT_SCAN, &kernel), ACCEL_NOT_FOUND);
    const char *text = accel_error_message();
    ck_assert_msg(strncmp(text, "accel_sort: ", 12) == 0 && strstr(text, words) != NULL && strstr(text, root) != NULL &&
                      strstr(text, absent) != NULL && strstr(text, "accelcc -o accel-algorithms --targets=") != NULL,
                  "%s", text);
    ck_assert_ptr_null(kernel);
}

START_TEST(without_any_object_the_text_says_where_one_was_looked_for)
{
    is_missing("found none");
}
END_TEST

START_TEST(objects_that_do_not_run_are_listed)
{
    FILE *stream = fopen(object, "w");

    ck_assert_ptr_nonnull(stream);
    fclose(stream);
    is_missing(object);
}
END_TEST

/* A text that lacks a part is no failure. */
START_TEST(out_of_memory_in_the_search_leaves_nothing_behind)
{
    size_t n = 1;

    for (bool failed = true; failed; ++n) {
        accel_kernel *kernel = NULL;
        run_fail_allocation(n);
        accel_status status = accel_own_kernel_get("accel_sort", fake->queue, ACCEL_OWN_SORT_SCAN, &kernel);
        failed = run_allocation_failed();
        run_fail_allocation(0);
        ck_assert(status == ACCEL_NOT_FOUND || (failed && status == ACCEL_OUT_OF_MEMORY));
        ck_assert_ptr_null(kernel);
    }
    ck_assert_uint_gt(n, 3);
}
END_TEST

static void add_with_files(Suite *suite, const char *name, const TTest *test)
{
    TCase *test_case = tcase_create(name);

    tcase_add_checked_fixture(test_case, set_up, tear_down);
    tcase_add_test(test_case, test);
    suite_add_tcase(suite, test_case);
}
#define add_with_files(suite, name) add_with_files(suite, #name, name)

Suite *noun_suite(void)
{
    Suite *suite = suite_create("library");

    add_with_files(suite, without_any_object_the_text_says_where_one_was_looked_for);
    add_with_files(suite, objects_that_do_not_run_are_listed);
    add_with_files(suite, out_of_memory_in_the_search_leaves_nothing_behind);
    return suite;
}
