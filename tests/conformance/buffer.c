/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers: shapes, views, wrapped memory, flags. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <sys/mman.h>

START_TEST(m1_extents_are_in_elements_and_pitches_in_bytes_last_dimension_fastest)
{
    for (uint32_t dims = 1; dims <= ACCEL_MAX_DIMS; ++dims) {
        accel_buffer_desc desc = ACCEL_BUFFER_DESC_INIT;
        desc.element_size = 12;
        desc.dims = dims;
        for (uint32_t d = 0; d < dims; ++d)
            desc.extent[d] = 3 + d;
        accel_buffer *buffer = buffer_new(test.device, &desc);
        accel_buffer_properties p = buffer_info(buffer);
        ck_assert_uint_eq(p.dims, dims);
        ck_assert_uint_eq(p.element_size, 12);
        ck_assert_uint_eq(p.is_view, 0);
        ck_assert_uint_eq(p.pitch[dims - 1], 12);
        size_t span = 12;
        for (uint32_t d = 0; d < dims; ++d) {
            ck_assert_uint_eq(p.extent[d], 3 + d);
            ck_assert_uint_eq(p.pitch[d] % 12, 0);
            if (d + 1 < dims)
                ck_assert_uint_ge(p.pitch[d], p.pitch[d + 1] * p.extent[d + 1]);
            span += (p.extent[d] - 1) * p.pitch[d];
        }
        ck_assert_uint_eq(p.span_bytes, span);
        ck_assert_uint_eq((uintptr_t)accel_buffer_ptr(buffer) % 256, 0);
        ck_assert_ptr_eq(p.device, test.device);
        accel_buffer_release(buffer);
    }
}
END_TEST

START_TEST(m1_one_dimensional_buffers_are_dense_and_bases_are_aligned)
{
    static const size_t sizes[] = {1, 2, 3, 7, 8, 24, 4096};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        accel_buffer_desc desc = accel_buffer_1d(sizes[i], 1001);
        accel_buffer *buffer = buffer_new(test.device, &desc), *host = buffer_new(test.host, &desc);
        ck_assert_uint_eq(buffer_info(buffer).pitch[0], sizes[i]);
        ck_assert_uint_eq(buffer_info(buffer).span_bytes, 1001 * sizes[i]);
        ck_assert_uint_eq((uintptr_t)accel_buffer_ptr(buffer) % 256, 0);
        ck_assert_uint_eq((uintptr_t)accel_buffer_ptr(buffer) % test.properties.base_alignment, 0);
        ck_assert_uint_eq((uintptr_t)accel_buffer_ptr(host) % 64, 0);
        accel_buffer_release(buffer);
        accel_buffer_release(host);
    }
    ck_assert_uint_ge(test.properties.base_alignment, 256);
}
END_TEST

START_TEST(m1_pitches_may_be_chosen_by_the_caller)
{
    accel_buffer_desc desc = accel_buffer_3d(4, 3, 5, 7);
    desc.pitch[0] = 800;
    desc.pitch[1] = 100;
    accel_buffer *buffer = buffer_new(test.device, &desc);
    accel_buffer_properties p = buffer_info(buffer);
    ck_assert_uint_eq(p.pitch[0], 800);
    ck_assert_uint_eq(p.pitch[1], 100);
    ck_assert_uint_eq(p.pitch[2], 4);
    ck_assert_uint_eq(p.span_bytes, 2 * 800 + 4 * 100 + 7 * 4);
    accel_buffer_release(buffer);
}
END_TEST

