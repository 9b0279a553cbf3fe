/* SPDX-License-Identifier: Apache-2.0 */
/* The executor of cpu-omp, with the OpenMP runtime that ACCEL_OMP_LIBRARY names. Each test is a process of its own, so that
 * it sets OMP_ variables before the runtime reads them. */
#include "cpu_executors.h"
#include "fork_at_rest.h"
#include "core/base/guard.h"
#include "core/config/plugin_values.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/queue/queue.h"
#include "plugins/cpu/omp/omp.h"
#include "plugins/cpu/omp/runtime.h"
#include "plugins/cpu/machine/mask.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sanitizers need more memory and threads than the limits of these tests leave. */
#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) ||               \
    __has_feature(thread_sanitizer)
#define UNDER_SANITIZER 1
#else
#define UNDER_SANITIZER 0
#endif

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

/* Threads that the runtime knows stay until all are there. */
typedef struct arrivals {
    sem_t arrived, all_there;
} arrivals;

static void *arrive(void *user)
{
    arrivals *own = user;
    ((int (*)(void))(void (*)(void))function("omp_get_max_threads"))();
    sem_post(&own->arrived);
    sem_wait(&own->all_there);
    return NULL;
}

/* LLVM's runtime of Debian 12 frees its table of threads when it makes a larger one, and others may be reading it just then: under
 * ThreadSanitizer one crashed. So the table becomes as large as tests need while nobody reads. */
static void grow_table(void)
{
    pthread_t threads[160];
    const size_t count = sizeof(threads) / sizeof(threads[0]);
    arrivals all;

    sem_init(&all.arrived, 0, 0);
    sem_init(&all.all_there, 0, 0);
    for (size_t i = 0; i < count; ++i) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, arrive, &all), 0);
        sem_wait(&all.arrived);
    }
    for (size_t i = 0; i < count; ++i)
        sem_post(&all.all_there);
    for (size_t i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
    sem_destroy(&all.arrived);
    sem_destroy(&all.all_there);
}

static cpu_executor *omp_of(uint32_t units)
{
    setenv("OMP_NUM_THREADS", "4", 0); /* of the launchers' other threads */
    load_runtime();
    if (dlsym(handle, "__kmpc_fork_call") != NULL)
        grow_table();
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

/* Each launch has a cost of its own: on busy CPUs, teams may lose so much that the policy tries no other. */
static void run_owners(cpu_executor *executor, int owners[BLOCKS])
{
    for (int i = 0; i < 3; ++i) {
        cpu_scratch scratch = {0};
        marks_launch(executor, BLOCKS, 1, (marks){.also = note_owner, .user = owners}, &scratch);
        cpu_scratch_clear(&scratch);
    }
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

    setenv("OMP_NUM_THREADS", "5", 1);
    load_runtime();
    cpu_executor *executor = marks_executor(&cpu_executor_omp, 2);
    ck_assert_uint_eq(executor->compute_units(executor), 5);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        /* A new one each time: on few CPUs a team of 7 may lose so much that the policy does not try 2. */
        cpu_scratch scratch = {0};
        int owners[BLOCKS];
        marks own = {.counts = calloc(BLOCKS, sizeof(*own.counts)), .also = note_owner, .user = owners}, *args = &own;
        set_num_threads(numbers[i]);
        ck_assert_uint_eq(marks_run(executor, &marks_kernel, BLOCKS, 1, &args, &marks_settings, &scratch), ACCEL_OK);
        ck_assert_uint_eq(marks_threads(&own), numbers[i]);
        cpu_scratch_clear(&scratch);
        free(own.counts);
    }
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

    cpu_process_cpus(place.whole);
    memcpy(place.mask, place.whole, CPU_MASK_BYTES);
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

#if !UNDER_SANITIZER
/* Launches with as many threads as OpenMP says, of which the system allows fewer. */
static void run_limited(unsigned resource, rlim_t limit)
{
    int owners[BLOCKS];
    cpu_scratch scratch = {0};
    marks own = {.counts = calloc(BLOCKS, sizeof(*own.counts)), .also = note_owner, .user = owners}, *args = &own;
    cpu_executor *executor = omp_of(12);

    ck_assert_int_eq(setrlimit(resource, &(struct rlimit){limit, limit}), 0);
    for (int i = 0; i < 3; ++i)
        ck_assert_uint_eq(marks_run(executor, &marks_kernel, BLOCKS, 1, &args, &marks_settings, &scratch), ACCEL_OK);
    marks_check(&own, BLOCKS, 3);
    ck_assert_uint_lt(marks_threads(&own), 12);
    free(own.counts);
    cpu_scratch_clear(&scratch);
    executor->destroy(executor);
}

START_TEST(a_team_is_smaller_where_there_is_no_memory_for_its_stacks)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    setenv("OMP_STACKSIZE", "16M", 1);
    run_limited(RLIMIT_AS, (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)100 << 20));
}
END_TEST

