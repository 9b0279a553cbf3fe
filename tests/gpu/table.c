/* SPDX-License-Identifier: Apache-2.0 */
/* Every slot of a driver table does what driver.h says, on the simulated driver of its family: TABLE_FAMILY is cuda_family
 * or hip_family. Kernels are the conformance suite's matter. */
#include "run.h"

#include "plugins/gpu/driver/driver.h"
#include "core/plugins/services.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gpu_driver *driver;
static gpu_context contexts[2];
static int devices[2];
static gpu_stream stream; /* of device 0 */

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        gpu_result result_ = (call);                                                                                   \
        ck_assert_msg(result_ == 0, "%s: %s", #call, driver->error_name(result_));                                     \
    } while (0)

/* Of libraries: libaccel checks them for an instance, which there is not. */
static const char *config(const char *name)
{
    return getenv(name);
}

static void begin(void)
{
    accel_host_services services = accel_services;
    uint32_t state;
    int count = 0;

    services.config = config;
    ck_assert_msg(TABLE_FAMILY.open(&TABLE_FAMILY, &services, &driver, &state) == ACCEL_OK, "%s",
                  accel_services.error_message());
    OK(driver->device_count(&count));
    ck_assert_int_ge(count, 2);
    for (int i = 0; i < 2; ++i) {
        OK(driver->device_get(&devices[i], i));
        OK(driver->context_retain(&contexts[i], devices[i]));
    }
    OK(driver->context_set_current(contexts[0]));
    OK(driver->stream_create(&stream, GPU_STREAM_NON_BLOCKING, driver->greatest_priority));
}

static void end(void)
{
    OK(driver->stream_destroy(stream));
    OK(driver->context_set_current(NULL));
    for (int i = 0; i < 2; ++i)
        OK(driver->context_release(contexts[i], devices[i]));
}

static void *allocate(size_t size)
{
    void *memory = NULL;

    OK(driver->memory_allocate(&memory, size));
    ck_assert_ptr_nonnull(memory);
    return memory;
}

/* Bytes of device memory. */
static void read_back(unsigned char *bytes, const void *memory, size_t size)
{
    OK(driver->copy(bytes, memory, size, stream));
    OK(driver->stream_synchronize(stream));
}

START_TEST(device_tells_about_itself)
{
    gpu_description description;
    char name[128] = "";
    size_t bytes = 0, free_bytes = 0, total = 0;
    int yes = -1;

    begin();
    OK(driver->device_name(name, (int)sizeof(name), devices[0]));
    ck_assert_str_ne(name, "");
    OK(driver->device_memory(&bytes, devices[0]));
    OK(driver->memory_info(&free_bytes, &total));
    ck_assert_uint_eq(bytes, total);
    ck_assert_uint_le(free_bytes, total);
    OK(driver->device_can_access_peer(&yes, devices[0], devices[1]));
    ck_assert_int_eq(yes, 1);
    OK(driver->device_describe(&description, devices[0]));
    ck_assert_ptr_eq(strstr(description.targets, description.architecture), description.targets);
    for (int i = 0; i < GPU_ATTRIBUTE_COUNT; ++i) {
        int value = -1;
        if (driver->attribute_numbers[i] == GPU_ATTRIBUTE_NONE)
            continue;
        OK(driver->device_attribute(&value, driver->attribute_numbers[i], devices[0]));
        ck_assert_msg(
            value >=
                (i == GPU_ATTRIBUTE_PCI_DOMAIN || i == GPU_ATTRIBUTE_PCI_BUS || i == GPU_ATTRIBUTE_PCI_DEVICE ? 0 : 1),
            "attribute %d is %d", i, value);
    }
    end();
}
END_TEST

START_TEST(current_context_is_the_one_that_was_set)
{
    gpu_context current = NULL;

    begin();
    OK(driver->context_set_current(contexts[1]));
    OK(driver->context_get_current(&current));
    ck_assert_ptr_eq(current, contexts[1]);
    end();
}
END_TEST

