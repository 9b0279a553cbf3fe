/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, checked element by element against nested loops over images of the whole memory. */
#include "nouns.h"
#include "suite.h"

#include <stdio.h>

/* A buffer over memory that the test can see whole, the bytes between rows included. */
typedef struct region {
    accel_buffer *buffer;
    unsigned char *image; /* what its span should hold */
    size_t bytes;
    accel_device *device;
    accel_buffer *flat; /* the same memory as bytes */
} region;

static unsigned random_state = 12345;
static unsigned random_below(unsigned n)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 8) % n;
}

/* By the queue, or by one of the device's own if that is another. */
static void write_all(accel_device *device, accel_queue *queue, accel_buffer *flat, const void *image)
{
    accel_queue *own = device == test.device ? queue : queue_new(device, 0);
    ok(accel_write(own, flat, image));
    ok(accel_queue_wait(own));
    if (own != queue)
        accel_queue_release(own);
}

static void read_all(accel_device *device, accel_queue *queue, accel_buffer *flat, void *image)
{
    accel_queue *own = device == test.device ? queue : queue_new(device, 0);
    ok(accel_queue_wait(queue));
    ok(accel_read(own, image, flat));
    ok(accel_queue_wait(own));
    if (own != queue)
        accel_queue_release(own);
}

/* Another device of the backend under test, or NULL. */
static accel_device *second_device(void)
{
    for (size_t i = 0; i < accel_instance_device_count(test.instance); ++i) {
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        accel_device *device = accel_instance_device(test.instance, i);
        ok(accel_device_info(device, &properties));
        if (device != test.device && strcmp(properties.backend, test.properties.backend) == 0)
            return device;
    }
    return NULL;
}

/* A view of `extent` at `offset` in a pitched buffer, full of random bytes. */
static region region_new(accel_device *device, accel_queue *queue, uint32_t dims, size_t element, const size_t extent[],
                         size_t margin)
{
    region r = {.device = device};
    accel_buffer_desc desc = ACCEL_BUFFER_DESC_INIT;
    desc.element_size = element;
    desc.dims = dims;
    size_t offset[ACCEL_MAX_DIMS] = {0}, pitch = element;
    for (uint32_t d = dims; d-- > 0;) {
        desc.extent[d] = extent[d] + margin;
        offset[d] = margin == 0 ? 0 : random_below((unsigned)margin + 1);
        if (d + 1 < dims)
            desc.pitch[d] = pitch;
        pitch *= desc.extent[d] + (d > 0 ? random_below(3) : 0);
    }
    r.bytes = pitch;
    accel_buffer_desc flat = accel_buffer_1d(1, pitch);
    accel_buffer *whole = NULL;
    r.flat = buffer_new(device, &flat); /* the same memory under both shapes */
    ok_if_supported(accel_buffer_wrap(device, accel_buffer_ptr(r.flat), &desc, &whole));
    ok(accel_buffer_view(whole, offset, extent, &r.buffer));
    accel_buffer_release(whole);
    r.image = malloc(pitch + 1);
    for (size_t i = 0; i < pitch; ++i)
        r.image[i] = (unsigned char)random_below(256);
    if (device == test.host)
        memcpy(accel_buffer_ptr(r.flat), r.image, pitch);
    else
        write_all(device, queue, r.flat, r.image);
    ok(accel_queue_wait(queue));
    return r;
}

static void region_free(region *r)
{
    accel_buffer_release(r->buffer);
    accel_buffer_release(r->flat);
    free(r->image);
}

/* Elements of `extent` at the buffer's origin within its image. */
static void image_copy(uint32_t d, const accel_buffer_properties *to, unsigned char *dst,
                       const accel_buffer_properties *from, const unsigned char *src, const size_t extent[])
{
    if (d == to->dims || d == ACCEL_MAX_DIMS) {
        memcpy(dst, src, to->element_size);
        return;
    }
    for (size_t i = 0; i < extent[d]; ++i)
        image_copy(d + 1, to, dst + i * to->pitch[d], from, src + i * from->pitch[d], extent);
}

static void check_copy(accel_queue *queue, accel_device *to, accel_device *from, uint32_t dims, size_t element,
                       const size_t extent[], bool partial)
{
    region dst = region_new(to, queue, dims, element, extent, partial ? 3 : 0);
    region src = region_new(from, queue, dims, element, extent, partial ? 2 : 0);
    size_t part[ACCEL_MAX_DIMS];
    for (uint32_t d = 0; d < dims; ++d)
        part[d] = partial && extent[d] > 1 ? extent[d] - random_below(2) : extent[d];
    accel_buffer_properties dst_info = buffer_info(dst.buffer), src_info = buffer_info(src.buffer);
    unsigned char *dst_base = accel_buffer_ptr(dst.flat), *src_base = accel_buffer_ptr(src.flat);
    image_copy(0, &dst_info, dst.image + ((unsigned char *)accel_buffer_ptr(dst.buffer) - dst_base), &src_info,
               src.image + ((unsigned char *)accel_buffer_ptr(src.buffer) - src_base), part);
    ok(accel_copy(queue, dst.buffer, src.buffer, partial ? part : NULL));
    unsigned char *seen = malloc(dst.bytes + 1);
    if (to != test.host)
        read_all(to, queue, dst.flat, seen);
    ok(accel_queue_wait(queue));
    if (to == test.host)
        memcpy(seen, accel_buffer_ptr(dst.flat), dst.bytes);
    ck_assert_msg(memcmp(seen, dst.image, dst.bytes) == 0, "a copy of %u dimensions, %zu bytes per element, is wrong",
                  dims, element);
    free(seen);
    region_free(&dst);
    region_free(&src);
}

