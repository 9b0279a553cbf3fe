/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of rows with gaps between them, and of data that is in no cache; copies that are read. Parameters: bytes of a row, rows, bytes from one
 * row to the next, and how many such parts there are, of which each repetition takes the next. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "past.h"
#include "way.h"

typedef struct copies_state {
    size_t width, rows, pitch, parts, next;
    unsigned char *from, *to;
    bool has_run;
    uint32_t sum; /* of the words that were copied last */
} copies_state;

/* AHEAD: bytes between the row that is copied and the one that is asked for. */
enum { LINE = 64, CHUNK = 16384, AHEAD = 4096 };

static void close_copies(void *state)
{
    copies_state *s = state;
    native_release(s->from);
    native_release(s->to);
    free(s);
}

/* Never 0, which gaps are. */
static unsigned char byte_at(size_t i)
{
    return (unsigned char)((uint32_t)i * 2654435761u >> 24 | 1);
}

static void *open_copies(const uint64_t parameters[NATIVE_PARAMETERS])
{
    copies_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (copies_state){.width = parameters[0], .rows = parameters[1], .pitch = parameters[2], .parts = parameters[3]};
    const size_t size = s->pitch * s->rows * s->parts;
    s->from = native_allocate(size, 1);
    s->to = native_allocate(size, 1);
    if (s->from == NULL || s->to == NULL) {
        close_copies(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < size; ++i) {
        s->from[i] = byte_at(i);
        s->to[i] = 0;
    }
    return s;
}

/* Where the next part begins. */
static size_t next_part(copies_state *s)
{
    const size_t at = s->next * s->pitch * s->rows;
    s->next = s->next + 1 == s->parts ? 0 : s->next + 1;
    s->has_run = true;
    return at;
}

static void run_copy_alone(void *state, size_t repetitions)
{
    copies_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        const size_t at = next_part(s);
        for (size_t row = 0; row < s->rows; ++row)
            memcpy(s->to + at + row * s->pitch, s->from + at + row * s->pitch, s->width);
        __asm__ volatile("" ::: "memory");
    }
}

static void run_fill_alone(void *state, size_t repetitions)
{
    copies_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        const size_t at = next_part(s);
        for (size_t row = 0; row < s->rows; ++row)
            memset(s->to + at + row * s->pitch, 1, s->width);
        __asm__ volatile("" ::: "memory");
    }
}

/* Bytes of a row's chunk that begins at `at`: rows are long, or many. */
static size_t chunk(const copies_state *s, size_t at)
{
    return s->width - at < CHUNK ? s->width - at : CHUNK;
}

static void run_copy(void *state, size_t repetitions)
{
    copies_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        const size_t part = next_part(s);
#pragma omp parallel for schedule(static) collapse(2)
        for (size_t row = 0; row < s->rows; ++row)
            for (size_t at = 0; at < s->width; at += CHUNK)
                memcpy(s->to + part + row * s->pitch + at, s->from + part + row * s->pitch + at, chunk(s, at));
    }
}

static void ask(const void *at, size_t size)
{
    for (size_t i = 0; i < size; i += LINE)
        __builtin_prefetch((const unsigned char *)at + i);
}

/* Processors fetch what follows within a row by themselves, not the next row, so each thread asks for its own next ones. */
static void run_copy_ahead(void *state, size_t repetitions)
{
    copies_state *s = state;
    const size_t width = s->width, pitch = s->pitch, ahead = pitch < AHEAD ? AHEAD / pitch : 1;
    for (size_t r = 0; r < repetitions; ++r) {
        const size_t part = next_part(s);
        unsigned char *const to = s->to + part;
        const unsigned char *const from = s->from + part;
#pragma omp parallel
        {
            const size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
            const size_t end = s->rows * (me + 1) / threads;
            for (size_t row = s->rows * me / threads; row < end; ++row) {
                if (row + ahead < end) {
                    ask(from + (row + ahead) * pitch, width);
                    ask(to + (row + ahead) * pitch, width);
                }
                memcpy(to + row * pitch, from + row * pitch, width);
            }
        }
    }
}

static void run_fill(void *state, size_t repetitions)
{
    copies_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        const size_t part = next_part(s);
#pragma omp parallel for schedule(static) collapse(2)
        for (size_t row = 0; row < s->rows; ++row)
            for (size_t at = 0; at < s->width; at += CHUNK)
                memset(s->to + part + row * s->pitch + at, 1, chunk(s, at));
    }
}

static uint32_t sum_of(const unsigned char *bytes, size_t size)
{
    const uint32_t *words = (const uint32_t *)(const void *)bytes;
    uint32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < size / sizeof *words; ++i)
        sum += words[i];
    return sum;
}

/* Copies a chunk. */
typedef void copy_function(unsigned char *to, const unsigned char *from, size_t size);

static void copy_plain(unsigned char *to, const unsigned char *from, size_t size)
{
    memcpy(to, from, size);
}

