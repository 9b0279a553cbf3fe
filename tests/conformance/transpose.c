/* SPDX-License-Identifier: Apache-2.0 */
/* accel_transpose: all shapes, element sizes and pitches, views of one matrix, and what is refused. */
#include "nouns.h"
#include "suite.h"

#include <accel/algorithm.h>

enum { UNTOUCHED = 0xee };

typedef struct shape {
    size_t rows, columns, size;          /* of an element */
    size_t gap_before, gap_from, gap_to; /* elements: in front of all, and behind each row */
} shape;

static unsigned char byte_at(size_t i, size_t j, size_t b)
{
    return (unsigned char)(((i * 131 + j) * 17 + b + 1) * 0x9e3779b9u >> 24);
}

/* A buffer with room for the matrix, and the view of it that is the matrix. */
static accel_buffer *matrix_new(size_t rows, size_t columns, size_t size, size_t before, size_t behind,
                                accel_buffer **whole)
{
    const accel_buffer_desc desc = accel_buffer_2d(size, rows, before + columns + behind);
    const size_t offset[] = {0, before}, extent[] = {rows, columns};
    accel_buffer *view = NULL;
    *whole = buffer_new(test.device, &desc);
    ok(accel_buffer_view(*whole, offset, extent, &view));
    return view;
}

/* Gaps keep their bytes. */
static void check(accel_queue *queue, const shape *s)
{
    const size_t width_from = s->gap_before + s->columns + s->gap_from, width_to = s->gap_before + s->rows + s->gap_to;
    const size_t bytes_from = s->rows * width_from * s->size, bytes_to = s->columns * width_to * s->size;
    const unsigned char untouched = UNTOUCHED;
    unsigned char *values = malloc(bytes_from + 1), *found = malloc(bytes_to + 1);
    accel_buffer *all_from, *all_to;
    accel_buffer *from = matrix_new(s->rows, s->columns, s->size, s->gap_before, s->gap_from, &all_from);
    accel_buffer *to = matrix_new(s->columns, s->rows, s->size, s->gap_before, s->gap_to, &all_to);
    for (size_t i = 0; i < s->rows; ++i)
        for (size_t j = 0; j < width_from; ++j)
            for (size_t b = 0; b < s->size; ++b)
                values[(i * width_from + j) * s->size + b] = byte_at(i, j - s->gap_before, b);
    ok(accel_write(queue, all_from, values));
    ok(accel_fill(queue, all_to, &untouched, 1, NULL));
    ok_if_supported(accel_transpose(queue, from, to));
    ok(accel_read(queue, found, all_to));
    ok(accel_queue_wait(queue));
    for (size_t j = 0; j < s->columns; ++j)
        for (size_t c = 0; c < width_to; ++c)
            for (size_t b = 0; b < s->size; ++b) {
                const bool inside = c >= s->gap_before && c < s->gap_before + s->rows;
                const unsigned char expected = inside ? byte_at(c - s->gap_before, j, b) : UNTOUCHED;
                const unsigned char is = found[(j * width_to + c) * s->size + b];
                ck_assert_msg(is == expected,
                              "%zux%zu of %zu bytes, gaps %zu %zu %zu: byte %zu of (%zu, %zu) is %u, not %u", s->rows,
                              s->columns, s->size, s->gap_before, s->gap_from, s->gap_to, b, j, c, is, expected);
            }
    free(values), free(found);
    accel_buffer_release(from);
    accel_buffer_release(to);
    accel_buffer_release(all_from);
    accel_buffer_release(all_to);
}

START_TEST(a6_matrices_of_any_shape_are_transposed)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 3, 12, 24};
    accel_queue *queue = queue_new(test.device, 0);
    const size_t step = test.properties.kind == ACCEL_DEVICE_GPU ? 13 : 7;
    for (size_t rows = 0; rows <= 70; rows += 1 + rows % step)
        for (size_t columns = 0; columns <= 70; columns += 1 + (columns + rows) % step) {
            const shape s = {.rows = rows, .columns = columns, .size = sizes[(rows + 3 * columns) % 8]};
            check(queue, &s);
        }
    accel_queue_release(queue);
}
END_TEST

