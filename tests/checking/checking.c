/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cpu-check says of planted errors, and of kernels without one. Usage: checking DIRECTORY-OF-SOURCES LIBRARY
 * The lines that reports must name are those of comments in planted.k.c.
 */
#include <accel/accel.h>
#include <accel/algorithm.h>
#include <accel/object.h>
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "planted.h"
#include "suite.h"

enum { BLOCKS = 4, THREADS = 64, N = 4 * THREADS };

static const char *sources, *library;
static accel_instance *instance;
static accel_device *device;

#define GOOD(call) ck_assert_msg((call) == ACCEL_OK, "%s: %s", #call, accel_error_message())

typedef struct launch_setting {
    bool y_unwritten, x_released, blocking, tall;
    size_t shared;
    size_t threads;     /* of one block; 0: BLOCKS of THREADS */
    bool bundled;       /* the library's objects are a bundle */
    const char *y_name; /* NULL: none */
} launch_setting;

static float result[N]; /* of the last run: y */

/* A file of the kernel path, to be freed. */
static void *read_object(const char *name, size_t *size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("ACCEL_KERNEL_PATH"), name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    void *data = malloc(*size);
    ck_assert_uint_eq(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

/* As accelcc --embed makes it. */
static void load_bundle(accel_module **module)
{
    char name[64];
    accel_bundle_entry entries[] = {{.target = "sm_90", .format = "cubin"}, {.target = "check", .format = "so"}};
    accel_bundle bundle = {.magic = ACCEL_BUNDLE_MAGIC,
                           .abi = ACCEL_OBJECT_ABI,
                           .struct_size = sizeof bundle,
                           .entry_size = sizeof entries[0],
                           .name = "bundled",
                           .entries = entries,
                           .count = 2};
    snprintf(name, sizeof name, "%s.check.so", library);
    void *object = read_object(name, &entries[1].size);
    snprintf(name, sizeof name, "%s.sm_90.cubin", library);
    void *cubin = read_object(name, &entries[0].size);
    entries[0].data = cubin;
    entries[1].data = object;
    GOOD(accel_module_load_bundle(device, &bundle, module));
    free(cubin);
    free(object);
}

/* Runs a kernel and returns its queue's text, to be freed; "" if there was no error. */
static char *run(const char *kernel_name, launch_setting setting)
{
    static float zero[N];
    accel_queue_desc queue_desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *x, *y, *c;
    accel_buffer_desc floats = accel_buffer_1d(sizeof(float), N), counts = accel_buffer_1d(sizeof(uint32_t), 64);
    queue_desc.flags = setting.blocking ? ACCEL_QUEUE_BLOCKING : 0;
    GOOD(accel_queue_create(device, &queue_desc, &queue));
    if (setting.bundled)
        load_bundle(&module);
    else
        GOOD(accel_module_load(device, library, &module));
    GOOD(accel_module_kernel(module, kernel_name, &kernel));
    GOOD(accel_buffer_create(device, &floats, &x));
    GOOD(accel_buffer_create(device, &floats, &y));
    GOOD(accel_buffer_create(device, &counts, &c));
    if (setting.y_name != NULL)
        GOOD(accel_object_name(ACCEL_OBJECT_BUFFER, y, setting.y_name));
    GOOD(accel_write(queue, x, zero));
    if (!setting.y_unwritten)
        GOOD(accel_write(queue, y, zero));
    GOOD(accel_write(queue, c, zero));
    GOOD(accel_queue_wait(queue));
    planted_args args = {N, accel_buffer_ptr(x), accel_buffer_ptr(y), accel_buffer_ptr(c)};
    accel_work work = ACCEL_WORK_INIT;
    work.dims = 1;
    work.blocks[0] = BLOCKS;
    work.threads[0] = THREADS;
    work.elems[0] = 1;
    work.shared_bytes = setting.shared;
    if (setting.threads != 0) {
        work.blocks[0] = 1;
        work.threads[0] = setting.threads;
    }
    if (setting.tall)
        work = accel_work_2d((size_t[]){70000, 1}, (size_t[]){1, THREADS}, (size_t[]){1, 1});
    if (setting.x_released)
        accel_buffer_release(x);
    accel_status status = accel_launch(queue, kernel, &work, &args, sizeof args);
    if (!setting.blocking) {
        ck_assert_int_eq(status, ACCEL_OK);
        status = accel_queue_wait(queue);
    }
    char *text = strdup(status == ACCEL_OK ? "" : accel_error_message());
    ck_assert_msg(status == ACCEL_OK || status == ACCEL_KERNEL_FAULT, "%s", text);
    (void)accel_queue_wait(queue);
    if (status == ACCEL_OK) {
        GOOD(accel_read(queue, result, y));
        GOOD(accel_queue_wait(queue));
    }
    if (!setting.x_released)
        accel_buffer_release(x);
    accel_buffer_release(y);
    accel_buffer_release(c);
    accel_module_release(module);
    accel_queue_release(queue);
    return text;
}

/* Does the text name the line of this comment? */
static void expect_line(const char *text, const char *kernel, const char *role)
{
    char wanted[64];
    size_t line = line_of(sources, "planted.k.c", kernel, role);
    if (line == 0 && strcmp(role, "other") == 0)
        return;
    ck_assert_msg(line != 0, "planted.k.c has no comment for %s", kernel);
    snprintf(wanted, sizeof wanted, "/planted.k.c:%zu\n", line);
    ck_assert_msg(strstr(text, wanted) != NULL, "%s: %s must be at line %zu:\n%s", kernel, role, line, text);
}

/* Does it name one of the lines from that comment to the kernel's next one, "end"? */
static void expect_line_until_end(const char *text, const char *kernel)
{
    static const char file[] = "/planted.k.c:";
    const size_t here = line_of(sources, "planted.k.c", kernel, "here"),
                 end = line_of(sources, "planted.k.c", kernel, "end");
    const char *name = strstr(text, file);
    const size_t line = name != NULL ? strtoul(name + sizeof file - 1, NULL, 10) : 0;
    ck_assert_msg(here <= line && line <= end, "%s must be at line %zu to %zu:\n%s", kernel, here, end, text);
}

static void expect(const char *kernel, const char *kind, launch_setting setting, const char *more)
{
    char title[160];
    char *text = run(kernel, setting);
    snprintf(title, sizeof title, "%s in kernel \"%s\"", kind, kernel);
    ck_assert_msg(strstr(text, title) != NULL, "%s must be \"%s\":\n%s", kernel, kind, text);
    ck_assert_msg(strstr(text, more) != NULL, "%s must say \"%s\":\n%s", kernel, more, text);
    if (line_of(sources, "planted.k.c", kernel, "end") != 0)
        expect_line_until_end(text, kernel);
    else
        expect_line(text, kernel, "here");
    expect_line(text, kernel, "other");
    free(text);
}

static const char *const right_kernels[] = {
    "right_region",     "right_barriers",      "right_early_return", "right_elements",  "right_tiles",
    "right_locks",      "right_bytes",         "right_packed",       "right_builtins",  "right_constants",
    "right_last_block", "right_block_atomics", "right_private",      "right_variables", "right_warps",
    "right_lanes",      "right_nans",          "right_stack",        "right_any",       "right_regions",
    "right_nosync",     "right_padding"};

static void open_device(void)
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    GOOD(accel_instance_create(NULL, &instance));
    GOOD(accel_instance_find_device(instance, NULL, &device));
    GOOD(accel_device_info(device, &properties));
    ck_assert_str_eq(properties.targets, "check");
}

static void close_device(void)
{
    accel_instance_release(instance);
}

static const launch_setting ordinary;

START_TEST(races_between_threads_of_a_block_are_found)
{
    static const char kind[] = "race between threads of a block";
    launch_setting one_block = {.threads = THREADS};
    expect("race_region", kind, ordinary, "of shared array s (1024 bytes)");
    expect("race_nosync", kind, ordinary, "by thread 1 of block 0");
    expect("race_no_barrier", kind, ordinary, "shared array s");
    expect("race_loop", kind, ordinary, "shared array s");
    expect("race_invariant", kind, ordinary, "a buffer of 1024 bytes, made at ");
    expect("race_elements", kind, ordinary, "of a loop over elements of block 0");
    expect("race_elements", kind, ordinary, "let each iteration write places of its own");
    expect("race_doubles", kind, one_block, "  7 times in this launch");
    expect("race_bytes", kind, ordinary, "write of 40 bytes by thread 1");
    expect("race_builtin", kind, ordinary, "by thread 1 of block 0");
    expect("race_private", kind, ordinary, "in an array of private values");
}
END_TEST

START_TEST(races_between_blocks_are_found)
{
    static const char kind[] = "race between blocks";
    expect("blocks_sum", kind, ordinary, "by thread 0 of block 1");
    expect("blocks_neighbour", kind, ordinary, "of block 0");
    expect("blocks_atomic", kind, ordinary, "a buffer of 256 bytes");
    expect("blocks_threads", kind, ordinary, "a buffer of 1024 bytes");
}
END_TEST

START_TEST(mixed_atomic_and_plain_accesses_are_found)
{
    static const char kind[] = "mixed atomic and plain accesses";
    expect("mixed_store", kind, ordinary, "atomic write by thread 6");
    expect("mixed_lock", kind, ordinary, "atomic write by thread 4");
}
END_TEST

START_TEST(accesses_outside_memory_are_found)
{
    static const char kind[] = "access outside memory";
    launch_setting shared = {.shared = THREADS * sizeof(float)};
    expect("outside_behind", kind, ordinary, "0 bytes behind the end of a buffer of 1024 bytes, made at ");
    expect("outside_before", kind, ordinary, "20 bytes before a buffer of 1024 bytes, made at ");
    expect("outside_shared", kind, ordinary, "0 bytes behind the end of shared array first (128 bytes)");
    expect("outside_dynamic", kind, shared, "0 bytes behind the end of the launch's 256 bytes of shared memory");
    expect("outside_builtin", kind, ordinary, "write of 40 bytes by thread ");
    expect("outside_private", kind, ordinary, "at an index that is no thread's");
}
END_TEST

/* Each has 16 MiB or four times its length on either side that belong to nobody. */
START_TEST(an_index_that_leaves_a_buffer_hits_no_other)
{
    enum { BUFFERS = 40, LENGTH = 5 << 20 };
    static const char kind[] = "access outside memory";
    const size_t zone = (size_t)16 << 20;
    accel_buffer *buffers[BUFFERS];
    accel_buffer_desc small = accel_buffer_1d(sizeof(float), N), large = accel_buffer_1d(1, LENGTH);
    expect("outside_row", kind, ordinary, "130048 bytes behind the end of a buffer of 1024 bytes, made at ");
    expect("outside_far_before", kind, ordinary, "4194304 bytes before a buffer of 1024 bytes, made at ");
    for (size_t i = 0; i < BUFFERS; ++i)
        GOOD(accel_buffer_create(device, i % 20 == 0 ? &large : &small, &buffers[i]));
    for (size_t i = 0; i < BUFFERS; ++i) {
        const size_t room = i % 20 == 0 ? (size_t)4 * LENGTH : zone, length = i % 20 == 0 ? LENGTH : N * sizeof(float);
        const uintptr_t begin = (uintptr_t)accel_buffer_ptr(buffers[i]);
        for (size_t k = 0; k < BUFFERS; ++k) {
            const uintptr_t other = (uintptr_t)accel_buffer_ptr(buffers[k]);
            const size_t distance = other > begin ? other - begin - length : begin - other;
            ck_assert_msg(k == i || distance >= room + zone, "%zu and %zu are %zu bytes apart", i, k, distance);
        }
    }
    for (size_t i = 0; i < BUFFERS; ++i)
        accel_buffer_release(buffers[i]);
}
END_TEST

/* Memory that the system promises is used at once: it would have to end processes. What is remembered of a buffer takes four
 * times as much. */
START_TEST(a_buffer_of_which_memory_cannot_hold_all_is_refused)
{
    const size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    accel_device *host = accel_instance_host(instance);
    accel_buffer_desc desc = accel_buffer_1d(1, memory / 2);
    accel_buffer *buffer = NULL;
    char mode = '0';
    FILE *file = fopen("/proc/sys/vm/overcommit_memory", "r");
    if (file != NULL) {
        mode = (char)fgetc(file);
        fclose(file);
    }
    if (mode == '1') /* the system promises anything */
        return;
    ck_assert_int_eq(accel_buffer_create(device, &desc, &buffer), ACCEL_OUT_OF_MEMORY);
    ck_assert_int_eq(accel_buffer_create(host, &desc, &buffer), ACCEL_OUT_OF_MEMORY);
    ck_assert_ptr_null(buffer);
}
END_TEST

START_TEST(an_access_that_would_crash_ends_the_kernel)
{
    static const char kind[] = "access outside memory";
    launch_setting blocking = {.blocking = true};
    expect("outside_everything", kind, ordinary, "at address 0x1000");
    expect("outside_null", kind, ordinary, "at address 0x0: the pointer is NULL\n  set the pointer before the launch");
    expect("outside_unset", kind, ordinary, "at address 0x8: the pointer is NULL");
    expect("outside_everything", kind, blocking, "at address 0x1000");
    expect("outside_fiber", kind, ordinary, "at address 0x20");
    expect("outside_read_impossible", kind, ordinary, "at an address that no memory can have");
    expect("outside_write_impossible", kind, ordinary, "at an address that no memory can have");
    expect("outside_add_impossible", kind, ordinary, "at an address that no memory can have");
    expect("outside_stack", kind, ordinary, "in no buffer and in no shared memory");
    for (int again = 0; again < 2; ++again) /* the first one's lock is free again */
        expect("outside_locked", kind, ordinary, "at address 0x1000");
    free(run("race_region", ordinary));
}
END_TEST

START_TEST(use_after_release_is_found)
{
    static const char kind[] = "use after release";
    launch_setting released = {.x_released = true};
    expect("released_read", kind, released, "at byte 0 of a released buffer of 1024 bytes, made at ");
    expect("released_write", kind, released, "at byte 0 of a released buffer of 1024 bytes, made at ");
}
END_TEST

START_TEST(an_access_of_several_words_counts_once)
{
    launch_setting released = {.x_released = true}, unwritten = {.y_unwritten = true};
    expect("wide_released", "use after release", released, "  8 times in this launch");
    expect("wide_unwritten", "read of memory that was never written", unwritten, "  8 times in this launch");
    expect("wide_uniform", "write outside regions", ordinary, "  4 times in this launch");
}
END_TEST

START_TEST(reports_name_buffers_that_have_a_name)
{
    static const char sixty[] = "123456789.123456789.123456789.123456789.123456789.123456789.123456789";
    launch_setting named = {.y_name = "residual"}, nameless = {.y_name = ""}, longer = {.y_name = sixty};
    expect("blocks_sum", "race between blocks", named, "  at byte 0 of buffer \"residual\" (1024 bytes), made at ");
    expect("outside_before", "access outside memory", named,
           "  20 bytes before buffer \"residual\" (1024 bytes), made at ");
    expect("blocks_sum", "race between blocks", nameless, "at byte 0 of a buffer of 1024 bytes, made at ");
    expect("blocks_sum", "race between blocks", longer,
           "of buffer \"123456789.123456789.123456789.123456789.123456789.123456789.123\" (1024 bytes), made at ");
}
END_TEST

START_TEST(misaligned_accesses_are_found)
{
    static const char kind[] = "misaligned access";
    expect("misaligned_double", kind, ordinary, "write of 8 bytes by iteration 0 of a loop over elements of block 0");
    expect("misaligned_short", kind, ordinary, "at byte 1 of a buffer of 1024 bytes, made at ");
    expect("misaligned_atomic", kind, ordinary, "atomic write of 4 bytes by thread 0 of block 0");
    expect("misaligned_vector", kind, ordinary, "write of 16 bytes by thread 0 of block 0");
    free(run("race_region", ordinary));
}
END_TEST

START_TEST(writes_of_constants_are_found)
{
    static const char kind[] = "write of a constant";
    expect("constant_weights", kind, ordinary, "at byte 8 of constant planted_weights");
    expect("constant_table", kind, ordinary, "in read-only data of the kernel's object");
    free(run("race_region", ordinary));
}
END_TEST

START_TEST(reads_of_memory_that_nobody_wrote_are_found)
{
    static const char kind[] = "read of memory that was never written";
    launch_setting unwritten = {.y_unwritten = true};
    expect("unwritten_buffer", kind, unwritten, "at byte 0 of a buffer of 1024 bytes");
    expect("unwritten_shared", kind, ordinary, "at byte 0 of shared array s");
    expect("unwritten_block", kind, ordinary, "by thread 0 of block 1");
    expect("unwritten_private", kind, ordinary, "in an array of private values");
    expect("unwritten_turn", kind, ordinary, "in an array of private values");
    expect("unwritten_member", kind, ordinary, "at byte 8 of shared array s");
}
END_TEST

/* Single bytes, which a memory's fill may happen to have, are not judged alone. */
START_TEST(bytes_that_the_host_wrote_by_an_address_are_no_error)
{
    enum { BYTES = 65536 };
    const accel_buffer_desc bytes = accel_buffer_1d(1, BYTES), one = accel_buffer_1d(sizeof(uint32_t), 1);
    accel_queue *queue;
    accel_buffer *from, *to, *count;
    uint32_t state = 1;
    GOOD(accel_queue_create(device, NULL, &queue));
    GOOD(accel_buffer_create(device, &bytes, &from));
    GOOD(accel_buffer_create(device, &bytes, &to));
    GOOD(accel_buffer_create(device, &one, &count));
    unsigned char *p = accel_buffer_ptr(from);
    for (size_t i = 0; i < BYTES; ++i) {
        state = state * 1664525 + 1013904223;
        p[i] = (unsigned char)(state >> 24);
    }
    GOOD(accel_unique(queue, from, to, count));
    GOOD(accel_queue_wait(queue));
    accel_buffer_release(count);
    accel_buffer_release(to);
    accel_buffer_release(from);
    accel_queue_release(queue);
}
END_TEST

START_TEST(divergent_barriers_are_found)
{
    static const char kind[] = "divergent barriers";
    expect("barrier_branches", kind, ordinary, "barrier of thread 32 of block 0");
    expect("barrier_skipped", kind, ordinary, "barrier of thread 63 of block 0");
}
END_TEST

START_TEST(barriers_in_regions_are_found)
{
    static const char kind[] = "barrier in a region";
    expect("region_nested", kind, ordinary, "region of thread 0 of block 0");
    expect("region_collective", kind, ordinary, "collective of thread 0 of block 0");
    expect("region_elements", kind, ordinary, "region of iteration 0 of a loop over elements of block 0");
    expect("region_loop", kind, ordinary, "loop over elements of thread 0 of block 0");
}
END_TEST

static void open_with_warps(const char *lanes)
{
    close_device();
    setenv("ACCEL_CHECK_WARP", lanes, 1);
    open_device();
}

static void expect_silence(const char *kernel)
{
    char *text = run(kernel, ordinary);
    ck_assert_msg(text[0] == '\0', "%s:\n%s", kernel, text);
    free(text);
}

START_TEST(warp_operations_that_lanes_do_not_come_to_are_found_on_request)
{
    static const char kind[] = "warp operation without some of its lanes";
    static const char *const kernels[] = {"warp_branches", "warp_returned", "warp_lines",   "warp_source",
                                          "warp_up_any",   "warp_xor_any",  "warp_mask",    "warp_region",
                                          "warp_nosync",   "warp_first",    "warp_elements"};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; ++i)
        expect_silence(kernels[i]);
    open_with_warps("32");
    expect("warp_branches", kind, ordinary, "lanes 0-15 take part; lanes 16-31 wait elsewhere");
    expect("warp_returned", kind, ordinary, "lanes 0-19 take part; lanes 20-31 have returned");
    expect("warp_lines", kind, ordinary, "warp operation of thread 8 of block 0");
    expect("warp_source", kind, ordinary, "lane 4 reads lane 5, which does not take part");
    expect("warp_up_any", kind, ordinary, "lane 2 reads lane 1, which does not take part");
    expect("warp_xor_any", kind, ordinary, "lane 4 reads lane 20, which does not take part");
    expect("warp_mask", kind, ordinary, "lanes 0-7 take part; lanes 8-31 take part and are not in the mask");
    expect("warp_branches", kind, ordinary, "barrier of thread 16 of block 0");
    expect("warp_first", kind, ordinary, "lanes 0-15 take part; lanes 16-31 wait elsewhere");
    expect("warp_region", kind, ordinary, "barrier of thread 0 of block 0");
    expect("warp_nosync", kind, ordinary, "lanes 7-31 take part; lanes 0-6 have returned");
    expect("warp_tiles", kind, ordinary, "lane 1 reads lane 3, which does not take part");
    open_with_warps("64");
    expect("warp_branches", kind, ordinary, "lanes 0-15 take part; lanes 16-63 wait elsewhere");
    expect("warp_returned", kind, ordinary, "lanes 32-51 take part and are not in the mask");
    unsetenv("ACCEL_CHECK_WARP");
}
END_TEST

