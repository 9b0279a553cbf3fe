/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of kernels that are reported (ACCEL_FAULTS=report), and those that are not. */
#include "cpu_commands.h"
#include "child.h"

#include "plugins/cpu/engine/backend.h"
#include "plugins/cpu/engine/module.h"
#include "plugins/cpu/engine/process.h"
#include "plugins/cpu/fault/buffers.h"

#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- kernels that fault --- */

typedef struct fault_args {
    int signal;   /* 0: none */
    size_t block; /* which faults */
    size_t thread;
    uint64_t *done; /* blocks or threads that came to their ends */
} fault_args;

static unsigned char *beyond; /* mapped, and beyond the end of its file */
static volatile int zero;

static __attribute__((noinline)) unsigned char deep(volatile unsigned char *above, size_t levels)
{
    volatile unsigned char here[512];
    here[0] = (unsigned char)(above[0] + 1);
    return levels == 0 ? here[0] : (unsigned char)(deep(here, levels - 1) + here[0]);
}

enum { OVERFLOW = 1000 };

static void fault(int kind)
{
    volatile unsigned char first = 0;
    switch (kind) {
    case SIGSEGV:
        *(volatile unsigned char *)(uintptr_t)(16 + zero) = 1;
        break;
    case SIGBUS:
        *(volatile unsigned char *)beyond = 1;
        break;
    case SIGFPE:
#if defined(__x86_64__)
        zero = kind / zero;
#else
        raise(SIGFPE);
#endif
        break;
    case SIGILL:
#if defined(__x86_64__)
        __asm__ volatile("ud2");
#else
        __asm__ volatile(".inst 0");
#endif
        break;
    case OVERFLOW:
        deep(&first, 1 << 20);
        break;
    default:
        break;
    }
}

static void run_blocks(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    const fault_args *own = args;
    (void)launch;
    for (size_t block = first; block < first + count; ++block) {
        if (block == own->block)
            fault(own->signal);
        __atomic_fetch_add(own->done, 1, __ATOMIC_RELAXED);
    }
}

static void run_thread(const accel_thread_context *thread, const void *args)
{
    const fault_args *own = args;
    if (thread->launch->block_extent[0] > 1)
        thread->launch->sync(thread, ACCEL_SYNC_PLAIN, 0);
    if (thread->block_index[0] == own->block && thread->thread_index[0] == own->thread)
        fault(own->signal);
    if (thread->launch->block_extent[0] > 1)
        thread->launch->sync(thread, ACCEL_SYNC_PLAIN, 0);
    __atomic_fetch_add(own->done, 1, __ATOMIC_RELAXED);
}

static accel_descriptor of_blocks, of_threads;

/* --- launches --- */

enum { BLOCKS = 5, THREADS = 16 };

static accel_status launch_as(accel_impl_queue *queue, accel_descriptor *descriptor, size_t threads, size_t shared,
                              const fault_args *args)
{
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, descriptor);
    accel_work work = accel_work_1d(BLOCKS, threads, 1);
    work.shared_bytes = shared;
    return LAUNCH(queue, &kernel, &work, args);
}

static accel_status launch(accel_impl_queue *queue, accel_descriptor *descriptor, const fault_args *args)
{
    return launch_as(queue, descriptor, descriptor == &of_threads ? THREADS : 1, 0, args);
}

static void begin(bool reports)
{
    open_engine();
    engine.device->backend->settings.report_faults = reports;
    of_blocks = cpu_block_kernel(run_blocks, sizeof(fault_args), 8);
    of_threads = cpu_thread_kernel(run_thread, sizeof(fault_args), 8);
    of_threads.name = "of threads";
    FILE *file = tmpfile();
    beyond = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    fclose(file);
}

static void says(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "\"%s\" does not say \"%s\"", text, part);
}

