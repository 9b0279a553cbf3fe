/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of a tool, word by word. */
#ifndef TOOLS_WORDS_H
#define TOOLS_WORDS_H

#include <stdbool.h>

typedef struct words {
    char **items;
    int count, next; /* next: the word that is read */
} words;

/* The value of `option`, from "-oVALUE", "--targets=VALUE" or the next word, which is then the one that is read. NULL: the
 * word is another option, or the value is missing (then *missing). */
const char *words_value(words *, const char *option, bool *missing);

#endif