START_TEST(m6_copies_of_every_number_of_dimensions_between_every_pair_of_memories)
{
    accel_device *second = second_device();
    accel_device *pairs[][2] = {{test.device, test.device},
                                {test.host, test.device},
                                {test.device, test.host},
                                {second, test.device},
                                {test.device, second}};
    static const size_t elements[] = {1, 2, 4, 8, 12, 3, 16, 40};
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_queue *queue = queue_new(test.device, flags);
        for (int pair = 0; pair < (second != NULL ? 5 : 3); ++pair) {
            for (uint32_t dims = 1; dims <= ACCEL_MAX_DIMS; ++dims) {
                for (size_t e = 0; e < sizeof elements / sizeof elements[0]; ++e) {
                    size_t extent[ACCEL_MAX_DIMS];
                    for (uint32_t d = 0; d < dims; ++d)
                        extent[d] = 1 + random_below(dims > 4 ? 4 : 9);
                    check_copy(queue, pairs[pair][0], pairs[pair][1], dims, elements[e], extent, false);
                    check_copy(queue, pairs[pair][0], pairs[pair][1], dims, elements[e], extent, true);
                }
            }
        }
        accel_queue_release(queue);
    }
}
END_TEST

static void copy_by(accel_device *device, accel_buffer *dst, accel_buffer *src)
{
    accel_queue *queue = queue_new(device, 0);
    ok(accel_copy(queue, dst, src, NULL));
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
}

/* Write, copy through buffers of other pitches and devices, read back: for memory that the host cannot see. By queues of
 * the device `by`. */
static void round_trip(accel_device *device, accel_device *other, accel_device *by)
{
    for (uint32_t dims = 1; dims <= ACCEL_MAX_DIMS; ++dims) {
        accel_buffer_desc desc = ACCEL_BUFFER_DESC_INIT;
        size_t count = 1;
        desc.element_size = 4;
        desc.dims = dims;
        for (uint32_t d = 0; d < dims; ++d)
            count *= desc.extent[d] = 3 + d % 2;
        accel_buffer *chosen = buffer_new(device, &desc);
        size_t pitch = 4;
        for (uint32_t d = dims; d-- > 1;)
            desc.pitch[d - 1] = pitch = pitch * desc.extent[d] + 8;
        accel_buffer *padded = buffer_new(other, &desc), *back = buffer_new(device, &desc);
        accel_queue *queue = queue_new(device, 0);
        uint32_t *given = malloc(count * sizeof *given), *got = calloc(count + 1, sizeof *got);
        for (size_t i = 0; i < count; ++i)
            given[i] = (uint32_t)(i * 2654435761u);
        ok(accel_write(queue, chosen, given));
        ok(accel_queue_wait(queue));
        copy_by(by, padded, chosen);
        copy_by(by, back, padded);
        ok(accel_read(queue, got, back));
        ok(accel_queue_wait(queue));
        ck_assert_int_eq(memcmp(given, got, count * sizeof *given), 0);
        ck_assert_uint_eq(got[count], 0);
        free(given);
        free(got);
        accel_buffer_release(chosen);
        accel_buffer_release(padded);
        accel_buffer_release(back);
        accel_queue_release(queue);
    }
}

START_TEST(m4_the_queue_of_a_copy_belongs_to_source_or_destination)
{
    round_trip(test.device, test.device, test.device);
    round_trip(test.device, test.host, test.device);
    accel_device *partner = need_partner(), *second = second_device();
    if (second != NULL) {
        round_trip(test.device, second, test.device);
        round_trip(test.device, second, second);
    }
    accel_queue *queue = queue_new(partner, 0);
    accel_buffer *a = words_new(test.device, 10, 1), *b = words_new(test.device, 10, 2);
    refused(ACCEL_INVALID, accel_copy(queue, a, b, NULL), "queue", test.properties.name);
    accel_queue *own = queue_new(test.device, 0);
    words_are(own, a, 1);
    accel_buffer *c = bytes_new(test.host, 40), *d = bytes_new(test.host, 40);
    refused(ACCEL_INVALID, accel_copy(own, c, d, NULL), "queue", "host"); /* neither is the queue's */
    accel_buffer_release(c);
    accel_buffer_release(d);
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_queue_release(own);
    accel_queue_release(queue);
    round_trip(test.device, partner, test.device);
    round_trip(test.device, partner, partner);
    round_trip(partner, test.device, test.device);
    round_trip(partner, test.device, partner);
}
END_TEST

