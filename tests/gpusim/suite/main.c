/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdlib.h>

int main(void)
{
    Suite *suite = suite_create("drivers");
    TCase *(*const all[])(void) = {rig_is_cuda() ? choosing_tests : processors_tests,
                                   faults_tests,
                                   opening_tests,
                                   contexts_tests,
                                   copier_tests,
                                   cooperative_tests,
                                   probing_tests,
                                   features_tests,
                                   loading_tests,
                                   native_tests,
                                   properties_tests,
                                   queues_tests,
                                   relays_tests,
                                   refusals_tests,
                                   kernels_tests,
                                   streams_tests,
                                   transfers_tests};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i)
        suite_add_tcase(suite, all[i]());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