START_TEST(warps_outside_regions_keep_one_thread_which_is_said)
{
    static const char kind[] = "warp that cannot be emulated";
    open_with_warps("32");
    expect("warp_elements", kind, ordinary, "warp operation of iteration 0 of a loop over elements of block 0");
    expect("warp_outside", kind, ordinary, "here its warps have one thread");
    unsetenv("ACCEL_CHECK_WARP");
}
END_TEST

/* Threads of regions are fibers then. */
START_TEST(other_errors_are_found_with_warps_too)
{
    static const char *const orders[] = {"forwards", "backwards"};
    launch_setting shared = {.shared = THREADS * sizeof(float)};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; ++i) {
        setenv("ACCEL_CHECK_ORDER", orders[i], 1);
        open_with_warps("32");
        expect("race_region", "race between threads of a block", ordinary, "of shared array s (1024 bytes)");
        expect("race_private", "race between threads of a block", ordinary, "in an array of private values");
        expect("blocks_threads", "race between blocks", ordinary, "a buffer of 1024 bytes");
        expect("outside_dynamic", "access outside memory", shared, "0 bytes behind the end of the launch's 256 bytes");
        expect("outside_everything", "access outside memory", ordinary, "at address 0x1000");
        expect("outside_stack", "access outside memory", ordinary, "read of 4 bytes by thread ");
        expect("division_integer", "division by zero", ordinary, "compare the divisor with 0");
        expect("unwritten_private", "read of memory that was never written", ordinary, "private values");
        expect("variable_array", "write of a variable of the block", ordinary, "declare it inside the region");
        expect("variable_function", "write of a variable of the block", ordinary, "declare it inside the region");
        expect("region_nested", "barrier in a region", ordinary, "region of thread ");
        expect("region_collective", "barrier in a region", ordinary, "collective of thread ");
        expect("stack_region", "stack overflow", ordinary, "more than the ");
        expect_silence("right_regions");
        expect_silence("right_stack_of_region");
    }
    unsetenv("ACCEL_CHECK_ORDER");
    unsetenv("ACCEL_CHECK_WARP");
}
END_TEST