START_TEST(fills_write_values_of_their_size)
{
    unsigned char bytes[256];
    begin();
    unsigned char *memory = allocate(sizeof(bytes));

    OK(driver->fill_8(memory, 0xee, sizeof(bytes), stream));
    OK(driver->fill_8(memory + 1, 0xa1, 2, stream));
    OK(driver->fill_16(memory + 8, 0xb2b1, 2, stream));
    OK(driver->fill_32(memory + 16, 0xd4d3d2d1u, 2, stream));
    read_back(bytes, memory, sizeof(bytes));
    ck_assert_mem_eq(bytes, "\xee\xa1\xa1\xee\xee\xee\xee\xee\xb1\xb2\xb1\xb2\xee\xee\xee\xee", 16);
    ck_assert_mem_eq(bytes + 16, "\xd1\xd2\xd3\xd4\xd1\xd2\xd3\xd4\xee", 9);
    OK(driver->memory_free(memory));
    end();
}
END_TEST

START_TEST(fills_of_rows_leave_the_gaps)
{
    unsigned char bytes[64 * 3];
    begin();
    unsigned char *memory = allocate(sizeof(bytes));

    OK(driver->fill_8(memory, 0, sizeof(bytes), stream));
    if (driver->fill_2d_8 != NULL)
        OK(driver->fill_2d_8(memory, 64, 0x11, 3, 3, stream));
    if (driver->fill_2d_16 != NULL)
        OK(driver->fill_2d_16(memory + 16, 64, 0x2221, 3, 2, stream));
    if (driver->fill_2d_32 != NULL)
        OK(driver->fill_2d_32(memory + 32, 64, 0x34333231u, 3, 1, stream));
    read_back(bytes, memory, sizeof(bytes));
    for (size_t row = 0; row < 3; ++row) {
        const unsigned char *line = bytes + 64 * row;
        for (size_t i = 0; i < 64; ++i) {
            unsigned expected = i < 3 && driver->fill_2d_8 != NULL ? 0x11u : 0;
            if (i >= 16 && i < 22 && row < 2 && driver->fill_2d_16 != NULL)
                expected = 0x21u + (unsigned)(i % 2);
            if (i >= 32 && i < 44 && row < 1 && driver->fill_2d_32 != NULL)
                expected = 0x31u + (unsigned)(i % 4);
            ck_assert_msg(line[i] == expected, "row %zu, byte %zu: %#x, not %#x", row, i, line[i], expected);
        }
    }
    OK(driver->memory_free(memory));
    end();
}
END_TEST

/* Rows of 5 of 16 bytes, planes of 3 of 4 rows; from the host, within the device, back. */
START_TEST(copies_of_three_dimensions_leave_the_gaps)
{
    enum { PITCH = 16, ROWS = 4, PLANES = 2, SIZE = PITCH * ROWS * PLANES };
    unsigned char out[SIZE], in[SIZE];
    gpu_copy_3d copy = {.width = 5,
                        .height = 3,
                        .depth = PLANES,
                        .dst_pitch = PITCH,
                        .src_pitch = PITCH,
                        .dst_rows = ROWS,
                        .src_rows = ROWS};
    begin();
    unsigned char *first = allocate(SIZE), *second = allocate(SIZE);

    for (int i = 0; i < SIZE; ++i)
        out[i] = (unsigned char)(i + 1);
    memset(in, 0, sizeof(in));
    OK(driver->fill_8(first, 0xf1, SIZE, stream));
    OK(driver->fill_8(second, 0xf2, SIZE, stream));
    copy.dst = first;
    copy.src = out;
    copy.src_host = true;
    OK(driver->copy_3d(&copy, stream));
    copy.dst = second;
    copy.src = first;
    copy.src_host = false;
    OK(driver->copy_3d(&copy, stream));
    copy.dst = in;
    copy.src = second;
    copy.dst_host = true;
    OK(driver->copy_3d(&copy, stream));
    OK(driver->stream_synchronize(stream));
    for (int i = 0; i < SIZE; ++i) {
        bool inside = i % PITCH < 5 && i / PITCH % ROWS < 3;
        ck_assert_msg(in[i] == (inside ? i + 1 : 0), "byte %d is %d", i, in[i]);
    }
    read_back(in, second, SIZE);
    for (int i = 0; i < SIZE; ++i) {
        bool inside = i % PITCH < 5 && i / PITCH % ROWS < 3;
        ck_assert_msg(in[i] == (inside ? i + 1 : 0xf2), "byte %d of the device is %d", i, in[i]);
    }
    OK(driver->memory_free(first));
    OK(driver->memory_free(second));
    end();
}
END_TEST