START_TEST(a_team_is_smaller_where_the_user_may_have_no_more_threads)
{
    ck_assert_int_eq(setuid(60000 + (uid_t)getpid() % 5000), 0); /* root has no limit */
    run_limited(RLIMIT_NPROC, 5);
}
END_TEST
#endif

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
    ck_assert_uint_eq(accel_plugin_value_set("ACCEL_OMP_LIBRARY", getenv("ACCEL_OMP_LIBRARY")), ACCEL_OK);
    ck_assert_uint_eq(cpu_executor_omp.open(&cpu_executor_omp, &state), ACCEL_OK); /* loads the runtime */
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

START_TEST(the_runtime_stands_in_the_description)
{
    load_runtime();
    cpu_engine whole = cpu_engine_open(&cpu_executor_omp);
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;

    ck_assert_uint_eq(cpu_device_vtable.info(whole.device, &properties), ACCEL_OK);
    ck_assert_uint_ne(properties.features & ACCEL_FEATURE_PARTITION, 0);
    ck_assert_ptr_nonnull(strstr(properties.description, "OpenMP"));
    cpu_engine_close(&whole);
}
END_TEST

/* --- sub-devices --- */

enum { PARTS = 2, PART_THREADS = 3 };

typedef struct part {
    accel_impl_device *device;
    accel_impl_queue *queue;
} part;

typedef struct cpus_note {
    int caller;
    uint8_t masks[BLOCKS]
                 [CPU_MASK_BYTES]; /* where the threads of a launch might run, for each block; none: the caller's */
} cpus_note;

static void note_cpus(marks *own, size_t block)
{
    cpus_note *note = own->user;

    if (gettid() != note->caller && sched_getaffinity(0, CPU_MASK_BYTES, (cpu_set_t *)(void *)note->masks[block]) != 0)
        abort(); /* Check's assertions are for one thread */
    usleep(100); /* and so it is worth a team */
}

static bool inside(const uint8_t some[CPU_MASK_BYTES], const uint8_t all[CPU_MASK_BYTES])
{
    for (size_t byte = 0; byte < CPU_MASK_BYTES; ++byte)
        if ((some[byte] & ~all[byte]) != 0)
            return false;
    return true;
}

/* Launches three times on a device, whose threads are to be on these CPUs only, but for the caller. Returns how many threads
 * the first launch had; 0: there was something wrong. */
