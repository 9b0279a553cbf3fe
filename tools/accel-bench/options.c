/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "cases/cases.h"

static const char help[] =
    "usage: accel-bench [OPTION...]\n"
    "Times libaccel beside the native way of doing the same, in turns in one run. Every result is\n"
    "validated before its time is shown.\n"
    "\n"
    "  --backend NAME   backend or device: \"cpu-serial\", \"cuda:1\" (default: libaccel's choice)\n"
    "  --case NAME      run only this case; repeatable\n"
    "  --rounds N       samples of each way (default: 101, or fewer, but at least 7, where they take long)\n"
    "  --quick          small sizes, two samples, no goals: shows that everything works, not how fast\n"
    "  --itself         the best native way in libaccel's place: shows what noise makes of equal ways\n"
    "  --json           print the results as JSON\n"
    "  --html FILE      also write a page with plots\n"
    "  --list           list the cases\n"
    "  --version        print the version\n"
    "  --help           print this\n"
    "\n"
    "A value may also follow an equals sign: --case=axpy.\n"
    "Exit status: 0 all results are valid, whether or not they reach their goals; 1 a result was wrong, a call failed\n"
    "or a file could not be written; 2 wrong usage.\n";

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

/* words_value; *wrong after a message that the value is missing. */
static const char *value_of(const char *option, words *line, bool *wrong)
{
    bool missing = false;
    const char *value = words_value(line, option, &missing);
    if (missing)
        fprintf(stderr, "accel-bench: %s needs a value; see accel-bench --help\n", option);
    *wrong = *wrong || missing;
    return value;
}

/* Options with a value. Returns false if the word is none of them; *wrong after a message. */
static bool parse_value(words *line, bench_options *o, bool *wrong)
{
    const char *value;
    if ((value = value_of("--backend", line, wrong)) != NULL) {
        o->device = value;
    } else if ((value = value_of("--case", line, wrong)) != NULL) {
        o->named = true;
        *wrong = !want(value, o->wanted);
    } else if ((value = value_of("--rounds", line, wrong)) != NULL) {
        *wrong = !parse_rounds(value, &o->rounds);
    } else if ((value = value_of("--html", line, wrong)) != NULL) {
        o->html = value;
    } else {
        return false;
    }
    return true;
}

static bool parse_switch(const char *word, bench_options *o)
{
    if (strcmp(word, "--json") == 0)
        o->json = true;
    else if (strcmp(word, "--list") == 0)
        o->list = true;
    else if (strcmp(word, "--quick") == 0)
        o->quick = true;
    else if (strcmp(word, "--itself") == 0)
        o->itself = true;
    else
        return false;
    return true;
}

enum parse_result options_parse(int argc, char **argv, bool *wanted, bench_options *o)
{
    *o = (bench_options){.wanted = wanted};
    memset(wanted, 0, bench_case_count * sizeof *wanted);
    for (words line = {argv, argc, 1}; line.next < line.count; ++line.next) {
        const char *word = argv[line.next];
        bool wrong = false;
        if (strcmp(word, "--help") == 0) {
            fputs(help, stdout);
            return PARSED_ANSWERED;
        }
        if (strcmp(word, "--version") == 0) {
            printf("accel-bench (libaccel) %d.%d.%d\n", ACCEL_VERSION_MAJOR, ACCEL_VERSION_MINOR, ACCEL_VERSION_PATCH);
            return PARSED_ANSWERED;
        }
        if (!parse_switch(word, o) && !parse_value(&line, o, &wrong) && !wrong) {
            fprintf(stderr, "accel-bench: unknown option %s; see accel-bench --help\n", word);
            return PARSE_FAILED;
        }
        if (wrong)
            return PARSE_FAILED;
    }
    for (size_t i = 0; !o->named && i < bench_case_count; ++i)
        wanted[i] = true;
    return PARSED;
}
