/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random copies, fills, writes and reads in one to six dimensions, with pitches and views of views, between every two
 * memories of an instance and on every kind of queue, against a copy element by element of the program's own. Operations
 * follow each other by events alone; every so often all memories are compared whole.
 *
 *     transfers COUNT [SEED]
 *
 * COUNT operations are carried out; those that do not fit where they were drawn are drawn again.
 *
 * Status 0: every byte was right, every copy that shares elements was refused, and no other was. The memories are those of
 * ACCEL_BACKEND. The last line says what was done.
 */
#include "memory.h"

#include <stdio.h>
#include <string.h>

enum {
    SMALL = 6000,
    LARGE = 5 << 20, /* more than a stage of libaccel's or of an engine's holds */
    OFTEN = 64,      /* operations from one look at the memories to the next */
    SELDOM = 400,    /* operations from one large copy to the next */
    MOST_MEMORIES = 64,
    MOST_QUEUES = 96
};

typedef struct line {
    accel_queue *queue;
    accel_device *device; /* whose buffers it copies: a root */
    accel_event *event;   /* recorded behind each operation */
} line;

static accel_instance *instance;
static memory memories[MOST_MEMORIES];
static size_t memory_count;
static line lines[MOST_QUEUES];
static size_t line_count;
static unsigned char *scratch;
/* Memory of the program that operations read or write until the next look. */
static struct {
    unsigned char *bytes, *expected;
    size_t size;
} lent[OFTEN];
static size_t lent_count;
static uint64_t copies, refused, fills, writes, reads, pair_copies[MOST_MEMORIES][MOST_MEMORIES];

/* ----------------------------------------------------------------------------------------- machine -- */

static void add_line(accel_device *queues, accel_device *buffers, uint32_t flags)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    line *made = &lines[line_count++];

    if (line_count > MOST_QUEUES)
        abort();
    desc.flags = flags;
    made->device = buffers;
    check(accel_queue_create(queues, &desc, &made->queue));
    check(accel_event_create(queues, NULL, &made->event));
}

static void add_lines(accel_device *device, const accel_device_properties *about)
{
    accel_partition_desc halves = ACCEL_PARTITION_DESC_INIT;
    accel_device *parts[2] = {NULL, NULL};
    size_t count = 0;

    add_line(device, device, 0);
    add_line(device, device, 0);
    add_line(device, device, ACCEL_QUEUE_BLOCKING);
    halves.by = ACCEL_PARTITION_EQUAL;
    halves.share_count = 2;
    if ((about->features & ACCEL_FEATURE_PARTITION) == 0 ||
        accel_device_partition(device, &halves, parts, 2, &count) != ACCEL_OK)
        return;
    for (size_t i = 0; i < count && i < 2; ++i) {
        add_line(parts[i], device, 0);
        accel_device_release(parts[i]);
    }
}

static line *line_of(const accel_device *device)
{
    size_t first = draw(line_count);

    for (size_t i = 0; i < line_count; ++i) {
        line *candidate = &lines[(first + i) % line_count];
        if (candidate->device == device)
            return candidate;
    }
    return NULL;
}

static void add_memory(accel_device *device, uint32_t flags, size_t size)
{
    if (memory_count == MOST_MEMORIES)
        abort();
    line *own = line_of(device);
    memories[memory_count++] = memory_new(device, flags, size, own != NULL ? own->queue : NULL);
}

/* The small memories come first, then a large one of each device. */
static void open_machine(void)
{
    static const uint32_t kinds[][2] = {{ACCEL_FEATURE_PINNED, ACCEL_BUFFER_PINNED},
                                        {ACCEL_FEATURE_MAPPED, ACCEL_BUFFER_MAPPED},
                                        {ACCEL_FEATURE_MANAGED, ACCEL_BUFFER_MANAGED}};
    size_t count;

    check(accel_instance_create(NULL, &instance));
    count = accel_instance_device_count(instance);
    for (size_t i = 0; i < count; ++i) {
        accel_device *device = accel_instance_device(instance, i);
        accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
        check(accel_device_info(device, &about));
        add_lines(device, &about);
        add_memory(device, 0, SMALL);
        for (size_t kind = 0; kind < 3; ++kind)
            if ((about.features & kinds[kind][0]) != 0)
                add_memory(device, kinds[kind][1], SMALL);
    }
    add_memory(accel_instance_host(instance), 0, SMALL);
    for (size_t i = 0; i < count; ++i)
        add_memory(accel_instance_device(instance, i), 0, LARGE);
}

static void close_machine(void)
{
    for (size_t i = 0; i < memory_count; ++i)
        memory_free(&memories[i]);
    for (size_t i = 0; i < line_count; ++i) {
        accel_event_release(lines[i].event);
        accel_queue_release(lines[i].queue);
    }
    accel_instance_release(instance);
    free(scratch);
}

/* --------------------------------------------------------------------------------------- operations -- */