static size_t warp_size_of(const char *name)
{
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    accel_module *module;
    accel_kernel *kernel;
    GOOD(accel_module_load(device, library, &module));
    GOOD(accel_module_kernel(module, name, &kernel));
    GOOD(accel_kernel_info(kernel, &properties));
    accel_module_release(module);
    return properties.warp_size;
}

START_TEST(warps_have_as_many_threads_as_the_user_names)
{
    static const char *const lanes[] = {"1", "32", "64"};
    for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; ++i) {
        const size_t size = strtoul(lanes[i], NULL, 10);
        open_with_warps(lanes[i]);
        ck_assert_uint_eq(warp_size_of("right_warps"), size);
        ck_assert_uint_eq(warp_size_of("right_regions"), size);
        for (size_t form = 0; form < 3; ++form) {
            expect_silence(form == 0 ? "right_warps" : form == 1 ? "right_regions" : "right_nosync");
            for (size_t k = 0; k < N; ++k) {
                const size_t first = k % THREADS / size * size;
                ck_assert_msg((size_t)result[k] == size * (2 * first + size - 1) / 2, "%zu: %g", k, (double)result[k]);
            }
        }
        expect_silence("right_lanes");
        for (size_t k = 0; k < N; ++k)
            ck_assert_msg((size_t)result[k] == (k % 4 == 1  ? 0
                                                : size == 1 ? 1
                                                            : size / 4 * 3),
                          "%zu: %g", k, (double)result[k]);
        for (size_t k = 0; k < sizeof right_kernels / sizeof right_kernels[0]; ++k)
            expect_silence(right_kernels[k]);
    }
    unsetenv("ACCEL_CHECK_WARP");
}
END_TEST

