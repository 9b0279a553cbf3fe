/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs all nouns and judges each test by two lists: tests the backend does not support (they must say so
 * themselves) and tests that are expected to fail. A test for which the machine is too small needs no list. An entry that is no longer true, or names no test, fails the run.
 * The output is TAP, one line per test.
 *
 *     conformance [--unsupported FILE]... [--expected-failures FILE]... [--partner BACKEND] [--kernels LIBRARY]
 *                 [--list]
 */
#include "suite.h"

#include <ctype.h>
#include <stdio.h>

const char *suite_partner_name;
const char *suite_kernels_name = "kernels";
const char *suite_tags;

/* All tests of the program, in order. */
static struct {
    const char *name;
    bool unsupported, expected_failure; /* listed */
} tests[1024];
static size_t test_count;
static unsigned stale;

void suite_add(Suite *suite, const char *name, const TTest *function)
{
    TCase *tcase = tcase_create(name);
    if (test_count == sizeof tests / sizeof tests[0])
        abort();
    tests[test_count++].name = name;
    tcase_add_checked_fixture(tcase, surroundings_open, surroundings_close);
    tcase_set_timeout(tcase, 60);
    if (suite_tags != NULL)
        tcase_set_tags(tcase, suite_tags);
    tcase_add_test(tcase, function);
    suite_add_tcase(suite, tcase);
}

void suite_add_for_threads(Suite *suite, const char *name, const TTest *function)
{
    char tags[64];
    const char *before = suite_tags;
    snprintf(tags, sizeof tags, "%s threads", before == NULL ? "" : before);
    suite_tags = tags; /* Check copies them */
    suite_add(suite, name, function);
    suite_tags = before;
}

static size_t find(const char *name)
{
    size_t i = 0;
    while (i < test_count && strcmp(tests[i].name, name) != 0)
        ++i;
    return i;
}

/* A list has a test's name and a reason per line; '#' begins a comment. */
static bool read_list(const char *path, bool expected_failures)
{
    char line[512];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        size_t length = strcspn(line, " \t\r\n");
        if (length == 0 || line[0] == '#')
            continue;
        const char *reason = line + length + strspn(line + length, " \t\r\n");
        line[length] = '\0';
        size_t i = find(line);
        if (i == test_count || *reason == '\0') {
            printf("# stale: %s names \"%s\", which is no test, or gives no reason\n", path, line);
            ++stale;
        } else if (expected_failures) {
            tests[i].expected_failure = true;
        } else {
            tests[i].unsupported = true;
        }
    }
    fclose(file);
    return true;
}

/* One line of TAP may hold no line break. */
static void print_line(const char *text)
{
    for (; *text != '\0'; ++text)
        putchar(*text == '\n' ? ' ' : isprint((unsigned char)*text) ? *text : '?');
}

typedef enum outcome { PASSED, FAILED, UNSUPPORTED, NOT_HERE, EXPECTED, OUTCOMES } outcome;

static bool begins_with(const char *text, const char *mark)
{
    return strncmp(text, mark, strlen(mark)) == 0;
}

static outcome judge(size_t number, size_t i, TestResult *result)
{
    const char *message = tr_msg(result);
    bool passed = tr_rtype(result) == CK_PASS;
    bool says_unsupported = !passed && begins_with(message, SUITE_UNSUPPORTED);
    outcome verdict = passed ? PASSED : FAILED;
    const char *note = "";
    if (!passed && begins_with(message, SUITE_NOT_HERE)) {
        verdict = NOT_HERE;
    } else if (says_unsupported && tests[i].unsupported) {
        verdict = UNSUPPORTED;
    } else if (says_unsupported) {
        note = "not on the list of unsupported tests; ";
    } else if (tests[i].unsupported) {
        note = passed ? "stale entry: listed as unsupported, but passes; " : "listed as unsupported, but fails; ";
        verdict = FAILED;
    } else if (tests[i].expected_failure) {
        note = passed ? "stale entry: listed as expected failure, but passes; " : "";
        verdict = passed ? FAILED : EXPECTED;
    }
    printf("%s %zu - %s", verdict == FAILED || verdict == EXPECTED ? "not ok" : "ok", number, tests[i].name);
    if (verdict == UNSUPPORTED || verdict == NOT_HERE)
        printf(" # SKIP ");
    else if (verdict == EXPECTED)
        printf(" # TODO expected failure: ");
    if (verdict == FAILED)
        printf("\n# %s:%d: %s", tr_lfile(result) == NULL ? "?" : tr_lfile(result), tr_lno(result), note);
    if (verdict != PASSED)
        print_line(message);
    putchar('\n');
    return verdict;
}

static void add_nouns(SRunner *runner, const suite_function *nouns, const char *tags)
{
    suite_tags = tags;
    for (; *nouns != NULL; ++nouns)
        srunner_add_suite(runner, (*nouns)());
}

int main(int argc, char **argv)
{
    SRunner *runner = srunner_create(NULL);
    bool list_only = false;
    add_nouns(runner, suite_host_nouns, "host");
    add_nouns(runner, suite_nouns, NULL);
    for (int i = 1; i < argc; ++i) {
        bool value = i + 1 < argc;
        if (strcmp(argv[i], "--list") == 0) {
            list_only = true;
        } else if (value && strcmp(argv[i], "--partner") == 0) {
            suite_partner_name = argv[++i];
        } else if (value && strcmp(argv[i], "--kernels") == 0) {
            suite_kernels_name = argv[++i];
        } else if (value && (strcmp(argv[i], "--unsupported") == 0 || strcmp(argv[i], "--expected-failures") == 0)) {
            bool expected_failures = argv[i][2] == 'e';
            if (!read_list(argv[++i], expected_failures))
                return EXIT_FAILURE;
        } else {
            fprintf(stderr, "%s: unknown argument \"%s\"\n", argv[0], argv[i]);
            return EXIT_FAILURE;
        }
    }
    if (list_only) {
        for (size_t i = 0; i < test_count; ++i)
            puts(tests[i].name);
        srunner_free(runner);
        return EXIT_SUCCESS;
    }

    if (!scratch_begin())
        return EXIT_FAILURE;
    fflush(stdout);
    srunner_run_all(runner, CK_SILENT);
    size_t count = (size_t)srunner_ntests_run(runner), outcomes[OUTCOMES] = {0};
    TestResult **results = srunner_results(runner);
    printf("1..%zu\n", count);
    for (size_t k = 0; k < count; ++k)
        ++outcomes[judge(k + 1, find(tr_tcname(results[k])), results[k])];
    printf(
        "# %zu passed, %zu failed, %zu not applicable (%zu to the backend, %zu to the machine), %zu expected failures, "
        "%u stale entries without a test\n",
        outcomes[PASSED], outcomes[FAILED], outcomes[UNSUPPORTED] + outcomes[NOT_HERE], outcomes[UNSUPPORTED],
        outcomes[NOT_HERE], outcomes[EXPECTED], stale);
    free(results);
    srunner_free(runner);
    return outcomes[FAILED] == 0 && stale == 0 && count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
