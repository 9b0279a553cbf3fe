/* SPDX-License-Identifier: Apache-2.0 */
/* The CPUs of the process: when they are read, and where a device's threads are afterwards. Each test is a process of its
 * own. */
#include "cpu_marks.h"
#include "fork_at_rest.h"
#include "core/base/guard.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/queue/queue.h"
#include "plugins/cpu/machine/system_file.h"
#include "plugins/cpu/threads/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static cpu_set_t all, one, rest; /* CPUs of this process, the first of them, the others */
static size_t first;             /* the one */

/* False: there is one CPU only, of which nothing can be taken. */
static bool several(void)
{
    marks_init();
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_PLACES");
    unsetenv("GOMP_CPU_AFFINITY");
    unsetenv("KMP_AFFINITY");
    ck_assert_int_eq(sched_getaffinity(0, sizeof(all), &all), 0);
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CPU_XOR(&rest, &all, &one);
    return CPU_COUNT(&all) > 1;
}

static const cpu_set_t *cpus_here(void)
{
    static cpu_set_t here;

    if (sched_getaffinity(0, sizeof(here), &here) != 0)
        abort();
    return &here;
}

static bool is_of_the_engine(pid_t thread)
{
    char path[64], name[32];

    snprintf(path, sizeof(path), "/proc/self/task/%ld/comm", (long)thread);
    return strncmp(cpu_file_line(path, name, sizeof(name)), "accel-", 6) == 0;
}

/* The program moves all its threads; there are others than the calling one if a tool has some. */
static void move_to(const cpu_set_t *set)
{
    DIR *threads = opendir("/proc/self/task");

    if (threads == NULL)
        abort(); /* Check's assertions are for one process */
    for (const struct dirent *entry; (entry = readdir(threads)) != NULL;) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread > 0 && !is_of_the_engine(thread) && sched_setaffinity(thread, sizeof(*set), set) != 0)
            abort();
    }
    closedir(threads);
}

static bool has(const uint8_t mask[CPU_MASK_BYTES], const cpu_set_t *set)
{
    return memcmp(mask, set, sizeof(*set)) == 0 && cpu_mask_count(mask) == (uint32_t)CPU_COUNT(set);
}

/* A new backend's device has exactly these CPUs, and one thread for each. */
static bool opens_on(const cpu_set_t *set)
{
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);
    bool good = has(engine.device->mask, set) &&
                engine.device->own->compute_units(engine.device->own) == (uint32_t)CPU_COUNT(set);

    cpu_engine_close(&engine);
    return good;
}

/* Where the threads of a launch may run, but for the one that launches. */
typedef struct note {
    pid_t caller;
    _Atomic uint32_t helped; /* blocks */
    _Atomic bool outside;    /* a thread may run where it should not */
    cpu_set_t allowed;
} note;

static void look(marks *own, size_t block)
{
    note *self = own->user;
    cpu_set_t set, both;

    (void)block;
    usleep(100); /* and so it is worth a helper */
    if (gettid() == self->caller)
        return;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        abort();
    CPU_AND(&both, &set, &self->allowed);
    if (!CPU_EQUAL(&both, &set))
        atomic_store(&self->outside, true);
    atomic_fetch_add(&self->helped, 1);
}

/* Launches a few times, until it was helped if it is to be; all threads stay within the CPUs. */
static bool runs_within(accel_impl_device *device, accel_impl_queue *queue, const cpu_set_t *set, bool helped)
{
    enum { BLOCKS = 40, TIMES = 5, PATIENCE = 1000 };
    accel_impl_kernel kernel = {.descriptor = &marks_kernel, .device = device};
    note seen = {.caller = gettid(), .allowed = *set};
    bool good = true;

    for (int i = 0; i < TIMES || (helped && seen.helped == 0 && i < PATIENCE); ++i) {
        _Atomic uint32_t counts[BLOCKS] = {0};
        marks own = {.counts = counts, .also = look, .user = &seen}, *args = &own;
        accel_work work = accel_work_1d(BLOCKS, 1, 1);
        good = cpu_queue_vtable.launch(queue, &kernel, &work, &args) == ACCEL_OK && good;
        for (size_t block = 0; block < BLOCKS; ++block)
            good = good && counts[block] == 1;
    }
    return good && !seen.outside && (!helped || seen.helped != 0);
}

