/* SPDX-License-Identifier: Apache-2.0 */
/* accel_gemm: bits, extents, pitches and transposed matrices, what is not read, and what is refused. */
#include "nouns.h"
#include "suite.h"

#include <accel/algorithm.h>

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

enum { A, B, C, MATRICES };

typedef struct product {
    size_t rows, columns, depth;
    double alpha, beta;
    uint32_t flags, type;
    size_t gap; /* elements before and behind each row */
} product;

/* A buffer with gaps between its rows, the view of it that is the matrix, and what the buffer was filled with. */
typedef struct matrix {
    size_t extent[2], gap;
    accel_buffer *whole, *view;
    void *values;
} matrix;

static size_t size_of(uint32_t type)
{
    return type == ACCEL_TYPE_FLOAT ? sizeof(float) : sizeof(double);
}

static double number_at(uint32_t type, const void *values, size_t k)
{
    return type == ACCEL_TYPE_FLOAT ? (double)((const float *)values)[k] : ((const double *)values)[k];
}

static void put_number(uint32_t type, void *values, size_t k, double x)
{
    if (type == ACCEL_TYPE_FLOAT)
        ((float *)values)[k] = (float)x;
    else
        ((double *)values)[k] = x;
}

static size_t width_of(const matrix *m)
{
    return m->gap + m->extent[1] + m->gap;
}

static size_t place_in(const matrix *m, size_t i, size_t j)
{
    return i * width_of(m) + m->gap + j;
}

/* With `nans` its values are not numbers. */
static matrix matrix_new(accel_queue *queue, const product *p, size_t rows, size_t columns, uint32_t seed, bool nans)
{
    matrix m = {.extent = {rows, columns}, .gap = p->gap};
    const accel_buffer_desc desc = accel_buffer_2d(size_of(p->type), rows, width_of(&m));
    const size_t offset[] = {0, p->gap}, count = rows * width_of(&m);
    m.values = malloc(count * size_of(p->type) + 1);
    for (size_t k = 0; k < count; ++k) {
        seed = seed * 1664525u + 1013904223u;
        put_number(p->type, m.values, k, nans ? (double)NAN : (double)(int32_t)seed / 2147483648.0);
    }
    m.whole = buffer_new(test.device, &desc);
    ok(accel_buffer_view(m.whole, offset, m.extent, &m.view));
    ok(accel_write(queue, m.whole, m.values));
    return m;
}

static void matrix_release(matrix *m)
{
    free(m->values);
    accel_buffer_release(m->view);
    accel_buffer_release(m->whole);
}

/* One element as A11 says. */
static double element(const product *p, const matrix m[MATRICES], size_t i, size_t j, bool fused)
{
    const bool a_transposed = (p->flags & ACCEL_GEMM_TRANSPOSE_A) != 0,
               b_transposed = (p->flags & ACCEL_GEMM_TRANSPOSE_B) != 0, is_float = p->type == ACCEL_TYPE_FLOAT;
    double x = 0;
    if (p->beta != 0) {
        x = number_at(p->type, m[C].values, place_in(&m[C], i, j));
        x = is_float ? (double)((float)p->beta * (float)x) : p->beta * x;
    }
    for (size_t k = 0; k < p->depth && p->alpha != 0; ++k) {
        double a = number_at(p->type, m[A].values, a_transposed ? place_in(&m[A], k, i) : place_in(&m[A], i, k));
        const double b = number_at(p->type, m[B].values, b_transposed ? place_in(&m[B], j, k) : place_in(&m[B], k, j));
        volatile double rounded;
        volatile float rounded_float;
        if (is_float) {
            a = (double)((float)p->alpha * (float)a);
            rounded_float = (float)a * (float)b;
            x = (double)(fused ? fmaf((float)a, (float)b, (float)x) : rounded_float + (float)x);
        } else {
            a = p->alpha * a;
            rounded = a * b;
            x = fused ? fma(a, b, x) : rounded + x;
        }
    }
    return x;
}

/* Only CPUs may round products. */
static bool must_fuse(void)
{
    const char *const level = getenv("OWN_KERNELS_LEVEL"); /* levels.sh */
    const char *const architecture = level != NULL ? level : test.properties.architecture;
    return test.properties.kind == ACCEL_DEVICE_GPU ||
           (strcmp(architecture, "x86-64") != 0 && strcmp(architecture, "x86-64-v2") != 0);
}