START_TEST(writes_outside_regions_are_found)
{
    static const char kind[] = "write outside regions";
    expect("uniform_write", kind, ordinary, "the code outside regions of block 0");
    expect("uniform_shared", kind, ordinary, "shared array s");
    expect("uniform_atomic", kind, ordinary, "atomic write");
}
END_TEST

START_TEST(writes_of_variables_of_the_block_in_regions_are_found)
{
    static const char kind[] = "write of a variable of the block";
    expect("variable_sum", kind, ordinary, "write of 4 bytes by thread 0 of block 0");
    expect("variable_pointer", kind, ordinary, "declare it inside the region, or with ACCEL_PRIVATE");
    expect("variable_array", kind, ordinary, "256 times in this launch");
    expect("variable_struct", kind, ordinary, "256 times in this launch");
    expect("variable_once", kind, ordinary, "4 times in this launch");
    expect("variable_function", kind, ordinary, "by thread 0 of block 0");
}
END_TEST

START_TEST(arithmetic_that_fails_is_found_on_request)
{
    static const char *const silent[] = {"division_float",      "overflow_add",     "overflow_multiply",
                                         "conversion_unsigned", "conversion_large", "nan_difference",
                                         "nan_product",         "nan_root"};
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; ++i) {
        char *text = run(silent[i], ordinary);
        ck_assert_msg(text[0] == '\0', "%s:\n%s", silent[i], text);
        free(text);
    }
    close_device();
    setenv("ACCEL_CHECK_TRAPS", "1", 1);
    open_device();
    expect("division_float", "division by zero", ordinary,
           "operation by iteration 0 of a loop over elements of block 0");
    expect("overflow_add", "overflow of a signed integer", ordinary, "use a wider type");
    expect("overflow_multiply", "overflow of a signed integer", ordinary, "operation by thread 1 of block 0");
    expect("conversion_unsigned", "conversion out of range", ordinary, "of block 0");
    expect("conversion_large", "conversion out of range", ordinary, "252 times in this launch");
    expect("nan_difference", "new NaN", ordinary, "operation by iteration 0 of a loop over elements of block 0");
    expect("nan_difference", "new NaN", ordinary, "256 times in this launch");
    expect("nan_product", "new NaN", ordinary, "operation by thread 9 of block 0");
    expect("nan_product", "new NaN", ordinary, "at byte 36 of a buffer of 1024 bytes");
    expect("nan_root", "new NaN", ordinary, "256 times in this launch");
    for (size_t i = 0; i < sizeof right_kernels / sizeof right_kernels[0]; ++i)
        expect_silence(right_kernels[i]);
    unsetenv("ACCEL_CHECK_TRAPS");
}
END_TEST

