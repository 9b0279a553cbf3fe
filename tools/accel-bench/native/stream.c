/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of STREAM and BabelStream with OpenMP; parameter 0 is n. */
#include <stdlib.h>
#include <string.h>

#include "past.h"
#include "way.h"

#define REAL double
enum { LANES = 64, MIN_LANES = 32 };
#include "sums.h"

#define SCALAR 0.5

typedef struct stream_state {
    size_t n;
    double *a, *b, *c;
    double sum;
} stream_state;

static void close_stream(void *state)
{
    stream_state *s = state;
    native_release(s->a);
    native_release(s->b);
    native_release(s->c);
    free(s);
}

static double b_at(size_t i)
{
    return (double)(i % 5 + 1);
}

static double c_at(size_t i)
{
    return (double)(i % 3 + 1);
}

/* Only the first so many arrays; the others stay NULL. */
static void *open_arrays(size_t n, int arrays)
{
    stream_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (stream_state){.n = n,
                        .a = native_allocate(n, sizeof(double)),
                        .b = arrays > 1 ? native_allocate(n, sizeof(double)) : NULL,
                        .c = arrays > 2 ? native_allocate(n, sizeof(double)) : NULL};
    if (s->a == NULL || (arrays > 1 && s->b == NULL) || (arrays > 2 && s->c == NULL)) {
        close_stream(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) {
        s->a[i] = 0;
        if (arrays > 1)
            s->b[i] = b_at(i);
        if (arrays > 2)
            s->c[i] = c_at(i);
    }
    return s;
}

static void *open_stream(const uint64_t parameters[NATIVE_PARAMETERS])
{
    return open_arrays(parameters[0], 3);
}

static void *open_copy(const uint64_t parameters[NATIVE_PARAMETERS])
{
    return open_arrays(parameters[0], 2);
}

static void *open_fill(const uint64_t parameters[NATIVE_PARAMETERS])
{
    return open_arrays(parameters[0], 1);
}

/* The pointers are locals, so that the compiler knows that no store changes them. */
#define LOOP(name, statement)                                                                                          \
    static __attribute__((noinline)) void name(size_t n, double *a, const double *b, const double *c)                  \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        _Pragma("omp parallel for simd schedule(static)") for (size_t i = 0; i < n; ++i) statement;                    \
    }                                                                                                                  \
    static void run_##name(void *state, size_t repetitions)                                                            \
    {                                                                                                                  \
        stream_state *s = state;                                                                                       \
        for (size_t r = 0; r < repetitions; ++r)                                                                       \
            name(s->n, s->a, s->b, s->c);                                                                              \
    }                                                                                                                  \
    static __attribute__((noinline)) void name##_alone(size_t n, double *a, const double *b, const double *c)          \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        _Pragma("omp simd") for (size_t i = 0; i < n; ++i) statement;                                                  \
    }                                                                                                                  \
    static void run_##name##_alone(void *state, size_t repetitions)                                                    \
    {                                                                                                                  \
        stream_state *s = state;                                                                                       \
        for (size_t r = 0; r < repetitions; ++r)                                                                       \
            name##_alone(s->n, s->a, s->b, s->c);                                                                      \
    }                                                                                                                  \
    static bool check_##name(void *state)                                                                              \
    {                                                                                                                  \
        stream_state *s = state;                                                                                       \
        double value, *a = &value;                                                                                     \
        for (size_t k = 0; k < s->n; ++k) {                                                                            \
            const double b[1] = {b_at(k)}, c[1] = {c_at(k)};                                                           \
            const size_t i = 0;                                                                                        \
            (void)c;                                                                                                   \
            statement;                                                                                                 \
            if (s->a[k] != value)                                                                                      \
                return false;                                                                                          \
        }                                                                                                              \
        return true;                                                                                                   \
    }

LOOP(copy, a[i] = b[i])
LOOP(scale, a[i] = SCALAR * b[i])
LOOP(add, a[i] = b[i] + c[i])
LOOP(triad, a[i] = b[i] + SCALAR * c[i])

static void run_dot(void *state, size_t repetitions)
{
    stream_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        s->sum = dot_of(s->n, s->b, s->c);
}

static void run_dot_alone(void *state, size_t repetitions)
{
    stream_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        s->sum = dot_alone(s->n, s->b, s->c);
}

/* Whole numbers: exact in any order. */
static bool check_dot(void *state)
{
    const stream_state *s = state;
    double sum = 0;
    for (size_t i = 0; i < s->n; ++i)
        sum += b_at(i) * c_at(i);
    return s->sum == sum;
}

