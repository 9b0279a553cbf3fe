/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bounds of docs/mathematics.md, on any backend: each function at the special values and at samples of its whole
 * range, against a reference of more precision. The environment gives MATHEMATICS_BOUNDS, the document;
 * MATHEMATICS_SECTION, one of its headings, whose bounds come before the usual ones;
 * MATHEMATICS_SAMPLES, how many samples per function and type (10,000); MATHEMATICS_REPORT, a file that the worst error
 * of each function is appended to.
 *
 *     mathematics --kernels LIBRARY
 */
#include "functions.h"
#include "samples.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>

typedef struct reference {
    const char *name;
    long double (*one)(long double), (*two)(long double, long double);
} reference;

#define rsqrtl reference_rsqrtl /* glibc 2.42 has one, whose bits are others */
static long double rsqrtl(long double x)
{
    return 1 / sqrtl(x);
}

#define ONE(name) {#name, name##l, NULL},
#define TWO(name) {#name, NULL, name##l},
static const reference references[] = {MATHEMATICS_ONE(ONE) MATHEMATICS_TWO(TWO)};
enum { FUNCTIONS = sizeof references / sizeof references[0] };

/* The format of results: digits of the significand, and the exponents of 2 of the largest and the least value. */
typedef struct number_format {
    const char *name;
    int digits, most, least;
    long double slack; /* what the reference itself may be wrong by, in units in the last place */
} number_format;

/* valgrind computes long doubles as doubles. */
static long double reference_slack(void)
{
    volatile long double one = 1;
    return one + ldexpl(1, -60) == one ? 2 : ldexpl(1, -8);
}

/* |found - right| in units in the last place of right. Too large a value counts as the first power of 2 that is. */
static long double error_of(long double found, long double right, const number_format *format)
{
    const long double limit = ldexpl(1, format->most);
    if (isnan(right) || isnan(found))
        return isnan(right) && isnan(found) ? 0 : INFINITY;
    int exponent = 0;
    right = fminl(fmaxl(right, -limit), limit);
    found = fminl(fmaxl(found, -limit), limit);
    frexpl(right, &exponent);
    exponent = exponent > format->most ? format->most : exponent;
    exponent = exponent < format->least ? format->least : exponent;
    return fabsl(found - right) / ldexpl(1, exponent - format->digits);
}

/* A row under a heading of the document: | `name` | double | float |. Returns whether there is one. */
static bool find_bounds(const char *heading, const char *name, double bounds[2])
{
    char line[512], found[64];
    bool under = false, has = false, has_heading = false;
    FILE *file = fopen(getenv("MATHEMATICS_BOUNDS"), "r");
    ck_assert_msg(file != NULL, "MATHEMATICS_BOUNDS names no document");
    while (!has && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "## ", 3) == 0)
            under = strcmp(line + 3, heading) == 0;
        has_heading = has_heading || under;
        has = under && sscanf(line, "| `%63[a-z0-9]` | %lf | %lf |", found, &bounds[0], &bounds[1]) == 3 &&
              strcmp(found, name) == 0;
    }
    fclose(file);
    ck_assert_msg(has_heading, "the document has no heading \"%s\"", heading);
    return has;
}

static long double bound_of(const char *name, bool is_float)
{
    const char *section = getenv("MATHEMATICS_SECTION");
    double bounds[2];
    bool has = section != NULL && find_bounds(section, name, bounds);
    ck_assert_msg(has || find_bounds("Bounds", name, bounds), "the document has no bound for %s", name);
    return bounds[is_float];
}

static size_t sample_count(void)
{
    const char *text = getenv("MATHEMATICS_SAMPLES");
    return text != NULL ? strtoul(text, NULL, 10) : 10000;
}

static void *memory(size_t bytes)
{
    void *result = malloc(bytes);
    ck_assert_ptr_nonnull(result);
    return result;
}