/* Races are those of blocks 0 and 1 then. Memory is checked in all. */
START_TEST(a_stack_that_overflows_ends_the_kernel)
{
    expect("stack_depth", "stack overflow", ordinary, "more than the 65536 bytes that a thread has here");
    expect("stack_array", "stack overflow", ordinary, "stack of thread 0 of block 0");
    free(run("race_region", ordinary));
}
END_TEST

START_TEST(a_share_of_the_blocks_is_checked_on_request)
{
    close_device();
    setenv("ACCEL_CHECK_SHARE", "1000", 1);
    open_device();
    expect("blocks_neighbour", "race between blocks", ordinary, "64 times in this launch");
    expect("race_region", "race between threads of a block", ordinary, "126 times in this launch");
    expect("outside_behind", "access outside memory", ordinary, " of block 3\n");
    for (size_t i = 0; i < sizeof right_kernels / sizeof right_kernels[0]; ++i) {
        char *text = run(right_kernels[i], ordinary);
        ck_assert_msg(text[0] == '\0', "%s:\n%s", right_kernels[i], text);
        free(text);
    }
    close_device();
    unsetenv("ACCEL_CHECK_SHARE");
    open_device();
    expect("blocks_neighbour", "race between blocks", ordinary, "192 times in this launch");
}
END_TEST

