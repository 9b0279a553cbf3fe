/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/cases.h"

static const char help[] =
    "usage: accel-bench [OPTION...]\n"
    "Times libaccel beside the native way of doing the same, in turns in one run. Every result is\n"
    "validated before its time is shown.\n"
    "\n"
    "  --backend NAME   backend or device: \"cpu-serial\", \"cuda:1\" (default: libaccel's choice)\n"
    "  --case NAME      run only this case; repeatable\n"
    "  --rounds N       samples of each way (default: 101, or fewer, but at least 7, where they take long)\n"
    "  --quick          small sizes and two samples: shows that everything works, not how fast\n"
    "  --json           print the results as JSON\n"
    "  --html FILE      also write a page with plots\n"
    "  --list           list the cases\n"
    "  --help           print this\n"
    "\n"
    "Exit status: 0 all results are valid, whether or not they reach their goals; 1 a result was wrong or a call\n"
    "failed; 2 wrong usage.\n";

static bool parse_rounds(const char *text, size_t *rounds)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || value < 1 || value > 100000) {
        fprintf(stderr, "accel-bench: --rounds: \"%s\" is not a whole number from 1 to 100000\n", text);
        return false;
    }
    *rounds = value;
    return true;
}

static bool want(const char *name, bool *wanted)
{
    for (size_t i = 0; i < bench_case_count; ++i)
        if (strcmp(name, bench_cases[i].name) == 0) {
            wanted[i] = true;
            return true;
        }
    fprintf(stderr, "accel-bench: --case: there is no case \"%s\"; --list shows the cases\n", name);
    return false;
}

enum parse_result options_parse(int argc, char **argv, bool *wanted, bench_options *o)
{
    bool some = false;
    *o = (bench_options){.wanted = wanted};
    memset(wanted, 0, bench_case_count * sizeof *wanted);
    for (int i = 1; i < argc; ++i) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        const bool takes_value = strcmp(word, "--backend") == 0 || strcmp(word, "--case") == 0 ||
                                 strcmp(word, "--rounds") == 0 || strcmp(word, "--html") == 0;
        if (takes_value && value == NULL) {
            fprintf(stderr, "accel-bench: %s needs a value; see accel-bench --help\n", word);
            return PARSE_FAILED;
        }
        if (strcmp(word, "--help") == 0) {
            fputs(help, stdout);
            return PARSED_HELP;
        } else if (strcmp(word, "--json") == 0) {
            o->json = true;
        } else if (strcmp(word, "--list") == 0) {
            o->list = true;
        } else if (strcmp(word, "--quick") == 0) {
            o->quick = true;
        } else if (strcmp(word, "--html") == 0) {
            o->html = value;
        } else if (strcmp(word, "--backend") == 0) {
            o->device = value;
        } else if (strcmp(word, "--case") == 0) {
            some = true;
            if (!want(value, wanted))
                return PARSE_FAILED;
        } else if (strcmp(word, "--rounds") == 0) {
            if (!parse_rounds(value, &o->rounds))
                return PARSE_FAILED;
        } else {
            fprintf(stderr, "accel-bench: unknown option %s; see accel-bench --help\n", word);
            return PARSE_FAILED;
        }
        i += takes_value;
    }
    for (size_t i = 0; !some && i < bench_case_count; ++i)
        wanted[i] = true;
    return PARSED;
}
