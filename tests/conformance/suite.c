/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

/* ------------------------------------------------------------------------------------- its surroundings -- */

surroundings test;

const char *suite_backends(void)
{
    static char backends[512];
    const char *wish = getenv("ACCEL_BACKEND");
    if (suite_partner_name == NULL)
        return wish;
    if (wish == NULL || *wish == '\0') {
        accel_instance *instance = NULL;
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        ok(accel_instance_create(NULL, &instance));
        ok(accel_device_info(accel_instance_device(instance, 0), &properties));
        snprintf(backends, sizeof backends, "%s,%s", properties.backend, suite_partner_name);
        accel_instance_release(instance);
    } else {
        snprintf(backends, sizeof backends, "%s,%s", wish, suite_partner_name);
    }
    return backends;
}

/* If the backend that was wished for cannot be used, the partner comes first: that is not to be tested in its place. */
static void check_backend(void)
{
    const char *wish = getenv("ACCEL_BACKEND");
    size_t length = wish != NULL ? strcspn(wish, ",") : 0;
    ck_assert_msg(length == 0 || (strlen(test.properties.backend) == length &&
                                  strncmp(test.properties.backend, wish, length) == 0),
                  "%s cannot be used, only %s", wish, test.properties.backend);
}

void surroundings_open(void)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.backends = suite_backends();
    memset(&test, 0, sizeof test);
    ok(accel_instance_create(&desc, &test.instance));
    test.host = accel_instance_host(test.instance);
    test.device = accel_instance_device(test.instance, 0);
    ck_assert_ptr_nonnull(test.host);
    ck_assert_ptr_nonnull(test.device);
    test.properties.struct_size = sizeof test.properties;
    ok(accel_device_info(test.device, &test.properties));
    check_backend();
    for (size_t i = 1; i < accel_instance_device_count(test.instance) && test.partner == NULL; ++i) {
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        accel_device *device = accel_instance_device(test.instance, i);
        ok(accel_device_info(device, &properties));
        if (strcmp(properties.description, FAULTY_DESCRIPTION) == 0 &&
            strcmp(properties.backend, test.properties.backend) != 0)
            test.partner = device;
    }
}

void surroundings_close(void)
{
    accel_module_release(test.module);
    accel_instance_release(test.instance);
    memset(&test, 0, sizeof test);
}

accel_device *need_partner(void)
{
    if (test.partner == NULL)
        unsupported("needs a second backend that fails on request: --partner");
    return test.partner;
}

accel_device *of_another_instance(accel_instance **another)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.backends = test.properties.backend;
    ok(accel_instance_create(&desc, another));
    return accel_instance_device(*another, 0);
}

void need_parts(accel_device *parts[2])
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    size_t count = 0;
    desc.by = ACCEL_PARTITION_EQUAL;
    desc.share_count = 2;
    if ((test.properties.features & ACCEL_FEATURE_PARTITION) == 0)
        unsupported("the device has no ACCEL_FEATURE_PARTITION");
    accel_status status = accel_device_partition(test.device, &desc, parts, 2, &count);
    if (status == ACCEL_LIMIT)
        not_here("the device is too small to be shared");
    ok(status);
    ck_assert_uint_eq(count, 2);
}

accel_kernel *kernel_named(const char *name)
{
    accel_kernel *kernel = NULL;
    if (test.module == NULL)
        ok(accel_module_load(test.device, "conformance", &test.module));
    ok_if_supported(accel_module_kernel(test.module, name, &kernel));
    ck_assert_ptr_nonnull(kernel);
    return kernel;
}

accel_kernel *kernel_of_most_arguments(uint8_t factor, big_args **args, size_t *size, uint64_t *sum)
{
    bool all = test.properties.max_args_size >= sizeof(big_args);
    *size = all ? sizeof(big_args) : sizeof(lesser_args);
    *args = calloc(1, sizeof **args);
    *sum = 0;
    for (size_t i = 0; i < *size - offsetof(big_args, bytes); ++i) {
        (*args)->bytes[i] = (uint8_t)(i * factor + 1);
        *sum = *sum * 31 + (*args)->bytes[i];
    }
    return kernel_named(all ? "big" : "lesser");
}

/* --------------------------------------------------------------------------------------------- assertions -- */

__attribute__((noreturn)) static void end_test(const char *mark, const char *format, va_list arguments)
{
    char text[400];
    vsnprintf(text, sizeof text, format, arguments);
    ck_abort_msg("%s%s", mark, text);
    abort(); /* never reached: the line above ends the test */
}

void suite_unsupported(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    (void)file;
    (void)line;
    va_start(arguments, format);
    end_test(SUITE_UNSUPPORTED, format, arguments);
}

void suite_not_here(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    (void)file;
    (void)line;
    va_start(arguments, format);
    end_test(SUITE_NOT_HERE, format, arguments);
}

void suite_ok(const char *file, int line, const char *call, accel_status status)
{
    check_mark(file, line);
    if (status != ACCEL_OK)
        ck_abort_msg("%s:%d: %s gave %s: %s", file, line, call, accel_status_name(status), accel_error_message());
}