START_TEST(a6_elements_of_any_size_between_rows_of_any_pitch)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 3, 6, 12, 24, 40};
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
        const shape dense = {.rows = 65, .columns = 33, .size = sizes[k]};
        const shape gaps = {.rows = 34, .columns = 67, .size = sizes[k], .gap_before = 1, .gap_from = 2, .gap_to = 5};
        check(queue, &dense);
        check(queue, &gaps);
    }
    accel_queue_release(queue);
}
END_TEST

enum { MOST_BYTES = 16 };

/* All bytes of an element are made of its number. */
static void make_element(unsigned char *element, size_t size, uint64_t number)
{
    const uint64_t words[MOST_BYTES / sizeof(uint64_t)] = {number, ~number};
    memcpy(element, words, size);
}

/* More than the caches of CPUs hold, if these are not too large for a test. */
static void transpose_large(size_t size)
{
    enum { ROWS = 1027, LEAST = 1 << 20, MOST = 48 << 20, LINE = 64 };
    const size_t cache = (size_t)test.properties.cache_bytes[2];
    const size_t bytes = cache >= MOST ? 100000 : cache > LEAST ? cache : LEAST;
    const size_t columns = test.properties.kind == ACCEL_DEVICE_GPU ? 9 : bytes / (ROWS * size) + 5;
    accel_buffer_desc wide = accel_buffer_2d(size, ROWS, columns), high = accel_buffer_2d(size, columns, ROWS);
    high.pitch[0] = (ROWS * size + LINE - 1) / LINE * LINE;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *from = buffer_new(test.device, &wide), *to = buffer_new(test.device, &high);
    unsigned char *values = calloc(ROWS * columns, size);
    for (size_t k = 0; k < ROWS * columns; ++k)
        make_element(values + k * size, size, k);
    ok(accel_write(queue, from, values));
    ok_if_supported(accel_transpose(queue, from, to));
    ok(accel_read(queue, values, to));
    ok(accel_queue_wait(queue));
    for (size_t j = 0, wrong = 0; j < columns; ++j) {
        for (size_t i = 0; i < ROWS; ++i) {
            unsigned char expected[MOST_BYTES];
            make_element(expected, size, i * columns + j);
            wrong += memcmp(values + (j * ROWS + i) * size, expected, size) != 0;
        }
        ck_assert_uint_eq(wrong, 0);
    }
    free(values);
    accel_buffer_release(from);
    accel_buffer_release(to);
    accel_queue_release(queue);
}

START_TEST(a6_matrices_that_are_larger_than_the_caches)
{
    static const size_t sizes[] = {1, 2, 4, 8, MOST_BYTES};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s)
        transpose_large(sizes[s]);
}
END_TEST

START_TEST(a6_both_may_be_columns_of_one_matrix)
{
    enum { N = 9 };
    const accel_buffer_desc desc = accel_buffer_2d(sizeof(uint32_t), N, 2 * N);
    const size_t left_at[] = {0, 0}, right_at[] = {0, N}, nearer_at[] = {0, N - 1}, extent[] = {N, N};
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *whole = buffer_new(test.device, &desc), *left = NULL, *right = NULL, *nearer = NULL;
    uint32_t values[N][2 * N], found[N][2 * N];
    for (uint32_t i = 0; i < N; ++i)
        for (uint32_t j = 0; j < 2 * N; ++j)
            values[i][j] = 100 * i + j;
    ok(accel_buffer_view(whole, left_at, extent, &left));
    ok(accel_buffer_view(whole, right_at, extent, &right));
    ok(accel_buffer_view(whole, nearer_at, extent, &nearer));
    ok(accel_write(queue, whole, values));
    ok_if_supported(accel_transpose(queue, left, right));
    ok(accel_read(queue, found, whole));
    ok(accel_queue_wait(queue));
    for (uint32_t i = 0; i < N; ++i)
        for (uint32_t j = 0; j < N; ++j) {
            ck_assert_uint_eq(found[i][j], 100 * i + j);
            ck_assert_uint_eq(found[i][N + j], 100 * j + i);
        }
    ok(accel_transpose(queue, right, left));
    refused(ACCEL_INVALID, accel_transpose(queue, left, nearer), "from and to share memory");
    refused(ACCEL_INVALID, accel_transpose(queue, nearer, left), "from and to share memory");
    refused(ACCEL_INVALID, accel_transpose(queue, left, left), "from and to share memory");
    accel_buffer_release(nearer);
    accel_buffer_release(right);
    accel_buffer_release(left);
    accel_buffer_release(whole);
    accel_queue_release(queue);
}
END_TEST

