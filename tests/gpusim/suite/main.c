/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdlib.h>

int main(void)
{
    Suite *suite = suite_create("drivers");
    suite_add_tcase(suite, faults_tests());
    suite_add_tcase(suite, opening_tests());
    suite_add_tcase(suite, cooperative_tests());
    suite_add_tcase(suite, choosing_tests());
    suite_add_tcase(suite, probing_tests());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
