/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: cg [OPTION...] [FILE]\n"
    "Solves A x = b by conjugate gradients on a device and checks the result against plain C.\n"
    "FILE is a Matrix Market file with a symmetric positive definite matrix. Without it, the\n"
    "27-point heat matrix of miniFE is used: 100 x 100 x 100 elements, 1030301 rows.\n"
    "\n"
    "  --size NX NY NZ   elements of the heat matrix in each direction\n"
    "  --device NAME     \"cpu-serial\", \"cuda:1\", ... (default: the first device)\n"
    "  --iterations N    stop after N iterations (default: 1000)\n"
    "  --tolerance T     converged when |r| has fallen by this factor (default: 1e-8)\n"
    "  --quiet           print no residual history\n"
    "  --table-row       print one line of fields separated by tabs: example, backend, device, verified, seconds\n"
    "\n"
    "Exit status: 0 verified; 1 not verified; 2 the input is wrong, or a device or call failed.\n";

static bool parse_number(const char *option, const char *text, size_t low, size_t high, size_t *number)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || value < low || value > high) {
        fprintf(stderr, "cg: %s: \"%s\" is not a whole number from %zu to %zu\n", option, text, low, high);
        return false;
    }
    *number = (size_t)value;
    return true;
}

static bool parse_tolerance(const char *text, double *tolerance)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0) || !(value < 1)) {
        fprintf(stderr, "cg: --tolerance: \"%s\" is not a number from 0 to below 1\n", text);
        return false;
    }
    *tolerance = value;
    return true;
}

/* How many values the option takes; -1 if there is no such option. */
static int value_count(const char *option)
{
    static const struct {
        const char *name;
        int values;
    } known[] = {{"--size", 3},  {"--device", 1},    {"--iterations", 1}, {"--tolerance", 1},
                 {"--quiet", 0}, {"--table-row", 0}, {"--help", 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strcmp(option, known[i].name) == 0)
            return known[i].values;
    return -1;
}

static bool apply(const char *option, char **values, cg_options *o)
{
    if (strcmp(option, "--size") == 0) {
        for (int d = 0; d < 3; ++d)
            if (!parse_number(option, values[d], 1, 4096, &o->size[d]))
                return false;
    } else if (strcmp(option, "--device") == 0) {
        o->device = values[0];
    } else if (strcmp(option, "--iterations") == 0) {
        return parse_number(option, values[0], 1, 1000000, &o->solver.iterations);
    } else if (strcmp(option, "--tolerance") == 0) {
        return parse_tolerance(values[0], &o->solver.tolerance);
    } else if (strcmp(option, "--quiet") == 0) {
        o->quiet = true;
    } else {
        o->table_row = true;
    }
    return true;
}

enum parse_result cg_options_parse(int argc, char **argv, cg_options *o)
{
    *o = (cg_options){.size = {100, 100, 100}, .solver = {.iterations = 1000, .tolerance = 1e-8}};
    bool size_given = false;
    for (int i = 1; i < argc; ++i) {
        const char *word = argv[i];
        if (word[0] != '-') {
            if (o->file != NULL) {
                fprintf(stderr, "cg: more than one file: %s and %s\n", o->file, word);
                return PARSE_FAILED;
            }
            o->file = word;
            continue;
        }
        const int values = value_count(word);
        if (values < 0 || argc - 1 - i < values) {
            fprintf(stderr,
                    values < 0 ? "cg: unknown option %s; see cg --help\n" : "cg: %s needs a value; see cg --help\n",
                    word);
            return PARSE_FAILED;
        }
        if (strcmp(word, "--help") == 0) {
            fputs(help, stdout);
            return PARSED_HELP;
        }
        if (!apply(word, &argv[i + 1], o))
            return PARSE_FAILED;
        size_given = size_given || strcmp(word, "--size") == 0;
        i += values;
    }
    if (o->file != NULL && size_given) {
        fprintf(stderr, "cg: --size is for the heat matrix, but the file %s was given\n", o->file);
        return PARSE_FAILED;
    }
    return PARSED;
}
