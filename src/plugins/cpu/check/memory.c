/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/light/poison.h"
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/check/common/room.h"
#include "plugins/cpu/check/shadow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else /* without it buffers have no place of their making */
#define backtrace(frames, count) ((void)(frames), 0)
#endif

enum {
    FRAMES = 16,
    PAGE = 4096,
    HUGE_PAGE = 2 << 20,
    RELEASED = 256, /* buffers that stay in their place after their release */
    PAGES = 64      /* of others' memory that are remembered */
};

/* Zones are address space, of which nothing is used until a kernel errs. So they are far longer than most errors reach:
 * an index in bytes for one in elements, a row for a column. */
static const size_t zone_least = (size_t)16 << 20, zone_most = (size_t)4 << 30, zone_short = (size_t)64 << 10;
enum { ZONE_FACTOR = 4 }; /* times the buffer */

typedef struct buffer {
    const char *begin, *end;  /* with zones */
    const char *data, *limit; /* without */
    void *frames[FRAMES];     /* who made it */
    int frame_count;
    uint64_t released; /* in which order; 0: it lives */
    char *name;        /* the program's; NULL: none */
    uint64_t unseen;   /* all.unseen when it was made */
} buffer;

/* By address. */
static struct {
    buffer *items;
    size_t count, capacity;
    uint64_t releases;
    uint64_t unseen; /* launches that wrote what is not known */
} all;
static uintptr_t others[PAGES]; /* pages where there is no buffer, but memory */

