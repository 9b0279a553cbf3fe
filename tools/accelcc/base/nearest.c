/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

enum { WORD_MAX = 63 }; /* longer words are nobody's typing error */

/* Letters to insert, delete or replace: Levenshtein's distance, row by row. */
static size_t distance(const char *a, const char *b)
{
    size_t row[WORD_MAX + 1], length_a = strlen(a), length_b = strlen(b);
    if (length_a > WORD_MAX || length_b > WORD_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= length_b; ++j)
        row[j] = j;
    for (size_t i = 1; i <= length_a; ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; ++j) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[length_b];
}

const char *nearest_word(const char *word, const list *known)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 2;
    for (size_t i = 0; i < known->count; ++i) {
        size_t d = distance(word, known->items[i]);
        if (d < best_distance) {
            best = known->items[i];
            best_distance = d;
        }
    }
    return best;
}
