/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_fake.h"
#include "services.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

_Atomic uint32_t gpu_fake_launches;
_Atomic int gpu_fake_launch_result;
_Atomic bool gpu_fake_next_faults;
_Atomic uint32_t gpu_fake_allocations_left = UINT32_MAX;
_Atomic bool gpu_fake_has_fill_2d = true;
_Atomic bool gpu_fake_peers = true;

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_text[65536];
static _Atomic int alive; /* allocations, streams, marks, modules, contexts */
static _Atomic bool faulted[FAKE_DEVICES];
static _Thread_local uintptr_t current; /* ordinal + 1 */

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&log_lock);
    size_t length = strlen(log_text);
    vsnprintf(log_text + length, sizeof(log_text) - length, format, arguments);
    pthread_mutex_unlock(&log_lock);
    va_end(arguments);
}

const char *gpu_fake_log(void)
{
    return log_text;
}

void gpu_fake_forget(void)
{
    pthread_mutex_lock(&log_lock);
    log_text[0] = '\0';
    pthread_mutex_unlock(&log_lock);
}

static gpu_result state(void)
{
    ck_assert_uint_ne(current, 0); /* a context is current */
    return faulted[current - 1] ? FAKE_FAULT : 0;
}

/* ----------------------------------------------------------------------------------------- streams -- */

typedef struct mark {
    _Atomic uint64_t recorded, reached; /* counts of records */
    _Atomic uint64_t when;              /* of the last, ns */
    uintptr_t device;
} mark;

typedef struct task task;
struct task {
    task *next;
    void (*run)(task *);
    uintptr_t device;
    gpu_copy_3d copy;
    uint32_t value;
    size_t unit;
    mark *mark;
    uint64_t number;
    gpu_host_function function;
    void *user;
};

typedef struct stream {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    task *first, *last;
    bool busy, ending;
    uintptr_t device;
} stream;

static void *work(void *user)
{
    stream *s = user;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (s->first == NULL && !s->ending)
            pthread_cond_wait(&s->changed, &s->lock);
        task *t = s->first;
        if (t == NULL)
            break;
        s->first = t->next;
        s->busy = true;
        pthread_mutex_unlock(&s->lock);
        if (!faulted[t->device - 1] || t->mark != NULL)
            t->run(t);
        free(t);
        pthread_mutex_lock(&s->lock);
        s->busy = false;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
    return NULL;
}

static gpu_result give(gpu_stream handle, task given)
{
    stream *s = (stream *)(void *)handle;
    if (state() != 0)
        return state();
    ck_assert_uint_eq(current, s->device);
    task *t = malloc(sizeof(*t));
    *t = given;
    t->next = NULL;
    t->device = s->device;
    pthread_mutex_lock(&s->lock);
    if (s->first == NULL)
        s->first = t;
    else
        s->last->next = t;
    s->last = t;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return 0;
}

static gpu_result stream_create(gpu_stream *made, unsigned flags, int priority)
{
    (void)flags;
    (void)priority;
    if (state() != 0)
        return state();
    stream *s = calloc(1, sizeof(*s));
    pthread_t thread;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->device = current;
    ck_assert_int_eq(pthread_create(&thread, NULL, work, s), 0);
    pthread_detach(thread);
    ++alive;
    *made = (gpu_stream)(void *)s;
    return 0;
}

static gpu_result stream_destroy(gpu_stream handle)
{
    stream *s = (stream *)(void *)handle;
    pthread_mutex_lock(&s->lock);
    s->ending = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    --alive;
    return state();
}

static gpu_result stream_query(gpu_stream handle)
{
    stream *s = (stream *)(void *)handle;
    pthread_mutex_lock(&s->lock);
    bool idle = s->first == NULL && !s->busy;
    pthread_mutex_unlock(&s->lock);
    return state() != 0 ? state() : idle ? 0 : FAKE_NOT_READY;
}

