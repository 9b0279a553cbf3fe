/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <stdlib.h>

int main(void)
{
    SRunner *runner = srunner_create(memory_suite());
    Suite *(*const more[])(void) = {stream_suite,    module_suite,    context_suite, fault_suite,
                                    violation_suite, misplaced_suite, process_suite, hip_suite};
    for (size_t i = 0; i < sizeof more / sizeof *more; ++i)
        srunner_add_suite(runner, more[i]());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