static void check(accel_queue *queue, const product *p)
{
    const bool a_transposed = (p->flags & ACCEL_GEMM_TRANSPOSE_A) != 0,
               b_transposed = (p->flags & ACCEL_GEMM_TRANSPOSE_B) != 0;
    accel_gemm_desc desc = ACCEL_GEMM_DESC_INIT;
    matrix m[MATRICES];
    desc.type = p->type;
    desc.flags = p->flags;
    m[A] = matrix_new(queue, p, a_transposed ? p->depth : p->rows, a_transposed ? p->rows : p->depth, 1, p->alpha == 0);
    m[B] = matrix_new(queue, p, b_transposed ? p->columns : p->depth, b_transposed ? p->depth : p->columns, 2, false);
    m[C] = matrix_new(queue, p, p->rows, p->columns, 3, p->beta == 0);
    const size_t width = width_of(&m[C]), size = size_of(p->type);
    char *found = malloc(p->rows * width * size + 1);
    size_t fused_wrong = 0, rounded_wrong = 0, gaps_wrong = 0;
    ok_if_supported(accel_gemm(queue, &desc, p->alpha, m[A].view, m[B].view, p->beta, m[C].view));
    ok(accel_read(queue, found, m[C].whole));
    ok(accel_queue_wait(queue));
    for (size_t i = 0; i < p->rows; ++i)
        for (size_t c = 0; c < width; ++c) {
            const size_t at = (i * width + c) * size;
            if (c < p->gap || c >= p->gap + p->columns) {
                gaps_wrong += memcmp(found + at, (const char *)m[C].values + at, size) != 0;
                continue;
            }
            char fused[sizeof(double)], rounded[sizeof(double)];
            put_number(p->type, fused, 0, element(p, m, i, c - p->gap, true));
            put_number(p->type, rounded, 0, element(p, m, i, c - p->gap, false));
            fused_wrong += memcmp(found + at, fused, size) != 0;
            rounded_wrong += memcmp(found + at, rounded, size) != 0;
        }
    ck_assert_msg(gaps_wrong == 0 && (fused_wrong == 0 || (!must_fuse() && rounded_wrong == 0)),
                  "%zux%zux%zu, alpha %g, beta %g, flags %u, type %u, gap %zu: %zu elements are wrong, %zu if products "
                  "are rounded, and %zu between the rows",
                  p->rows, p->columns, p->depth, p->alpha, p->beta, p->flags, p->type, p->gap, fused_wrong,
                  rounded_wrong, gaps_wrong);
    free(found);
    for (int k = 0; k < MATRICES; ++k)
        matrix_release(&m[k]);
}

static const double factors[][2] = {{1, 0}, {1, 1}, {-0.7, 0}, {0.3, -1.1}, {0, 0.9}, {0, 0}};
enum { FACTORS = sizeof factors / sizeof factors[0] };

START_TEST(a11_products_of_any_extents_have_the_bits_of_one_chain)
{
    static const size_t extents[][3] = {{1, 1, 1},  {0, 4, 4},   {4, 0, 4},   {4, 4, 0},   {2, 3, 5},
                                        {8, 32, 9}, {33, 7, 16}, {17, 65, 3}, {66, 31, 33}};
    accel_queue *queue = queue_new(test.device, 0);
    uint32_t turn = 0;
    for (size_t e = 0; e < sizeof extents / sizeof extents[0]; ++e)
        for (uint32_t flags = 0; flags < 4; ++flags)
            for (uint32_t type = ACCEL_TYPE_FLOAT; type <= ACCEL_TYPE_DOUBLE; ++type, ++turn) {
                const double *factor = factors[(turn + e) % FACTORS];
                const product p = {extents[e][0], extents[e][1], extents[e][2], factor[0],
                                   factor[1],     flags,         type,          turn % 3 * 2};
                check(queue, &p);
            }
    accel_queue_release(queue);
}
END_TEST