/* Their rows lie one after the other, with pitches of their own. */
START_TEST(a6_rows_of_both_may_interleave)
{
    const accel_buffer_desc all = accel_buffer_1d(sizeof(uint32_t), 16);
    accel_buffer_desc near = accel_buffer_2d(sizeof(uint32_t), 2, 2), far = near;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *whole = buffer_new(test.device, &all), *from = NULL, *to = NULL, *over = NULL;
    uint32_t values[16], found[16];
    char *memory = accel_buffer_ptr(whole);
    for (uint32_t i = 0; i < 16; ++i)
        values[i] = i;
    near.pitch[0] = 16;
    far.pitch[0] = 32;
    ok(accel_buffer_wrap(test.device, memory, &near, &from));     /* words 0, 1; 4, 5 */
    ok(accel_buffer_wrap(test.device, memory + 8, &far, &to));    /* words 2, 3; 10, 11 */
    ok(accel_buffer_wrap(test.device, memory + 20, &far, &over)); /* words 5, 6; 13, 14 */
    ok(accel_write(queue, whole, values));
    ok_if_supported(accel_transpose(queue, from, to));
    refused(ACCEL_INVALID, accel_transpose(queue, from, over), "from and to share memory");
    refused(ACCEL_INVALID, accel_transpose(queue, over, from), "from and to share memory");
    ok(accel_read(queue, found, whole));
    ok(accel_queue_wait(queue));
    values[2] = 0;
    values[3] = 4;
    values[10] = 1;
    values[11] = 5;
    ck_assert_mem_eq(found, values, sizeof(values));
    accel_buffer_release(over);
    accel_buffer_release(to);
    accel_buffer_release(from);
    accel_buffer_release(whole);
    accel_queue_release(queue);
}
END_TEST

START_TEST(a6_what_is_no_pair_of_matrices_is_refused)
{
    const accel_buffer_desc row = accel_buffer_1d(4, 6), cube = accel_buffer_3d(4, 1, 2, 3),
                            wide = accel_buffer_2d(4, 2, 3), high = accel_buffer_2d(4, 3, 2),
                            larger = accel_buffer_2d(8, 3, 2);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *line = buffer_new(test.device, &row), *block = buffer_new(test.device, &cube),
                 *from = buffer_new(test.device, &wide), *to = buffer_new(test.device, &high),
                 *doubles = buffer_new(test.device, &larger), *same = buffer_new(test.device, &wide);
    refused(ACCEL_INVALID, accel_transpose(queue, line, to), "from", "1 dimensions");
    refused(ACCEL_INVALID, accel_transpose(queue, from, block), "to", "3 dimensions");
    refused(ACCEL_INVALID, accel_transpose(queue, from, doubles), "elements of to have 8 bytes");
    refused(ACCEL_INVALID, accel_transpose(queue, from, same), "from is 2x3", "to 2x3");
    ok(accel_fill(queue, from, &(uint32_t){0}, sizeof(uint32_t), NULL));
    ok_if_supported(accel_transpose(queue, from, to));
    ok(accel_queue_wait(queue));
    accel_buffer_release(line);
    accel_buffer_release(block);
    accel_buffer_release(from);
    accel_buffer_release(to);
    accel_buffer_release(doubles);
    accel_buffer_release(same);
    accel_queue_release(queue);
}
END_TEST

Suite *transpose_suite(void)
{
    Suite *suite = suite_create("transpose");
    add(suite, a6_matrices_of_any_shape_are_transposed);
    add(suite, a6_elements_of_any_size_between_rows_of_any_pitch);
    add(suite, a6_matrices_that_are_larger_than_the_caches);
    add(suite, a6_both_may_be_columns_of_one_matrix);
    add(suite, a6_rows_of_both_may_interleave);
    add(suite, a6_what_is_no_pair_of_matrices_is_refused);
    return suite;
}