/* Runs a kernel over host arrays of n elements of `size` bytes. */
static void run(accel_module *module, const char *name, size_t n, size_t size, const void *x, const void *y, void *out)
{
    const void *const inputs[2] = {x, y};
    accel_kernel *kernel = NULL;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffers[3];
    ok(accel_module_kernel(module, name, &kernel));
    for (size_t i = 0; i < 3; ++i) {
        buffers[i] = bytes_new(test.device, n * size);
        if (i < 2)
            ok(accel_write(queue, buffers[i], inputs[i]));
    }
    const double_args args = {n, accel_buffer_ptr(buffers[0]), accel_buffer_ptr(buffers[1]),
                              accel_buffer_ptr(buffers[2])};
    const size_t extent[] = {n};
    ck_assert_uint_eq(sizeof args, sizeof(float_args));
    ok(accel_launch_over(queue, kernel, 1, extent, &args, sizeof args));
    ok(accel_read(queue, out, buffers[2]));
    ok(accel_queue_wait(queue));
    for (size_t i = 0; i < 3; ++i)
        accel_buffer_release(buffers[i]);
    accel_queue_release(queue);
}

/* The result of a zero has its sign, but for the lesser and the greater of two zeros, where C leaves it open. */
static bool sign_is_wrong(const reference *f, long double found, long double right)
{
    const bool open = strcmp(f->name, "fmin") == 0 || strcmp(f->name, "fmax") == 0;
    return right == 0 && found == 0 && !open && signbit(right) != signbit(found);
}

static void report(const char *function, const number_format *format, long double worst, const long double at[2])
{
    const char *path = getenv("MATHEMATICS_REPORT");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%s %s %.3Lf at %.17Lg %.17Lg\n", function, format->name, worst, at[0], at[1]);
    fclose(file);
}

/* Returns whether the function keeps its bound; adds to `text` if not. */
static bool keeps_bound(accel_module *module, const reference *f, const number_format *format, char *text, size_t space)
{
    const bool is_float = format->digits == 24;
    const size_t n = sample_count(), size = is_float ? sizeof(float) : sizeof(double);
    const long double bound = bound_of(f->name, is_float);
    long double worst = 0, at[2] = {0, 0}, found_there = 0;
    char name[64];
    double *x = memory(n * sizeof *x), *y = memory(n * sizeof *y), *out = memory(n * sizeof *out);
    samples_make(f->name, is_float, n, x, y);
    snprintf(name, sizeof name, "%s_%s", format->name, f->name);
    if (is_float) { /* in place: float i lies before double i */
        for (size_t i = 0; i < n; ++i) {
            ((float *)(void *)x)[i] = (float)x[i];
            ((float *)(void *)y)[i] = (float)y[i];
        }
    }
    run(module, name, n, size, x, y, out);
    for (size_t i = 0; i < n; ++i) {
        const long double a = is_float ? ((float *)(void *)x)[i] : x[i], b = is_float ? ((float *)(void *)y)[i] : y[i];
        const long double found = is_float ? ((float *)(void *)out)[i] : out[i];
        const long double right = f->one != NULL ? f->one(a) : f->two(a, b);
        const long double error = sign_is_wrong(f, found, right) ? INFINITY : error_of(found, right, format);
        if (error <= worst)
            continue;
        worst = error;
        at[0] = a;
        at[1] = b;
        found_there = found;
    }
    report(f->name, format, worst, at);
    free(x);
    free(y);
    free(out);
    if (worst <= bound + format->slack)
        return true;
    const size_t length = strlen(text);
    snprintf(text + length, space - length, "%s(%.17Lg, %.17Lg) is %.17Lg: %.2Lf units off, the bound is %.1Lf. ", name,
             at[0], at[1], found_there, worst, bound);
    return false;
}

static void keep_bounds(const number_format *format)
{
    char text[8192] = "";
    bool good = true;
    accel_module *module = NULL;
    ok(accel_module_load(test.device, suite_kernels_name, &module));
    for (size_t i = 0; i < FUNCTIONS; ++i)
        good = keeps_bound(module, &references[i], format, text, sizeof text) && good;
    accel_module_release(module);
    ck_assert_msg(good, "%s", text);
}

START_TEST(k11_functions_of_doubles_keep_their_bounds)
{
    keep_bounds(&(number_format){"double", 53, 1024, -1021, reference_slack()});
}
END_TEST

START_TEST(k11_functions_of_floats_keep_their_bounds)
{
    keep_bounds(&(number_format){"float", 24, 128, -125, ldexpl(1, -8)});
}
END_TEST

static Suite *mathematics_suite(void)
{
    Suite *suite = suite_create("mathematics");
    add(suite, k11_functions_of_doubles_keep_their_bounds);
    add(suite, k11_functions_of_floats_keep_their_bounds);
    return suite;
}

const suite_function suite_nouns[] = {mathematics_suite, NULL}, suite_host_nouns[] = {NULL};
