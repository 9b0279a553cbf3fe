/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/report/copies.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/report/description.h"
#include "plugins/cpu/check/report/line.h"

enum { PLACES = 256 };

/* Of which the line has been asked for: that takes milliseconds. */
static struct {
    const void *place, *first; /* the first of all that have this line */
    uint64_t line;             /* its text, in few bits */
} places[PLACES];
static size_t place_count;

/* FNV-1a */
static uint64_t bits_of(const char *text)
{
    uint64_t bits = 0xcbf29ce484222325u;
    for (; *text != '\0'; ++text)
        bits = (bits ^ (unsigned char)*text) * 0x100000001b3u;
    return bits;
}

static const void *first_of(const void *place)
{
    char line[CHECK_LINE];
    const void *first = place;
    for (size_t i = 0; i < place_count; ++i)
        if (places[i].place == place)
            return places[i].first;
    check_line_of(place, line, sizeof(line));
    const uint64_t bits = bits_of(line);
    for (size_t i = 0; i < place_count; ++i)
        if (places[i].line == bits)
            first = places[i].first;
    if (place_count < PLACES) {
        places[place_count].place = place;
        places[place_count].first = first;
        places[place_count++].line = bits;
    }
    return first;
}

static bool are_copies(const check_finding *a, const check_finding *b)
{
    return a->kind == b->kind && !a->has_other && !b->has_other && a->mine.how == b->mine.how &&
           first_of(a->mine.place) == first_of(b->mine.place);
}

/* Of the other version more is known. */
static void add(check_finding *to, const check_finding *copy)
{
    const size_t count = to->count + copy->count;
    if (to->light && !copy->light)
        *to = *copy;
    to->count = count;
}

void check_copies_unite(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < check_found.count; ++i) {
        check_finding finding = check_found.items[i];
        size_t at = 0;
        while (at < kept &&
               !((finding.light || check_found.items[at].light) && are_copies(&finding, &check_found.items[at])))
            ++at;
        if (at < kept) {
            add(&check_found.items[at], &finding);
            continue;
        }
        if (finding.light)
            finding.mine.place = first_of(finding.mine.place);
        check_found.items[kept++] = finding;
    }
    check_found.count = kept;
}
