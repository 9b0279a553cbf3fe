/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"
#include "plugins/cpu/machine/thread.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

typedef struct beginning {
    sem_t seen;
    sigset_t blocked; /* when the thread's first instruction ran */
} beginning;

static void *thread_main(void *user)
{
    beginning *begun = user;

    pthread_sigmask(SIG_SETMASK, NULL, &begun->blocked);
    sem_post(&begun->seen);
    return NULL;
}

static const uint8_t *all_cpus(void)
{
    static uint8_t mask[CPU_MASK_BYTES];

    for (size_t i = 0; i < sizeof(mask); ++i)
        mask[i] = 0xff;
    return mask;
}

START_TEST(a_thread_begins_with_the_signals_of_the_program_blocked)
{
    static const int of_program[] = {SIGUSR1, SIGUSR2, SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGHUP};
    static const int of_thread[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGPROF};
    beginning begun;
    sigset_t before, after;

    sem_init(&begun.seen, 0, 0);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    ck_assert_int_eq(cpu_thread_start(thread_main, &begun, all_cpus()), 0);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    sem_wait(&begun.seen);
    for (size_t i = 0; i < sizeof(of_program) / sizeof(of_program[0]); ++i)
        ck_assert_msg(sigismember(&begun.blocked, of_program[i]) == 1, "signal %d can run on it", of_program[i]);
    for (size_t i = 0; i < sizeof(of_thread) / sizeof(of_thread[0]); ++i)
        ck_assert_msg(sigismember(&begun.blocked, of_thread[i]) == 0, "its own signal %d is blocked", of_thread[i]);
    for (int signal = 1; signal < 32; ++signal) /* its creator's are as they were */
        ck_assert_int_eq(sigismember(&after, signal), sigismember(&before, signal));
    sem_destroy(&begun.seen);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("thread");

    add(suite, a_thread_begins_with_the_signals_of_the_program_blocked);
    return suite;
}