static void works(accel_impl_queue *queue)
{
    uint64_t done = 0;
    fault_args none = {.done = &done};
    ok(launch(queue, &of_blocks, &none));
    ok(q->wait(queue));
    ck_assert_uint_eq(done, BLOCKS);
    ok(launch(queue, &of_threads, &none));
    ok(q->wait(queue));
    ck_assert_uint_eq(done, BLOCKS + BLOCKS * THREADS);
}

/* The launch fails with these parts of a text, blocking or not, is reported once, and the queue works on. */
static void reports(accel_impl_queue *queue, accel_status launched, const char *const parts[])
{
    char text[1024];
    if (launched != ACCEL_OK) {
        ck_assert_uint_eq(launched, ACCEL_KERNEL_FAULT);
        snprintf(text, sizeof text, "%s", accel_error_message());
        ck_assert_uint_eq(q->wait(queue), ACCEL_KERNEL_FAULT);
        says(accel_error_message(), text);
    } else
        ck_assert_uint_eq(q->wait(queue), ACCEL_KERNEL_FAULT);
    snprintf(text, sizeof text, "%s", accel_error_message());
    for (int i = 0; parts[i] != NULL; ++i)
        says(text, parts[i]);
    ok(q->wait(queue));
}
#define REPORTS(queue, launched, ...) reports(queue, launched, (const char *const[]){__VA_ARGS__, NULL})

static const struct {
    int number;
    const char *text;
} signals[] = {{SIGSEGV, "SIGSEGV at 0x10 (there is no memory)"},
               {SIGBUS, "SIGBUS at 0x"},
#if defined(__x86_64__)
               {SIGFPE, "SIGFPE (a division of integers by zero"},
#endif
               {SIGILL, "SIGILL ("}};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

START_TEST(K20_each_signal_in_each_kind_of_kernel_fails_the_launch)
{
    begin(true);
    uint64_t done = 0;
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        for (int i = 0; i < SIGNALS; ++i) {
            fault_args args = {signals[i].number, 3, 7, &done};
            REPORTS(queue, launch(queue, &of_blocks, &args), "kernel \"test\": ", signals[i].text,
                    ", in block (3, 0, 0), instruction 0x",
                    "cpu_catcher. Last launches, latest first: \"test\" (5x1x1 blocks of 1x1x1 threads)");
            REPORTS(queue, launch(queue, &of_threads, &args), "kernel \"of threads\": ", signals[i].text,
                    ", in thread (7, 0, 0) of block (3, 0, 0), ",
                    "first: \"of threads\" (5x1x1 blocks of 16x1x1 threads), \"test\" (5x1x1 blocks of 1x1x1 threads)");
            args.thread = 0;
            REPORTS(queue, launch_as(queue, &of_threads, 1, 0, &args), signals[i].text,
                    ", in thread (0, 0, 0) of block (3, 0, 0), ");
            REPORTS(queue, launch_as(queue, &of_blocks, 1, 64, &args), signals[i].text, ", in block (3, 0, 0), ");
            works(queue);
        }
        q->destroy(queue);
    }
}
END_TEST

START_TEST(K20_a_stack_that_overflows_does_so_too)
{
    begin(true);
    uint64_t done = 0;
    fault_args args = {OVERFLOW, 2, 4, &done};
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_impl_queue *queue = cpu_engine_queue(&engine, flags);
        REPORTS(queue, launch(queue, &of_blocks, &args), "SIGSEGV at 0x", "just below the thread's stack",
                "block (2, 0, 0)");
        args.thread = 0;
        REPORTS(queue, launch_as(queue, &of_threads, 1, 0, &args), "SIGSEGV at 0x", "stack", "block (2, 0, 0)");
        REPORTS(queue, launch(queue, &of_threads, &args), "ACCEL_CPU_STACK_SIZE");
        works(queue);
        q->destroy(queue);
    }
}
END_TEST

