/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_options {
    const char *device; /* "cpu-serial", "cuda:1"; NULL: libaccel's choice */
    bool *wanted;       /* per case of cases.h: run it? */
    bool named;         /* the cases that are wanted were asked for by name */
    const char *html;   /* path of the page; NULL: none */
    size_t rounds;      /* 0: as many as the plan has */
    bool json, quick, itself;
    bool list;
} bench_options;

enum parse_result { PARSED, PARSED_ANSWERED, PARSE_FAILED };

/* Answers --help and --version, and prints what is wrong, itself. `wanted` has room for every case. */
enum parse_result options_parse(int argc, char **argv, bool *wanted, bench_options *);

#endif
