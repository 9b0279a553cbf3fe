/* SPDX-License-Identifier: Apache-2.0 */
/* accel_scan_values: the bits of each operation on each type, in place and not, and what is refused. */
#include "nouns.h"
#include "scanning.h"
#include "suite.h"

#include <accel/algorithm.h>
#include <math.h>

/* One value's bytes, for the model of scans. Integers are added and multiplied without sign. */
#define TYPE(T, U, name, lowest, highest)                                                                              \
    static void element_##name(void *element, const scans_args *args, size_t i)                                        \
    {                                                                                                                  \
        memcpy(element, (const T *)(const void *)args->x + i, sizeof(T));                                              \
    }                                                                                                                  \
    static void sum_##name(void *a, const void *b)                                                                     \
    {                                                                                                                  \
        *(U *)a = (U)(*(U *)a + *(const U *)b);                                                                        \
    }                                                                                                                  \
    static void prod_##name(void *a, const void *b)                                                                    \
    {                                                                                                                  \
        *(U *)a = (U)(*(U *)a * *(const U *)b);                                                                        \
    }                                                                                                                  \
    static void min_##name(void *a, const void *b)                                                                     \
    {                                                                                                                  \
        *(T *)a = *(const T *)b < *(T *)a ? *(const T *)b : *(T *)a;                                                   \
    }                                                                                                                  \
    static void max_##name(void *a, const void *b)                                                                     \
    {                                                                                                                  \
        *(T *)a = *(const T *)b > *(T *)a ? *(const T *)b : *(T *)a;                                                   \
    }                                                                                                                  \
    static const T starts_##name[4] = {0, 1, highest, lowest};
TYPE(int32_t, uint32_t, int32, INT32_MIN, INT32_MAX)
TYPE(uint32_t, uint32_t, uint32, 0, UINT32_MAX)
TYPE(int64_t, uint64_t, int64, INT64_MIN, INT64_MAX)
TYPE(uint64_t, uint64_t, uint64, 0, UINT64_MAX)
TYPE(float, float, float, -INFINITY, INFINITY)
TYPE(double, double, double, -INFINITY, INFINITY)