START_TEST(a_block_that_does_not_end_is_ended_on_request)
{
    close_device();
    setenv("ACCEL_CHECK_LIMIT", "1", 1);
    open_device();
    launch_setting blocking = {.blocking = true};
    expect("endless_loop", "block that does not end", blocking, "read of 4 bytes by thread 0 of block 0");
    expect("endless_blocks", "block that does not end", ordinary, "at byte 0 of a buffer of 256 bytes, made at ");
    expect("endless_barrier", "block that does not end", ordinary, "barrier of thread ");
    for (size_t i = 0; i < sizeof right_kernels / sizeof right_kernels[0]; ++i) {
        char *text = run(right_kernels[i], ordinary);
        ck_assert_msg(text[0] == '\0', "%s:\n%s", right_kernels[i], text);
        free(text);
    }
    unsetenv("ACCEL_CHECK_LIMIT");
}
END_TEST

START_TEST(more_than_a_gpu_has_is_found_on_request)
{
    static const char kind[] = "more than the named GPU has";
    const launch_setting most = {.shared = 227 * 1024}, more = {.shared = 227 * 1024 + 4}, tall = {.tall = true};
    close_device();
    setenv("ACCEL_CHECK_LIKE", "sm_90", 1);
    open_device();
    expect("limits_static", kind, ordinary, "52000 bytes of static shared memory in a block; sm_90 has 49152");
    expect("limits_dynamic", kind, more, "232452 bytes of shared memory in a block; sm_90 has 232448");
    expect("limits_grid", kind, tall, "70000 blocks in y; sm_90 has 65535");
    char *text = run("limits_dynamic", most);
    ck_assert_msg(text[0] == '\0', "%s", text);
    free(text);
    close_device();
    setenv("ACCEL_CHECK_LIKE", "gfx90a", 1);
    open_device();
    text = run("limits_static", ordinary);
    ck_assert_msg(text[0] == '\0', "%s", text);
    free(text);
    expect("limits_dynamic", kind, more, "232452 bytes of shared memory in a block; gfx90a has 65536");
    unsetenv("ACCEL_CHECK_LIKE");
}
END_TEST

