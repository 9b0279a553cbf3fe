/* SPDX-License-Identifier: Apache-2.0 */
/* The executor of cpu-omp, with the OpenMP runtime that ACCEL_OMP_LIBRARY names. Each test is a process of its own, so that
 * it sets OMP_ variables before the runtime reads them. */
#include "cpu_executors.h"
#include "module.h"
#include "omp.h"
#include "omp_runtime.h"
#include "system_file.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCKS = 40 };

static void *handle; /* of the runtime */

static void (*function(const char *name))(void *data)
{
    void (*found)(void *);
    void *symbol = dlsym(handle, name);

    ck_assert_ptr_nonnull(symbol);
    memcpy(&found, &symbol, sizeof(found));
    return found;
}

/* As a program that was linked with it. */
static void load_runtime(void)
{
    const char *library = getenv("ACCEL_OMP_LIBRARY");

    handle = dlopen(library != NULL ? library : "libgomp.so.1", RTLD_NOW | RTLD_GLOBAL);
    ck_assert_msg(handle != NULL, "%s", dlerror());
}

static void set_num_threads(uint32_t threads)
{
    ((void (*)(int))(void (*)(void))function("omp_set_num_threads"))((int)threads);
}

static cpu_executor *omp_of(uint32_t units)
{
    setenv("OMP_NUM_THREADS", "4", 0); /* of the launchers' other threads */
    load_runtime();
    cpu_executor *made = marks_executor(&cpu_executor_omp, units);
    set_num_threads(units);
    ck_assert_uint_eq(made->compute_units(made), units);
    return made;
}

/* Which thread ran each block. */
static void note_owner(marks *own, size_t block)
{
    ((int *)own->user)[block] = gettid();
    usleep(100); /* and so it is worth a team */
}

static void run_owners(cpu_executor *executor, int owners[BLOCKS])
{
    cpu_scratch scratch = {0};

    for (int i = 0; i < 3; ++i)
        marks_launch(executor, BLOCKS, 1, (marks){.also = note_owner, .user = owners}, &scratch);
    cpu_scratch_clear(&scratch);
}

START_TEST(blocks_are_divided_into_equal_contiguous_shares)
{
    int owners[BLOCKS];

    unsetenv("OMP_SCHEDULE");
    cpu_executor *executor = omp_of(4);
    run_owners(executor, owners);
    for (int i = 0; i < BLOCKS; ++i) {
        ck_assert_int_eq(owners[i], owners[i / 10 * 10]);
        ck_assert(i < 10 || owners[i] != owners[i - 10]);
    }
    ck_assert_int_eq(owners[0], gettid());
    executor->destroy(executor);
}
END_TEST

START_TEST(the_schedule_is_that_of_OMP_SCHEDULE)
{
    int owners[BLOCKS];

    setenv("OMP_SCHEDULE", "static,2", 1);
    cpu_executor *executor = omp_of(4);
    run_owners(executor, owners);
    for (int i = 0; i < BLOCKS; ++i) {
        ck_assert_int_eq(owners[i], owners[i / 2 * 2 % 8]);
        ck_assert(i < 2 || owners[i] != owners[i - 2]);
    }
    executor->destroy(executor);
}
END_TEST

static void every_schedule(const char *schedule)
{
    cpu_scratch scratch = {0};

    setenv("OMP_SCHEDULE", schedule, 1);
    cpu_executor *executor = omp_of(4);
    for (uint32_t blocks = 1; blocks < 300; blocks = blocks * 2 + 1)
        marks_launch(executor, blocks, 10, (marks){.turns = 1000}, &scratch);
    cpu_scratch_clear(&scratch);
    executor->destroy(executor);
}

START_TEST(every_block_runs_once_with_a_dynamic_schedule)
{
    every_schedule("dynamic,3");
}
END_TEST

START_TEST(every_block_runs_once_with_a_guided_schedule)
{
    every_schedule("guided");
}
END_TEST

START_TEST(the_number_of_threads_is_what_OpenMP_says)
{
    static const uint32_t numbers[] = {3, 1, 7, 2};
    cpu_scratch scratch = {0};

    setenv("OMP_NUM_THREADS", "5", 1);
    load_runtime();
    cpu_executor *executor = marks_executor(&cpu_executor_omp, 2);
    ck_assert_uint_eq(executor->compute_units(executor), 5);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        int owners[BLOCKS];
        marks own = {.counts = calloc(BLOCKS, sizeof(*own.counts)), .also = note_owner, .user = owners}, *args = &own;
        set_num_threads(numbers[i]);
        ck_assert_uint_eq(marks_run(executor, &marks_kernel, BLOCKS, 1, &args, &marks_settings, &scratch), ACCEL_OK);
        ck_assert_uint_eq(marks_threads(&own), numbers[i]);
        free(own.counts);
    }
    cpu_scratch_clear(&scratch);
    executor->destroy(executor);
}
END_TEST

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