#define ROW(T, name)                                                                                                   \
    {                                                                                                                  \
        {NULL, sizeof(T), element_##name, &starts_##name[0], sum_##name, NULL},                                        \
            {NULL, sizeof(T), element_##name, &starts_##name[1], prod_##name, NULL},                                   \
            {NULL, sizeof(T), element_##name, &starts_##name[2], min_##name, NULL},                                    \
            {NULL, sizeof(T), element_##name, &starts_##name[3], max_##name, NULL},                                    \
    }
static const scanning models[6][4] = {ROW(int32_t, int32),   ROW(uint32_t, uint32), ROW(int64_t, int64),
                                      ROW(uint64_t, uint64), ROW(float, float),     ROW(double, double)};

enum { N = 5003 };
static const size_t sizes[] = {0, 1, 17, 2048, 2049, N};

/* Values of both signs, near 1 if they are floating-point, so that products stay finite; for minima zeros of both signs, and
 * NaNs, one of them first. */
static void make_values(uint32_t type, uint32_t operation, size_t n, unsigned char *values)
{
    uint64_t state = 99 + operation;
    for (size_t i = 0; i < n; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint64_t bits = state ^ state >> 33;
        double near = (bits & 1 ? 1 : -1) * (1 + (double)((int64_t)(bits % 2001) - 1000) * 1e-5);
        if (operation >= ACCEL_OPERATION_MIN) {
            near = i % 3 == 0 ? copysign(0, near)
                              : (operation == ACCEL_OPERATION_MIN ? 1 : -1) * (near + 2 - (double)i / (double)n * 3);
            near = i % 7 == 0 ? (double)NAN : near;
        }
        if (type == ACCEL_TYPE_FLOAT)
            ((float *)(void *)values)[i] = (float)near;
        else if (type == ACCEL_TYPE_DOUBLE)
            ((double *)(void *)values)[i] = near;
        else
            memcpy(values + i * models[type - 1][0].size, &bits, models[type - 1][0].size);
    }
}

typedef struct scan_case {
    uint32_t type, operation;
    size_t n, room; /* values that are scanned, and those of the buffers */
    bool inclusive, in_place;
} scan_case;

/* What is behind the results stays. */
static void check(accel_queue *queue, const scan_case *c, const unsigned char *values, accel_buffer *from,
                  accel_buffer *to)
{
    const scanning *model = &models[c->type - 1][c->operation - 1];
    const size_t bytes = c->room * model->size;
    const scans_args args = {.x = (double *)(void *)(uintptr_t)values};
    unsigned char *found = malloc(bytes), *expected = malloc(bytes);
    accel_buffer *part = NULL, *result = c->in_place ? from : to;
    memcpy(expected, values, bytes);
    ok(accel_write(queue, from, values));
    ok(accel_write(queue, to, values));
    ok(accel_buffer_view(from, NULL, &c->n, &part));
    ok_if_supported(accel_scan_values(queue, part, c->type, c->operation, result,
                                      c->inclusive ? ACCEL_SCAN_INCLUSIVE : ACCEL_SCAN_EXCLUSIVE));
    ok(accel_read(queue, found, result));
    ok(accel_queue_wait(queue));
    scan_all(model, &args, c->n, c->inclusive, expected);
    for (size_t i = 0; i < c->room; ++i)
        ck_assert_msg(memcmp(found + i * model->size, expected + i * model->size, model->size) == 0,
                      "type %u, operation %u, %s, value %zu of %zu", c->type, c->operation,
                      c->inclusive ? "inclusive" : "exclusive", i, c->n);
    accel_buffer_release(part);
    free(found), free(expected);
}

START_TEST(a12_every_scan_of_every_type_has_the_bits_of_a_scan)
{
    unsigned char *values = malloc(N * sizeof(double));
    accel_queue *queue = queue_new(test.device, 0);
    const size_t step = test.properties.kind == ACCEL_DEVICE_GPU ? 2 : 1;
    for (uint32_t type = ACCEL_TYPE_INT32; type <= ACCEL_TYPE_DOUBLE; ++type) {
        const accel_buffer_desc desc = accel_buffer_1d(models[type - 1][0].size, N);
        accel_buffer *from = buffer_new(test.device, &desc), *to = buffer_new(test.device, &desc);
        for (uint32_t operation = ACCEL_OPERATION_SUM; operation <= ACCEL_OPERATION_MAX; ++operation) {
            make_values(type, operation, N, values);
            for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k += step) {
                const bool inclusive = (k + type + operation) % 2 == 0;
                const scan_case c = {type, operation, sizes[k], N, inclusive, k % 3 == 1};
                check(queue, &c, values, from, to);
                if (k + 1 == sizeof sizes / sizeof sizes[0]) {
                    const scan_case other = {type, operation, sizes[k], N, !inclusive, true};
                    check(queue, &other, values, from, to);
                }
            }
        }
        accel_buffer_release(from);
        accel_buffer_release(to);
    }
    accel_queue_release(queue);
    free(values);
}
END_TEST

/* Three groups of tiles. */
START_TEST(a12_large_scans_have_the_bits_of_a_scan)
{
    static const uint32_t few[][2] = {{ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_MIN},
                                      {ACCEL_TYPE_FLOAT, ACCEL_OPERATION_MAX},
                                      {ACCEL_TYPE_INT64, ACCEL_OPERATION_MAX},
                                      {ACCEL_TYPE_UINT32, ACCEL_OPERATION_PROD},
                                      {ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_PROD}};
    const size_t room = test.properties.kind == ACCEL_DEVICE_GPU ? 3 * N : 530011;
    unsigned char *values = malloc(room * sizeof(double));
    accel_queue *queue = queue_new(test.device, 0);
    for (size_t k = 0; k < sizeof few / sizeof few[0]; ++k) {
        const scan_case c = {few[k][0], few[k][1], room - 1, room, k % 2 == 0, k == 1};
        const accel_buffer_desc desc = accel_buffer_1d(models[c.type - 1][0].size, room);
        accel_buffer *from = buffer_new(test.device, &desc), *to = buffer_new(test.device, &desc);
        make_values(c.type, c.operation, room, values);
        check(queue, &c, values, from, to);
        accel_buffer_release(from);
        accel_buffer_release(to);
    }
    accel_queue_release(queue);
    free(values);
}
END_TEST

/* The values are of the whole device. */
START_TEST(a12_parts_of_a_device_scan_like_the_whole)
{
    enum { LARGE = 530011 };
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), LARGE);
    unsigned char *values = malloc(LARGE * sizeof(double));
    accel_device *parts[2];
    need_parts(parts);
    accel_buffer *from = buffer_new(test.device, &desc), *to = buffer_new(test.device, &desc);
    make_values(ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, LARGE, values);
    for (size_t p = 0; p < 2; ++p) {
        accel_queue *queue = queue_new(parts[p], p == 0 ? 0 : ACCEL_QUEUE_BLOCKING);
        const scan_case c = {ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, LARGE - 1, LARGE, p == 0, p == 1};
        check(queue, &c, values, from, to);
        accel_queue_release(queue);
        accel_device_release(parts[p]);
    }
    accel_buffer_release(from);
    accel_buffer_release(to);
    free(values);
}
END_TEST

START_TEST(a12_what_cannot_be_scanned_is_refused)
{
    const accel_buffer_desc wide = accel_buffer_1d(8, 10);
    const size_t one = 1, nine = 9;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *values = words_new(test.device, 10, 7), *result = words_new(test.device, 10, 9);
    accel_buffer *doubles = buffer_new(test.device, &wide), *few = NULL, *behind = NULL;
    const uint32_t type = ACCEL_TYPE_UINT32, sum = ACCEL_OPERATION_SUM;
    ok(accel_buffer_view(result, NULL, &nine, &few));
    ok(accel_buffer_view(values, &one, NULL, &behind));
    refused(ACCEL_INVALID, accel_scan_values(queue, values, 0, sum, result, 0), "type is 0");
    refused(ACCEL_INVALID, accel_scan_values(queue, values, type, 5, result, 0), "operation is 5");
    refused(ACCEL_INVALID, accel_scan_values(queue, values, type, sum, result, 2), "flags are 0x2");
    refused(ACCEL_INVALID, accel_scan_values(queue, doubles, type, sum, result, 0), "values", "8 bytes");
    refused(ACCEL_INVALID, accel_scan_values(queue, values, type, sum, doubles, 0), "result", "8 bytes");
    refused(ACCEL_INVALID, accel_scan_values(queue, values, type, sum, few, 0), "result has 9 elements", "10");
    refused(ACCEL_INVALID, accel_scan_values(queue, behind, type, sum, values, 0), "values and result");
    words_are(queue, result, 9);
    accel_buffer *const all[] = {values, result, doubles, few, behind};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        accel_buffer_release(all[i]);
    accel_queue_release(queue);
}
END_TEST

Suite *scan_values_suite(void)
{
    Suite *suite = suite_create("scan values");
    add(suite, a12_every_scan_of_every_type_has_the_bits_of_a_scan);
    add_for_threads(suite, a12_large_scans_have_the_bits_of_a_scan);
    add(suite, a12_parts_of_a_device_scan_like_the_whole);
    add(suite, a12_what_cannot_be_scanned_is_refused);
    return suite;
}