START_TEST(copies_between_devices)
{
    unsigned char bytes[96];
    gpu_copy_3d copy = {
        .width = 8, .height = 2, .depth = 1, .dst_pitch = 32, .src_pitch = 32, .dst_rows = 2, .src_rows = 2};
    begin();
    OK(driver->context_set_current(contexts[1]));
    unsigned char *there = allocate(sizeof(bytes));
    OK(driver->context_set_current(contexts[0]));
    unsigned char *here = allocate(sizeof(bytes));

    OK(driver->fill_8(here, 0x5a, sizeof(bytes), stream));
    OK(driver->copy_peer(there, contexts[1], here, contexts[0], sizeof(bytes), stream));
    OK(driver->fill_8(here, 0, sizeof(bytes), stream));
    if (driver->copy_peer_3d != NULL) {
        copy.dst = here;
        copy.src = there;
        OK(driver->copy_peer_3d(&copy, contexts[0], contexts[1], stream));
    } else {
        OK(driver->copy_peer(here, contexts[0], there, contexts[1], 8, stream));
        OK(driver->copy_peer(here + 32, contexts[0], there + 32, contexts[1], 8, stream));
    }
    read_back(bytes, here, sizeof(bytes));
    for (int i = 0; i < 96; ++i)
        ck_assert_int_eq(bytes[i], i % 32 < 8 && i < 64 ? 0x5a : 0);
    OK(driver->memory_free(here));
    OK(driver->context_set_current(contexts[1]));
    OK(driver->memory_free(there));
    OK(driver->context_set_current(contexts[0]));
    end();
}
END_TEST

static uint32_t meaning(gpu_result result)
{
    for (size_t i = 0; i < driver->error_class_count; ++i) {
        if (driver->error_classes[i].result == result)
            return driver->error_classes[i].class;
    }
    return result == 0 ? GPU_CLASS_SUCCESS : GPU_CLASS_REFUSED;
}

START_TEST(peer_access_is_given_once)
{
    begin();
    OK(driver->context_enable_peer(contexts[1]));
    ck_assert_uint_eq(meaning(driver->context_enable_peer(contexts[1])), GPU_CLASS_ALREADY);
    end();
}
END_TEST

START_TEST(host_memory_is_locked_and_mapped)
{
    void *host = NULL, *seen = NULL, *managed = NULL;

    begin();
    OK(driver->host_allocate(&host, 4096, GPU_HOST_PORTABLE | GPU_HOST_MAPPED));
    memset(host, 1, 4096);
    OK(driver->host_device_pointer(&seen, host, 0));
    ck_assert_ptr_nonnull(seen);
    OK(driver->host_free(host));
    ck_assert(driver->managed_allocate != NULL);
    OK(driver->managed_allocate(&managed, 4096, GPU_MANAGED_GLOBAL));
    memset(managed, 2, 4096);
    OK(driver->memory_free(managed));
    end();
}
END_TEST

START_TEST(memory_comes_and_goes_in_the_order_of_a_stream)
{
    unsigned char byte = 0;
    void *memory = NULL;

    begin();
    ck_assert(driver->allocate_async != NULL && driver->free_async != NULL);
    OK(driver->allocate_async(&memory, 100, stream));
    OK(driver->fill_8(memory, 0x77, 100, stream));
    OK(driver->copy(&byte, (unsigned char *)memory + 99, 1, stream));
    OK(driver->free_async(memory, stream));
    OK(driver->stream_synchronize(stream));
    ck_assert_int_eq(byte, 0x77);
    end();
}
END_TEST