/* The line waits for what was done to the memories; NULL is allowed. */
static void follow(line *l, const memory *a, const memory *b)
{
    if (a != NULL && a->last != NULL)
        check(accel_queue_wait_event(l->queue, a->last));
    if (b != NULL && b->last != NULL && (a == NULL || a->last != b->last))
        check(accel_queue_wait_event(l->queue, b->last));
}

static void done(line *l, memory *a, memory *b)
{
    check(accel_event_record(l->event, l->queue));
    if (a != NULL)
        a->last = l->event;
    if (b != NULL)
        b->last = l->event;
}

static const size_t elements[] = {1, 2, 3, 4, 8, 12, 16, 40};

/* A shape of some `bytes` at most. */
static uint32_t shape(size_t bytes, size_t extent[], size_t *element)
{
    uint32_t dims = 1 + (uint32_t)draw(ACCEL_MAX_DIMS);
    size_t left;

    *element = elements[draw(sizeof(elements) / sizeof(elements[0]))];
    left = 1 + draw(bytes / *element);
    for (uint32_t i = 0; i < dims; ++i)
        extent[i] = 1;
    for (uint32_t i = 0, d = (uint32_t)draw(dims); i < dims; ++i, d = (d + 1) % dims) {
        extent[d] = 1 + draw(i + 1 < dims && left > 6 && draw(3) != 0 ? 6 : left);
        left /= extent[d];
        left = left != 0 ? left : 1;
    }
    if (draw(200) == 0)
        extent[draw(dims)] = 0;
    return dims;
}

typedef struct pair {
    unsigned char *dst;
    const unsigned char *src;
    size_t element;
    bool shared;
} pair;

static void copy_element(void *user, size_t to, size_t from)
{
    const pair *p = user;
    memcpy(p->dst + to, p->src + from, p->element);
}

static void mark_element(void *user, size_t at, size_t same)
{
    const pair *p = user;
    (void)same;
    memset(p->dst + at, 1, p->element);
}

static void find_mark(void *user, size_t at, size_t same)
{
    pair *p = user;
    (void)same;
    p->shared = p->shared || memchr(p->dst + at, 1, p->element) != NULL;
}

static bool boxes_share(uint32_t dims, const size_t extent[], size_t element, const box *a, const box *b, size_t size)
{
    unsigned char *marks = calloc(1, size);
    pair p = {.element = element};

    p.dst = marks + a->offset;
    box_walk(dims, extent, a->pitch, a->pitch, mark_element, &p);
    p.dst = marks + b->offset;
    box_walk(dims, extent, b->pitch, b->pitch, find_mark, &p);
    free(marks);
    return p.shared;
}

static void try_copy(memory *to, memory *from, size_t bytes)
{
    size_t extent[ACCEL_MAX_DIMS], element;
    uint32_t dims = shape(bytes, extent, &element);
    bool exact = draw(2) == 0;
    accel_device *side = to->owner == NULL || (from->owner != NULL && draw(2) == 0) ? from->owner : to->owner;
    box dst, src;

    if (side == NULL || !box_new(&dst, to, dims, extent, element, exact))
        return;
    if (!box_new(&src, from, dims, extent, element, exact)) {
        accel_buffer_release(dst.view);
        return;
    }

    line *l = line_of(side);
    bool share = to == from && boxes_share(dims, extent, element, &dst, &src, to->size);
    follow(l, to, from);
    accel_status status = accel_copy(l->queue, dst.view, src.view, exact && draw(2) == 0 ? NULL : extent);
    if (share && status == ACCEL_INVALID) {
        ++refused;
    } else if (share) {
        fail("a copy within \"%s\" that shares elements gave %s", to->name, accel_status_name(status));
    } else {
        check_status("accel_copy", status);
        pair p = {.dst = to->image + dst.offset, .src = from->image + src.offset, .element = element};
        box_walk(dims, extent, dst.pitch, src.pitch, copy_element, &p);
        ++copies;
        ++pair_copies[to - memories][from - memories];
    }
    done(l, to, from);
    accel_buffer_release(dst.view);
    accel_buffer_release(src.view);
}

typedef struct paint {
    unsigned char *image;
    const unsigned char *pattern;
    size_t row, pattern_size;
} paint;

static void fill_row(void *user, size_t at, size_t same)
{
    const paint *p = user;
    (void)same;
    for (size_t i = 0; i < p->row; ++i)
        p->image[at + i] = p->pattern[i % p->pattern_size];
}