START_TEST(K20_the_thread_keeps_its_environment_and_its_signals)
{
    begin(true);
    uint64_t done = 0;
    sigset_t blocked, now;
    stack_t stack;
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    fesetround(FE_UPWARD);
    for (int i = 0; i < SIGNALS; ++i) {
        fault_args args = {signals[i].number, 0, 0, &done};
        ck_assert_uint_eq(launch(queue, i % 2 == 0 ? &of_blocks : &of_threads, &args), ACCEL_KERNEL_FAULT);
        ck_assert_int_eq(fegetround(), FE_UPWARD);
        pthread_sigmask(SIG_BLOCK, NULL, &now);
        ck_assert(sigismember(&now, SIGUSR1) && !sigismember(&now, signals[i].number));
        ck_assert_int_eq(sigaltstack(NULL, &stack), 0);
        ck_assert_int_eq(stack.ss_flags & SS_ONSTACK, 0);
        ck_assert_uint_eq(q->wait(queue), ACCEL_KERNEL_FAULT);
    }
    fesetround(FE_TONEAREST);
    works(queue);
    q->destroy(queue);
}
END_TEST

START_TEST(K20_launches_behind_it_are_skipped_until_it_is_reported)
{
    begin(true);
    uint64_t done = 0, counter = 0;
    fault_args args = {SIGSEGV, 0, 0, &done};
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    ok(launch(queue, &of_blocks, &args));
    ok(launch_add(queue, &counter, UINT64_MAX));
    accel_status told = ACCEL_OK;
    ok(q->call(queue, note_status, &told));
    ck_assert_uint_eq(q->wait(queue), ACCEL_KERNEL_FAULT);
    ck_assert_uint_eq(told, ACCEL_KERNEL_FAULT);
    ck_assert_uint_eq(counter, 0);
    works(queue);
    q->destroy(queue);
    queue = cpu_engine_queue(&engine, 0);
    works(queue);
    q->destroy(queue);
}
END_TEST

static void write_at(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    (void)launch, (void)first, (void)count;
    **(volatile unsigned char *const *)args = 1;
}

START_TEST(K20_the_nearest_buffer_is_named)
{
    enum { SIZE = 1 << 20, PAGE = 4096 };
    begin(true);
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    accel_memory_request request = {.struct_size = sizeof request, .size = SIZE, .alignment = PAGE};
    accel_descriptor writes = cpu_block_kernel(write_at, 8, 8);
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &writes);
    accel_work work = accel_work_1d(1, 1, 1);
    accel_impl_memory *memory[2];
    void *host, *data[2];
    char text[128];
    for (int i = 0; i < 2; ++i)
        ok(engine.plugin.device_vtable->allocate(engine.device, &request, &memory[i], &data[i], &host));
    unsigned char *forbidden = (unsigned char *)data[0] + 3 * PAGE, *at = forbidden + 10;
    ck_assert_int_eq(mprotect(forbidden, PAGE, PROT_NONE), 0);
    REPORTS(queue, LAUNCH(queue, &kernel, &work, &at),
            "at byte 12298 of a buffer of 1048576 bytes), in block (0, 0, 0)");
    ck_assert_int_eq(mprotect(forbidden, PAGE, PROT_READ | PROT_WRITE), 0);
    uintptr_t low = (uintptr_t)(data[0] < data[1] ? data[0] : data[1]),
              high = (uintptr_t)(data[0] < data[1] ? data[1] : data[0]);
    ck_assert(cpu_buffers_describe(low - 5, text, sizeof text));
    ck_assert_str_eq(text, "5 bytes before a buffer of 1048576 bytes");
    ck_assert(cpu_buffers_describe(high + SIZE, text, sizeof text));
    ck_assert_str_eq(text, "0 bytes behind a buffer of 1048576 bytes");
    ck_assert(!cpu_buffers_describe(low - ((uintptr_t)1 << 33), text, sizeof text));
    for (int i = 0; i < 2; ++i)
        engine.plugin.device_vtable->free(engine.device, memory[i]);
    q->destroy(queue);
    ck_assert(!cpu_buffers_describe(low, text, sizeof text));
}
END_TEST

