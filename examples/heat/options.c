/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: heat [OPTION]... [DEVICE]\n"
    "\n"
    "Lets the heat of a square plate spread, and checks where it went.\n"
    "\n"
    "  --side N            N * N points, 3 to 30000; 512 unless given\n"
    "  --steps N           time steps, 1 to 1000000; 2000 unless given\n"
    "  --every N           steps from one snapshot to the next; 100 unless given\n"
    "  --picture FILE      writes a picture of the end, in the format PPM\n"
    "  --animation PREFIX  writes PREFIX-0000.ppm, PREFIX-0001.ppm, ...: the start, all snapshots\n"
    "  --table-row         one line for examples/demo.sh, fields separated by tabs\n"
    "  --help              prints this\n"
    "\n"
    "DEVICE is \"cpu-serial\", \"cuda:1\", ...; without it, the first device of ACCEL_BACKEND.\n";

static uint32_t number(const char *option, const char *text, uint32_t least, uint32_t most)
{
    char *end = NULL;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "heat: %s: \"%s\" is not a number from %u to %u\n", option, text, least, most);
        exit(2);
    }
    return (uint32_t)value;
}

options options_parse(int argc, char **argv)
{
    options o = {.side = 512, .steps = 2000, .every = 100};
    for (int i = 1; i < argc; ++i) {
        const char *const option = argv[i];
        if (strcmp(option, "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        } else if (strcmp(option, "--table-row") == 0) {
            o.table_row = true;
        } else if (option[0] != '-' && o.device == NULL) {
            o.device = option;
        } else if (option[0] != '-') {
            fprintf(stderr, "heat: two devices, \"%s\" and \"%s\": name one\n", o.device, option);
            exit(2);
        } else if (strcmp(option, "--side") != 0 && strcmp(option, "--steps") != 0 && strcmp(option, "--every") != 0 &&
                   strcmp(option, "--picture") != 0 && strcmp(option, "--animation") != 0) {
            fprintf(stderr, "heat: there is no option \"%s\"; heat --help lists the options\n", option);
            exit(2);
        } else if (++i == argc) {
            fprintf(stderr, "heat: %s: its value is missing; heat --help describes it\n", option);
            exit(2);
        } else if (strcmp(option, "--side") == 0) {
            o.side = number(option, argv[i], 3, 30000);
        } else if (strcmp(option, "--steps") == 0) {
            o.steps = number(option, argv[i], 1, 1000000);
        } else if (strcmp(option, "--every") == 0) {
            o.every = number(option, argv[i], 1, 1000000);
        } else if (strcmp(option, "--picture") == 0) {
            o.picture = argv[i];
        } else {
            o.animation = argv[i];
        }
    }
    return o;
}
