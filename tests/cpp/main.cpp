/* SPDX-License-Identifier: Apache-2.0 */
#include "tests.hpp"

#include <cstdlib>

void add_test(Suite *suite, const char *name, const TTest *test)
{
    TCase *test_case = tcase_create(name);
    tcase_set_timeout(test_case, 120);
    tcase_add_test(test_case, test);
    suite_add_tcase(suite, test_case);
}

int main()
{
    SRunner *runner = srunner_create(object_suite());
    srunner_add_suite(runner, memory_suite());
    srunner_add_suite(runner, launch_suite());
    srunner_add_suite(runner, host_function_suite());
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
