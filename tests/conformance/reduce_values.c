/* SPDX-License-Identifier: Apache-2.0 */
/* accel_reduce_values: the bits of each operation on each type, and what is refused. */
#include "nouns.h"
#include "reduction.h"
#include "suite.h"

#include <accel/algorithm.h>
#include <fenv.h>
#include <math.h>

/* One value's bytes, for the model of reductions. */
#define TYPE(T, name, lowest, highest)                                                                                 \
    static void element_##name(void *element, const reductions_args *args, size_t i)                                   \
    {                                                                                                                  \
        memcpy(element, (const T *)(const void *)args->x + i, sizeof(T));                                              \
    }                                                                                                                  \
    static __attribute__((unused)) void sum_##name(void *a, const void *b)                                             \
    {                                                                                                                  \
        *(T *)a = (T)(*(T *)a + *(const T *)b);                                                                        \
    }                                                                                                                  \
    static __attribute__((unused)) void prod_##name(void *a, const void *b)                                            \
    {                                                                                                                  \
        *(T *)a = (T)(*(T *)a * *(const T *)b);                                                                        \
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
/* The model adds and multiplies integers without sign, which do not overflow. */
TYPE(int32_t, int32, INT32_MIN, INT32_MAX)
TYPE(uint32_t, uint32, 0, UINT32_MAX)
TYPE(int64_t, int64, INT64_MIN, INT64_MAX)
TYPE(uint64_t, uint64, 0, UINT64_MAX)
TYPE(float, float, -INFINITY, INFINITY)
TYPE(double, double, -INFINITY, INFINITY)

#define ROW(T, name, additive)                                                                                         \
    {                                                                                                                  \
        {NULL, sizeof(T), element_##name, &starts_##name[0], sum_##additive},                                          \
            {NULL, sizeof(T), element_##name, &starts_##name[1], prod_##additive},                                     \
            {NULL, sizeof(T), element_##name, &starts_##name[2], min_##name},                                          \
            {NULL, sizeof(T), element_##name, &starts_##name[3], max_##name},                                          \
    }
static const reduction models[6][4] = {ROW(int32_t, int32, uint32), ROW(uint32_t, uint32, uint32),
                                       ROW(int64_t, int64, uint64), ROW(uint64_t, uint64, uint64),
                                       ROW(float, float, float),    ROW(double, double, double)};

enum { N = 40003 };
static const size_t sizes[] = {0, 1, 2, 33, 4096, 4097, 16384, 16385, N};

/* Values of both signs, near 1 if they are floating-point, so that products stay finite; some NaNs for the minimum. */
static void make_values(uint32_t type, bool with_nans, unsigned char *values)
{
    uint64_t state = 99;
    for (size_t i = 0; i < N; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint64_t bits = state ^ state >> 33;
        const double near = (bits & 1 ? 1 : -1) * (1 + (double)((int64_t)(bits % 2001) - 1000) * 1e-5);
        const bool is_nan = with_nans && i % 7 == 3;
        if (type == ACCEL_TYPE_FLOAT)
            ((float *)(void *)values)[i] = is_nan ? NAN : (float)near;
        else if (type == ACCEL_TYPE_DOUBLE)
            ((double *)(void *)values)[i] = is_nan ? (double)NAN : near;
        else
            memcpy(values + i * models[type - 1][0].size, &bits, models[type - 1][0].size);
    }
}

START_TEST(a3_every_operation_on_every_type_has_the_bits_of_a_reduction)
{
    unsigned char *values = malloc(N * sizeof(double));
    accel_queue *queue = queue_new(test.device, 0);
    for (uint32_t type = ACCEL_TYPE_INT32; type <= ACCEL_TYPE_DOUBLE; ++type) {
        const size_t size = models[type - 1][0].size;
        const accel_buffer_desc desc = accel_buffer_1d(size, N), one = accel_buffer_1d(size, 1);
        accel_buffer *whole = buffer_new(test.device, &desc), *result = buffer_new(test.device, &one);
        for (uint32_t operation = ACCEL_OPERATION_SUM; operation <= ACCEL_OPERATION_MAX; ++operation) {
            make_values(type, operation >= ACCEL_OPERATION_MIN, values);
            ok(accel_write(queue, whole, values));
            for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
                unsigned char found[8] = {0}, expected[8] = {0};
                const reductions_args args = {.x = (const double *)(const void *)values};
                accel_buffer *part = NULL;
                ok(accel_buffer_view(whole, NULL, &sizes[k], &part));
                ok_if_supported(accel_reduce_values(queue, part, type, operation, result));
                ok(accel_read(queue, found, result));
                ok(accel_queue_wait(queue));
                reduction_of(&models[type - 1][operation - 1], &args, sizes[k], expected);
                ck_assert_msg(memcmp(found, expected, size) == 0, "type %u, operation %u, %zu values", type, operation,
                              sizes[k]);
                accel_buffer_release(part);
            }
        }
        accel_buffer_release(whole);
        accel_buffer_release(result);
    }
    accel_queue_release(queue);
    free(values);
}
END_TEST

/* Several dimensions count as one, and results go where those of accel_reduce go. */
START_TEST(a2_a_buffer_of_several_dimensions_is_a_row_of_values)
{
    const accel_buffer_desc desc = accel_buffer_3d(sizeof(uint32_t), 3, 5, 7),
                            one = accel_buffer_1d(sizeof(uint32_t), 1);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *values = buffer_new(test.device, &desc), *result = buffer_new(test.host, &one);
    const uint32_t two = 2;
    ok(accel_fill(queue, values, &two, sizeof two, NULL));
    ok_if_supported(accel_reduce_values(queue, values, ACCEL_TYPE_UINT32, ACCEL_OPERATION_SUM, result));
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(*(const uint32_t *)buffer_info(result).host_ptr, 2 * 3 * 5 * 7);
    accel_buffer_release(values);
    accel_buffer_release(result);
    accel_queue_release(queue);
}
END_TEST

START_TEST(a2_what_is_no_row_of_values_is_refused)
{
    const accel_buffer_desc plane = accel_buffer_2d(8, 4, 4), one = accel_buffer_1d(8, 1);
    const size_t offset[] = {0, 1};
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *values = buffer_new(test.device, &plane), *result = buffer_new(test.device, &one), *view = NULL;
    ok(accel_buffer_view(values, offset, NULL, &view));
    refused(ACCEL_INVALID, accel_reduce_values(queue, view, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, result), "values",
            "gaps");
    refused(ACCEL_INVALID, accel_reduce_values(queue, values, ACCEL_TYPE_FLOAT, ACCEL_OPERATION_SUM, result), "values",
            "8 bytes", "4");
    refused(ACCEL_INVALID, accel_reduce_values(queue, values, 0, ACCEL_OPERATION_SUM, result), "type is 0");
    refused(ACCEL_INVALID, accel_reduce_values(queue, values, 7, ACCEL_OPERATION_SUM, result), "type is 7");
    refused(ACCEL_INVALID, accel_reduce_values(queue, values, ACCEL_TYPE_DOUBLE, 5, result), "operation is 5");
    refused(ACCEL_INVALID, accel_reduce_values(queue, values, ACCEL_TYPE_DOUBLE, 0, result), "operation is 0");
    if (test.partner != NULL) {
        accel_buffer *far = buffer_new(test.partner, &one);
        accel_buffer_properties p = buffer_info(far);
        if (p.host_ptr == NULL || test.properties.kind == ACCEL_DEVICE_GPU)
            refused(ACCEL_INVALID, accel_reduce_values(queue, far, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, result),
                    "values", test.properties.name);
        accel_buffer_release(far);
    }
    accel_buffer_release(view);
    accel_buffer_release(values);
    accel_buffer_release(result);
    accel_queue_release(queue);
}
END_TEST

/* The program's first thread may round upwards, or take denormal numbers for zeros as programs do that gcc linked with
 * -ffast-math. */
static void set_mode(int mode)
{
    fesetround(mode == 1 ? FE_UPWARD : FE_TONEAREST);
#if defined(__x86_64__)
    const uint32_t bits = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(mode == 2 ? bits | 0x8040u : bits & ~0x8040u);
#endif
}

START_TEST(p1_the_bits_do_not_depend_on_how_the_caller_rounds)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("the device under test is no CPU: simulated ones round as this process does");
    static double values[N];
    const accel_buffer_desc many = accel_buffer_1d(sizeof(double), N), one = accel_buffer_1d(sizeof(double), 1);
    accel_buffer *from = buffer_new(test.device, &many), *to = buffer_new(test.device, &one);
    double expected = 0, sum = 0, largest = 0;
    for (int mode = 0; mode < 3; ++mode)
        for (uint32_t flags = 0; flags <= ACCEL_QUEUE_BLOCKING; flags += ACCEL_QUEUE_BLOCKING) {
            accel_queue *queue = queue_new(test.device, flags);
            for (size_t i = 0; i < N; ++i)
                values[i] = 1.0 / (double)(i + 3);
            ok(accel_write(queue, from, values));
            set_mode(mode);
            ok(accel_reduce_values(queue, from, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_SUM, to));
            ok(accel_read(queue, &sum, to));
            ok(accel_queue_wait(queue));
            ck_assert_int_eq(fegetround(), mode == 1 ? FE_UPWARD : FE_TONEAREST);
            set_mode(0);
            for (size_t i = 0; i < N; ++i)
                values[i] = (double)(i % 7) * 0x1p-1070; /* denormal, all of them */
            ok(accel_write(queue, from, values));
            set_mode(mode);
            ok(accel_reduce_values(queue, from, ACCEL_TYPE_DOUBLE, ACCEL_OPERATION_MAX, to));
            ok(accel_read(queue, &largest, to));
            ok(accel_queue_wait(queue));
            set_mode(0);
            if (mode == 0)
                expected = sum;
            ck_assert_mem_eq(&sum, &expected, sizeof sum);
            ck_assert(largest == 6 * 0x1p-1070);
            accel_queue_release(queue);
        }
    accel_buffer_release(from);
    accel_buffer_release(to);
}
END_TEST

Suite *reduce_values_suite(void)
{
    Suite *suite = suite_create("reduce values");
    add(suite, a3_every_operation_on_every_type_has_the_bits_of_a_reduction);
    add(suite, a2_a_buffer_of_several_dimensions_is_a_row_of_values);
    add(suite, a2_what_is_no_row_of_values_is_refused);
    add(suite, p1_the_bits_do_not_depend_on_how_the_caller_rounds);
    return suite;
}