/* 104 registers are 3328 for a warp: 16 warps have them. */
START_TEST(more_registers_than_a_gpu_has_are_found_if_an_object_tells)
{
    static const char kind[] = "more than the named GPU has";
    const struct {
        const char *like, *kernel;
        launch_setting setting;
    } right[] = {{"sm_90", "limits_registers", {.threads = 512}},
                 {"sm_90", "limits_threads", {.threads = 256}},
                 {"sm_90", "right_elements", {.threads = 1024}},
                 {"sm_80", "limits_registers", {.threads = 1024}},
                 {"sm_90", "limits_registers", ordinary},
                 {"sm_90", "limits_registers", {.threads = 512, .bundled = true}}};
    close_device();
    setenv("ACCEL_CHECK_LIKE", "sm_90", 1);
    open_device();
    expect("limits_registers", kind, (launch_setting){.threads = 1024},
           "104 registers for each of 1024 x 1 x 1 threads of a block; sm_90 has them for 512");
    expect("limits_registers", kind, (launch_setting){.threads = 513}, "ACCEL_KERNEL_BLOCK");
    expect("limits_threads", kind, (launch_setting){.threads = 257}, "255 registers for each of 257 x 1 x 1 threads");
    for (size_t i = 0; i < sizeof right / sizeof right[0]; ++i) {
        close_device();
        setenv("ACCEL_CHECK_LIKE", right[i].like, 1);
        open_device();
        char *text = run(right[i].kernel, right[i].setting);
        ck_assert_msg(text[0] == '\0', "%s of %zu threads:\n%s", right[i].kernel, right[i].setting.threads, text);
        free(text);
    }
    expect("limits_registers", kind, (launch_setting){.threads = 1024, .bundled = true}, "sm_90 has them for 512");
    unsetenv("ACCEL_CHECK_LIKE");
}
END_TEST

/* It would end the process. */
START_TEST(a_division_of_an_integer_by_zero_ends_the_kernel)
{
    expect("division_integer", "division by zero", ordinary, "operation by thread 0 of block 0");
    expect("division_fiber", "division by zero", ordinary, "compare the divisor with 0");
    free(run("race_region", ordinary));
}
END_TEST

static void run_in_order(const char *order, const char *kernel)
{
    setenv("ACCEL_CHECK_ORDER", order, 1);
    open_device();
    char *text = run(kernel, ordinary);
    ck_assert_msg(text[0] == '\0', "%s, %s:\n%s", kernel, order, text);
    free(text);
    close_device();
}

/* What comes as number k of n. */
static void expect_order(size_t first, size_t n, bool backwards)
{
    for (size_t i = 0; i < n; ++i)
        ck_assert_msg((size_t)result[first + i] == (backwards ? n - 1 - i : i), "%zu: %g", i,
                      (double)result[first + i]);
}

START_TEST(blocks_and_threads_run_in_the_order_that_the_user_names)
{
    static const char *const threads[] = {"order_threads",     "order_rows",          "order_nosync",
                                          "order_fibers",      "order_elements",      "order_elements_32",
                                          "order_elements_2d", "order_elements_tiled"};
    static const char *const orders[] = {"forwards", "backwards"};
    for (size_t o = 0; o < 2; ++o) {
        run_in_order(orders[o], "order_blocks");
        expect_order(0, BLOCKS, o == 1);
        for (size_t i = 0; i < sizeof threads / sizeof threads[0]; ++i) {
            run_in_order(orders[o], threads[i]);
            expect_order(THREADS, THREADS, o == 1);
        }
    }
}
END_TEST

START_TEST(a_number_shuffles_and_repeats_its_shuffle)
{
    float first[N];
    size_t moved = 0, sum = 0;
    run_in_order("7", "order_threads");
    memcpy(first, result, sizeof first);
    for (size_t t = 0; t < THREADS; ++t) {
        moved += (size_t)first[t] != t && (size_t)first[t] != THREADS - 1 - t;
        sum += (size_t)first[t];
    }
    ck_assert_uint_gt(moved, THREADS / 2);
    ck_assert_uint_eq(sum, THREADS * (THREADS - 1) / 2);
    run_in_order("7", "order_threads");
    ck_assert_mem_eq(first, result, sizeof first);
    run_in_order("8", "order_threads");
    ck_assert_mem_ne(first, result, sizeof first);
}
END_TEST

START_TEST(kernels_without_errors_are_not_reported_in_any_order)
{
    static const char *const orders[] = {"backwards", "7"};
    for (size_t o = 0; o < 2; ++o)
        for (size_t i = 0; i < sizeof right_kernels / sizeof right_kernels[0]; ++i)
            run_in_order(orders[o], right_kernels[i]);
}
END_TEST

START_TEST(kernels_without_errors_are_not_reported)
{
    for (size_t i = 0; i < sizeof right_kernels / sizeof right_kernels[0]; ++i) {
        char *text = run(right_kernels[i], ordinary);
        ck_assert_msg(text[0] == '\0', "%s:\n%s", right_kernels[i], text);
        free(text);
    }
}
END_TEST

