/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdlib.h>

int main(void)
{
    Suite *suite = suite_create("ptx");
    suite_add_tcase(suite, arithmetic_tests());
    suite_add_tcase(suite, fault_tests());
    suite_add_tcase(suite, text_tests());
    suite_add_tcase(suite, thread_tests());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
