/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of kernels, and those that are none of the engine's. */
#include "cpu_commands.h"
#include "child.h"

#include "plugins/cpu/engine/module.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- kernels --- */

static __attribute__((noinline)) unsigned char deep(volatile unsigned char *above, uint64_t levels)
{
    volatile unsigned char here[512];
    here[0] = (unsigned char)(above[0] + 1);
    return levels == 0 ? here[0] : (unsigned char)(deep(here, levels - 1) + here[0]);
}

/* The last thread that comes goes as deep as args say; the others wait for it. */
static void recurse(const accel_thread_context *thread, const void *args)
{
    volatile unsigned char first = 0;
    thread->launch->sync(thread, ACCEL_SYNC_PLAIN, 0);
    if (thread->thread_index[0] == 5)
        deep(&first, *(const uint64_t *)args);
    thread->launch->sync(thread, ACCEL_SYNC_PLAIN, 0);
}

static void store(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    uint32_t *shared = launch->shared;
    (void)first;
    for (; count != 0; --count)
        for (uint32_t i = 0; i < 1000; ++i)
            shared[i] = (uint32_t) * (const uint64_t *)args + i;
}

static accel_descriptor recursive, storing;

static accel_status launch(accel_impl_queue *queue, accel_descriptor *descriptor, uint64_t value, size_t shared)
{
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, descriptor);
    accel_work work = {.struct_size = sizeof work, .dims = 1, .shared_bytes = shared};
    work.blocks[0] = 3;
    work.threads[0] = 16;
    work.elems[0] = 1;
    return LAUNCH(queue, &kernel, &work, &value);
}

static void begin(void)
{
    open_engine();
    recursive = cpu_thread_kernel(recurse, 8, 8);
    storing = cpu_block_kernel(store, 8, 8);
}

enum { FITS = 10, OVERFLOWS = 1000000 };

static void overflows(accel_impl_queue *queue)
{
    ck_assert_uint_eq(launch(queue, &recursive, OVERFLOWS, 0), ACCEL_KERNEL_FAULT);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "kernel \"test\""));
    ck_assert_uint_eq(q->wait(queue), ACCEL_KERNEL_FAULT);
    ok(q->wait(queue));
}

/* --- what the engine reports --- */

START_TEST(T3_an_overflow_of_a_stack_is_an_error_and_the_queue_works_on)
{
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    for (int i = 0; i < 3; ++i) {
        ok(launch(queue, &recursive, FITS, 0));
        overflows(queue);
    }
    ok(launch(queue, &recursive, FITS, 0));
    q->destroy(queue);
}
END_TEST

static void *overflow_on_a_thread(void *queue)
{
    overflows(queue);
    return NULL;
}

START_TEST(T3_also_on_threads_that_end_afterwards)
{
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    for (int i = 0; i < 5; ++i) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, overflow_on_a_thread, queue), 0);
        pthread_join(thread, NULL);
    }
    q->destroy(queue);
}
END_TEST

START_TEST(K7_shared_memory_that_was_not_asked_for_is_an_error)
{
    begin();
    accel_impl_queue *blocking = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING), *other = cpu_engine_queue(&engine, 0);
    for (int i = 0; i < 3; ++i) {
        ok(launch(blocking, &storing, 7, 4000));
        ck_assert_uint_eq(launch(blocking, &storing, 7, 0), ACCEL_KERNEL_FAULT);
        ck_assert_ptr_nonnull(strstr(accel_error_message(), "kernel \"test\""));
        ck_assert_ptr_nonnull(strstr(accel_error_message(), "shared_bytes"));
        ck_assert_uint_eq(launch(blocking, &storing, 7, 4000), ACCEL_KERNEL_FAULT); /* skipped (Q7) */
        ck_assert_uint_eq(q->wait(blocking), ACCEL_KERNEL_FAULT);
        ok(q->wait(blocking));

        uint64_t counter = 0;
        ok(launch(other, &storing, 7, 0));
        ok(launch_add(other, &counter, UINT64_MAX)); /* skipped */
        ck_assert_uint_eq(q->wait(other), ACCEL_KERNEL_FAULT);
        ck_assert_ptr_nonnull(strstr(accel_error_message(), "kernel \"test\""));
        ck_assert_uint_eq(counter, 0);
        ok(launch_add(other, &counter, 0));
        ok(q->wait(other));
        ck_assert_uint_eq(counter, 1);
    }
    q->destroy(blocking);
    q->destroy(other);
}
END_TEST

/* --- what is the program's --- */

static sigjmp_buf back;
static volatile uintptr_t seen;
static unsigned char *forbidden;

static void leave(int number, siginfo_t *info, void *registers)
{
    (void)registers;
    seen = (uintptr_t)info->si_addr;
    siglongjmp(back, number);
}

static void leave_plainly(int number)
{
    seen = 1;
    siglongjmp(back, number);
}