/* The thread that has copied a chunk reads it, behind `arrive`, if that is not NULL. */
static void copy_and_read(copies_state *s, size_t repetitions, copy_function *copy, void (*arrive)(void))
{
    for (size_t r = 0; r < repetitions; ++r) {
        const size_t part = next_part(s);
        uint32_t sum = 0;
#pragma omp parallel reduction(+ : sum)
        {
#pragma omp for schedule(static) collapse(2) nowait
            for (size_t row = 0; row < s->rows; ++row)
                for (size_t at = 0; at < s->width; at += CHUNK)
                    copy(s->to + part + row * s->pitch + at, s->from + part + row * s->pitch + at, chunk(s, at));
            if (arrive != NULL)
                arrive();
#pragma omp for schedule(static) collapse(2) nowait
            for (size_t row = 0; row < s->rows; ++row)
                for (size_t at = 0; at < s->width; at += CHUNK)
                    sum += sum_of(s->to + part + row * s->pitch + at, chunk(s, at));
        }
        s->sum = sum;
    }
}

static void run_copy_read(void *state, size_t repetitions)
{
    copy_and_read(state, repetitions, copy_plain, NULL);
}

#if defined(__x86_64__)

/* Rows begin a line each. What is less than a line at their ends goes through the caches. */
static void copy_past(unsigned char *to, const unsigned char *from, size_t size)
{
    const size_t lines = size / LINE * LINE;
    for (size_t i = 0; i < lines; i += LINE)
        past_copy_line(to + i, from + i);
    memcpy(to + lines, from + lines, size - lines);
}

static void fill_past(unsigned char *to, size_t size)
{
    const size_t lines = size / LINE * LINE;
    for (size_t i = 0; i < lines; i += LINE)
        past_fill_line(to + i);
    past_fill_rest(to + lines, size - lines);
}

static void run_copy_past(void *state, size_t repetitions)
{
    copies_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        const size_t part = next_part(s);
#pragma omp parallel
        {
#pragma omp for schedule(static) collapse(2) nowait
            for (size_t row = 0; row < s->rows; ++row)
                for (size_t at = 0; at < s->width; at += CHUNK)
                    copy_past(s->to + part + row * s->pitch + at, s->from + part + row * s->pitch + at, chunk(s, at));
            _mm_sfence();
        }
    }
}

static void run_fill_past(void *state, size_t repetitions)
{
    copies_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        const size_t part = next_part(s);
#pragma omp parallel
        {
#pragma omp for schedule(static) collapse(2) nowait
            for (size_t row = 0; row < s->rows; ++row)
                for (size_t at = 0; at < s->width; at += CHUNK)
                    fill_past(s->to + part + row * s->pitch + at, chunk(s, at));
            _mm_sfence();
        }
    }
}

static void arrive_past(void)
{
    _mm_sfence();
}

static void run_copy_past_read(void *state, size_t repetitions)
{
    copy_and_read(state, repetitions, copy_past, arrive_past);
}

#endif

static unsigned char one_at(size_t i)
{
    (void)i;
    return 1;
}

/* Of the first part: were `written` bytes written, and are gaps as they were? */
static inline bool check(const copies_state *s, unsigned char (*written)(size_t))
{
    unsigned char wrong = 0;
    for (size_t row = 0; s->has_run && row < s->rows; ++row) {
        const size_t begin = row * s->pitch;
        for (size_t i = begin; i < begin + s->width; ++i)
            wrong |= s->to[i] ^ written(i);
        for (size_t i = begin + s->width; i < begin + s->pitch; ++i)
            wrong |= s->to[i];
    }
    return wrong == 0;
}

static bool check_copy(void *state)
{
    return check(state, byte_at);
}

/* Of one part without gaps. */
static bool check_copy_read(void *state)
{
    const copies_state *s = state;
    return check_copy(state) && (!s->has_run || s->sum == sum_of(s->from, s->width * s->rows));
}

static bool check_fill(void *state)
{
    return check(state, one_at);
}

#if defined(__x86_64__)
static unsigned char pattern_at(size_t i)
{
    return (unsigned char)((uint32_t)PAST_PATTERN >> 8 * (i % sizeof(uint32_t)));
}

static bool check_fill_past(void *state)
{
    return check(state, pattern_at);
}
#endif

#define WAY(symbol, text, runs, checks)                                                                                \
    const native_way symbol = {.name = text, .open = open_copies, .run = runs, .check = checks, .close = close_copies}

WAY(native_copy_rows, "copy-rows-omp", run_copy, check_copy);
WAY(native_copy_rows_ahead, "copy-rows-ahead-omp", run_copy_ahead, check_copy);
WAY(native_copy_read, "copy-read-omp", run_copy_read, check_copy_read);
WAY(native_copy_rows_serial, "copy-rows-c", run_copy_alone, check_copy);
#if defined(__x86_64__)
WAY(native_copy_rows_past, "copy-rows-past-caches", run_copy_past, check_copy);
WAY(native_copy_read_past, "copy-read-past-caches", run_copy_past_read, check_copy_read);
WAY(native_fill_rows_past, "fill-rows-past-caches", run_fill_past, check_fill_past);
#endif
WAY(native_fill_rows, "fill-rows-omp", run_fill, check_fill);
WAY(native_fill_rows_serial, "fill-rows-c", run_fill_alone, check_fill);