/* The host's writes by an address change what a new buffer is filled with. */
START_TEST(what_the_host_writes_by_an_address_counts_as_written)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(float), N);
    accel_buffer_properties properties = ACCEL_BUFFER_PROPERTIES_INIT;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *x, *y;
    GOOD(accel_queue_create(device, NULL, &queue));
    GOOD(accel_module_load(device, library, &module));
    GOOD(accel_module_kernel(module, "right_elements", &kernel));
    GOOD(accel_buffer_create(device, &desc, &x));
    GOOD(accel_buffer_create(device, &desc, &y));
    GOOD(accel_buffer_info(x, &properties));
    for (size_t i = 0; i < N; ++i)
        ((float *)accel_buffer_ptr(x))[i] = (float)i;
    planted_args args = {N, accel_buffer_ptr(x), accel_buffer_ptr(y), NULL};
    GOOD(accel_launch_over(queue, kernel, 1, desc.extent, &args, sizeof args));
    GOOD(accel_queue_wait(queue));
    accel_buffer_release(x);
    accel_buffer_release(y);
    accel_module_release(module);
    accel_queue_release(queue);
}
END_TEST

START_TEST(other_objects_are_refused_with_the_remedy)
{
    accel_module *module;
    ck_assert_int_eq(accel_module_load(device, "ordinary", &module), ACCEL_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "accelcc"));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "--targets=check"));
}
END_TEST

START_TEST(objects_of_another_version_are_refused_with_the_remedy)
{
    accel_module *module;
    ck_assert_int_eq(accel_module_load(device, "other", &module), ACCEL_INCOMPATIBLE);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "object for target check is of another version ("));
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "accelcc --targets=default,check"));
}
END_TEST

int main(int count, char *arguments[])
{
    if (count != 3)
        return 2;
    sources = arguments[1];
    library = arguments[2];
    Suite *suite = suite_create("checking");
    TCase *tests = tcase_create("checking");
    tcase_add_checked_fixture(tests, open_device, close_device);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, races_between_threads_of_a_block_are_found);
    tcase_add_test(tests, races_between_blocks_are_found);
    tcase_add_test(tests, mixed_atomic_and_plain_accesses_are_found);
    tcase_add_test(tests, accesses_outside_memory_are_found);
    tcase_add_test(tests, an_index_that_leaves_a_buffer_hits_no_other);
    tcase_add_test(tests, a_buffer_of_which_memory_cannot_hold_all_is_refused);
    tcase_add_test(tests, an_access_that_would_crash_ends_the_kernel);
    tcase_add_test(tests, use_after_release_is_found);
    tcase_add_test(tests, an_access_of_several_words_counts_once);
    tcase_add_test(tests, reports_name_buffers_that_have_a_name);
    tcase_add_test(tests, misaligned_accesses_are_found);
    tcase_add_test(tests, writes_of_constants_are_found);
    tcase_add_test(tests, reads_of_memory_that_nobody_wrote_are_found);
    tcase_add_test(tests, bytes_that_the_host_wrote_by_an_address_are_no_error);
    tcase_add_test(tests, divergent_barriers_are_found);
    tcase_add_test(tests, barriers_in_regions_are_found);
    tcase_add_test(tests, warp_operations_that_lanes_do_not_come_to_are_found_on_request);
    tcase_add_test(tests, other_errors_are_found_with_warps_too);
    tcase_add_test(tests, warps_outside_regions_keep_one_thread_which_is_said);
    tcase_add_test(tests, warps_have_as_many_threads_as_the_user_names);
    tcase_add_test(tests, writes_outside_regions_are_found);
    tcase_add_test(tests, writes_of_variables_of_the_block_in_regions_are_found);
    tcase_add_test(tests, arithmetic_that_fails_is_found_on_request);
    tcase_add_test(tests, a_stack_that_overflows_ends_the_kernel);
    tcase_add_test(tests, a_share_of_the_blocks_is_checked_on_request);
    tcase_add_test(tests, a_block_that_does_not_end_is_ended_on_request);
    tcase_add_test(tests, more_than_a_gpu_has_is_found_on_request);
    tcase_add_test(tests, more_registers_than_a_gpu_has_are_found_if_an_object_tells);
    tcase_add_test(tests, a_division_of_an_integer_by_zero_ends_the_kernel);
    tcase_add_test(tests, kernels_without_errors_are_not_reported);
    tcase_add_test(tests, what_the_host_writes_by_an_address_counts_as_written);
    tcase_add_test(tests, other_objects_are_refused_with_the_remedy);
    tcase_add_test(tests, objects_of_another_version_are_refused_with_the_remedy);
    suite_add_tcase(suite, tests);
    TCase *order = tcase_create("order");
    tcase_set_timeout(order, 60);
    tcase_add_test(order, blocks_and_threads_run_in_the_order_that_the_user_names);
    tcase_add_test(order, a_number_shuffles_and_repeats_its_shuffle);
    tcase_add_test(order, kernels_without_errors_are_not_reported_in_any_order);
    suite_add_tcase(suite, order);
    return run_suite(suite);
}
