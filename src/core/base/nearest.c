/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/nearest.h"

#include <stdint.h>
#include <string.h>

/* Longer names are not compared: nobody mistypes them by hand, and the rows stay on the stack. */
#define LONGEST 128u

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ASCII only, in every locale. */
static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

size_t accel_nearest_distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    size_t na = strlen(a), nb = strlen(b);

    if (na > LONGEST || nb > LONGEST)
        return strcmp(a, b) == 0 ? 0 : SIZE_MAX;
    for (size_t j = 0; j <= nb; ++j)
        last[j] = j;
    for (size_t i = 1; i <= na; ++i) {
        row[0] = i;
        for (size_t j = 1; j <= nb; ++j) {
            unsigned char ca = lower(a[i - 1]), cb = lower(b[j - 1]);
            row[j] = least(least(last[j] + 1, row[j - 1] + 1), last[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == lower(b[j - 2]) && lower(a[i - 2]) == cb)
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[nb];
}

const char *accel_nearest(const char *name, const char *const names[], size_t count)
{
    size_t best = strlen(name) / 3 + 2; /* one above the limit */
    const char *found = NULL;

    for (size_t i = 0; i < count; ++i) {
        size_t distance = accel_nearest_distance(name, names[i]);
        if (distance < best) {
            best = distance;
            found = names[i];
        }
    }
    return found;
}