/* The first that ends behind p. */
static size_t find(const void *p)
{
    size_t low = 0, high = all.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all.items[middle].end <= (const char *)p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const buffer *buffer_at(const void *p)
{
    size_t at = find(p);
    return at < all.count && all.items[at].begin <= (const char *)p ? &all.items[at] : NULL;
}

static uint32_t pattern_at(uintptr_t word)
{
    return (uint32_t)(word >> 2) * 0x9e3779b1u ^ 0x7fb5329au;
}

static void fill(char *data, size_t size)
{
    for (size_t i = 0; i < size; i += 4) {
        uint32_t value = pattern_at((uintptr_t)data + i);
        memcpy(data + i, &value, 4);
    }
}

static void poison(const buffer *self)
{
    const char *data_end = self->released == 0 ? self->limit : self->data;
    check_poison_add(self->begin, (size_t)(self->data - self->begin));
    check_poison_add(data_end, (size_t)(self->end - data_end));
}

void check_memory_poison(void)
{
    for (size_t i = 0; i < all.count; ++i)
        poison(&all.items[i]);
}

static void remove_at(size_t at)
{
    free(all.items[at].name);
    check_poison_remove(all.items[at].begin, (size_t)(all.items[at].end - all.items[at].begin));
    munmap((void *)(uintptr_t)all.items[at].begin, (size_t)(all.items[at].end - all.items[at].begin));
    memmove(&all.items[at], &all.items[at + 1], (--all.count - at) * sizeof(*all.items));
}

static bool grow(void)
{
    buffer *grown = check_room_for_one(all.items, all.count, &all.capacity, sizeof(*grown));
    if (grown == NULL)
        return false;
    all.items = grown;
    return true;
}

static size_t pages(size_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

static size_t zone_of(size_t size)
{
    const size_t wanted = size < zone_most / ZONE_FACTOR ? size * ZONE_FACTOR : zone_most;
    struct rlimit limit; /* the rest of the program needs its part of the address space */
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return zone_short;
    return pages(wanted < zone_least ? zone_least : wanted);
}

static char *reserve(size_t size)
{
    char *begin = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return begin != MAP_FAILED ? begin : NULL;
}

/* Has the system so much memory, as far as it says? Its place is reserved, which asks for none. What is remembered of it takes
 * four times as much. */
static bool has_memory(size_t size)
{
    enum { SMALL = 16 << 20, FACTOR = 1 + sizeof(check_cell) / 4 };
    if (size < SMALL)
        return true;
    void *probe = mmap(NULL, size * FACTOR, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED)
        return false;
    munmap(probe, size * FACTOR);
    return true;
}

void *check_memory_allocate(size_t size, size_t alignment)
{
    if (alignment < PAGE)
        alignment = PAGE;
    if (size > SIZE_MAX / 8 || alignment > SIZE_MAX / 4 || !has_memory(size) || !grow())
        return NULL;
    size_t zone = zone_of(size), whole = zone + alignment + pages(size) + zone;
    char *begin = reserve(whole);
    while (begin == NULL && zone > zone_short) { /* address space is short, as under valgrind */
        zone = zone / 4 > zone_short ? pages(zone / 4) : zone_short;
        whole = zone + alignment + pages(size) + zone;
        begin = reserve(whole);
    }
    if (begin == NULL)
        return NULL;
    if (size < HUGE_PAGE) /* its page would be the zones', too */
        (void)madvise(begin, whole, MADV_NOHUGEPAGE);
    char *data = begin + zone;
    data += (uintptr_t) - (uintptr_t)data & (alignment - 1);
    buffer made = {.begin = begin, .end = begin + whole, .data = data, .limit = data + size, .unseen = all.unseen};
    made.frame_count = backtrace(made.frames, FRAMES);
    size_t at = find(begin);
    memmove(&all.items[at + 1], &all.items[at], (all.count++ - at) * sizeof(*all.items));
    all.items[at] = made;
    fill(data, (size + 15) / 16 * 16);
    check_shadow_add(data, size, false);
    poison(&made);
    memset(others, 0, sizeof(others));
    return data;
}

static void forget_oldest(void)
{
    size_t count = 0, oldest = 0;
    for (size_t i = 0; i < all.count; ++i) {
        if (all.items[i].released == 0)
            continue;
        if (count == 0 || all.items[i].released < all.items[oldest].released)
            oldest = i;
        count++;
    }
    if (count > RELEASED)
        remove_at(oldest);
}

void check_memory_release(void *data)
{
    size_t at = find(data);
    if (at == all.count || all.items[at].data != data)
        return;
    buffer *released = &all.items[at];
    released->released = ++all.releases;
    check_shadow_remove(released->data, (size_t)(released->limit - released->data));
    poison(released);
    madvise((void *)(uintptr_t)released->begin, (size_t)(released->end - released->begin), MADV_DONTNEED);
    forget_oldest();
}

void check_memory_name(const void *data, const char *name)
{
    size_t at = find(data);
    if (at == all.count || all.items[at].data != data)
        return;
    free(all.items[at].name);
    all.items[at].name = name[0] != '\0' ? strndup(name, CHECK_NAME - 1) : NULL;
}

/* Is there memory that can be read? The system is asked for a byte of this very process, of which valgrind has no opinion.
 * Where that is forbidden: it looks at a mask of signals before it refuses what is to be done with it. */
static bool is_readable(uintptr_t page)
{
    enum { NOTHING = -1, MASK = 8 /* bytes */ };
    unsigned char byte;
    const struct iovec to = {&byte, 1}, from = {(void *)page, 1};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1)
        return true;
    if (errno == EFAULT)
        return false;
    return syscall(SYS_rt_sigprocmask, NOTHING, (void *)page, NULL, (size_t)MASK) == 0 || errno != EFAULT;
}

static bool is_mapped(uintptr_t page)
{
    const int error = errno;
    unsigned char resident;
    const bool mapped = mincore((void *)page, PAGE, &resident) == 0 && is_readable(page);
    errno = error;
    return mapped;
}

int check_memory_state(const void *p)
{
    uintptr_t page = (uintptr_t)p & ~(uintptr_t)(PAGE - 1), *seen = &others[page / PAGE % PAGES];
    if (*seen == page && page != 0)
        return CHECK_MEMORY_OTHER;
    const buffer *found = buffer_at(p);
    if (found != NULL) {
        bool inside = (const char *)p >= found->data && (const char *)p < found->limit;
        return !inside ? CHECK_MEMORY_ZONE : found->released != 0 ? CHECK_MEMORY_RELEASED : CHECK_MEMORY_LIVE;
    }
    if (check_shadow_has(p) || !is_mapped(page))
        return CHECK_MEMORY_ABSENT;
    *seen = page;
    return CHECK_MEMORY_OTHER;
}

bool check_memory_find(const void *p, const char **data, size_t *size)
{
    const buffer *found = buffer_at(p);
    if (found == NULL || found->released != 0 || (const char *)p < found->data || (const char *)p >= found->limit)
        return false;
    *data = found->data;
    *size = (size_t)(found->limit - found->data);
    return true;
}

void check_memory_unseen(void)
{
    all.unseen++;
}

/* Bytes of the buffer's word that nobody is known to have written, and that are as they were; SIZE_MAX: one is not. */
static size_t bytes_untouched(const buffer *self, uintptr_t at)
{
    const check_cell *cell = check_cell_of(at);
    const uint32_t expected = pattern_at(at);
    const unsigned char *now = (const unsigned char *)at;
    unsigned char before[4];
    size_t count = 0;
    memcpy(before, &expected, sizeof(before));
    for (size_t i = 0; cell != NULL && i < sizeof(before) && at + i < (uintptr_t)self->limit; ++i) {
        if ((cell->write >> CHECK_WRITTEN_SHIFT >> i & 1) != 0)
            continue;
        if (now[i] != before[i])
            return SIZE_MAX;
        count++;
    }
    return count;
}

/* All bytes of the 16 from `begin` that belong to the buffer. */
static void mark_written(const buffer *self, uintptr_t begin)
{
    for (uintptr_t at = begin; at < begin + 16 && at < (uintptr_t)self->limit; at += 4) {
        check_cell *cell = check_cell_of(at);
        if (cell != NULL)
            cell->write |= (uint64_t)15 << CHECK_WRITTEN_SHIFT;
    }
}

bool check_memory_is_unwritten(const void *p)
{
    enum { ENOUGH = 8 /* bytes that no value has by chance */ };
    const buffer *found = buffer_at(p);
    if (found == NULL)
        return true;
    const uintptr_t begin = (uintptr_t)p & ~(uintptr_t)15;
    size_t count = 0;
    for (uintptr_t at = begin; at < begin + 16; at += 4) {
        const size_t untouched = bytes_untouched(found, at);
        if (untouched == SIZE_MAX) {
            /* The host wrote there by an address. Were single bytes marked as they are read, the last would be judged alone. */
            mark_written(found, begin);
            return false;
        }
        count += untouched;
    }
    return count >= ENOUGH || found->unseen == all.unseen;
}

/* The buffer that has the address in it or its zones; else the nearest one, within 4 GiB; NULL: none. */
static const buffer *nearest(const char *at)
{
    const buffer *found = buffer_at(at);
    if (found != NULL || all.count == 0)
        return found;
    const size_t after = find(at), most = (size_t)1 << 32;
    const buffer *next = after < all.count ? &all.items[after] : NULL,
                 *last = after != 0 ? &all.items[after - 1] : NULL;
    found = next;
    if (next == NULL || (last != NULL && at - last->limit < next->data - at))
        found = last;
    return (at > found->limit ? (size_t)(at - found->limit) : (size_t)(found->data - at)) <= most ? found : NULL;
}

bool check_memory_describe(const void *p, char *text, size_t size, char name[CHECK_NAME])
{
    const char *at = p;
    const buffer *found = nearest(at);
    name[0] = '\0';
    if (found == NULL)
        return false;
    char place[64], what[160], line[160];
    const char *state = found->released != 0 ? "released " : "";
    const size_t bytes = (size_t)(found->limit - found->data);
    if (at < found->data)
        snprintf(place, sizeof(place), "%zu bytes before", (size_t)(found->data - at));
    else if (at >= found->limit)
        snprintf(place, sizeof(place), "%zu bytes behind the end of", (size_t)(at - found->limit));
    else
        snprintf(place, sizeof(place), "at byte %zu of", (size_t)(at - found->data));
    if (found->name == NULL) {
        snprintf(what, sizeof(what), "a %sbuffer of %zu bytes", state, bytes);
    } else {
        snprintf(name, CHECK_NAME, "%s", found->name);
        snprintf(what, sizeof(what), "%sbuffer \"%s\" (%zu bytes)", state, name, bytes);
    }
    const void *maker = check_line_caller(found->frames, found->frame_count);
    if (maker != NULL)
        check_line_of(maker, line, sizeof(line));
    snprintf(text, size, "%s %s%s%s", place, what, maker != NULL ? ", made at " : "", maker != NULL ? line : "");
    return true;
}

bool check_memory_bounds(const void *p, const char **begin, const char **end)
{
    const buffer *found = buffer_at(p);
    if (found == NULL || found->released != 0 || (const char *)p < found->data || (const char *)p > found->limit)
        return false;
    *begin = found->data;
    *end = found->limit;
    return true;
}

static bool has_pointer(const buffer *live, const char *begin, const char *end)
{
    for (const char *at = live->data; at + sizeof(void *) <= live->limit; at += sizeof(void *)) {
        uintptr_t value;
        memcpy(&value, at, sizeof(value));
        if (value >= (uintptr_t)begin && value <= (uintptr_t)end)
            return true;
    }
    return false;
}

bool check_memory_points_to(const char *begin, const char *end)
{
    for (size_t i = 0; i < all.count; ++i)
        if (all.items[i].released == 0 && has_pointer(&all.items[i], begin, end))
            return true;
    return false;
}

void check_memory_each_live(void (*call)(const void *data, const void *maker, size_t bytes))
{
    for (size_t i = 0; i < all.count; ++i) {
        const buffer *live = &all.items[i];
        if (live->released == 0)
            call(live->data, check_line_caller(live->frames, live->frame_count), (size_t)(live->limit - live->data));
    }
}