/* On CPUs: several tiles, and more terms than are copied at a time. */
START_TEST(a11_large_products_have_the_bits_of_one_chain)
{
    const bool gpu = test.properties.kind == ACCEL_DEVICE_GPU;
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    for (uint32_t flags = 0; flags < 4; ++flags) {
        const uint32_t type = flags % 2 == 0 ? ACCEL_TYPE_DOUBLE : ACCEL_TYPE_FLOAT;
        const double beta = flags < 2 ? 1.3 : 0;
        const product p = {gpu ? 65 : 140, gpu ? 130 : 75, gpu ? 20 : 1050, 0.9, beta, flags, type, 1};
        const product wide = {gpu ? 3 : 53, gpu ? 130 : 1201, 20, 0.9, beta, flags, type, 1};
        check(queue, &p);
        check(queue, &wide);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(a11_what_a_zero_multiplies_is_not_read)
{
    accel_queue *queue = queue_new(test.device, 0);
    const product no_c = {9, 10, 11, 1, 0, 0, ACCEL_TYPE_DOUBLE, 0}; /* C has NaNs */
    const product no_a = {9, 10, 11, 0, 2, 0, ACCEL_TYPE_FLOAT, 0};  /* A has */
    const product neither = {9, 10, 11, 0, 0, 0, ACCEL_TYPE_FLOAT, 0};
    check(queue, &no_c);
    check(queue, &no_a);
    check(queue, &neither);
    accel_queue_release(queue);
}
END_TEST

START_TEST(a11_all_three_may_be_columns_of_one_matrix_but_c_overlaps_none)
{
    enum { N = 5 };
    const accel_buffer_desc desc = accel_buffer_2d(sizeof(float), N, 3 * N);
    const size_t extent[] = {N, N}, at[][2] = {{0, 0}, {0, N}, {0, 2 * N}, {0, N + 1}};
    accel_gemm_desc what = ACCEL_GEMM_DESC_INIT;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *whole = buffer_new(test.device, &desc), *part[4];
    float values[N][3 * N], found[N][3 * N];
    what.type = ACCEL_TYPE_FLOAT;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < 3 * N; ++j)
            values[i][j] = (float)(i + j);
    for (int k = 0; k < 4; ++k)
        ok(accel_buffer_view(whole, at[k], extent, &part[k]));
    ok(accel_write(queue, whole, values));
    ok_if_supported(accel_gemm(queue, &what, 1, part[0], part[1], 0, part[2]));
    ok(accel_read(queue, found, whole));
    ok(accel_queue_wait(queue));
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < 3 * N; ++j) {
            float expected = j < 2 * N ? values[i][j] : 0;
            for (int k = 0; j >= 2 * N && k < N; ++k)
                expected += values[i][k] * values[k][j - N];
            ck_assert_msg(found[i][j] == expected, "(%d, %d) is %g, not %g", i, j, (double)found[i][j],
                          (double)expected);
        }
    ok(accel_gemm(queue, &what, 1, part[0], part[0], 0, part[2])); /* A may be B */
    refused(ACCEL_INVALID, accel_gemm(queue, &what, 1, part[1], part[0], 0, part[3]), "a and c share memory");
    refused(ACCEL_INVALID, accel_gemm(queue, &what, 1, part[0], part[1], 0, part[1]), "b and c share memory");
    ok(accel_queue_wait(queue));
    for (int k = 0; k < 4; ++k)
        accel_buffer_release(part[k]);
    accel_buffer_release(whole);
    accel_queue_release(queue);
}
END_TEST