static void *fault_often(void *user)
{
    accel_impl_queue *queue = cpu_engine_queue(&engine, *(uint32_t *)user);
    uint64_t done = 0;
    for (int i = 0; i < 100; ++i) {
        fault_args args = {signals[i % SIGNALS].number, (size_t)i % BLOCKS, 3, &done};
        accel_descriptor *kernel = i % 3 == 0 ? &of_threads : &of_blocks;
        REPORTS(queue, launch(queue, kernel, &args), signals[i % SIGNALS].text);
        works(queue);
    }
    q->destroy(queue);
    return NULL;
}

START_TEST(K20_faults_of_several_queues_at_once)
{
    enum { QUEUES = 6 };
    pthread_t threads[QUEUES];
    uint32_t flags[QUEUES];
    begin(true);
    for (uint32_t i = 0; i < QUEUES; ++i) {
        flags[i] = i % 2;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fault_often, &flags[i]), 0);
    }
    for (int i = 0; i < QUEUES; ++i)
        pthread_join(threads[i], NULL);
}
END_TEST

/* --- what stays the program's --- */

static int number; /* of the signal in a child */

static void launch_in_child(void)
{
    uint64_t done = 0;
    fault_args args = {number, 0, 0, &done};
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    _exit(launch(queue, &of_blocks, &args) == ACCEL_KERNEL_FAULT ? 9 : 0);
}

START_TEST(without_a_request_a_fault_ends_the_program)
{
    begin(false);
    for (int i = 0; i < SIGNALS; ++i) {
        number = signals[i].number;
        ck_assert_int_eq(child_end(launch_in_child), number);
    }
}
END_TEST

START_TEST(K20_in_the_child_of_a_fork_it_is_reported)
{
    begin(true);
    number = SIGSEGV;
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    works(queue);
    ck_assert_int_eq(child_end(launch_in_child), CHILD_EXITED + 9);
    q->destroy(queue);
}
END_TEST

static void fault_by_call(void *user, accel_status status)
{
    (void)user;
    (void)status;
    fault(number);
}

static void call_in_child(void)
{
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    works(queue);
    q->call(queue, fault_by_call, NULL);
}

static void fault_outside(void)
{
    accel_impl_queue *queue = cpu_engine_queue(&engine, 0);
    works(queue);
    fault(number);
    q->destroy(queue);
}

START_TEST(Q8_faults_of_host_functions_and_of_the_program_stay_its_own)
{
    begin(true);
    for (int i = 0; i < SIGNALS; ++i) {
        number = signals[i].number;
        ck_assert_int_eq(child_end(call_in_child), number);
        ck_assert_int_eq(child_end(fault_outside), number);
    }
}
END_TEST

static void hold_lock(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    (void)args, (void)first, (void)count;
    launch->grid->locks[5] = 1; /* as within ACCEL_ATOMIC_UPDATE */
    fault(SIGSEGV);
}

static void launch_holder(void)
{
    of_blocks.run_blocks = hold_lock;
    launch_in_child();
}

static void *give_lock_back(void *user)
{
    (void)user;
    usleep(20000);
    __atomic_store_n(&cpu_process_locks[7], 0, __ATOMIC_RELEASE);
    return NULL;
}

START_TEST(a_fault_that_may_hold_a_lock_ends_the_program)
{
    begin(true);
    ck_assert_int_eq(child_end(launch_holder), SIGSEGV);
    ck_assert_int_eq(child_end(launch_in_child), CHILD_EXITED + 0);
    pthread_t other; /* another kernel holds one for a while */
    cpu_process_locks[7] = 1;
    ck_assert_int_eq(pthread_create(&other, NULL, give_lock_back, NULL), 0);
    uint64_t done = 0;
    fault_args args = {SIGSEGV, 0, 0, &done};
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    REPORTS(queue, launch(queue, &of_blocks, &args), "SIGSEGV");
    pthread_join(other, NULL);
    q->destroy(queue);
}
END_TEST