static uint32_t run_on(part *own, const uint8_t cpus[CPU_MASK_BYTES])
{
    static _Atomic uint32_t runs;
    uint32_t elements =
        atomic_fetch_add(&runs, 1) + 1; /* a shape of its own, of which the queue does not know that a team was slow */
    cpus_note *note = calloc(1, sizeof(*note));
    accel_impl_kernel kernel = {.descriptor = &marks_kernel, .device = own->device};
    uint32_t threads = 0;
    bool good = true;

    note->caller = gettid();
    for (int i = 0; i < 3; ++i) {
        marks marked = {.counts = calloc(BLOCKS, sizeof(*marked.counts)), .also = note_cpus, .user = note};
        marks *args = &marked;
        accel_work work = accel_work_1d(BLOCKS, 1, elements);
        good &= cpu_queue_vtable.launch(own->queue, &kernel, &work, &args) == ACCEL_OK;
        for (size_t block = 0; block < BLOCKS; ++block)
            good &= marked.counts[block] == 1 && inside(note->masks[block], cpus);
        threads = i == 0 ? marks_threads(&marked) : threads;
        free(marked.counts);
    }
    free(note);
    return good ? threads : 0;
}

static part part_of(accel_impl_device *device)
{
    part made = {.device = device};

    ck_assert_uint_eq(cpu_queue_create(device, ACCEL_QUEUE_BLOCKING, 0, &made.queue), ACCEL_OK);
    return made;
}

/* Parts with threads enough for a team even where each has one CPU; NULL: there is one CPU only. */
static uint32_t divide(cpu_engine *whole, part parts[PARTS])
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_impl_device *devices[PARTS];
    size_t count = 0;

    desc.by = ACCEL_PARTITION_EQUAL;
    desc.share_count = PARTS;
    if (cpu_mask_count(whole->device->mask) < PARTS)
        return 0;
    ck_assert_uint_eq(cpu_device_partition(whole->device, &desc, devices, PARTS, &count), ACCEL_OK);
    ck_assert_uint_eq(count, PARTS);
    for (size_t i = 0; i < PARTS; ++i)
        parts[i] = part_of(devices[i]);
    return PARTS;
}

static cpu_engine open_whole(void)
{
    setenv("OMP_NUM_THREADS", "6", 1);
    load_runtime();
    return cpu_engine_open(&cpu_executor_omp);
}

static void close_part(part *own)
{
    cpu_queue_vtable.destroy(own->queue);
    cpu_device_release(own->device);
}

/* A part's launches are led by another thread, and all of its team is on the part's CPUs. */
static void keep_to_their_cpus(void)
{
    part parts[PARTS];
    cpu_engine whole = open_whole();
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    part all = part_of(whole.device);

    for (int round = 0; round < 2; ++round) {
        uint32_t count = divide(&whole, parts);
        for (uint32_t i = 0; i < count; ++i) {
            ck_assert_uint_eq(cpu_device_vtable.info(parts[i].device, &properties), ACCEL_OK);
            ck_assert_uint_eq(properties.compute_units, count == 2 && cpu_mask_count(whole.device->mask) % 2 == 0
                                                            ? PART_THREADS
                                                            : properties.compute_units);
            ck_assert_uint_eq(run_on(&parts[i], parts[i].device->mask), properties.compute_units);
            ck_assert_uint_ne(run_on(&all, whole.device->mask), 0);
            close_part(&parts[i]);
        }
    }
    cpu_queue_vtable.destroy(all.queue);
    cpu_engine_close(&whole);
}

START_TEST(M8_threads_of_sub_devices_keep_to_their_cpus)
{
    unsetenv("OMP_PROC_BIND");
    keep_to_their_cpus();
}
END_TEST

START_TEST(M8_threads_of_sub_devices_keep_to_their_cpus_with_a_schedule)
{
    unsetenv("OMP_PROC_BIND");
    setenv("OMP_SCHEDULE", "static,1", 1);
    keep_to_their_cpus();
}
END_TEST

START_TEST(M8_threads_of_sub_devices_keep_to_their_cpus_whatever_places_OpenMP_has)
{
    setenv("OMP_PROC_BIND", "close", 1);
    setenv("OMP_PLACES", "threads", 1);
    keep_to_their_cpus();
}
END_TEST