static gpu_result stream_synchronize(gpu_stream handle)
{
    stream *s = (stream *)(void *)handle;
    pthread_mutex_lock(&s->lock);
    while ((s->first != NULL || s->busy) && state() == 0)
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return state();
}

static void run_wait(task *t)
{
    while (t->mark->reached < t->number && !faulted[t->device - 1])
        usleep(100);
}

static gpu_result stream_wait(gpu_stream handle, gpu_mark given, unsigned flags)
{
    mark *m = (mark *)(void *)given;
    (void)flags;
    return give(handle, (task){.run = run_wait, .mark = m, .number = m->recorded});
}

static void run_call(task *t)
{
    t->function(t->user);
}

static gpu_result stream_call(gpu_stream handle, gpu_host_function function, void *user)
{
    return give(handle, (task){.run = run_call, .function = function, .user = user});
}

/* ------------------------------------------------------------------------------------------- marks -- */

static gpu_result mark_create(gpu_mark *made, unsigned flags)
{
    (void)flags;
    mark *m = calloc(1, sizeof(*m));
    m->device = current;
    ++alive;
    *made = (gpu_mark)(void *)m;
    return 0;
}

static gpu_result mark_destroy(gpu_mark handle)
{
    free(handle);
    --alive;
    return 0;
}

static void run_record(task *t)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    t->mark->when = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    t->mark->reached = t->number;
}

static gpu_result mark_record(gpu_mark handle, gpu_stream s)
{
    mark *m = (mark *)(void *)handle;
    ck_assert_uint_eq(m->device, current);
    return give(s, (task){.run = run_record, .mark = m, .number = ++m->recorded});
}

static gpu_result mark_query(gpu_mark handle)
{
    mark *m = (mark *)(void *)handle;
    if (faulted[m->device - 1])
        return FAKE_FAULT;
    return m->reached == m->recorded ? 0 : FAKE_NOT_READY;
}

static gpu_result mark_synchronize(gpu_mark handle)
{
    while (mark_query(handle) == FAKE_NOT_READY)
        usleep(100);
    return mark_query(handle);
}

static gpu_result mark_elapsed(float *milliseconds, gpu_mark start, gpu_mark end)
{
    *milliseconds = (float)((double)(((mark *)(void *)end)->when - ((mark *)(void *)start)->when) * 1e-6);
    return 0;
}

/* ------------------------------------------------------------------------------------------ memory -- */

static gpu_result memory_allocate(void **ptr, size_t size)
{
    if (state() != 0)
        return state();
    if (gpu_fake_allocations_left == 0)
        return FAKE_SHORT;
    if (gpu_fake_allocations_left != UINT32_MAX)
        --gpu_fake_allocations_left;
    ++alive;
    return posix_memalign(ptr, GPU_BASE_ALIGNMENT, size);
}

static gpu_result memory_free(void *ptr)
{
    free(ptr);
    --alive;
    if (gpu_fake_allocations_left != UINT32_MAX)
        ++gpu_fake_allocations_left;
    return state();
}

static gpu_result host_allocate(void **ptr, size_t size, unsigned flags)
{
    (void)flags;
    return memory_allocate(ptr, size);
}

static gpu_result host_device_pointer(void **ptr, void *host_ptr, unsigned flags)
{
    (void)flags;
    *ptr = host_ptr;
    return 0;
}

static gpu_result memory_info(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = *total_bytes = (size_t)1 << 30;
    return state();
}

static gpu_result managed_allocate(void **ptr, size_t size, unsigned flags)
{
    (void)flags;
    return memory_allocate(ptr, size);
}

static void run_copy(task *t)
{
    const gpu_copy_3d *c = &t->copy;
    for (size_t z = 0; z < c->depth; ++z)
        for (size_t y = 0; y < c->height; ++y)
            memcpy((char *)c->dst + (z * c->dst_rows + y) * c->dst_pitch,
                   (const char *)c->src + (z * c->src_rows + y) * c->src_pitch, c->width);
}

