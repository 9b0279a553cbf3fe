/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that end with work pending: real programs (pending.c). */
#include "nouns.h"
#include "suite.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs `pending HOW` beside this program; it must end by itself, with status 7, and quickly. */
static void ends(const char *how)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
    ck_assert_int_gt(length, 0);
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, "pending");
    const char *backends = suite_backends();
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (backends != NULL)
            setenv("ACCEL_BACKEND", backends, 1);
        char options[1000]; /* it leaks on purpose */
        const char *given = getenv("ASAN_OPTIONS");
        snprintf(options, sizeof options, "%s:detect_leaks=0", given == NULL ? "" : given);
        setenv("ASAN_OPTIONS", options, 1);
        execl(path, path, how, (char *)NULL);
        _exit(126);
    }
    int status = 0;
    double end = seconds_now() + 30;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 && seconds_now() < end)
        sleep_ms(2);
    if (ended == 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        ck_abort_msg("%s: the program hangs", how);
    }
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%s: it ended with %d, signal %d", how,
                  WEXITSTATUS(status), WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

START_TEST(o5_a_program_exits_with_a_queue_full_of_work)
{
    ends("launches");
}
END_TEST

START_TEST(o5_a_program_exits_while_a_host_function_runs)
{
    ends("inside");
}
END_TEST

START_TEST(o5_a_program_exits_while_a_queue_waits_for_an_event_that_never_comes)
{
    ends("event");
}
END_TEST

START_TEST(o5_a_program_exits_after_releasing_everything_with_work_pending)
{
    ends("released");
}
END_TEST

START_TEST(o5_a_program_exits_with_copies_between_backends_pending)
{
    ends("copies");
}
END_TEST

START_TEST(o5_a_thread_may_exit_the_program)
{
    ends("thread");
}
END_TEST

Suite *exit_suite(void)
{
    Suite *suite = suite_create("exit");
    add(suite, o5_a_program_exits_with_a_queue_full_of_work);
    add(suite, o5_a_program_exits_while_a_host_function_runs);
    add(suite, o5_a_program_exits_while_a_queue_waits_for_an_event_that_never_comes);
    add(suite, o5_a_program_exits_after_releasing_everything_with_work_pending);
    add(suite, o5_a_program_exits_with_copies_between_backends_pending);
    add(suite, o5_a_thread_may_exit_the_program);
    return suite;
}