void suite_ok_if_supported(const char *file, int line, const char *call, accel_status status)
{
    if (status == ACCEL_UNSUPPORTED)
        suite_unsupported(file, line, "%s", accel_error_message());
    suite_ok(file, line, call, status);
}

void suite_refused(const char *file, int line, accel_status expected, const char *call, accel_status status,
                   const char *const pieces[])
{
    const char *text = accel_error_message();
    check_mark(file, line);
    if (status != expected)
        ck_abort_msg("%s:%d: %s gave %s, not %s: %s", file, line, call, accel_status_name(status),
                     accel_status_name(expected), text);
    size_t name = strcspn(call, "( ");
    if (strncmp(call, "accel_", 6) == 0 && (strncmp(text, call, name) != 0 || text[name] != ':'))
        ck_abort_msg("%s:%d: the text does not begin with the function's name: %s gave \"%s\"", file, line, call, text);
    for (; *pieces != NULL; ++pieces)
        if (strstr(text, *pieces) == NULL)
            ck_abort_msg("%s:%d: \"%s\" is missing in \"%s\"", file, line, *pieces, text);
}

/* ------------------------------------------------------------------------------------------------ objects -- */

accel_queue *queue_new(accel_device *device, uint32_t flags)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queue = NULL;
    desc.flags = flags;
    ok(accel_queue_create(device, &desc, &queue));
    ck_assert_ptr_nonnull(queue);
    return queue;
}

accel_event *event_new(accel_device *device, uint32_t flags)
{
    accel_event_desc desc = ACCEL_EVENT_DESC_INIT;
    accel_event *event = NULL;
    desc.flags = flags;
    ok(accel_event_create(device, &desc, &event));
    ck_assert_ptr_nonnull(event);
    return event;
}

accel_buffer *buffer_new(accel_device *device, const accel_buffer_desc *desc)
{
    accel_buffer *buffer = NULL;
    ok(accel_buffer_create(device, desc, &buffer));
    ck_assert_ptr_nonnull(buffer);
    return buffer;
}

accel_buffer *bytes_new(accel_device *device, size_t count)
{
    accel_buffer_desc desc = accel_buffer_1d(1, count);
    return buffer_new(device, &desc);
}

accel_buffer *words_new(accel_device *device, size_t count, uint32_t value)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), count);
    accel_buffer *buffer = buffer_new(device, &desc);
    accel_queue *queue = queue_new(device, ACCEL_QUEUE_BLOCKING);
    ok(accel_fill(queue, buffer, &value, sizeof value, NULL));
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
    return buffer;
}

void words_are(accel_queue *queue, accel_buffer *buffer, uint32_t value)
{
    size_t count = buffer_info(buffer).extent[0];
    uint32_t *words = malloc((count + 1) * sizeof *words);
    ck_assert_ptr_nonnull(words);
    for (size_t i = 0; i <= count; ++i)
        words[i] = ~value;
    ok(accel_read(queue, words, buffer));
    ok(accel_queue_wait(queue));
    for (size_t i = 0; i < count; ++i)
        ck_assert_msg(words[i] == value, "word %zu is %u, not %u", i, words[i], value);
    ck_assert_uint_eq(words[count], ~value);
    free(words);
}

accel_buffer_properties buffer_info(const accel_buffer *buffer)
{
    accel_buffer_properties properties = ACCEL_BUFFER_PROPERTIES_INIT;
    ok(accel_buffer_info(buffer, &properties));
    return properties;
}

accel_work work_of(size_t blocks, size_t threads)
{
    return accel_work_1d(blocks, threads, 1);
}

faulty_queue_control *queue_control(accel_queue *queue)
{
    void *control = NULL;
    ok(accel_queue_native(queue, &control));
    return control;
}

faulty_device_control *device_control(accel_device *device)
{
    void *control = NULL;
    ok(accel_device_native(device, &control));
    return control;
}

/* --------------------------------------------------------------------------------------------------- gate -- */

void gate_init(gate *door)
{
    sem_init(&door->entered, 0, 0);
    sem_init(&door->opened, 0, 0);
}

static bool passes(sem_t *semaphore)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 40;
    int result;
    do
        result = sem_timedwait(semaphore, &limit);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

static void gate_function(void *user, accel_status status)
{
    gate *door = user;
    (void)status;
    sem_post(&door->entered);
    (void)passes(&door->opened);
}

void gate_in(gate *door, accel_queue *queue)
{
    ok(accel_queue_call(queue, gate_function, door));
}

void gate_entered(gate *door)
{
    ck_assert_msg(passes(&door->entered), "the queue never came to the gate");
}

void gate_open(gate *door)
{
    sem_post(&door->opened);
}

void gate_destroy(gate *door)
{
    sem_destroy(&door->entered);
    sem_destroy(&door->opened);
}

/* --------------------------------------------------------------------------------------------------- time -- */

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sleep_ms(unsigned milliseconds)
{
    struct timespec span = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    nanosleep(&span, NULL);
}

bool becomes(_Atomic uint32_t *flag, uint32_t value, double seconds)
{
    double end = seconds_now() + seconds;
    while (atomic_load(flag) != value)
        if (seconds_now() > end)
            return false;
    return true;
}
