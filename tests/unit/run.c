/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic size_t until_failure;
static _Atomic bool has_failed;

/* The hook of allocate.c. */
bool accel_allocate_fails(size_t size);
bool accel_allocate_fails(size_t size)
{
    size_t left = atomic_load(&until_failure);

    (void)size;
    if (left == 0)
        return false;
    atomic_store(&until_failure, left - 1);
    if (left == 1)
        atomic_store(&has_failed, true);
    return left == 1;
}

void run_fail_allocation(size_t n)
{
    atomic_store(&has_failed, false);
    atomic_store(&until_failure, n);
}

bool run_allocation_failed(void)
{
    return atomic_load(&has_failed);
}

void run_add(Suite *suite, const char *name, const TTest *test)
{
    TCase *test_case = tcase_create(name);

    tcase_set_timeout(test_case, 120);
    tcase_add_test(test_case, test);
    suite_add_tcase(suite, test_case);
}

static char left_out[4096];
static unsigned left_out_count;

void run_leave_out(const char *name)
{
    size_t length = strlen(left_out);

    snprintf(left_out + length, sizeof(left_out) - length, "%s%s", length == 0 ? "" : ", ", name);
    ++left_out_count;
}

int main(void)
{
    enum { SKIPPED = 77 }; /* Meson's word */
    SRunner *runner = srunner_create(noun_suite());

    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner), run = srunner_ntests_run(runner);
    srunner_free(runner);
    if (left_out_count != 0)
        printf("not applicable: %u (%s)\n", left_out_count, left_out);
    return failed != 0 ? EXIT_FAILURE : run == 0 && left_out_count != 0 ? SKIPPED : EXIT_SUCCESS;
}