START_TEST(m5_interleaved_disjoint_regions_are_legal)
{
    /* Columns of one matrix: the left half to the right half, and even rows to odd rows. */
    accel_queue *queue = queue_new(test.device, 0);
    uint32_t words[8][10];
    accel_buffer_desc desc = accel_buffer_2d(4, 8, 10);
    accel_buffer *matrix = buffer_new(test.device, &desc), *left = NULL, *right = NULL;
    for (uint32_t i = 0; i < 80; ++i)
        words[i / 10][i % 10] = i;
    ok(accel_write(queue, matrix, words));
    ok(accel_buffer_view(matrix, NULL, (size_t[]){8, 5}, &left));
    ok(accel_buffer_view(matrix, (size_t[]){0, 5}, (size_t[]){8, 5}, &right));
    ok(accel_copy(queue, right, left, NULL));
    ok(accel_read(queue, words, matrix));
    ok(accel_queue_wait(queue));
    for (uint32_t i = 0; i < 8; ++i)
        for (uint32_t j = 0; j < 10; ++j)
            ck_assert_uint_eq(words[i][j], i * 10 + j % 5);
    accel_buffer_release(left);
    accel_buffer_release(right);
    accel_buffer_release(matrix);

    if (test.properties.features & ACCEL_FEATURE_HOST_MEMORY) {
        uint32_t memory[8][10];
        accel_buffer *even = NULL, *odd = NULL;
        accel_buffer_desc rows = accel_buffer_2d(4, 4, 10);
        rows.pitch[0] = 80;
        for (uint32_t i = 0; i < 80; ++i)
            memory[i / 10][i % 10] = i;
        ok(accel_buffer_wrap(test.device, memory[0], &rows, &even));
        ok(accel_buffer_wrap(test.device, memory[1], &rows, &odd));
        ok(accel_copy(queue, odd, even, NULL));
        ok(accel_queue_wait(queue));
        for (uint32_t i = 0; i < 8; ++i)
            for (uint32_t j = 0; j < 10; ++j)
                ck_assert_uint_eq(memory[i][j], i / 2 * 20 + j);
        accel_buffer_release(even);
        accel_buffer_release(odd);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(m5_shared_elements_are_an_error_and_nothing_is_copied)
{
    accel_queue *queue = queue_new(test.device, 0);
    uint32_t words[20];
    accel_buffer_desc desc = accel_buffer_1d(4, 20);
    accel_buffer *buffer = buffer_new(test.device, &desc), *low = NULL, *high = NULL;
    for (uint32_t i = 0; i < 20; ++i)
        words[i] = i;
    ok(accel_write(queue, buffer, words));
    ok(accel_queue_wait(queue));
    ok(accel_buffer_view(buffer, NULL, (size_t[]){11}, &low));
    ok(accel_buffer_view(buffer, (size_t[]){10}, NULL, &high));
    refused(ACCEL_INVALID, accel_copy(queue, buffer, buffer, NULL), "share", "destination (buffer of");
    refused(ACCEL_INVALID, accel_copy(queue, low, buffer, (size_t[]){5}), "share");
    refused(ACCEL_INVALID, accel_copy(queue, low, high, NULL), "extent");
    refused(ACCEL_INVALID, accel_copy(queue, high, low, (size_t[]){11}), "extent");
    ok(accel_copy(queue, buffer, high, (size_t[]){10})); /* the regions touch, but share nothing */
    memset(words, 0, sizeof words);
    ok(accel_read(queue, words, buffer));
    ok(accel_queue_wait(queue));
    for (uint32_t i = 0; i < 20; ++i)
        ck_assert_uint_eq(words[i], i < 10 ? i + 10 : i);
    accel_buffer_release(low);
    accel_buffer_release(high);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(large_copies_arrive_whole)
{
    enum { N = 3000001 };
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer_desc desc = accel_buffer_1d(1, N);
    accel_buffer *a = buffer_new(test.device, &desc), *b = buffer_new(test.device, &desc);
    unsigned char *given = malloc(N), *got = calloc(1, N);
    for (size_t i = 0; i < N; ++i)
        given[i] = (unsigned char)(i * 2654435761u >> 13);
    ok(accel_write(queue, a, given));
    ok(accel_copy(queue, b, a, NULL));
    ok(accel_read(queue, got, b));
    ok(accel_queue_wait(queue));
    ck_assert_int_eq(memcmp(given, got, N), 0);
    free(given);
    free(got);
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_queue_release(queue);
}
END_TEST

Suite *copy_suite(void)
{
    Suite *suite = suite_create("copy");
    add(suite, m4_the_queue_of_a_copy_belongs_to_source_or_destination);
    add(suite, m5_interleaved_disjoint_regions_are_legal);
    add(suite, m5_shared_elements_are_an_error_and_nothing_is_copied);
    add(suite, m6_copies_of_every_number_of_dimensions_between_every_pair_of_memories);
    add(suite, large_copies_arrive_whole);
    return suite;
}
