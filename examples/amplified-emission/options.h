/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct options {
    uint32_t side, layers, rays, seed;
    double spot; /* 0: none */
    bool table_row;
    const char *table;  /* NULL: none */
    const char *device; /* NULL: the first one */
} options;

/* Reads the command line. Ends the program after --help, and with a message if something is wrong. */
options options_parse(int argc, char **argv);

#endif