static void handle_by(void (*function)(int, siginfo_t *, void *), void (*plain)(int))
{
    struct sigaction action = {.sa_flags = function != NULL ? SA_SIGINFO : 0};
    if (function != NULL)
        action.sa_sigaction = function;
    else
        action.sa_handler = plain;
    ck_assert_int_eq(sigaction(SIGSEGV, &action, NULL), 0);
    forbidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void fault_of_the_program(uintptr_t expected)
{
    seen = 0;
    if (sigsetjmp(back, 1) == 0)
        *(volatile unsigned char *)(forbidden + 5) = 1;
    ck_assert_uint_eq(seen, expected);
}

START_TEST(a_handler_of_the_program_gets_its_faults)
{
    handle_by(leave, NULL);
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    for (int i = 0; i < 3; ++i) {
        fault_of_the_program((uintptr_t)forbidden + 5);
        overflows(queue);
    }
    q->destroy(queue);
    fault_of_the_program((uintptr_t)forbidden + 5);
}
END_TEST

START_TEST(a_handler_without_information_gets_them_too)
{
    handle_by(NULL, leave_plainly);
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    fault_of_the_program(1);
    overflows(queue);
    seen = 0;
    if (sigsetjmp(back, 1) == 0)
        raise(SIGSEGV); /* as another process may send it */
    ck_assert_uint_eq(seen, 1);
    q->destroy(queue);
}
END_TEST

START_TEST(a_handler_that_the_program_installs_later_stays)
{
    struct sigaction now;
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    handle_by(leave, NULL);
    fault_of_the_program((uintptr_t)forbidden + 5);
    q->destroy(queue);
    queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    ok(launch(queue, &recursive, FITS, 0));
    fault_of_the_program((uintptr_t)forbidden + 5);
    q->destroy(queue);
    ck_assert_int_eq(sigaction(SIGSEGV, NULL, &now), 0);
    ck_assert(now.sa_sigaction == leave);
}
END_TEST

START_TEST(without_a_queue_the_signal_is_as_it_was)
{
    struct sigaction before, with, after;
    sigaction(SIGSEGV, NULL, &before);
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    sigaction(SIGSEGV, NULL, &with);
    overflows(queue);
    q->destroy(queue);
    sigaction(SIGSEGV, NULL, &after);
    ck_assert(with.sa_sigaction != before.sa_sigaction);
    ck_assert(after.sa_sigaction == before.sa_sigaction);
}
END_TEST

/* The signal that ends a child that does this; 0: none. */
static int end_of(void (*does)(void))
{
    int end = child_end(does);
    return end < CHILD_EXITED ? end : 0;
}

static void touch(void)
{
    *(volatile unsigned char *)(forbidden + 5) = 1;
}

static void send_itself(void)
{
    raise(SIGSEGV);
}

START_TEST(without_a_handler_a_fault_ends_the_program)
{
    handle_by(NULL, SIG_DFL);
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    ck_assert_int_eq(end_of(touch), SIGSEGV);
    ck_assert_int_eq(end_of(send_itself), SIGSEGV);
    signal(SIGSEGV, SIG_DFL);
    q->destroy(queue);
}
END_TEST

START_TEST(an_ignored_signal_is_ignored_and_a_fault_is_not)
{
    handle_by(NULL, SIG_IGN);
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    ck_assert_int_eq(end_of(touch), SIGSEGV);
    ck_assert_int_eq(end_of(send_itself), 0);
    q->destroy(queue);
}
END_TEST

START_TEST(an_alternate_stack_of_the_program_is_used_and_stays)
{
    static unsigned char stack[1 << 17];
    stack_t now, own = {.ss_sp = stack, .ss_size = sizeof stack};
    ck_assert_int_eq(sigaltstack(&own, NULL), 0);
    begin();
    accel_impl_queue *queue = cpu_engine_queue(&engine, ACCEL_QUEUE_BLOCKING);
    overflows(queue);
    ck_assert_int_eq(sigaltstack(NULL, &now), 0);
    ck_assert_ptr_eq(now.ss_sp, stack);
    q->destroy(queue);
    own.ss_flags = SS_DISABLE;
    sigaltstack(&own, NULL);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_fault");
    add(suite, T3_an_overflow_of_a_stack_is_an_error_and_the_queue_works_on);
    add(suite, T3_also_on_threads_that_end_afterwards);
    add(suite, K7_shared_memory_that_was_not_asked_for_is_an_error);
    add(suite, a_handler_of_the_program_gets_its_faults);
    add(suite, a_handler_without_information_gets_them_too);
    add(suite, a_handler_that_the_program_installs_later_stays);
    add(suite, without_a_queue_the_signal_is_as_it_was);
    add(suite, without_a_handler_a_fault_ends_the_program);
    add(suite, an_ignored_signal_is_ignored_and_a_fault_is_not);
    add(suite, an_alternate_stack_of_the_program_is_used_and_stays);
    return suite;
}