static gpu_result copy_3d(const gpu_copy_3d *c, gpu_stream s)
{
    note("copy_3d %zux%zux%zu;", c->depth, c->height, c->width);
    ck_assert(c->dst_pitch <= FAKE_MAX_PITCH && c->src_pitch <= FAKE_MAX_PITCH);
    ck_assert(c->dst_pitch >= c->width && c->src_pitch >= c->width);
    ck_assert(c->dst_rows >= c->height && c->src_rows >= c->height);
    return give(s, (task){.run = run_copy, .copy = *c});
}

static gpu_result copy(void *dst, const void *src, size_t size, gpu_stream s)
{
    note("copy %zu;", size);
    return give(s, (task){.run = run_copy, .copy = {.width = size, .height = 1, .depth = 1, .dst = dst, .src = src}});
}

static gpu_result copy_peer(void *dst, gpu_context to, const void *src, gpu_context from, size_t size, gpu_stream s)
{
    note("peer %zu;", size);
    ck_assert_ptr_ne(to, from);
    return give(s, (task){.run = run_copy, .copy = {.width = size, .height = 1, .depth = 1, .dst = dst, .src = src}});
}

static void run_fill(task *t)
{
    const gpu_copy_3d *c = &t->copy;
    for (size_t y = 0; y < c->height; ++y)
        for (size_t x = 0; x < c->width; ++x)
            memcpy((char *)c->dst + y * c->dst_pitch + x * t->unit, &t->value, t->unit);
}

static gpu_result fill(void *ptr, size_t pitch, uint32_t value, size_t unit, size_t width, size_t height, gpu_stream s)
{
    ck_assert_uint_eq((uintptr_t)ptr % unit, 0);
    return give(s, (task){.run = run_fill,
                          .copy = {.dst = ptr, .dst_pitch = pitch, .width = width, .height = height},
                          .value = value,
                          .unit = unit});
}

static gpu_result fill_8(void *ptr, uint8_t value, size_t count, gpu_stream s)
{
    note("fill8 %zu;", count);
    return fill(ptr, 0, value, 1, count, 1, s);
}

static gpu_result fill_16(void *ptr, uint16_t value, size_t count, gpu_stream s)
{
    note("fill16 %zu;", count);
    return fill(ptr, 0, value, 2, count, 1, s);
}

static gpu_result fill_32(void *ptr, uint32_t value, size_t count, gpu_stream s)
{
    note("fill32 %zu;", count);
    return fill(ptr, 0, value, 4, count, 1, s);
}

static gpu_result fill_2d_8(void *ptr, size_t pitch, uint8_t value, size_t width, size_t height, gpu_stream s)
{
    note("fill8 %zux%zu;", height, width);
    return fill(ptr, pitch, value, 1, width, height, s);
}

static gpu_result fill_2d_16(void *ptr, size_t pitch, uint16_t value, size_t width, size_t height, gpu_stream s)
{
    note("fill16 %zux%zu;", height, width);
    return fill(ptr, pitch, value, 2, width, height, s);
}

static gpu_result fill_2d_32(void *ptr, size_t pitch, uint32_t value, size_t width, size_t height, gpu_stream s)
{
    note("fill32 %zux%zu;", height, width);
    return fill(ptr, pitch, value, 4, width, height, s);
}

/* ------------------------------------------------------------------------------ modules and launches -- */

static const accel_kernel_descriptor descriptor = {.magic = ACCEL_OBJECT_MAGIC,
                                                   .abi = ACCEL_OBJECT_ABI,
                                                   .struct_size = sizeof(accel_kernel_descriptor),
                                                   .form = ACCEL_FORM_BLOCK,
                                                   .args_size = 8,
                                                   .args_align = 8,
                                                   .grid_size = sizeof(accel_grid)};

static gpu_result code_load(gpu_code *made, const void *image, char *text, size_t size)
{
    (void)image;
    (void)text;
    (void)size;
    ++alive;
    *made = malloc(1);
    return 0;
}