START_TEST(the_cpus_are_read_anew_when_no_backend_is_open)
{
    ck_assert(several());
    ck_assert(opens_on(&all));
    move_to(&one);
    ck_assert(opens_on(&one));
    move_to(&rest);
    ck_assert(opens_on(&rest));
    move_to(&all);
    ck_assert(opens_on(&all));
}
END_TEST

START_TEST(backends_that_are_open_at_once_have_the_same_cpus)
{
    ck_assert(several());
    cpu_engine early = cpu_engine_open(&cpu_executor_serial);
    move_to(&one);
    ck_assert(opens_on(&all));
    cpu_engine second = cpu_engine_open(&cpu_executor_threads);
    cpu_engine_close(&early);
    ck_assert(opens_on(&all));
    cpu_engine_close(&second);
    ck_assert(opens_on(&one));
}
END_TEST

static accel_status refuse(const cpu_executor *self, uint32_t *state)
{
    *state = ACCEL_BACKEND_NO_DRIVER;
    return cpu_host()->error(ACCEL_NOT_FOUND, "%s refuses", self->name);
}

START_TEST(a_backend_that_failed_to_open_is_not_open)
{
    accel_open_result result = {.struct_size = sizeof(result)};

    ck_assert(several());
    cpu_executor refusing = cpu_executor_threads;
    refusing.open = refuse;
    ck_assert_uint_eq(cpu_backend_open(&refusing, cpu_host(), &result), ACCEL_NOT_FOUND);
    move_to(&one);
    ck_assert(opens_on(&one));
}
END_TEST

static void *wait_for(void *user)
{
    _Atomic bool *end = user;

    while (!atomic_load(end))
        usleep(100);
    return NULL;
}

START_TEST(a_thread_that_is_pinned_narrows_nothing_while_others_are_not)
{
    _Atomic bool end = false;
    pthread_t other;

    ck_assert(several());
    ck_assert_int_eq(pthread_create(&other, NULL, wait_for, (void *)&end), 0);
    ck_assert(opens_on(&all));
    ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
    ck_assert(opens_on(&all));
    atomic_store(&end, true);
    pthread_join(other, NULL);
}
END_TEST

START_TEST(threads_of_the_engine_that_are_about_to_end_do_not_count)
{
    ck_assert(several());
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    ck_assert(runs_within(engine.device, queue, &all, true));
    engine.plugin.backend_vtable->close(engine.plugin.backend); /* its device goes on, and so do its workers */
    move_to(&one);
    ck_assert(opens_on(&one));
    cpu_queue_vtable.destroy(queue);
    cpu_device_release(engine.device);
}
END_TEST

START_TEST(where_OpenMP_may_pin_threads_cpus_are_only_added)
{
    static const char *const variables[] = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};

    ck_assert(several());
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); ++i) {
        move_to(&one);
        ck_assert(opens_on(&one));
        setenv(variables[i], i == 0 ? "close" : "0-1", 1);
        move_to(&all);
        ck_assert(opens_on(&all));
        move_to(&one);
        ck_assert(opens_on(&all));
        setenv(variables[i], "false", 1);
        ck_assert(opens_on(&one));
        unsetenv(variables[i]);
    }
}
END_TEST

/* Opens, uses the CPUs and closes, again and again. */
static void *come_and_go(void *user)
{
    for (int i = 0; i < 50; ++i) {
        cpu_engine engine = cpu_engine_open(&cpu_executor_threads);
        if (!has(engine.device->mask, &all))
            return user;
        cpu_engine_close(&engine);
    }
    return NULL;
}

START_TEST(backends_come_and_go_in_many_threads)
{
    enum { THREADS = 6 };
    pthread_t threads[THREADS];

    ck_assert(several());
    for (int i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, come_and_go, threads), 0);
    for (int i = 0; i < THREADS; ++i) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        ck_assert_ptr_null(wrong);
    }
    move_to(&one);
    ck_assert(opens_on(&one));
}
END_TEST

static bool child_is_good(pid_t child)
{
    int status = -1;

    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

START_TEST(O7_the_child_of_a_fork_has_its_own_cpus)
{
    ck_assert(several());
    accel_guard_watch_fork();
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads); /* stays open */
    for (int i = 0; i < 2; ++i) {
        pid_t child = fork_at_rest();
        if (child == 0) {
            alarm(60);
            move_to(&one);
            bool good = opens_on(&one);
            move_to(&all);
            _exit(good && opens_on(&all) ? 0 : 1);
        }
        ck_assert(child_is_good(child));
        ck_assert(opens_on(&all));
    }
    cpu_engine_close(&engine);
    move_to(&one);
    ck_assert(opens_on(&one)); /* what children opened and closed is not counted here */
}
END_TEST