START_TEST(m2_ptr_is_the_address_of_the_views_first_element)
{
    accel_buffer_desc desc = accel_buffer_3d(8, 6, 5, 4);
    accel_buffer *buffer = buffer_new(test.device, &desc), *view = NULL, *inner = NULL, *rest = NULL;
    accel_buffer_properties whole = buffer_info(buffer);
    ok(accel_buffer_view(buffer, (size_t[]){1, 2, 1}, (size_t[]){4, 3, 2}, &view));
    ck_assert_ptr_eq(accel_buffer_ptr(view),
                     (char *)accel_buffer_ptr(buffer) + whole.pitch[0] + 2 * whole.pitch[1] + 8);
    accel_buffer_properties p = buffer_info(view);
    ck_assert_uint_eq(p.is_view, 1);
    ck_assert_uint_eq(p.dims, 3);
    ck_assert_uint_eq(p.pitch[0], whole.pitch[0]);
    ck_assert_uint_eq(p.pitch[1], whole.pitch[1]);
    ck_assert_uint_eq(p.extent[0], 4);
    ck_assert_uint_eq(p.extent[1], 3);
    ck_assert_uint_eq(p.extent[2], 2);
    ok(accel_buffer_view(view, (size_t[]){1, 1, 1}, NULL, &inner)); /* a view of a view; NULL: all that remains */
    ck_assert_ptr_eq(accel_buffer_ptr(inner), (char *)accel_buffer_ptr(view) + whole.pitch[0] + whole.pitch[1] + 8);
    p = buffer_info(inner);
    ck_assert(p.extent[0] == 3 && p.extent[1] == 2 && p.extent[2] == 1);
    ok(accel_buffer_view(buffer, NULL, NULL, &rest));
    ck_assert_ptr_eq(accel_buffer_ptr(rest), accel_buffer_ptr(buffer));
    ck_assert_uint_eq(buffer_info(rest).extent[0], 6);
    ck_assert_ptr_null(accel_buffer_ptr(NULL));
    accel_buffer_release(buffer); /* views keep it */
    accel_buffer_release(view);
    ck_assert_uint_eq(buffer_info(inner).extent[0], 3);
    accel_buffer_release(inner);
    accel_buffer_release(rest);
}
END_TEST

START_TEST(m2_kernels_reach_views_through_ptr)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 100, 1), *view = NULL;
    size_t offset = 30, extent = 40;
    uint32_t words[100];
    ok(accel_buffer_view(buffer, &offset, &extent, &view));
    words_args args = {.words = accel_buffer_ptr(view), .n = 40, .value = 5};
    accel_work work = work_of(3, 1);
    ok(accel_launch(queue, kernel_named("set"), &work, &args, sizeof args));
    ok(accel_read(queue, words, buffer));
    ok(accel_queue_wait(queue));
    for (size_t i = 0; i < 100; ++i)
        ck_assert_uint_eq(words[i], i >= 30 && i < 70 ? 5 : 1);
    accel_buffer_release(buffer);
    accel_buffer_release(view);
    accel_queue_release(queue);
}
END_TEST

START_TEST(m3_zero_extents_are_legal_and_do_nothing)
{
    accel_queue *queue = queue_new(test.device, 0);
    for (uint32_t zero = 0; zero < 3; ++zero) {
        accel_buffer_desc desc = accel_buffer_3d(4, 3, 4, 5);
        desc.extent[zero] = 0;
        accel_buffer *empty = buffer_new(test.device, &desc), *other = buffer_new(test.device, &desc), *view = NULL;
        ck_assert_uint_eq(buffer_info(empty).span_bytes, 0);
        ck_assert_uint_eq(buffer_info(empty).extent[zero], 0);
        uint32_t value = 1, host[64];
        memset(host, 7, sizeof host);
        ok(accel_fill(queue, empty, &value, sizeof value, NULL));
        ok(accel_copy(queue, empty, other, NULL));
        ok(accel_write(queue, empty, host));
        ok(accel_read(queue, host, empty));
        ok(accel_buffer_view(empty, NULL, NULL, &view));
        ok(accel_queue_wait(queue));
        for (int i = 0; i < 64; ++i)
            ck_assert_uint_eq(host[i], 0x07070707);
        accel_buffer_release(empty);
        accel_buffer_release(other);
        accel_buffer_release(view);
    }
    accel_buffer *a = words_new(test.device, 10, 1), *b = words_new(test.device, 10, 2), *view = NULL;
    size_t none = 0, end = 10;
    ok(accel_copy(queue, a, b, &none));
    ok(accel_fill(queue, a, "abcd", 4, &none));
    ok(accel_buffer_view(a, &end, NULL, &view)); /* what remains behind the end: nothing */
    ck_assert_uint_eq(buffer_info(view).extent[0], 0);
    words_are(queue, a, 1);
    accel_buffer_release(view);
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_queue_release(queue);
}
END_TEST

