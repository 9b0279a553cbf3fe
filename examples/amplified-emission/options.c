/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: amplified-emission [OPTION]... [DEVICE]\n"
    "\n"
    "Computes the amplified spontaneous emission in a pumped slab, and checks it.\n"
    "\n"
    "  --side N     2 * N * N triangles, N from 2 to 100; 8 unless given\n"
    "  --layers N   layers of prisms above them, 1 to 100; 4 unless given\n"
    "  --rays N     rays of each sample point that are shared out by importance, 1000 to 100000000; 5000 unless given\n"
    "  --spot R     the radius of the pump's beam in cm, above 0, to 10; without it, the beam covers all of the slab\n"
    "  --seed N     of the random numbers, 0 to 4294967295; 1 unless given\n"
    "  --table FILE writes x, y, z, flux and standard error of all sample points\n"
    "  --table-row  one line for examples/demo.sh, fields separated by tabs\n"
    "  --help       prints this\n"
    "\n"
    "DEVICE is \"cpu-serial\", \"cuda:1\", ...; without it, the first device of ACCEL_BACKEND.\n";

static uint32_t number(const char *option, const char *text, unsigned long least, unsigned long most)
{
    char *end = NULL;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "amplified-emission: %s: \"%s\" is not a number from %lu to %lu\n", option, text, least, most);
        exit(2);
    }
    return (uint32_t)value;
}

static double radius(const char *text)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value > 0 && value <= 10)) {
        fprintf(stderr, "amplified-emission: --spot: \"%s\" is not a radius above 0, up to 10\n", text);
        exit(2);
    }
    return value;
}

options options_parse(int argc, char **argv)
{
    static const char *const with_value[] = {"--side", "--layers", "--rays", "--seed", "--spot", "--table"};
    options o = {.side = 8, .layers = 4, .rays = 5000, .seed = 1};
    for (int i = 1; i < argc; ++i) {
        const char *const option = argv[i];
        size_t k = 0;
        while (k < sizeof with_value / sizeof *with_value && strcmp(option, with_value[k]) != 0)
            ++k;
        if (strcmp(option, "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        } else if (strcmp(option, "--table-row") == 0) {
            o.table_row = true;
        } else if (option[0] != '-' && o.device == NULL) {
            o.device = option;
        } else if (option[0] != '-') {
            fprintf(stderr, "amplified-emission: two devices, \"%s\" and \"%s\": name one\n", o.device, option);
            exit(2);
        } else if (k == sizeof with_value / sizeof *with_value) {
            fprintf(stderr, "amplified-emission: there is no option \"%s\"; --help lists the options\n", option);
            exit(2);
        } else if (++i == argc) {
            fprintf(stderr, "amplified-emission: %s: its value is missing; --help describes it\n", option);
            exit(2);
        } else if (k == 0) {
            o.side = number(option, argv[i], 2, 100);
        } else if (k == 1) {
            o.layers = number(option, argv[i], 1, 100);
        } else if (k == 2) {
            o.rays = number(option, argv[i], 1000, 100000000);
        } else if (k == 3) {
            o.seed = number(option, argv[i], 0, UINT32_MAX);
        } else if (k == 4) {
            o.spot = radius(argv[i]);
        } else {
            o.table = argv[i];
        }
    }
    return o;
}