/* What a thread may use that a sub-device's team used before. */
START_TEST(M8_a_team_of_the_whole_device_is_as_wide_as_before_there_were_sub_devices)
{
    int owners[BLOCKS];
    part parts[PARTS];

    unsetenv("OMP_PROC_BIND");
    cpu_engine whole = open_whole();
    for (uint32_t i = 0, count = divide(&whole, parts); i < count; ++i) {
        ck_assert_uint_ne(run_on(&parts[i], parts[i].device->mask), 0);
        close_part(&parts[i]);
    }
    usleep(20000); /* their leaders end */
    part all = part_of(whole.device);
    static cpus_note note; /* of the caller, too */
    marks own = {.counts = calloc(BLOCKS, sizeof(*own.counts)), .also = note_cpus, .user = &note}, *args = &own;
    accel_impl_kernel kernel = {.descriptor = &marks_kernel, .device = whole.device};
    accel_work work = accel_work_1d(BLOCKS, 1, 1);
    ck_assert_uint_eq(cpu_queue_vtable.launch(all.queue, &kernel, &work, &args), ACCEL_OK);
    for (size_t block = 0; block < BLOCKS; ++block)
        ck_assert_int_eq(memcmp(note.masks[block], whole.device->mask, CPU_MASK_BYTES), 0);
    free(own.counts);
    run_owners(whole.device->own, owners);
    cpu_queue_vtable.destroy(all.queue);
    cpu_engine_close(&whole);
}
END_TEST

static void *launch_on_part(void *user)
{
    part *own = user;

    for (int i = 0; i < 20; ++i)
        if (run_on(own, own->device->mask) == 0)
            return own;
    return NULL;
}

START_TEST(M8_sub_devices_work_at_once)
{
    part parts[PARTS];
    pthread_t threads[PARTS];

    cpu_engine whole = open_whole();
    uint32_t count = divide(&whole, parts);
    for (uint32_t i = 0; i < count; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_on_part, &parts[i]), 0);
    for (uint32_t i = 0; i < count; ++i) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        ck_assert_ptr_null(wrong);
        close_part(&parts[i]);
    }
    cpu_engine_close(&whole);
}
END_TEST

#if !defined(__SANITIZE_THREAD__) /* which does not support threads made after a fork */
START_TEST(O7_sub_devices_work_in_the_child_of_a_fork)
{
    part parts[PARTS];

    unsetenv("OMP_PROC_BIND");
    cpu_engine whole = open_whole();
    uint32_t count = divide(&whole, parts);
    accel_guard_watch_fork();
    for (uint32_t i = 0; i < count; ++i)
        ck_assert_uint_ne(run_on(&parts[i], parts[i].device->mask), 0);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        for (uint32_t i = 0; i < count; ++i) {
            if (cpu_queue_vtable.after_fork(parts[i].queue) != ACCEL_OK ||
                run_on(&parts[i], parts[i].device->mask) == 0)
                _exit(2);
            close_part(&parts[i]);
        }
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    for (uint32_t i = 0; i < count; ++i)
        close_part(&parts[i]);
    cpu_engine_close(&whole);
}
END_TEST
/* --- the CPUs of a child --- */

/* The first of the CPUs that a thread has; it keeps that one alone. */
static void narrow(uint8_t cpus[CPU_MASK_BYTES])
{
    cpu_set_t set;
    size_t first = 0;

    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        abort();
    while (!CPU_ISSET(first, &set))
        first++;
    memset(cpus, 0, CPU_MASK_BYTES);
    cpu_mask_add(cpus, first);
    if (sched_setaffinity(0, CPU_MASK_BYTES, (cpu_set_t *)(void *)cpus) != 0)
        abort();
}

static uint32_t units_of(accel_impl_device *device)
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;

    return cpu_device_vtable.info(device, &properties) == ACCEL_OK ? properties.compute_units : 0;
}