START_TEST(wrapped_memory_stays_the_callers)
{
    accel_queue *queue = queue_new(test.device, 0);
    uint32_t memory[64];
    accel_buffer_desc desc = accel_buffer_2d(4, 4, 8);
    accel_buffer *buffer = NULL, *host = NULL;
    uint32_t value = 5;
    desc.pitch[0] = 64;
    memset(memory, 0, sizeof memory);
    ok(accel_buffer_wrap(test.host, memory, &desc, &host));
    ck_assert_ptr_eq(accel_buffer_ptr(host), memory);
    ck_assert_ptr_eq(buffer_info(host).host_ptr, memory);
    if (test.properties.features & ACCEL_FEATURE_HOST_MEMORY) {
        ok(accel_buffer_wrap(test.device, memory, &desc, &buffer));
        ck_assert_ptr_eq(accel_buffer_ptr(buffer), memory);
    } else { /* through memory of the device */
        accel_buffer_desc dense = accel_buffer_2d(4, 4, 8);
        accel_buffer *own = buffer_new(test.device, &dense);
        ok(accel_fill(queue, own, &value, sizeof value, NULL));
        ok(accel_copy(queue, host, own, NULL));
        accel_buffer_release(own);
    }
    if (buffer != NULL)
        ok(accel_fill(queue, buffer, &value, sizeof value, NULL));
    ok(accel_queue_wait(queue));
    accel_buffer_release(buffer);
    accel_buffer_release(host);
    for (int i = 0; i < 64; ++i)
        ck_assert_uint_eq(memory[i], i % 16 < 8 ? 5 : 0);
    accel_queue_release(queue);
}
END_TEST

START_TEST(wrapped_arrays_are_as_dense_as_in_c)
{
    enum { DEEP = 3, ROWS = 5, COLUMNS = 25, ALL = DEEP * ROWS * COLUMNS };
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    uint32_t memory[ALL + 64] = {0}, numbers[ALL];
    const accel_buffer_desc desc = accel_buffer_3d(sizeof(uint32_t), DEEP, ROWS, COLUMNS);
    accel_buffer *host = NULL, *own = buffer_new(test.device, &desc), *direct = NULL;
    for (uint32_t i = 0; i < ALL; ++i)
        numbers[i] = i + 1;
    ok(accel_buffer_wrap(test.host, memory, &desc, &host));
    ck_assert_uint_eq(buffer_info(host).pitch[0], ROWS * COLUMNS * sizeof(uint32_t));
    ck_assert_uint_eq(buffer_info(host).pitch[1], COLUMNS * sizeof(uint32_t));
    ck_assert_uint_eq(buffer_info(host).span_bytes, sizeof numbers);
    ok(accel_write(queue, own, numbers));
    ok(accel_copy(queue, host, own, NULL));
    ok(accel_queue_wait(queue));
    ck_assert_mem_eq(memory, numbers, sizeof numbers);
    if (test.properties.features & ACCEL_FEATURE_HOST_MEMORY) {
        const uint32_t value = 7;
        ok(accel_buffer_wrap(test.device, memory, &desc, &direct));
        ok(accel_fill(queue, direct, &value, sizeof value, NULL));
        ok(accel_queue_wait(queue));
        for (size_t i = 0; i < ALL; ++i)
            ck_assert_uint_eq(memory[i], 7);
    }
    for (size_t i = ALL; i < ALL + 64; ++i)
        ck_assert_uint_eq(memory[i], 0);
    accel_buffer_release(direct);
    accel_buffer_release(own);
    accel_buffer_release(host);
    accel_queue_release(queue);
}
END_TEST

START_TEST(wrapped_memory_may_be_more_than_the_device_allocates)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("the device under test is no CPU");
    size_t size = (size_t)test.properties.max_allocation + 4096;
    void *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED); /* as of a large file */
    accel_buffer_desc desc = accel_buffer_1d(1, size);
    accel_buffer *buffer = NULL;
    ok(accel_buffer_wrap(test.device, memory, &desc, &buffer));
    accel_buffer_release(buffer);
    refused(ACCEL_LIMIT, accel_buffer_create(test.device, &desc, &buffer), "max_allocation");
    munmap(memory, size);
}
END_TEST