static sigjmp_buf back;

static void leave(int signal)
{
    siglongjmp(back, signal);
}

static void exit_by(int signal)
{
    _exit(signal);
}

START_TEST(a_handler_that_the_program_has_keeps_all_faults)
{
    struct sigaction action = {.sa_handler = exit_by}, now;
    ck_assert_int_eq(sigaction(SIGFPE, &action, NULL), 0);
    begin(true);
    number = SIGFPE;
    ck_assert_int_eq(child_end(launch_in_child), CHILD_EXITED + SIGFPE);
    number = SIGSEGV;
    ck_assert_int_eq(child_end(launch_in_child), SIGSEGV);
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    works(queue);
    ck_assert_int_eq(sigaction(SIGFPE, NULL, &now), 0);
    ck_assert(now.sa_handler == exit_by);
    ck_assert_int_eq(sigaction(SIGBUS, NULL, &now), 0);
    ck_assert(now.sa_handler == SIG_DFL);
    q->destroy(queue);
}
END_TEST

START_TEST(a_handler_that_the_program_installs_later_gets_those_of_kernels_too)
{
    struct sigaction action = {.sa_handler = leave};
    uint64_t done = 0;
    fault_args args = {SIGFPE, 0, 0, &done};
    begin(true);
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    REPORTS(queue, launch(queue, &of_blocks, &args), "SIGFPE");
    ck_assert_int_eq(sigaction(SIGFPE, &action, NULL), 0);
    if (sigsetjmp(back, 1) == 0) {
        launch(queue, &of_blocks, &args);
        ck_abort_msg("the handler did not run");
    }
}
END_TEST

START_TEST(without_a_queue_the_signals_are_as_they_were)
{
    struct sigaction before[SIGNALS], with, after;
    for (int i = 0; i < SIGNALS; ++i)
        sigaction(signals[i].number, NULL, &before[i]);
    begin(true);
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING), *other = cpu_engine_queue(&engine, 0);
    q->destroy(other);
    for (int i = 0; i < SIGNALS; ++i) {
        sigaction(signals[i].number, NULL, &with);
        ck_assert(with.sa_sigaction != before[i].sa_sigaction);
    }
    works(queue);
    q->destroy(queue);
    for (int i = 0; i < SIGNALS; ++i) {
        sigaction(signals[i].number, NULL, &after);
        ck_assert(after.sa_sigaction == before[i].sa_sigaction);
    }
}
END_TEST

/* A sanitizer handles the signals itself. */
static bool may_report(void)
{
    struct sigaction now;
    return sigaction(SIGSEGV, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
}

Suite *noun_suite(void)
{
    const bool may = may_report();
    Suite *suite = suite_create("cpu_catcher");
    add_if(may, suite, K20_each_signal_in_each_kind_of_kernel_fails_the_launch);
    add_if(may, suite, K20_a_stack_that_overflows_does_so_too);
    add_if(may, suite, K20_the_thread_keeps_its_environment_and_its_signals);
    add_if(may, suite, K20_launches_behind_it_are_skipped_until_it_is_reported);
    add_if(may, suite, K20_the_nearest_buffer_is_named);
    add_if(may, suite, K20_faults_of_several_queues_at_once);
    add_if(may, suite, K20_in_the_child_of_a_fork_it_is_reported);
    add_if(may, suite, without_a_request_a_fault_ends_the_program);
    add_if(may, suite, Q8_faults_of_host_functions_and_of_the_program_stay_its_own);
    add_if(may, suite, a_fault_that_may_hold_a_lock_ends_the_program);
    add_if(may, suite, a_handler_that_the_program_has_keeps_all_faults);
    add_if(may, suite, a_handler_that_the_program_installs_later_gets_those_of_kernels_too);
    add_if(may, suite, without_a_queue_the_signals_are_as_they_were);
    return suite;
}
