/* SPDX-License-Identifier: Apache-2.0 */
/* How the programs of this folder end. */
#ifndef CHECKING_SUITE_H
#define CHECKING_SUITE_H

#include <check.h>

/* Runs the suite, and ends it. Returns the exit status: 0 if all tests have passed. */
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
