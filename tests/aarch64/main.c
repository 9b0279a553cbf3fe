/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the kernels' tests of the conformance suite where there is no Check, and those of libaccel's own kernels; TAP.
 *
 *     kernels-test [LIBRARY]     a library of kernels by other options; without, "kernels" and libaccel's own
 */
#include "nouns.h"
#include "suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

const char *suite_partner_name;
const char *suite_kernels_name = "kernels";
const char *suite_tags;

static unsigned count;
static jmp_buf before_test;

void check_abort(const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (strncmp(text, SUITE_UNSUPPORTED, sizeof SUITE_UNSUPPORTED - 1) == 0 ||
        strncmp(text, SUITE_NOT_HERE, sizeof SUITE_NOT_HERE - 1) == 0)
        longjmp(before_test, 1);
    printf("Bail out! %s\n", text);
    exit(EXIT_FAILURE);
}

void suite_add(Suite *suite, const char *name, const TTest *test_case)
{
    const char *volatile note = "";

    (void)suite;
    surroundings_open();
    if (setjmp(before_test) == 0)
        test_case->function();
    else
        note = " # SKIP unsupported, or not here";
    surroundings_close();
    printf("ok %u - %s%s\n", ++count, name, note);
    fflush(stdout);
}

void suite_add_for_threads(Suite *suite, const char *name, const TTest *test_case)
{
    suite_add(suite, name, test_case);
}

int main(int argc, char **argv)
{
    static const suite_function own[] = {reduce_values_suite, scan_values_suite, select_suite, sort_suite,
                                         histogram_suite,     transpose_suite,   gemm_suite};

    if (argc > 1)
        suite_kernels_name = argv[1];
    (void)kernels_suite();
    for (size_t i = 0; argc == 1 && i < sizeof own / sizeof own[0]; ++i)
        (void)own[i]();
    printf("1..%u\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