static void try_fill(memory *m)
{
    size_t extent[ACCEL_MAX_DIMS], element, divisors[64], count = 0;
    uint32_t dims = shape(m->size / 4, extent, &element);
    unsigned char pattern[4096];
    box b;

    if (m->owner == NULL || !box_new(&b, m, dims, extent, element, false))
        return;
    size_t row = extent[dims - 1] * element;
    for (size_t p = 1; p <= row && p <= sizeof(pattern) && count < 64; ++p)
        if (row % p == 0)
            divisors[count++] = p;
    size_t size = count != 0 ? divisors[draw(count)] : 1;
    for (size_t i = 0; i < size; ++i)
        pattern[i] = (unsigned char)draw(draw(4) == 0 ? 1 : 256);

    line *l = line_of(m->owner);
    follow(l, m, NULL);
    check(accel_fill(l->queue, b.view, pattern, size, extent));
    memset(pattern + size, 0, sizeof(pattern) - size); /* the library has copied it (Q6) */
    paint p = {.image = m->image + b.offset, .pattern = pattern, .row = row, .pattern_size = size};
    extent[dims - 1] = extent[dims - 1] != 0;
    box_walk(dims, extent, b.pitch, b.pitch, fill_row, &p);
    done(l, m, NULL);
    accel_buffer_release(b.view);
    ++fills;
}

/* To or from memory of the program without gaps. */
static void try_host(memory *m)
{
    size_t extent[ACCEL_MAX_DIMS], dense[ACCEL_MAX_DIMS], element, size;
    uint32_t dims = shape(m->size / 4, extent, &element);
    bool write = draw(2) == 0;
    box b;

    if (m->owner == NULL || !box_new(&b, m, dims, extent, element, true))
        return;
    size = element;
    for (uint32_t d = dims; d-- > 0;) {
        dense[d] = size;
        size *= extent[d];
    }
    unsigned char *bytes = malloc(size + 1), *expected = malloc(size + 1);
    for (size_t i = 0; i < size; ++i)
        bytes[i] = expected[i] = (unsigned char)draw(256);

    line *l = line_of(m->owner);
    follow(l, m, NULL);
    pair p = {.dst = m->image + b.offset, .src = bytes, .element = element};
    if (write) {
        box_walk(dims, extent, b.pitch, dense, copy_element, &p);
        check(accel_write(l->queue, b.view, bytes));
        ++writes;
    } else {
        p = (pair){.dst = expected, .src = m->image + b.offset, .element = element};
        box_walk(dims, extent, dense, b.pitch, copy_element, &p);
        check(accel_read(l->queue, bytes, b.view));
        ++reads;
    }
    done(l, m, NULL);
    accel_buffer_release(b.view);
    lent[lent_count].bytes = bytes;
    lent[lent_count].expected = expected;
    lent[lent_count++].size = size;
}

static void look(void)
{
    for (size_t i = 0; i < line_count; ++i)
        check(accel_queue_wait(lines[i].queue));
    for (size_t i = 0; i < lent_count; ++i) {
        if (memcmp(lent[i].bytes, lent[i].expected, lent[i].size) != 0)
            fail("of %zu bytes that were read or written some are wrong", lent[i].size);
        free(lent[i].bytes);
        free(lent[i].expected);
    }
    lent_count = 0;
    for (size_t i = 0; i < memory_count; ++i) {
        line *own = memories[i].owner != NULL ? line_of(memories[i].owner) : NULL;
        if (memories[i].size == SMALL)
            memory_check(&memories[i], own != NULL ? own->queue : NULL, scratch);
    }
}

/* From one large memory to another, which are compared at once. */
static void try_large(size_t first)
{
    memory *to = &memories[first + draw(memory_count - first)];
    memory *from = &memories[first + draw(memory_count - first)];

    try_copy(to, from, LARGE);
    memory_check(to, line_of(to->owner)->queue, scratch);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    size_t first_large = 0, pairs = 0, possible = 0;

    if (count == 0) {
        fprintf(stderr, "usage: %s COUNT [SEED]\n", argv[0]);
        return EXIT_FAILURE;
    }
    draw_seed(seed);
    scratch = malloc(LARGE);
    open_machine();
    while (memories[first_large].size == SMALL)
        ++first_large;
    while (copies + refused + fills + writes + reads < count) {
        memory *to = &memories[draw(first_large)], *from = &memories[draw(first_large)];
        uint64_t kind = draw(10);
        ++operation;
        if (operation % SELDOM == 0)
            try_large(first_large);
        else if (kind < 7)
            try_copy(to, from, SMALL / 3);
        else if (kind < 9)
            try_fill(to);
        else
            try_host(to);
        if (operation % OFTEN == 0)
            look();
    }
    look();
    for (size_t i = 0; i < first_large; ++i) {
        for (size_t j = 0; j < first_large; ++j) {
            possible += memories[i].owner != NULL || memories[j].owner != NULL;
            pairs += pair_copies[i][j] != 0;
        }
    }
    printf("seed %llu: %llu copies between %zu of %zu ordered pairs of memories, %llu refused for shared elements, "
           "%llu fills, %llu writes, %llu reads\n",
           (unsigned long long)seed, (unsigned long long)copies, pairs, possible, (unsigned long long)refused,
           (unsigned long long)fills, (unsigned long long)writes, (unsigned long long)reads);
    close_machine();
    return EXIT_SUCCESS;
}