START_TEST(a11_what_is_no_product_is_refused)
{
    const accel_buffer_desc wide = accel_buffer_2d(8, 2, 3), high = accel_buffer_2d(8, 3, 2),
                            square = accel_buffer_2d(8, 2, 2), small = accel_buffer_2d(4, 3, 2),
                            row = accel_buffer_1d(8, 6);
    accel_gemm_desc desc = ACCEL_GEMM_DESC_INIT;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *a = buffer_new(test.device, &wide), *b = buffer_new(test.device, &high),
                 *c = buffer_new(test.device, &square), *floats = buffer_new(test.device, &small),
                 *line = buffer_new(test.device, &row);
    refused(ACCEL_INVALID, accel_gemm(queue, &desc, 1, a, b, 0, c), "desc.type is 0", "ACCEL_TYPE_FLOAT");
    desc.type = ACCEL_TYPE_INT32;
    refused(ACCEL_INVALID, accel_gemm(queue, &desc, 1, a, b, 0, c), "desc.type is 1");
    desc.type = ACCEL_TYPE_DOUBLE;
    desc.flags = 4;
    refused(ACCEL_INVALID, accel_gemm(queue, &desc, 1, a, b, 0, c), "desc.flags is 0x4", "ACCEL_GEMM_TRANSPOSE_A");
    desc.flags = 0;
    refused(ACCEL_INVALID, accel_gemm(queue, &desc, 1, line, b, 0, c), "a, a", "1 dimensions");
    refused(ACCEL_INVALID, accel_gemm(queue, &desc, 1, a, floats, 0, c), "elements of b have 4 bytes");
    refused(ACCEL_INVALID, accel_gemm(queue, &desc, 1, a, a, 0, c), "a is 2x3, b 2x3 and c 2x2");
    refused(ACCEL_INVALID, accel_gemm(queue, &desc, 1, b, a, 0, c), "a is 3x2, b 2x3 and c 2x2");
    desc.flags = ACCEL_GEMM_TRANSPOSE_A;
    refused(ACCEL_INVALID, accel_gemm(queue, &desc, 1, a, b, 0, c), "a is 2x3 (transposed), b 3x2");
    desc.flags = ACCEL_GEMM_TRANSPOSE_B;
    ok(accel_fill(queue, a, &(double){0}, sizeof(double), NULL));
    ok_if_supported(accel_gemm(queue, &desc, 1, a, a, 0, c)); /* A may be B, and here its transposed matrix */
    ok(accel_queue_wait(queue));
    accel_buffer_release(line);
    accel_buffer_release(floats);
    accel_buffer_release(c);
    accel_buffer_release(b);
    accel_buffer_release(a);
    accel_queue_release(queue);
}
END_TEST

/* With `nans` the matrix is not numbers, which nobody sees if alpha is 0. */
static void check_rounding(uint32_t type, double alpha, bool nans)
{
    enum { SIDE = 20, BYTES = SIDE * SIDE * sizeof(double) };
    _Alignas(double) char a[BYTES], nearest[BYTES], upwards[BYTES];
    const accel_buffer_desc square = accel_buffer_2d(size_of(type), SIDE, SIDE);
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    accel_buffer *in = buffer_new(test.device, &square), *out = buffer_new(test.device, &square);
    accel_gemm_desc desc = ACCEL_GEMM_DESC_INIT;
    desc.type = type;
    for (size_t i = 0; i < SIDE * SIDE; ++i)
        put_number(type, a, i, nans ? (double)NAN : 1.0 / (double)(i + 3));
    ok(accel_write(queue, in, a));
    for (int mode = 0; mode < 2; ++mode) {
        fesetround(mode == 0 ? FE_TONEAREST : FE_UPWARD);
        const accel_status status = accel_gemm(queue, &desc, alpha, in, in, 0, out);
        fesetround(FE_TONEAREST);
        ok(status);
        ok(accel_read(queue, mode == 0 ? nearest : upwards, out));
        ok(accel_queue_wait(queue));
    }
    ck_assert_mem_eq(nearest, upwards, SIDE * SIDE * size_of(type));
    accel_buffer_release(in);
    accel_buffer_release(out);
    accel_queue_release(queue);
}

START_TEST(a11_the_bits_do_not_depend_on_how_the_caller_rounds)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("the device under test is no CPU: simulated ones round as this process does");
    check_rounding(ACCEL_TYPE_DOUBLE, 1, false);
    check_rounding(ACCEL_TYPE_FLOAT, 0.7, false);     /* no float: the nearest is less */
    check_rounding(ACCEL_TYPE_FLOAT, 0x1p-150, true); /* half of the least float: nearest to it is 0 */
}
END_TEST

Suite *gemm_suite(void)
{
    Suite *suite = suite_create("gemm");
    add(suite, a11_products_of_any_extents_have_the_bits_of_one_chain);
    add(suite, a11_large_products_have_the_bits_of_one_chain);
    add(suite, a11_what_a_zero_multiplies_is_not_read);
    add(suite, a11_all_three_may_be_columns_of_one_matrix_but_c_overlaps_none);
    add(suite, a11_what_is_no_product_is_refused);
    add(suite, a11_the_bits_do_not_depend_on_how_the_caller_rounds);
    return suite;
}
