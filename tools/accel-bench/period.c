/* SPDX-License-Identifier: Apache-2.0 */
#include "period.h"

#include <stdio.h>
#include <string.h>

enum { PERIOD = 251 };

static unsigned char byte_at(size_t i, unsigned seed)
{
    return (unsigned char)((i + seed) % PERIOD);
}

void period_write(unsigned char *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < PERIOD; ++i)
        bytes[i] = byte_at(i, seed);
    for (size_t done = PERIOD, more; done < size; done += more) {
        more = done < size - done ? done : size - done;
        memcpy(bytes + done, bytes, more);
    }
}

bool period_is_right(const unsigned char *bytes, size_t size, unsigned seed, const char *what)
{
    size_t i = 0;
    while (i < PERIOD && bytes[i] == byte_at(i, seed))
        ++i;
    if (i == PERIOD && memcmp(bytes, bytes + PERIOD, size - PERIOD) == 0)
        return true;
    while (bytes[i] == byte_at(i, seed))
        ++i;
    fprintf(stderr, "accel-bench: %s: byte %zu of %zu is wrong\n", what, i, size);
    return false;
}