static gpu_result code_unload(gpu_code code)
{
    free(code);
    --alive;
    return 0;
}

static gpu_result code_function(gpu_function *function, gpu_code code, const char *symbol)
{
    *function = (gpu_function)(void *)code;
    return strcmp(symbol, "accel_kernel_axpy") == 0 ? 0 : FAKE_REFUSED;
}

static gpu_result code_global(void **ptr, size_t *size, gpu_code code, const char *symbol)
{
    union {
        const void *is;
        void *seen;
    } place = {&descriptor};
    (void)code;
    *ptr = place.seen;
    *size = sizeof(descriptor);
    return strcmp(symbol, "accel_descriptor_axpy") == 0 ? 0 : FAKE_REFUSED;
}

static gpu_result function_attribute(int *value, int attribute, gpu_function function)
{
    (void)function;
    *value = attribute == GPU_FUNCTION_MAX_THREADS ? 1024 : attribute == GPU_FUNCTION_MAX_DYNAMIC_SHARED ? 48 << 10 : 0;
    return 0;
}

static gpu_result function_set_attribute(gpu_function function, int attribute, int value)
{
    (void)function;
    (void)attribute;
    note("shared %d;", value);
    return 0;
}

static gpu_result occupancy_block(int *blocks, int *threads, gpu_function function, size_t shared)
{
    (void)function;
    (void)shared;
    *blocks = 4;
    *threads = 1024;
    return 0;
}

static gpu_result occupancy_blocks(int *blocks, gpu_function function, int threads, size_t shared)
{
    (void)function;
    (void)shared;
    *blocks = 2048 / threads;
    return 0;
}

static void run_launch(task *t)
{
    if (atomic_exchange(&gpu_fake_next_faults, false))
        faulted[t->device - 1] = true;
    else
        ++gpu_fake_launches;
}

static gpu_result launch(gpu_function function, const uint32_t blocks[3], const uint32_t threads[3], uint32_t shared,
                         gpu_stream s, void **parameters)
{
    (void)function;
    (void)shared;
    ck_assert_ptr_nonnull(parameters[0]);
    ck_assert_ptr_nonnull(((accel_grid *)parameters[1])->locks);
    note("launch %u %u;", blocks[0], threads[0]);
    return gpu_fake_launch_result != 0 ? gpu_fake_launch_result : give(s, (task){.run = run_launch});
}

/* -------------------------------------------------------------------------------- devices, contexts -- */

static gpu_result device_count(int *count)
{
    *count = FAKE_DEVICES;
    return 0;
}

static gpu_result device_get(int *device, int ordinal)
{
    *device = ordinal;
    return 0;
}

static gpu_result device_name(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "fake %d", device);
    return 0;
}

static gpu_result device_memory(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return 0;
}

static gpu_result device_attribute(int *value, int number, int device)
{
    (void)device;
    *value = 1;
    if (number == GPU_ATTRIBUTE_MAX_PITCH)
        *value = FAKE_MAX_PITCH;
    if (number == GPU_ATTRIBUTE_MAX_SHARED)
        *value = 48 << 10;
    if (number == GPU_ATTRIBUTE_MAX_SHARED_OPTIN)
        *value = 96 << 10;
    if (number == GPU_ATTRIBUTE_MEMORY_POOLS)
        *value = 0;
    return 0;
}

static gpu_result device_can_access_peer(int *yes, int device, int peer)
{
    *yes = gpu_fake_peers && device != peer;
    return 0;
}

static gpu_result device_describe(gpu_description *description, int device)
{
    (void)device;
    memset(description, 0, sizeof(*description));
    snprintf(description->architecture, sizeof(description->architecture), "fake_1");
    return 0;
}

static uint32_t target_rank(const char *architecture, const char *target, const char *format, char *reason, size_t size)
{
    (void)format;
    snprintf(reason, size, "it is fake");
    return strcmp(architecture, target) == 0;
}

static gpu_result context_retain(gpu_context *context, int device)
{
    ++alive;
    *context = (gpu_context)((uintptr_t)device + 1);
    return 0;
}