START_TEST(a_quota_counts_if_nobody_chose_a_number)
{
    static const char *const directories[] = {"/proc", "/proc/self", "/sys", "/sys/fs", "/sys/fs/cgroup"};
    char root[] = "/tmp/accel-omp-XXXXXX", path[128], command[64];
    cpu_placement place = {.units = 1, .root = root};
    cpu_executor *executor = NULL;
    uint32_t state;

    ck_assert_ptr_nonnull(mkdtemp(root));
    for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); ++i) {
        snprintf(path, sizeof(path), "%s%s", root, directories[i]);
        ck_assert_int_eq(mkdir(path, 0755), 0);
    }
    snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
    write_file(path, "0::/\n");
    snprintf(path, sizeof(path), "%s/sys/fs/cgroup/cpu.max", root);
    write_file(path, "250000 100000\n");
    unsetenv("OMP_NUM_THREADS");
    load_runtime();
    set_num_threads(6);
    for (int chosen = 0; chosen < 2; ++chosen) {
        ck_assert_uint_eq(cpu_executor_omp.open(&cpu_executor_omp, &state), ACCEL_OK);
        ck_assert_uint_eq(cpu_executor_omp.create(&cpu_executor_omp, &place, &marks_settings, &executor), ACCEL_OK);
        ck_assert_uint_eq(executor->compute_units(executor), chosen ? 6 : 3);
        executor->destroy(executor);
        setenv("OMP_NUM_THREADS", "6", 1);
    }
    snprintf(command, sizeof(command), "rm -r '%s'", root);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Threads of a parallel region of the program launch, each for itself. */
static cpu_executor *shared_executor;
static _Atomic uint32_t regions;

static void launch_inside(void *data)
{
    cpu_scratch scratch = {0};
    uint32_t most = *(uint32_t *)data;
    marks own = {.counts = calloc(BLOCKS, sizeof(*own.counts)), .turns = 20000}, *args = &own;

    for (int i = 0; i < 5; ++i)
        ck_assert_uint_eq(marks_run(shared_executor, &marks_kernel, BLOCKS, 1, &args, &marks_settings, &scratch),
                          ACCEL_OK);
    marks_check(&own, BLOCKS, 5);
    ck_assert_uint_le(marks_threads(&own), most);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    atomic_fetch_add(&regions, 1);
}

static void launch_inside_region(const char *levels, uint32_t most)
{
    setenv("OMP_MAX_ACTIVE_LEVELS", levels, 1);
    shared_executor = omp_of(3);
    void (*parallel)(void (*)(void *), void *, unsigned, unsigned) =
        (void (*)(void (*)(void *), void *, unsigned, unsigned))(void (*)(void))function("GOMP_parallel");
    parallel(launch_inside, &most, 3, 0);
    ck_assert_uint_eq(regions, 3);
    shared_executor->destroy(shared_executor);
}

START_TEST(a_launch_inside_a_parallel_region_is_run_by_its_thread)
{
    launch_inside_region("1", 1);
}
END_TEST

START_TEST(a_launch_inside_a_parallel_region_has_a_team_if_levels_allow_it)
{
    launch_inside_region("2", MARK_THREADS);
}
END_TEST

START_TEST(a_binding_narrows_no_thread_before_its_first_team)
{
    cpu_set_t before, after;
    cpu_scratch scratch = {0};
    uint32_t state;

    setenv("OMP_PROC_BIND", "true", 1);
    setenv("OMP_PLACES", "threads", 1);
    setenv("OMP_NUM_THREADS", "2", 1);
    ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
    cpu_process_get();
    ck_assert_uint_eq(cpu_executor_omp.open(&cpu_executor_omp, &state), ACCEL_OK); /* loads libgomp */
    ck_assert_int_eq(sched_getaffinity(0, sizeof(after), &after), 0);
    ck_assert(CPU_EQUAL(&before, &after));
    cpu_executor *executor = marks_executor(&cpu_executor_omp, 2);
    marks_launch(executor, BLOCKS, 3, (marks){.turns = 20000}, &scratch);
    ck_assert_int_eq(sched_getaffinity(0, sizeof(after), &after), 0);
    ck_assert_int_eq(CPU_COUNT(&after), 1); /* as it was told */
    cpu_scratch_clear(&scratch);
    executor->destroy(executor);
}
END_TEST

