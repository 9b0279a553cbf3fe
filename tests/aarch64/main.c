/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the kernels' tests of the conformance suite where there is no Check; TAP.
 *
 *     kernels-test [LIBRARY]
 */
#include "nouns.h"
#include "suite.h"

#include <stdio.h>

const char *suite_partner_name;
const char *suite_kernels_name = "kernels";
const char *suite_tags;

static unsigned count;

void suite_add(Suite *suite, const char *name, const TTest *test_case)
{
    (void)suite;
    surroundings_open();
    test_case->function();
    surroundings_close();
    printf("ok %u - %s\n", ++count, name);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        suite_kernels_name = argv[1];
    (void)kernels_suite();
    printf("1..%u\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