static gpu_result context_release(int device)
{
    (void)device;
    --alive;
    return 0;
}

static gpu_result context_get_current(gpu_context *context)
{
    *context = (gpu_context)current;
    return 0;
}

static gpu_result context_set_current(gpu_context context)
{
    current = (uintptr_t)context;
    return 0;
}

static gpu_result context_enable_peer(gpu_context peer)
{
    ck_assert_uint_ne((uintptr_t)peer, 0);
    note("connect;");
    return 0;
}

static const char *error_name(gpu_result result)
{
    return result == FAKE_FAULT ? "FAKE_ILLEGAL_ADDRESS" : "FAKE_ERROR";
}

static const char *error_text(gpu_result result)
{
    return result == FAKE_FAULT ? "an illegal memory access" : "something else";
}

static const gpu_meaning meanings[] = {{FAKE_NOT_READY, GPU_MEANS_NOT_READY, ACCEL_NOT_READY},
                                       {FAKE_FAULT, GPU_MEANS_FAULT, ACCEL_KERNEL_FAULT},
                                       {FAKE_SHORT, GPU_MEANS_REFUSED, ACCEL_OUT_OF_MEMORY}};

static gpu_driver driver = {
    .name = "fake",
    .product = "Fake",
    .meanings = meanings,
    .meaning_count = sizeof(meanings) / sizeof(meanings[0]),
    .error_name = error_name,
    .error_text = error_text,
    .device_count = device_count,
    .device_get = device_get,
    .device_name = device_name,
    .device_memory = device_memory,
    .device_attribute = device_attribute,
    .device_can_access_peer = device_can_access_peer,
    .device_describe = device_describe,
    .target_rank = target_rank,
    .context_retain = context_retain,
    .context_release = context_release,
    .context_get_current = context_get_current,
    .context_set_current = context_set_current,
    .context_enable_peer = context_enable_peer,
    .memory_info = memory_info,
    .memory_allocate = memory_allocate,
    .memory_free = memory_free,
    .host_allocate = host_allocate,
    .host_free = memory_free,
    .host_device_pointer = host_device_pointer,
    .managed_allocate = managed_allocate,
    .copy = copy,
    .copy_3d = copy_3d,
    .copy_peer = copy_peer,
    .fill_8 = fill_8,
    .fill_16 = fill_16,
    .fill_32 = fill_32,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_query = stream_query,
    .stream_synchronize = stream_synchronize,
    .stream_wait = stream_wait,
    .stream_call = stream_call,
    .mark_create = mark_create,
    .mark_destroy = mark_destroy,
    .mark_record = mark_record,
    .mark_query = mark_query,
    .mark_synchronize = mark_synchronize,
    .mark_elapsed = mark_elapsed,
    .code_load = code_load,
    .code_unload = code_unload,
    .code_function = code_function,
    .code_global = code_global,
    .function_attribute = function_attribute,
    .function_set_attribute = function_set_attribute,
    .occupancy_block = occupancy_block,
    .occupancy_blocks = occupancy_blocks,
    .launch = launch,
};

static accel_status open_driver(const accel_host_services *host, const gpu_driver **opened, uint32_t *usable)
{
    (void)host;
    (void)usable;
    for (int i = 0; i < GPU_ATTRIBUTE_COUNT; ++i)
        driver.attribute_numbers[i] = i;
    driver.fill_2d_8 = gpu_fake_has_fill_2d ? fill_2d_8 : NULL;
    driver.fill_2d_16 = gpu_fake_has_fill_2d ? fill_2d_16 : NULL;
    driver.fill_2d_32 = gpu_fake_has_fill_2d ? fill_2d_32 : NULL;
    *opened = &driver;
    return ACCEL_OK;
}

static const gpu_family family = {.name = "fake", .open = open_driver};