START_TEST(O7_backends_of_the_parent_are_not_counted_in_the_child)
{
    ck_assert(several());
    accel_guard_watch_fork();
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);
    pid_t child = fork_at_rest();
    if (child == 0) {
        alarm(60);
        cpu_engine own = cpu_engine_open(&cpu_executor_threads);
        cpu_engine_close(&engine);
        move_to(&one);
        bool good = opens_on(&all); /* `own` is open */
        cpu_engine_close(&own);
        _exit(good && opens_on(&one) ? 0 : 1);
    }
    ck_assert(child_is_good(child));
    cpu_engine_close(&engine);
}
END_TEST

static _Atomic bool forked_enough;

static void *read_cpus(void *user)
{
    uint8_t mask[CPU_MASK_BYTES];
    while (!atomic_load(&forked_enough))
        cpu_process_cpus(mask);
    return user;
}

START_TEST(O7_a_fork_while_another_thread_reads_the_cpus_leaves_no_lock)
{
    marks_init();
    accel_guard_watch_fork();
    cpu_engine engine = cpu_engine_open(&cpu_executor_serial);
    pthread_t reader;
    ck_assert_int_eq(pthread_create(&reader, NULL, read_cpus, NULL), 0);
    for (int i = 0; i < 50; ++i) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            uint8_t mask[CPU_MASK_BYTES];
            cpu_process_cpus(mask);
            _exit(0);
        }
        ck_assert(child_is_good(child));
    }
    atomic_store(&forked_enough, true);
    pthread_join(reader, NULL);
    cpu_engine_close(&engine);
}
END_TEST

#if !defined(__SANITIZE_THREAD__) /* which does not support threads made after a fork */
START_TEST(O7_a_device_of_the_parent_keeps_to_the_cpus_of_the_child)
{
    ck_assert(several());
    accel_guard_watch_fork();
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    ck_assert(runs_within(engine.device, queue, &all, true));
    pid_t child = fork_at_rest();
    if (child == 0) {
        alarm(60);
        accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
        move_to(&rest);
        bool good = cpu_queue_vtable.after_fork(queue) == ACCEL_OK;
        good = good && runs_within(engine.device, queue, &rest, CPU_COUNT(&rest) > 1);
        good = good && cpu_device_vtable.info(engine.device, &properties) == ACCEL_OK &&
               properties.compute_units == (uint32_t)CPU_COUNT(&rest) && has(engine.device->mask, &rest);
        cpu_queue_vtable.destroy(queue);
        cpu_engine_close(&engine);
        _exit(good ? 0 : 1);
    }
    ck_assert(child_is_good(child));
    ck_assert(runs_within(engine.device, queue, &all, true));
    cpu_queue_vtable.destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

static void *use_first(void *user)
{
    accel_impl_device *device = user;
    accel_impl_queue *queue = NULL;
    bool good = cpu_queue_create(device, ACCEL_QUEUE_BLOCKING, 0, &queue) == ACCEL_OK &&
                runs_within(device, queue, &rest, false) && has(device->mask, &rest);

    if (queue != NULL)
        cpu_queue_vtable.destroy(queue);
    return good ? NULL : user;
}

START_TEST(O7_threads_of_a_child_may_be_the_first_to_use_a_device_at_once)
{
    enum { THREADS = 4, CHILDREN = 10 };

    ck_assert(several());
    accel_guard_watch_fork();
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);
    for (int i = 0; i < CHILDREN; ++i) {
        pid_t child = fork_at_rest();
        if (child == 0) {
            pthread_t threads[THREADS];
            bool good = true;
            alarm(60);
            move_to(&rest);
            for (int k = 0; k < THREADS; ++k)
                if (pthread_create(&threads[k], NULL, use_first, engine.device) != 0)
                    _exit(2);
            for (int k = 0; k < THREADS; ++k) {
                void *wrong;
                pthread_join(threads[k], &wrong);
                good = good && wrong == NULL;
            }
            _exit(good ? 0 : 1);
        }
        ck_assert(child_is_good(child));
    }
    cpu_engine_close(&engine);
}
END_TEST