START_TEST(the_runtime_that_the_process_has_is_used)
{
    static const char *const none[] = {NULL};
    cpu_omp_runtime runtime;
    Dl_info expected, found;
    void *symbol;

    load_runtime();
    ck_assert_uint_eq(cpu_omp_runtime_find(&runtime, NULL, none), ACCEL_OK);
    memcpy(&symbol, &runtime.parallel, sizeof(symbol));
    ck_assert_int_ne(dladdr(symbol, &found), 0);
    ck_assert_int_ne(dladdr(dlsym(handle, "omp_get_num_threads"), &expected), 0);
    ck_assert_ptr_eq(expected.dli_fbase, found.dli_fbase);
    ck_assert_uint_ge(runtime.version, 201307);
    ck_assert_msg(strncmp(runtime.name, "OpenMP ", 7) == 0, "%s", runtime.name);
    ck_assert_msg(strstr(runtime.name, strstr(expected.dli_fname, "gomp") != NULL ? "GNU" : "LLVM") != NULL, "%s",
                  runtime.name);
    ck_assert_int_eq(runtime.survives_fork, strstr(runtime.name, "LLVM") != NULL);
}
END_TEST

START_TEST(a_runtime_hidden_in_the_scope_of_a_library_is_found)
{
    const char *library = getenv("ACCEL_OMP_LIBRARY");
    const char *const present[] = {"libnot-there.so.1", library != NULL ? library : "libgomp.so.1", NULL};
    cpu_omp_runtime runtime;

    ck_assert_ptr_nonnull(dlopen(present[1], RTLD_NOW | RTLD_LOCAL));
    ck_assert_uint_eq(cpu_omp_runtime_find(&runtime, NULL, present), ACCEL_OK);
}
END_TEST

START_TEST(without_a_runtime_it_is_told_what_was_tried)
{
    static const char *const none[] = {"libnot-there.so.1", "libc.so.6", NULL};
    cpu_omp_runtime runtime;
    const char *text = cpu_host()->error_message();

    ck_assert_uint_eq(cpu_omp_runtime_find(&runtime, NULL, none), ACCEL_NOT_FOUND);
    ck_assert_msg(strstr(text, "no OpenMP runtime: tried libnot-there.so.1 (cannot open") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "libc.so.6 (has no GOMP_parallel)") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "install") != NULL, "%s", text);
    ck_assert_uint_eq(cpu_omp_runtime_find(&runtime, "/nowhere/libomp.so", cpu_omp_libraries), ACCEL_NOT_FOUND);
    ck_assert_msg(strstr(text, "ACCEL_OMP_LIBRARY") != NULL && strstr(text, "/nowhere/libomp.so") != NULL, "%s", text);
}
END_TEST

START_TEST(there_are_no_sub_devices)
{
    load_runtime();
    cpu_engine whole = cpu_engine_open(&cpu_executor_omp);
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    size_t count;

    desc.by = ACCEL_PARTITION_NUMA;
    ck_assert_uint_eq(cpu_device_vtable.info(whole.device, &properties), ACCEL_OK);
    ck_assert_uint_eq(properties.features & ACCEL_FEATURE_PARTITION, 0);
    ck_assert_ptr_nonnull(strstr(properties.description, "OpenMP"));
    ck_assert_uint_eq(cpu_device_partition(whole.device, &desc, NULL, 0, &count), ACCEL_UNSUPPORTED);
    cpu_engine_close(&whole);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_omp");

    cpu_executors_add(suite, omp_of);
    add(suite, blocks_are_divided_into_equal_contiguous_shares);
    add(suite, the_schedule_is_that_of_OMP_SCHEDULE);
    add(suite, every_block_runs_once_with_a_dynamic_schedule);
    add(suite, every_block_runs_once_with_a_guided_schedule);
    add(suite, the_number_of_threads_is_what_OpenMP_says);
    add(suite, a_quota_counts_if_nobody_chose_a_number);
    add(suite, a_launch_inside_a_parallel_region_is_run_by_its_thread);
    add(suite, a_launch_inside_a_parallel_region_has_a_team_if_levels_allow_it);
    add(suite, a_binding_narrows_no_thread_before_its_first_team);
    add(suite, the_runtime_that_the_process_has_is_used);
    add(suite, a_runtime_hidden_in_the_scope_of_a_library_is_found);
    add(suite, without_a_runtime_it_is_told_what_was_tried);
    add(suite, there_are_no_sub_devices);
    return suite;
}