gpu_fake gpu_fake_open(void)
{
    gpu_fake fake = {.plugin = {.struct_size = sizeof(accel_open_result)}};

    alive = 0;
    for (int i = 0; i < FAKE_DEVICES; ++i)
        faulted[i] = false;
    ck_assert_uint_eq(gpu_backend_open(&family, &accel_services, &fake.plugin), ACCEL_OK);
    for (uint32_t i = 0; i < FAKE_DEVICES; ++i)
        ck_assert_uint_eq(fake.plugin.backend_vtable->device_open(fake.plugin.backend, i, &fake.devices[i]), ACCEL_OK);
    ck_assert_int_eq(alive, 0); /* no context yet */
    return fake;
}

void gpu_fake_close(gpu_fake *fake)
{
    for (int i = 0; i < FAKE_DEVICES; ++i)
        gpu_device_vtable.close(fake->devices[i]);
    fake->plugin.backend_vtable->close(fake->plugin.backend);
    /* What was released while the device worked goes back behind the work, by the engine's own thread. */
    for (int i = 0; i < 20000 && alive != 0; ++i)
        usleep(1000);
    ck_assert_int_eq(alive, 0);
}

accel_impl_queue *gpu_fake_queue(gpu_fake *fake, unsigned device, uint32_t flags)
{
    accel_impl_queue *queue = NULL;
    ck_assert_uint_eq(gpu_queue_create(fake->devices[device], flags, 0, &queue), ACCEL_OK);
    return queue;
}

accel_impl_event *gpu_fake_event(gpu_fake *fake, unsigned device, uint32_t flags)
{
    accel_impl_event *event = NULL;
    ck_assert_uint_eq(gpu_event_create(fake->devices[device], flags, &event), ACCEL_OK);
    return event;
}

accel_impl_memory *gpu_fake_memory(gpu_fake *fake, unsigned device, uint32_t flags, size_t size, void **ptr)
{
    accel_memory_request request = {.struct_size = sizeof(request), .flags = flags, .size = size, .alignment = 256};
    accel_impl_memory *memory = NULL;
    void *host_ptr;
    ck_assert_uint_eq(gpu_device_vtable.allocate(fake->devices[device], &request, &memory, ptr, &host_ptr), ACCEL_OK);
    return memory;
}

accel_impl_module *gpu_fake_module(gpu_fake *fake, unsigned device, accel_impl_kernel **kernel)
{
    accel_image image = {.struct_size = sizeof(image),
                         .library = "fake",
                         .target = "fake_1",
                         .format = "fake",
                         .data = "bytes",
                         .size = 5};
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    accel_impl_module *module = NULL;
    ck_assert_uint_eq(gpu_module_load(fake->devices[device], &image, &module), ACCEL_OK);
    ck_assert_uint_eq(gpu_module_vtable.kernel(module, "axpy", kernel, &properties), ACCEL_OK);
    return module;
}

accel_launch_params gpu_fake_launch(const void *args, size_t size)
{
    return (accel_launch_params){.struct_size = sizeof(accel_launch_params),
                                 .blocks = {3, 1, 1},
                                 .threads = {64, 1, 1},
                                 .args = args,
                                 .args_size = size,
                                 .grid = {.struct_size = sizeof(accel_grid), .dims = 1}};
}

static void pass_gate(void *user, accel_status status)
{
    gpu_gate *gate = user;
    (void)status;
    gate->entered = true;
    while (!gate->open)
        usleep(200);
}

void gpu_gate_in(gpu_gate *gate, accel_impl_queue *queue)
{
    gate->entered = gate->open = false;
    ck_assert_uint_eq(gpu_queue_vtable.call(queue, pass_gate, gate), ACCEL_OK);
}

void gpu_gate_entered(gpu_gate *gate)
{
    while (!gate->entered)
        usleep(200);
}

bool gpu_becomes(_Atomic uint32_t *word, uint32_t value)
{
    for (int i = 0; i < 20000 && atomic_load(word) != value; ++i)
        usleep(1000);
    return atomic_load(word) == value;
}