START_TEST(flags_give_memory_that_the_host_reaches)
{
    static const struct {
        uint32_t flag, feature;
    } kinds[] = {{ACCEL_BUFFER_PINNED, ACCEL_FEATURE_PINNED},
                 {ACCEL_BUFFER_MAPPED, ACCEL_FEATURE_MAPPED},
                 {ACCEL_BUFFER_MANAGED, ACCEL_FEATURE_MANAGED}};
    accel_queue *queue = queue_new(test.device, 0);
    for (int i = 0; i < 3; ++i) {
        accel_buffer_desc desc = accel_buffer_1d(4, 500);
        accel_buffer *buffer = NULL, *plain = words_new(test.device, 500, 6);
        desc.flags = kinds[i].flag;
        if ((test.properties.features & kinds[i].feature) == 0) {
            refused(ACCEL_UNSUPPORTED, accel_buffer_create(test.device, &desc, &buffer), test.properties.name);
            ck_assert_ptr_null(buffer);
        } else {
            buffer = buffer_new(test.device, &desc);
            accel_buffer_properties p = buffer_info(buffer);
            ck_assert_uint_eq(p.flags, kinds[i].flag);
            ck_assert_ptr_nonnull(p.host_ptr);
            if (kinds[i].flag == ACCEL_BUFFER_PINNED)
                ck_assert_ptr_eq(p.device, test.host);
            ok(accel_copy(queue, buffer, plain, NULL));
            ok(accel_queue_wait(queue));
            ck_assert_uint_eq(((uint32_t *)p.host_ptr)[499], 6);
            ((uint32_t *)p.host_ptr)[0] = 8;
            ok(accel_copy(queue, plain, buffer, (size_t[]){1}));
            ok(accel_queue_wait(queue));
            uint32_t words[500];
            ok(accel_read(queue, words, plain));
            ok(accel_queue_wait(queue));
            ck_assert(words[0] == 8 && words[1] == 6);
            accel_buffer_release(buffer);
        }
        accel_buffer_release(plain);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(plain_buffers_are_the_hosts_only_where_the_device_says_so)
{
    accel_buffer *buffer = words_new(test.device, 10, 3);
    void *host_ptr = buffer_info(buffer).host_ptr;
    if (test.properties.features & ACCEL_FEATURE_HOST_MEMORY) {
        ck_assert_ptr_nonnull(host_ptr);
        ck_assert_uint_eq(*(uint32_t *)host_ptr, 3);
    } else {
        ck_assert_ptr_null(host_ptr);
    }
    accel_buffer_release(buffer);
}
END_TEST

START_TEST(o4_async_buffers_return_in_the_order_of_their_queue)
{
    gate door;
    accel_buffer_desc desc = accel_buffer_1d(4, 1000);
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_queue *queue = queue_new(test.device, flags);
        accel_buffer *result = words_new(test.device, 1000, 0);
        gate_init(&door);
        if (flags == 0)
            gate_in(&door, queue);
        for (uint32_t i = 1; i <= 20; ++i) { /* released before its work has begun */
            accel_buffer *scratch = NULL;
            ok(accel_buffer_create_async(queue, &desc, &scratch));
            words_args args = {.words = accel_buffer_ptr(scratch), .n = 1000, .value = i};
            accel_work work = work_of(2, 1);
            ok(accel_launch(queue, kernel_named("set"), &work, &args, sizeof args));
            ok(accel_copy(queue, result, scratch, NULL));
            accel_buffer_release(scratch);
        }
        if (flags == 0)
            gate_open(&door);
        words_are(queue, result, 20);
        accel_buffer_release(result);
        accel_queue_release(queue);
        gate_destroy(&door);
    }
}
END_TEST

START_TEST(o4_an_async_buffer_is_nobody_elses_while_its_queue_needs_it)
{
    enum { OTHERS = 30 };
    gate door;
    accel_buffer_desc desc = accel_buffer_1d(4, 1000);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *scratch = NULL, *others[OTHERS];
    gate_init(&door);
    gate_in(&door, queue);
    ok(accel_buffer_create_async(queue, &desc, &scratch));
    words_args args = {.words = accel_buffer_ptr(scratch), .n = 1000, .value = 9};
    accel_work work = work_of(2, 1);
    ok(accel_launch(queue, kernel_named("set"), &work, &args, sizeof args));
    accel_buffer_release(scratch);        /* a launch holds no buffers */
    for (uint32_t i = 0; i < OTHERS; ++i) /* one of these would get its memory */
        others[i] = words_new(test.device, 1000, 100 + i);
    gate_open(&door);
    ok(accel_queue_wait(queue));
    for (uint32_t i = 0; i < OTHERS; ++i) {
        words_are(queue, others[i], 100 + i);
        accel_buffer_release(others[i]);
    }
    accel_queue_release(queue);
    gate_destroy(&door);
}
END_TEST

START_TEST(o4_buffers_named_in_copies_and_fills_are_kept_until_done)
{
    gate door;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *source = words_new(test.device, 1000, 3), *middle = words_new(test.device, 1000, 0);
    accel_buffer *result = words_new(test.device, 1000, 0);
    uint32_t value = 4, *words = calloc(1000, sizeof *words);
    gate_init(&door);
    gate_in(&door, queue);
    ok(accel_copy(queue, middle, source, NULL));
    accel_buffer_release(source);
    ok(accel_fill(queue, middle, &value, sizeof value, (size_t[]){500}));
    ok(accel_copy(queue, result, middle, NULL));
    accel_buffer_release(middle);
    ok(accel_read(queue, words, result));
    accel_buffer_release(result);
    gate_open(&door);
    ok(accel_queue_wait(queue));
    for (int i = 0; i < 1000; ++i)
        ck_assert_uint_eq(words[i], i < 500 ? 4 : 3);
    free(words);
    accel_queue_release(queue);
    gate_destroy(&door);
}
END_TEST

START_TEST(o6_descriptors_of_older_and_newer_programs_are_understood)
{
    struct {
        accel_buffer_desc desc;
        uint64_t later;
    } newer = {.desc = accel_buffer_1d(4, 10), .later = 0};
    accel_buffer *buffer = NULL;
    newer.desc.struct_size = sizeof newer;
    ok(accel_buffer_create(test.device, &newer.desc, &buffer));
    accel_buffer_release(buffer);
    buffer = NULL;
    newer.later = 1;
    refused(ACCEL_INVALID, accel_buffer_create(test.device, &newer.desc, &buffer), "accel_buffer_desc", "newer");
    accel_buffer_desc older = accel_buffer_2d(4, 3, 5);
    older.struct_size = offsetof(accel_buffer_desc, pitch);
    older.pitch[0] = 3; /* not looked at */
    ok(accel_buffer_create(test.device, &older, &buffer));
    ck_assert_uint_eq(buffer_info(buffer).pitch[0] % 4, 0);
    accel_buffer_release(buffer);
    buffer = NULL;
    older = accel_buffer_1d(4, 10);
    older.flags = 1u << 30;
    refused(ACCEL_INVALID, accel_buffer_create(test.device, &older, &buffer), "flag");
    ck_assert_ptr_null(buffer);
}
END_TEST

Suite *buffer_suite(void)
{
    Suite *suite = suite_create("buffer");
    add(suite, m1_extents_are_in_elements_and_pitches_in_bytes_last_dimension_fastest);
    add(suite, m1_one_dimensional_buffers_are_dense_and_bases_are_aligned);
    add(suite, m1_pitches_may_be_chosen_by_the_caller);
    add(suite, m2_ptr_is_the_address_of_the_views_first_element);
    add(suite, m2_kernels_reach_views_through_ptr);
    add(suite, m3_zero_extents_are_legal_and_do_nothing);
    add(suite, wrapped_memory_stays_the_callers);
    add(suite, wrapped_arrays_are_as_dense_as_in_c);
    add(suite, wrapped_memory_may_be_more_than_the_device_allocates);
    add(suite, flags_give_memory_that_the_host_reaches);
    add(suite, plain_buffers_are_the_hosts_only_where_the_device_says_so);
    add(suite, o4_async_buffers_return_in_the_order_of_their_queue);
    add(suite, o4_an_async_buffer_is_nobody_elses_while_its_queue_needs_it);
    add(suite, o4_buffers_named_in_copies_and_fills_are_kept_until_done);
    add(suite, o6_descriptors_of_older_and_newer_programs_are_understood);
    return suite;
}