/* What the parent's device and a new one do in a child that gave up all CPUs but one: so many threads, on that one. */
static void work_in_narrowed_child(uint32_t threads)
{
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_PLACES");
    load_runtime();
    cpu_engine whole = cpu_engine_open(&cpu_executor_omp);
    part all = part_of(whole.device);
    accel_guard_watch_fork();
    ck_assert_uint_ne(run_on(&all, whole.device->mask), 0);
    fork_await_rest();
    pid_t child = fork();
    if (child == 0) {
        uint8_t cpus[CPU_MASK_BYTES];
        alarm(60);
        narrow(cpus);
        bool good = cpu_queue_vtable.after_fork(all.queue) == ACCEL_OK && units_of(whole.device) == threads &&
                    run_on(&all, cpus) == threads;
        cpu_engine own = cpu_engine_open(&cpu_executor_omp);
        part made = part_of(own.device);
        good = good && units_of(own.device) == threads && run_on(&made, cpus) == threads;
        close_part(&made);
        _exit(good ? 0 : 2);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    cpu_queue_vtable.destroy(all.queue);
    cpu_engine_close(&whole);
}

START_TEST(O7_a_child_with_one_cpu_has_one_thread)
{
    unsetenv("OMP_NUM_THREADS");
    work_in_narrowed_child(1);
}
END_TEST

START_TEST(O7_as_many_threads_as_were_asked_for_stay_on_the_cpus_of_the_child)
{
    setenv("OMP_NUM_THREADS", "3", 1);
    work_in_narrowed_child(3);
}
END_TEST

START_TEST(O7_exit_waits_for_no_team_of_the_parent_in_a_child_that_has_a_device_of_its_own)
{
    int status;

    load_runtime();
    cpu_engine whole = cpu_engine_open(&cpu_executor_omp);
    accel_guard_watch_fork();
    ck_assert(cpu_omp_enter()); /* as another thread is at the fork */
    pid_t child = fork();
    if (child == 0) {
        cpu_engine own = cpu_engine_open(&cpu_executor_omp);
        uint32_t inside = cpu_omp_inside();
        cpu_engine_close(&own);
        _exit(inside == 0 ? 0 : 2);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(cpu_omp_inside(), 1);
    cpu_omp_leave();
    cpu_engine_close(&whole);
}
END_TEST
#endif

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
#if !UNDER_SANITIZER
    add(suite, a_team_is_smaller_where_there_is_no_memory_for_its_stacks);
    if (geteuid() == 0) /* others have threads already, nobody knows how many */
        add(suite, a_team_is_smaller_where_the_user_may_have_no_more_threads);
#endif
    add(suite, a_launch_inside_a_parallel_region_is_run_by_its_thread);
    add(suite, a_launch_inside_a_parallel_region_has_a_team_if_levels_allow_it);
    add(suite, a_binding_narrows_no_thread_before_its_first_team);
    add(suite, the_runtime_that_the_process_has_is_used);
    add(suite, a_runtime_hidden_in_the_scope_of_a_library_is_found);
    add(suite, without_a_runtime_it_is_told_what_was_tried);
    add(suite, the_runtime_stands_in_the_description);
    add(suite, M8_threads_of_sub_devices_keep_to_their_cpus);
    add(suite, M8_threads_of_sub_devices_keep_to_their_cpus_with_a_schedule);
    add(suite, M8_threads_of_sub_devices_keep_to_their_cpus_whatever_places_OpenMP_has);
    add(suite, M8_a_team_of_the_whole_device_is_as_wide_as_before_there_were_sub_devices);
    add(suite, M8_sub_devices_work_at_once);
#if !defined(__SANITIZE_THREAD__)
    add(suite, O7_sub_devices_work_in_the_child_of_a_fork);
    add(suite, O7_a_child_with_one_cpu_has_one_thread);
    add(suite, O7_as_many_threads_as_were_asked_for_stay_on_the_cpus_of_the_child);
    add(suite, O7_exit_waits_for_no_team_of_the_parent_in_a_child_that_has_a_device_of_its_own);
#endif
    return suite;
}