static void set(void *user)
{
    atomic_store((_Atomic int *)user, 1);
}

static void wait_for(void *user)
{
    while (atomic_load((_Atomic int *)user) == 0)
        continue;
}

START_TEST(marks_and_host_functions_keep_the_order)
{
    _Atomic int go = 0, done = 0;
    gpu_stream other;
    gpu_driver_event event, untimed;
    float milliseconds = -1;

    begin();
    OK(driver->stream_create(&other, GPU_STREAM_NON_BLOCKING, driver->least_priority));
    OK(driver->event_create(&event, 0));
    OK(driver->event_create(&untimed, GPU_EVENT_NO_TIMING | GPU_EVENT_BLOCKING_SYNC));
    OK(driver->stream_call(stream, wait_for, &go));
    OK(driver->event_record(untimed, stream));
    ck_assert_uint_eq(meaning(driver->event_query(untimed)), GPU_CLASS_NOT_READY);
    ck_assert_uint_eq(meaning(driver->stream_query(stream)), GPU_CLASS_NOT_READY);
    OK(driver->stream_wait(other, untimed, 0));
    OK(driver->stream_call(other, set, &done));
    OK(driver->event_record(event, other));
    ck_assert_int_eq(atomic_load(&done), 0);
    atomic_store(&go, 1);
    OK(driver->event_synchronize(untimed));
    OK(driver->event_synchronize(event));
    ck_assert_int_eq(atomic_load(&done), 1);
    OK(driver->stream_synchronize(other));
    OK(driver->stream_query(other));
    OK(driver->event_query(event));
    OK(driver->event_elapsed(&milliseconds, event, event));
    ck_assert(milliseconds == 0);
    OK(driver->event_destroy(event));
    OK(driver->event_destroy(untimed));
    OK(driver->stream_destroy(other));
    end();
}
END_TEST

START_TEST(what_is_no_image_is_refused)
{
    static const char text[] =
        "this is not a kernel, and longer than any header would have to be, so it can be looked at";
    char log[256] = "untouched";
    gpu_code code = NULL;

    begin();
    gpu_result result = driver->code_load(&code, text, log, sizeof(log));
    ck_assert_int_ne(result, 0);
    ck_assert_str_ne(log, "untouched");
    ck_assert_str_ne(driver->error_name(result), "");
    ck_assert_str_ne(driver->error_text(result), "");
    ck_assert_ptr_null(code);
    end();
}
END_TEST

START_TEST(errors_have_names_and_words)
{
    begin();
    for (size_t i = 0; i < driver->error_class_count; ++i) {
        const char *name = driver->error_name(driver->error_classes[i].result);
        ck_assert_msg(strstr(name, "ERROR") != NULL || strstr(name, "Error") != NULL, "%d is %s",
                      driver->error_classes[i].result, name);
        ck_assert_str_ne(driver->error_text(driver->error_classes[i].result), "");
    }
    ck_assert_ptr_nonnull(driver->error_name(-7));
    ck_assert_ptr_nonnull(driver->error_text(-7));
    end();
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("table");

    add(suite, device_tells_about_itself);
    add(suite, current_context_is_the_one_that_was_set);
    add(suite, fills_write_values_of_their_size);
    add(suite, fills_of_rows_leave_the_gaps);
    add(suite, copies_of_three_dimensions_leave_the_gaps);
    add(suite, copies_between_devices);
    add(suite, peer_access_is_given_once);
    add(suite, host_memory_is_locked_and_mapped);
    add(suite, memory_comes_and_goes_in_the_order_of_a_stream);
    add(suite, marks_and_host_functions_keep_the_order);
    add(suite, what_is_no_image_is_refused);
    add(suite, errors_have_names_and_words);
    return suite;
}