/* The C library's copy and fill of bytes, on each thread's part. */
static void run_memcpy(void *state, size_t repetitions)
{
    enum { PARTS = 64 };
    stream_state *s = state;
    const size_t size = s->n * sizeof(double);
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel for schedule(static)
        for (size_t part = 0; part < PARTS; ++part) {
            const size_t begin = size * part / PARTS / 64 * 64;
            const size_t end = part + 1 == PARTS ? size : size * (part + 1) / PARTS / 64 * 64;
            memcpy((char *)s->a + begin, (const char *)s->b + begin, end - begin);
        }
    }
}

static void run_memcpy_serial(void *state, size_t repetitions)
{
    stream_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        memcpy(s->a, s->b, s->n * sizeof(double));
        __asm__ volatile("" ::: "memory");
    }
}

#if defined(__x86_64__)

/* The strongest copy of memory that we know. Arrays begin with a line. */
static void run_copy_past(void *state, size_t repetitions)
{
    stream_state *s = state;
    double *const a = s->a;
    const double *const b = s->b;
    const size_t whole = s->n / 8 * 8;
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel
        {
#pragma omp for schedule(static) nowait
            for (size_t i = 0; i < whole; i += 8)
                past_copy_line(a + i, b + i);
            _mm_sfence();
        }
        for (size_t i = whole; i < s->n; ++i)
            a[i] = b[i];
    }
}

static void run_fill_past(void *state, size_t repetitions)
{
    stream_state *s = state;
    double *const a = s->a;
    const size_t whole = s->n / 8 * 8;
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel
        {
#pragma omp for schedule(static) nowait
            for (size_t i = 0; i < whole; i += 8)
                past_fill_line(a + i);
            _mm_sfence();
        }
        past_fill_rest(a + whole, (s->n - whole) * sizeof(double));
    }
}

static bool check_fill_past(void *state)
{
    const stream_state *s = state;
    const uint32_t *words = (const void *)s->a;
    for (size_t i = 0; i < 2 * s->n; ++i)
        if (words[i] != PAST_PATTERN)
            return false;
    return true;
}

#endif

static void run_memset(void *state, size_t repetitions)
{
    enum { PARTS = 64 };
    stream_state *s = state;
    const size_t size = s->n * sizeof(double);
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel for schedule(static)
        for (size_t part = 0; part < PARTS; ++part) {
            const size_t begin = size * part / PARTS / 64 * 64;
            const size_t end = part + 1 == PARTS ? size : size * (part + 1) / PARTS / 64 * 64;
            memset((char *)s->a + begin, 1, end - begin);
        }
    }
}

static void run_memset_serial(void *state, size_t repetitions)
{
    stream_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        memset(s->a, 1, s->n * sizeof(double));
        __asm__ volatile("" ::: "memory");
    }
}

static bool check_memset(void *state)
{
    const stream_state *s = state;
    const unsigned char *bytes = (const void *)s->a;
    for (size_t i = 0; i < s->n * sizeof(double); ++i)
        if (bytes[i] != 1)
            return false;
    return true;
}

#define WAY(symbol, text, opens, runs, checks)                                                                         \
    const native_way symbol = {.name = text, .open = opens, .run = runs, .check = checks, .close = close_stream}

WAY(native_stream_copy, "stream-copy", open_copy, run_copy, check_copy);
WAY(native_stream_copy_serial, "stream-copy-c", open_copy, run_copy_alone, check_copy);
#if defined(__x86_64__)
WAY(native_copy_past, "copy-past-caches", open_copy, run_copy_past, check_copy);
WAY(native_fill_past, "fill-past-caches", open_fill, run_fill_past, check_fill_past);
#endif
WAY(native_stream_scale, "stream-scale", open_stream, run_scale, check_scale);
WAY(native_stream_scale_serial, "stream-scale-c", open_stream, run_scale_alone, check_scale);
WAY(native_stream_add, "stream-add", open_stream, run_add, check_add);
WAY(native_stream_add_serial, "stream-add-c", open_stream, run_add_alone, check_add);
WAY(native_stream_triad, "stream-triad", open_stream, run_triad, check_triad);
WAY(native_stream_triad_serial, "stream-triad-c", open_stream, run_triad_alone, check_triad);
WAY(native_stream_dot, "stream-dot", open_stream, run_dot, check_dot);
WAY(native_stream_dot_serial, "stream-dot-c", open_stream, run_dot_alone, check_dot);
WAY(native_memcpy, "memcpy-omp", open_copy, run_memcpy, check_copy);
WAY(native_memcpy_serial, "memcpy-c", open_copy, run_memcpy_serial, check_copy);
WAY(native_memset, "memset-omp", open_fill, run_memset, check_memset);
WAY(native_memset_serial, "memset-c", open_fill, run_memset_serial, check_memset);