/* More threads than CPUs, so that there are helpers on one CPU, too. */
START_TEST(O7_as_many_threads_as_were_asked_for_stay_on_the_cpus_of_the_child)
{
    ck_assert(several());
    accel_guard_watch_fork();
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);
    cpu_device_release(engine.device);
    engine.plugin.backend->settings.threads = 4;
    ck_assert_uint_eq(cpu_device_open(engine.plugin.backend, &engine.device), ACCEL_OK);
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    ck_assert(runs_within(engine.device, queue, &all, true));
    pid_t child = fork_at_rest();
    if (child == 0) {
        alarm(60);
        move_to(&one);
        bool good = cpu_queue_vtable.after_fork(queue) == ACCEL_OK && runs_within(engine.device, queue, &one, true);
        cpu_queue_vtable.destroy(queue);
        cpu_engine_close(&engine);
        _exit(good ? 0 : 1);
    }
    ck_assert(child_is_good(child));
    cpu_queue_vtable.destroy(queue);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(O7_a_sub_device_of_whose_cpus_the_child_has_none_keeps_them)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_impl_device *parts[2];
    size_t count = 0;

    ck_assert(several());
    accel_guard_watch_fork();
    cpu_engine engine = cpu_engine_open(&cpu_executor_threads);
    desc.by = ACCEL_PARTITION_EQUAL;
    desc.share_count = 2;
    ck_assert_uint_eq(cpu_device_partition(engine.device, &desc, parts, 2, &count), ACCEL_OK);
    pid_t child = fork_at_rest();
    if (child == 0) {
        alarm(60);
        bool good = true;
        move_to(&one);
        for (int i = 0; i < 2; ++i) {
            accel_impl_queue *queue = NULL;
            uint8_t before[CPU_MASK_BYTES];
            memcpy(before, parts[i]->mask, CPU_MASK_BYTES);
            good = good && cpu_queue_create(parts[i], 0, 0, &queue) == ACCEL_OK &&
                   cpu_queue_vtable.wait(queue) == ACCEL_OK &&
                   (cpu_mask_has(before, first) ? has(parts[i]->mask, &one)
                                                : memcmp(before, parts[i]->mask, CPU_MASK_BYTES) == 0);
            cpu_queue_vtable.destroy(queue);
            cpu_device_release(parts[i]);
        }
        _exit(good ? 0 : 1);
    }
    ck_assert(child_is_good(child));
    cpu_device_release(parts[0]);
    cpu_device_release(parts[1]);
    cpu_engine_close(&engine);
}
END_TEST
#endif

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_process");
    bool more_than_one = CPU_COUNT(cpus_here()) > 1;

    add_if(more_than_one, suite, the_cpus_are_read_anew_when_no_backend_is_open);
    add_if(more_than_one, suite, backends_that_are_open_at_once_have_the_same_cpus);
    add_if(more_than_one, suite, a_backend_that_failed_to_open_is_not_open);
    add_if(more_than_one, suite, a_thread_that_is_pinned_narrows_nothing_while_others_are_not);
    add_if(more_than_one, suite, threads_of_the_engine_that_are_about_to_end_do_not_count);
    add_if(more_than_one, suite, where_OpenMP_may_pin_threads_cpus_are_only_added);
    add_if(more_than_one, suite, backends_come_and_go_in_many_threads);
    add_if(more_than_one, suite, O7_the_child_of_a_fork_has_its_own_cpus);
    add_if(more_than_one, suite, O7_backends_of_the_parent_are_not_counted_in_the_child);
    add(suite, O7_a_fork_while_another_thread_reads_the_cpus_leaves_no_lock);
#if !defined(__SANITIZE_THREAD__)
    add_if(more_than_one, suite, O7_a_device_of_the_parent_keeps_to_the_cpus_of_the_child);
    add_if(more_than_one, suite, O7_threads_of_a_child_may_be_the_first_to_use_a_device_at_once);
    add_if(more_than_one, suite, O7_as_many_threads_as_were_asked_for_stay_on_the_cpus_of_the_child);
    add_if(more_than_one, suite, O7_a_sub_device_of_whose_cpus_the_child_has_none_keeps_them);
#endif
    return suite;
}
